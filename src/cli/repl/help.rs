//! Prints help at the prompt: the list of commands, or a topic.
//!
//! A topic is a command, a setting, a predicate, a code or a word. The text fits a screen. No rules
//! are run here.

use super::commands::{self, CommandAction, CommandGroup, GROUPS};
use super::table::{SCREEN, columns, one_line};
use super::{Repl, arguments, refusal, settings};
use crate::cli::{CommandResult, YES, explain};
use alphorn_protocol::codes;
use alphorn_rules::rules::contract::INTERFACE;
use alphorn_session::session::Failure;
use alphorn_session::session::predicates::NamedPredicate;
use alphorn_text::report::Problem;

impl Repl<'_> {
    /// Lists predicates, commands and settings that mention a word.
    pub(super) fn apropos(&mut self, rest: &str) -> CommandResult {
        let word = rest.trim().to_lowercase();
        if word.is_empty() {
            return Err(refusal(":apropos needs a word", "such as :apropos list"));
        }
        let has = |text: &str| text.to_lowercase().contains(&word);
        let predicates = self.session().predicates().into_iter().filter(|named| named.callable);
        let predicates = predicates.map(|named| (named.indicator(), one_line(named.about.as_deref().unwrap_or(""))));
        let orders = commands::all().map(|order| (format!(":{}", order.name), order.about.to_string()));
        let settings = settings::names().map(|(name, what)| (format!(":set {name}"), what.to_string()));
        let rows: Vec<Vec<String>> = predicates
            .chain(orders)
            .chain(settings)
            .filter(|(name, about)| has(name) || has(about))
            .map(|(name, about)| vec![name, about])
            .collect();
        self.out.print(&match rows.is_empty() {
            true => format!("no predicate, command or setting mentions {word}\n"),
            false => columns(&rows),
        });
        Ok(YES)
    }

    pub(super) fn help(&mut self, rest: &str) -> CommandResult {
        let wanted = rest.trim().trim_end_matches('.');
        if codes::CODES.iter().any(|row| row.code.eq_ignore_ascii_case(wanted)) {
            return explain::code(wanted, self.out);
        }
        let text = match wanted {
            "" => overview(),
            "all" => GROUPS.iter().map(about_group).collect::<Vec<_>>().join("\n"),
            _ => self.about(wanted)?,
        };
        self.out.print(&text);
        Ok(YES)
    }

    /// The help on everything with this name.
    fn about(&self, wanted: &str) -> Result<String, Failure> {
        let bare = wanted.trim_start_matches(':');
        let mut found = Vec::new();
        if let Some(order) = commands::named(bare) {
            found.push(about_order(&order));
        }
        if bare == wanted {
            found.extend(GROUPS.iter().find(|group| group.topic == wanted).map(about_group));
            found.extend(settings::help(wanted));
            found.extend(self.about_predicate(wanted));
        }
        match found.is_empty() {
            // The name may be the beginning of a command; otherwise the error suggests a near one.
            true => match commands::find(bare) {
                Ok(order) => Ok(about_order(&order)),
                Err(failure) if bare != wanted => Err(failure),
                Err(Failure::Problem(problem, sources)) => {
                    let message = format!("no command, setting, predicate or code has the name {wanted}");
                    Err(Failure::Problem(Box::new(Problem { message, ..*problem }), sources))
                }
                Err(failure) => Err(failure),
            },
            false => Ok(found.join("\n")),
        }
    }

    /// The help on predicates with a name, and optionally an arity.
    fn about_predicate(&self, wanted: &str) -> Option<String> {
        let (name, arity) = match wanted.rsplit_once('/') {
            Some((name, arity)) => (name, Some(arity.parse::<usize>().ok()?)),
            None => (wanted, None),
        };
        let is_meant = |other: &str, args: usize| other == name && arity.is_none_or(|arity| args == arity);
        let known = self.session().predicates();
        let known: Vec<&NamedPredicate> =
            known.iter().filter(|named| named.callable && is_meant(&named.name, named.arity)).collect();
        let purpose = |name: &str, arity: usize| {
            let row = INTERFACE.iter().find(|(other, args, _)| *other == name && args.len() == arity);
            row.map(|(.., what)| format!("    game predicate: {what}\n")).unwrap_or_default()
        };
        let defined = known.iter().map(|named| {
            let place = match &named.place {
                Some((file, line)) => format!("    defined in {file}, line {line}\n"),
                None => "    built in\n".to_string(),
            };
            let about = named.about.iter().flat_map(|about| about.lines()).map(|line| format!("    {}\n", line.trim()));
            let about: String = about.collect();
            format!("{}\n{about}{}{place}", named.indicator(), purpose(&named.name, named.arity))
        });
        let is_defined =
            |other: &str, arity: usize| known.iter().any(|named| named.name == other && named.arity == arity);
        let missing = INTERFACE
            .iter()
            .filter(|(other, args, _)| is_meant(other, args.len()) && !is_defined(other, args.len()))
            .map(|(other, args, _)| {
                format!("{other}/{}\n{}    not defined here\n", args.len(), purpose(other, args.len()))
            });
        let text: String = defined.chain(missing).collect();
        (!text.is_empty()).then_some(text)
    }
}

fn about_order(order: &commands::PromptCommand) -> String {
    let about = format!("{}\n    {}\n", order.typed(), order.about);
    match order.does {
        CommandAction::Run | CommandAction::RunOnce => format!("{about}\n{}", arguments::help(order)),
        _ => about,
    }
}

/// Lists the commands of a group, a line each.
fn about_group(group: &CommandGroup) -> String {
    let width = commands::all().map(|order| order.typed().len() + 2).max().unwrap_or(0);
    let row = |order: &commands::PromptCommand| {
        vec![format!("{:<width$}", format!("  {}", order.typed())), order.about.to_string()]
    };
    format!("{}\n{}", group.heading, columns(&group.orders.iter().map(row).collect::<Vec<_>>()))
}

/// The overview for beginners; it fits a screen of 24 lines.
fn overview() -> String {
    let mut text = String::from("Type a goal, such as member(X, [a, b]), or a command, which begins with :.\n");
    for CommandGroup { heading, topic, orders } in &*GROUPS {
        text.push_str(&format!("\n{heading}  (:help {topic})\n"));
        let mut line = String::new();
        for order in orders {
            if line.len() + order.name.len() + 3 > SCREEN {
                text.push_str(&format!("{line}\n"));
                line.clear();
            }
            line.push_str(&format!("{}:{}", if line.is_empty() { "  " } else { " " }, order.name));
        }
        text.push_str(&format!("{line}\n"));
    }
    text.push_str("\n:help NAME explains a command, setting, predicate or code; :help all lists all.\n");
    text
}

#[cfg(test)]
mod tests {
    use super::{GROUPS, SCREEN, about_group, commands, overview};

    /// Once the list of commands was 61 lines long, and its beginning had left the screen.
    #[test]
    fn help_fits_a_screen_of_24_lines() {
        let all = overview();
        for text in GROUPS.iter().map(about_group).chain([all.clone()]) {
            assert!(text.lines().count() < 24, "{text}");
            assert!(text.lines().all(|line| line.len() <= SCREEN), "{text}");
        }
        for order in commands::all() {
            assert!(all.split_whitespace().any(|word| word == format!(":{}", order.name)), ":{}", order.name);
        }
    }
}
