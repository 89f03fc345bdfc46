//! Runs the commands about rules, such as `:load`, `:rule` and `:param`.

use super::arguments::split;
use super::questions::{RepeatOptions, compare_across_change};
use super::settings::assignment;
use super::table::columns;
use super::watch::{fresh, names};
use super::{Repl, refusal};
use crate::cli::{CommandResult, FAILED, YES};
use alphorn_lang::lang::near::nearest;
use alphorn_session::session::options::LoadOptions;
use alphorn_session::session::overlay::TypedReplacement;
use alphorn_session::session::params::Parameter;
use alphorn_session::session::reading::InputState;
use alphorn_session::session::{Failure, Session, SessionResult};
use alphorn_text::report::{first_of, plural};
use std::sync::atomic::Ordering::Relaxed;

impl Repl<'_> {
    pub(super) fn load(&mut self, rest: &str) -> CommandResult {
        let files = split(rest)?;
        if files.is_empty() {
            return Err(refusal(":load needs a file", "such as :load games/othello.pl"));
        }
        let before = self.workspace().load_options();
        let options = LoadOptions { files, steps: before.steps, memory: before.memory, ..LoadOptions::default() };
        let silent = std::mem::replace(&mut self.out.silent, true);
        let taken = self.take(options, false);
        self.out.silent = silent;
        if let Err(failure) = taken {
            self.out.failure(&failure);
            let stays = self.workspace().load_options().files.join(" ");
            if !stays.is_empty() {
                self.out.tell(&format!("still loaded: {stays}\n"));
            }
            return Ok(FAILED);
        }
        self.out.report(&self.workspace().session().rules.report.clone());
        self.question = None;
        if self.workspace().here().is_some() { self.show() } else { Ok(YES) }
    }

    /// Loads rules, and prints the new warnings.
    pub(super) fn take(&mut self, options: LoadOptions, keep: bool) -> SessionResult<()> {
        let seen = self.seen();
        let before = self.workspace().session().rules.report.clone();
        // An earlier interrupt is over.
        self.stop.store(false, Relaxed);
        if let Err(failure) = self.workspace_mut().load(options, keep) {
            // Rules whose loading was interrupted may load the next time.
            if !self.stop.load(Relaxed) {
                self.watch_again(seen, Some(&failure))?;
            }
            return Err(failure);
        }
        let new = fresh(&before, &self.workspace().session().rules.report);
        self.refresh();
        self.out.report(&new);
        self.watch_again(seen, None)
    }

    pub(super) fn reload(&mut self) -> CommandResult {
        let options = self.workspace().load_options().clone();
        if options.files.is_empty() && options.overlays.is_empty() {
            return Err(refusal("there is no file to load again", "load one: :load FILE"));
        }
        let said = format!("loaded {}", names(&options));
        self.retake(options, |_| said)
    }

    /// Loads changed rules, and prints how the last answer changes. `said` describes the new rules.
    pub(super) fn retake(&mut self, options: LoadOptions, said: impl FnOnce(&Session) -> String) -> CommandResult {
        let (question, before) = (self.question.clone(), self.workspace().snapshot());
        let (settings, stop, arrow) = (self.settings.clone(), self.stop.clone(), self.arrow());
        let way = RepeatOptions { settings: &settings, stop: &stop, arrow, behind: false };
        let news = compare_across_change(question, before, &way, || {
            self.take(options, true)?;
            let said = said(self.workspace().session());
            self.out.print(&format!("{said}\n"));
            Ok(self.workspace().snapshot())
        })?;
        self.out.print(&news.text());
        let failed = news.failure().is_some();
        if let Some(failure) = news.failure() {
            self.out.failure(failure);
        }
        self.question = news.question;
        Ok(if failed { FAILED } else { YES })
    }

    pub(super) fn arrow(&self) -> &'static str {
        if self.out.unicode { "→" } else { "->" }
    }

    /// Adds a clause that replaces the predicate of the file.
    pub(super) fn rule(&mut self, rest: &str) -> CommandResult {
        let clause = rest.trim();
        if clause.is_empty() {
            return Err(refusal(":rule needs a clause", "such as :rule static_eval(Pos, 0)."));
        }
        if let InputState::Wrong(problem, sources) = self.workspace().session().reads(clause) {
            return Err(Failure::Problem(problem, sources));
        }
        let clause = if clause.ends_with('.') { clause.to_string() } else { format!("{clause}.") };
        let name = self.session().defines(&clause);
        let mut options = self.workspace().load_options().clone();
        options.typed.push(clause);
        self.retake(options, |session| match name {
            Some(name) => instead(session, &name),
            None => "loaded".to_string(),
        })
    }

    pub(super) fn rules(&mut self) -> CommandResult {
        let typed = &self.workspace().load_options().typed;
        let text = if typed.is_empty() { "no clause was added\n".to_string() } else { typed.join("\n") + "\n" };
        self.out.print(&text);
        Ok(YES)
    }

    pub(super) fn drop_rules(&mut self, rest: &str) -> CommandResult {
        let mut options = self.workspace().load_options().clone();
        let before = options.typed.len();
        let wanted = rest.trim().trim_end_matches('.');
        if wanted.is_empty() {
            return Err(refusal(
                ":drop needs a predicate",
                "such as :drop static_eval/2; :rules lists the added clauses",
            ));
        }
        let session = self.session();
        options.typed.retain(|clause| session.defines(clause).as_deref() != Some(wanted));
        if options.typed.len() == before {
            let names: Vec<String> = options.typed.iter().filter_map(|clause| session.defines(clause)).collect();
            let help = match nearest(wanted, names.iter().map(String::as_str)) {
                Some(near) => format!("did you mean {near}?"),
                None if names.is_empty() => "no clause was added: add one with :rule".to_string(),
                None => format!("there are added clauses of {}", first_of(&names, ", ")),
            };
            return Err(refusal(&format!("no clause of {wanted} was added"), &help));
        }
        let was = session.typed_replacement(wanted).and_then(|was| was.replaced);
        let said = match was {
            Some((1, file)) => format!("{wanted}: the clause of {file} is used again"),
            Some((count, file)) => format!("{wanted}: the {count} clauses of {file} are used again"),
            None => format!("{wanted} is gone"),
        };
        self.retake(options, |_| said)
    }

    pub(super) fn param(&mut self, rest: &str) -> CommandResult {
        let text = rest.trim().trim_end_matches('.');
        if text.is_empty() {
            let params = self.workspace().session().params();
            let cells = |param: &Parameter| {
                vec![format!("{}={}", param.name, param.value), format!("{} ({})", param.about, param.domain)]
            };
            self.out.print(&match params.is_empty() {
                true => "the program has no parameters\n".to_string(),
                false => columns(&params.iter().map(cells).collect::<Vec<_>>()),
            });
            return Ok(YES);
        }
        let (name, Some(value)) = assignment(text) else {
            return Err(refusal("write NAME=VALUE", "such as :param size=8"));
        };
        let mut options = self.workspace().load_options().clone();
        options.params.push((name.to_string(), value.to_string()));
        self.take(options, true)?;
        if self.workspace().here().is_some() { self.show() } else { Ok(YES) }
    }
}

/// Describes a replacement: `man/2: 1 clause in place of the 2 clauses of herd.pl`.
fn instead(session: &Session, name: &str) -> String {
    let Some(TypedReplacement { clauses, replaced }) = session.typed_replacement(name) else {
        return "loaded".to_string();
    };
    let typed = plural(clauses as u64, "clause", "clauses");
    match replaced {
        Some((1, file)) => format!("{name}: {typed} in place of the clause of {file}"),
        Some((count, file)) => format!("{name}: {typed} in place of the {count} clauses of {file}"),
        None => format!("{name}: {typed}, of a new predicate"),
    }
}
