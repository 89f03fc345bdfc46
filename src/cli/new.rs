//! `new`: writes the rules of a new game.

use crate::cli::output::Out;
use crate::cli::{CommandResult, YES};
use alphorn_protocol::protocol::host::refusal;
use alphorn_protocol::protocol::template::{self, Reply, Request};
use alphorn_session::session::writing::{reachable, write};
use alphorn_text::printable::line;
use clap::Args;
use std::path::{Path, PathBuf};

/// `alphorn new`
#[derive(Args, Debug)]
pub struct NewArgs {
    #[command(flatten)]
    /// The name and the template
    pub request: Request,
    /// List the templates
    #[arg(long)]
    pub list: bool,
}

pub(super) fn new(args: &NewArgs, out: &Out) -> CommandResult {
    let given = args.request.name.as_deref().filter(|_| !args.list);
    if given.is_none() && !args.list {
        return Err(refusal(
            "the name of the game is missing",
            "write a name, such as alphorn new mygame; alphorn new --list lists the templates",
        ));
    }
    // The name may stand in a folder.
    let path = given.map(Path::new);
    let last = |text: &str| text.rsplit(std::path::is_separator).next().unwrap_or_default().to_string();
    let name = given.map(last);
    let found = template::answer(&Request { name, ..args.request.clone() })?;
    match &found {
        Reply::List(all) if !out.json => {
            for row in &all.templates {
                out.line(&format!("--board {:<7} --moves {:<6} {}", row.board, row.moves, row.about));
            }
        }
        Reply::Game(game) => {
            let file: PathBuf = path.unwrap_or(Path::new("")).with_file_name(format!("{}.pl", game.name));
            if file.symlink_metadata().is_ok() {
                let message = format!("{} exists, so Alphorn does not overwrite it", file.display());
                return Err(refusal(message, "choose another name, or delete the file first"));
            }
            reachable(&file)?;
            write(&file, &game.text, &[])?;
            let file = line(&file.display().to_string()).to_string();
            if !out.json {
                out.line(&format!("created {file}"));
                out.line(&format!("alphorn test {file} checks its expectations; alphorn play {file} plays it"));
            }
        }
        Reply::List(_) => {}
    }
    if out.json {
        out.object(&found);
    }
    Ok(YES)
}
