//! Prints texts that the program contains: games, shell completions, the manual page.

use crate::cli::output::Out;
use crate::cli::{CommandResult, YES};
use alphorn_protocol::protocol::example::{self, Reply, Request};
use clap::{Args, Command};
use clap_complete::Shell;
use serde_json::json;

pub(super) fn example(request: &Request, out: &Out) -> CommandResult {
    let found = example::answer(request)?;
    match (&found, out.json) {
        (found, true) => out.object(found),
        (Reply::Games(all), false) => {
            all.examples.iter().for_each(|row| out.line(&format!("{:<18} {}", row.name, row.about)));
        }
        (Reply::Game(game), false) => out.print(&game.text),
    }
    Ok(YES)
}

/// `alphorn completions`
#[derive(Args, Debug)]
pub struct CompletionsArgs {
    /// For which shell
    pub shell: Shell,
}

pub(super) fn completions(shell: Shell, mut command: Command, out: &mut Out) -> CommandResult {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut command, "alphorn", &mut text);
    written(out, &text)
}

pub(super) fn man(mut command: Command, out: &mut Out) -> CommandResult {
    let mut page = Vec::new();
    command.build();
    let mut render = |command: Command| clap_mangen::Man::new(command).render(&mut page);
    let below = |command: &Command| -> Vec<Command> {
        command.get_subcommands().filter(|sub| sub.get_name() != "help").cloned().collect()
    };
    // Each command comes before its own subcommands.
    let subcommands: Vec<Command> =
        below(&command).into_iter().flat_map(|sub| [vec![sub.clone()], below(&sub)].concat()).collect();
    let rendered = render(command).and_then(|()| subcommands.into_iter().try_for_each(render));
    if let Err(error) = rendered {
        out.tell(&format!("the page is incomplete: {error}\n"));
    }
    written(out, &page)
}

fn written(out: &Out, text: &[u8]) -> CommandResult {
    let text = String::from_utf8_lossy(text);
    match out.json {
        true => out.object(json!({ "text": text })),
        false => out.print(&text),
    }
    Ok(YES)
}
