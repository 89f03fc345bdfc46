//! `:save`: writes the added clauses to an overlay file.
//!
//! If that overlay is in use, the clauses are merged into its text. The command prints how to use the
//! file. The module does not depend on how a file is written.

use super::arguments::split;
use super::{Repl, refusal};
use crate::cli::{CommandResult, YES};
use alphorn_session::session::writing::{is_same, write};
use alphorn_session::session::{Failure, SessionResult};
use alphorn_text::code::Code;
use alphorn_text::interrupt;
use alphorn_text::printable::line;
use alphorn_text::report::{Problem, plural};
use alphorn_text::source::{MAX_SOURCE_BYTES, read_text};
use std::path::Path;
use std::sync::Arc;

/// The limit on the size of a rules file, in words.
const RULES: &str = "bytes, the limit for a file of rules";

/// The first line of a saved file, which identifies it.
const HEAD: &str = "% Clauses that :save of alphorn has written, to be used by --with; unchanged: ";

/// Puts a header before the clauses, with a checksum that shows later changes.
fn headed(clauses: &str) -> String {
    // The hash function FNV-1a: Fowler, Noll and Vo (1991).
    let sum = clauses
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    format!("{HEAD}{sum:016x}\n{clauses}")
}

impl Repl<'_> {
    pub(super) fn save(&mut self, rest: &str) -> CommandResult {
        let (force, names): (Vec<String>, Vec<String>) = split(rest)?.into_iter().partition(|word| word == "--force");
        let [path] = names.try_into().map_err(|_| refusal(":save needs one file", "such as :save ideas.pl"))?;
        let options = self.workspace().load_options().clone();
        if options.typed.is_empty() {
            return Err(refusal("no clause to save: none was added", "add a clause with :rule"));
        }
        let file = Path::new(&path);
        let in_use = options.overlays.iter().any(|overlay| is_same(Path::new(overlay), file));
        let text = match in_use {
            true => self.merged(&path)?,
            false => {
                self.out.may_write(file, None)?;
                spared(file, &path, !force.is_empty())?;
                headed(&options.text())
            }
        };
        let mut rules = self.workspace().files();
        // An overlay in use may be rewritten, because its text is kept.
        rules.retain(|rule| !(in_use && is_same(rule, file)));
        write(file, &text, &rules)?;
        let clauses = plural(options.typed.len() as u64, "clause", "clauses");
        self.out.print(&match in_use {
            true => format!("{clauses} saved in {}, which is loaded\n", line(&path)),
            false => {
                let quoted = |name: &str| shlex::try_quote(name).map_or(name.to_string(), |quoted| quoted.into_owned());
                let main = options.files.first().map(|main| quoted(main)).unwrap_or_default();
                format!(
                    "{clauses} saved in {}; to use: alphorn value {} --with {}\n",
                    line(&path),
                    line(&main),
                    line(&quoted(&path))
                )
            }
        });
        Ok(YES)
    }

    /// The text of an overlay in use, merged with the added clauses.
    fn merged(&self, path: &str) -> SessionResult<String> {
        let (session, options) = (self.workspace().session(), self.workspace().load_options());
        let unread =
            |error: std::io::Error| refusal(&alphorn_text::source::unreadable(path, &error), "name another file");
        let text = interrupt::opened(path, || read_text(path, MAX_SOURCE_BYTES, RULES)).map_err(unread)?;
        session.with_typed(&text, &options.typed).ok_or_else(|| {
            kept(
                &format!("{path} is loaded, but Alphorn cannot read its present text"),
                "correct the file and type :reload, or name another file",
            )
        })
    }
}

/// Fails if the file exists and was not written by `:save`, or was changed since.
fn spared(file: &Path, path: &str, force: bool) -> SessionResult<()> {
    let Ok(about) = std::fs::metadata(file) else { return Ok(()) };
    // Writing to a device loses nothing.
    if force || !about.is_file() || about.len() == 0 {
        return Ok(());
    }
    let is_ours =
        |text: &str| text.starts_with(HEAD) && text.split_once('\n').is_some_and(|(_, rest)| headed(rest) == text);
    match read_text(file, MAX_SOURCE_BYTES, RULES) {
        Ok(text) if is_ours(&text) => Ok(()),
        _ => {
            let quoted = shlex::try_quote(path).map_or(path.into(), |quoted| quoted.into_owned());
            Err(kept(
                &format!("{path} exists, and it was changed after :save or not written by :save"),
                &format!("name another file; :save {quoted} --force replaces it"),
            ))
        }
    }
}

fn kept(message: &str, help: &str) -> Failure {
    Failure::Problem(Box::new(Problem::placeless(Code::FileNotReplaced, message).help(help)), Arc::default())
}
