//! The game under way: moves of people, moves of the program, and how it stands.

use super::args::Who;
use super::{Repl, Seats, commands, habits, refusal};
use crate::cli::args::Command;
use crate::cli::value::average;
use crate::cli::watch::Watch;
use crate::cli::{Ended, YES, standing};
use alphorn_prolog::reason::explain::Detail;
use alphorn_protocol::protocol::data::Winner;
use alphorn_protocol::protocol::game::{Show, Shown, shown};
use alphorn_protocol::protocol::host::Host;
use alphorn_protocol::protocol::value;
use alphorn_session::session::workspace::GameStatus;
use alphorn_session::session::{Failure, GameStart};
use alphorn_text::report::{Report, plural};
use clap::ValueEnum;
use std::sync::atomic::Ordering::Relaxed;

/// What is looked at to say why a move is not legal.
const DETAIL: Detail = Detail { depth: 200, text: 76, clauses: 5 };

impl Repl<'_> {
    /// The position, and whose turn it is.
    pub(super) fn show(&mut self) -> Ended {
        let shown = shown(self.sitting(), Show::default(), None)?;
        self.out.reply(&shown, || drawn(&shown));
        Ok(YES)
    }

    pub(super) fn new_game(&mut self, rest: &str) -> Ended {
        let opening = match rest {
            "" => None,
            number => Some(
                number
                    .parse()
                    .map_err(|_| refusal("the argument must be the number of an opening", "such as :new 2"))?,
            ),
        };
        self.sitting_mut().begin(&GameStart { opening, ..GameStart::default() })?;
        self.moved()
    }

    pub(super) fn position(&mut self, rest: &str) -> Ended {
        let term = rest.trim().trim_end_matches('.');
        if term.is_empty() {
            let text = match self.sitting().here() {
                Some(here) => self.sitting().session().term(here),
                None => return self.show(),
            };
            self.out.print(&format!("{text}\n"));
            return Ok(YES);
        }
        let session = self.session();
        if let Some(problem) = session.rules.odd_position(term) {
            self.out.problem(&problem, &session.rules.program.sources);
        }
        self.sitting_mut().begin(&GameStart { position: Some(term.to_string()), ..GameStart::default() })?;
        self.moved()
    }

    pub(super) fn history(&mut self) -> Ended {
        let played = self.sitting().played();
        let text = if played.is_empty() { "no moves yet\n".to_string() } else { played.join(" ") + "\n" };
        self.out.print(&text);
        Ok(YES)
    }

    pub(super) fn make(&mut self, rest: &str) -> Ended {
        self.try_move(rest)?;
        self.moved()
    }

    /// Makes a move, or says what stands against it.
    fn try_move(&mut self, text: &str) -> Result<String, Failure> {
        let made = self.sitting_mut().play(text);
        if let Err(Failure::Problem(problem, _)) = &made
            && problem.message.ends_with("is not a legal move")
        {
            self.explain_illegal(text);
        }
        made
    }

    /// Says more of a move that cannot be made: what in the rules stands against it, where that is one
    /// thing.
    fn explain_illegal(&mut self, text: &str) {
        let (session, here) = (self.session(), self.sitting().here().cloned());
        if let Ok(why) = session.why_not(text, DETAIL, here)
            && let Some(smallest) = why.smallest.as_ref().filter(|smallest| smallest.attempts == 1)
        {
            self.out.report(&Report::new(
                why.warnings.sources.clone(),
                vec![alphorn_session::session::reason::problem(smallest, &why.warnings.sources)],
            ));
        }
    }

    pub(super) fn undo(&mut self, rest: &str) -> Ended {
        let count = match rest {
            "" => 1,
            number => match number.parse() {
                Ok(number @ 1..) => number,
                _ => return Err(refusal("the argument must be the number of moves to take back", "such as :undo 2")),
            },
        };
        if self.sitting_mut().undo(count)? == 0 {
            return Err(refusal(
                "no move has been made",
                ":new N begins at another opening, :position at any position",
            ));
        }
        // Where one person plays, that person moves next, and not for the other side.
        while self.seats.is_some_and(|seats| seats.max != seats.min)
            && !matches!(self.sitting().standing()?, GameStatus::Moves(side) if self.seats.is_some_and(|seats| seats.has(side)))
        {
            if self.sitting_mut().undo(1)? == 0 {
                // The program began, and does so again.
                return self.take_turns();
            }
        }
        self.moved()
    }

    /// What follows a change of the position.
    fn moved(&mut self) -> Ended {
        self.refresh();
        self.show()
    }

    /// The value, by the options and settings that hold for `:value`.
    fn found(&mut self, asked: &str, rest: &str) -> Result<value::Reply, Failure> {
        let Command::Value(args) = self.read(commands::find("value")?, asked, rest)? else {
            unreachable!("this is the command :value")
        };
        let watch = Watch::new(self.out, true);
        value::answer(&args.request, &Host::lent(self.sitting(), &self.stop), &|event| watch.hear(event))
    }

    /// Why the last move was made: what is to be said of it where it was made.
    pub(super) fn explain_last(&mut self, options: &str) -> Ended {
        // What has happened by chance since is no move of anybody's.
        let mut thrown = Vec::new();
        let last = loop {
            match self.sitting_mut().step_back() {
                Some(throw) if matches!(self.sitting().standing(), Ok(GameStatus::Chance)) => thrown.push(throw),
                last => break last,
            }
        };
        let Some(last) = last else {
            thrown.into_iter().rev().for_each(|throw| self.sitting_mut().step_forward(throw));
            return Err(refusal("no move has been made", "name a move, :explain d3, or a code, :explain A0201"));
        };
        let name = shlex::try_quote(last.name()).map_or_else(|_| last.name().to_string(), Into::into);
        let done = commands::find("explain").and_then(|order| self.command(order, &format!("{options} -- {name}")));
        self.sitting_mut().step_forward(last);
        thrown.into_iter().rev().for_each(|throw| self.sitting_mut().step_forward(throw));
        done
    }

    /// Lets the program move, or the dice fall.
    pub(super) fn go(&mut self, rest: &str) -> Ended {
        self.reply(rest)?;
        self.moved()
    }

    /// The same; whether somebody said stop meanwhile.
    fn reply(&mut self, rest: &str) -> Result<bool, Failure> {
        let standing = self.sitting().standing()?;
        if standing == GameStatus::Chance {
            let number = self.sitting_mut().throw()?;
            self.out.print(&format!("chance: {number}\n"));
            return Ok(false);
        }
        let GameStatus::Moves(side) = standing else {
            return Err(refusal(
                &standing::text(&standing),
                "take a move back with :undo, or begin a new game with :new",
            ));
        };
        let found = self.found("go", rest)?;
        // What was found by then is played.
        let stopped = self.stop.swap(false, Relaxed);
        // What a deeper search found is better, although it was not finished.
        let deeper = found.deeper.as_ref().and_then(|deeper| deeper.best.clone().zip(Some(deeper.value)));
        let chosen = deeper.or(found.best.clone().zip(found.value));
        let (label, worth) = match chosen {
            Some((best, value)) => {
                let winner = match found.outcome {
                    Some(Winner::Max) => Some("MAX"),
                    Some(Winner::Min) => Some("MIN"),
                    _ => None,
                };
                let worth = match (winner, found.plies) {
                    (Some(winner), Some(plies)) => {
                        format!(", a win for {winner} in {}", plural(plies.into(), "ply", "plies"))
                    }
                    _ => format!(", value {}", average((value.0 * 1e4).round() / 1e4)),
                };
                (best, worth)
            }
            // It was stopped before it had tried a move.
            None => match self.sitting().moves()?.first() {
                Some(first) => (first.label.clone(), String::new()),
                None => return Err(refusal("there is no move", "ask :show")),
            },
        };
        let made = self.sitting_mut().play(&label)?;
        let sure = match (worth.is_empty() || found.exact, &found.deeper) {
            (true, _) => String::new(),
            (false, Some(deeper)) => format!(" (an estimate, of depth {}, not finished)", deeper.depth),
            (false, None) if !found.finished => format!(" (an estimate, of depth {}, not finished)", found.depth),
            (false, None) => " (an estimate)".to_string(),
        };
        self.out.print(&format!("{} plays {made}{worth}{sure}\n", side.name()));
        Ok(stopped)
    }

    pub(super) fn pv(&mut self, rest: &str) -> Ended {
        let found = self.found("pv", rest)?;
        self.stop.store(false, Relaxed);
        let mut rows = Vec::new();
        for label in &found.pv {
            let side = match self.sitting().standing() {
                Ok(GameStatus::Moves(side)) => side.name(),
                _ => "chance",
            };
            if self.sitting_mut().play(label).is_err() {
                break;
            }
            rows.push(format!("{:>3}. {side} {label}", rows.len() + 1));
        }
        let made = rows.len();
        let last = shown(self.sitting(), Show::default(), None);
        self.sitting_mut().undo(made)?;
        let last = last?;
        self.out.reply(&found, || {
            let sure = match (found.exact, found.finished) {
                (true, _) => "exact".to_string(),
                (false, true) => "an estimate".to_string(),
                (false, false) => format!("the best so far: depth {} was not finished", found.depth),
            };
            let value = found.value.map_or_else(|| "null".to_string(), |value| value.to_string());
            let mut text = format!("value  {value}, {sure}\n{}\n", rows.join("\n"));
            if let Some(value::Deeper { depth, best: Some(best), value, .. }) = &found.deeper {
                let own = found.depth;
                text.push_str(&format!(
                    "depth  {own}; at depth {depth}, not finished, {best} is best so far: {value}\n"
                ));
            }
            if made > 0 {
                text.push_str(&format!("then\n{}", drawn(&last)));
            }
            text
        });
        Ok(YES)
    }

    pub(super) fn best_lines(&mut self, rest: &str) -> Ended {
        let (count, more) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let count = if count.is_empty() { "3" } else { count };
        let depth = if more.trim().parse::<u32>().is_ok() { "--depth=" } else { "" };
        self.command_as(commands::find("value")?, "lines", &format!("--lines={count} {depth}{}", more.trim()))
    }

    /// From now on lines are moves, or no longer.
    pub(super) fn play(&mut self, rest: &str) -> Ended {
        if rest == "off" {
            self.seats = None;
            return self.moved();
        }
        let (person, more) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        if !more.trim().is_empty() && Who::from_str(person, true).is_ok() {
            let help = format!("set the search options first: :set depth 3, then :play {person}");
            return Err(refusal(&format!(":play {person} takes no more arguments: {}", more.trim()), &help));
        }
        let person = if rest.is_empty() { "max" } else { rest };
        let Ok(person) = Who::from_str(person, true) else {
            return Err(refusal(&format!("there is no player {rest}"), "type :play max, min, both, none or off"));
        };
        self.seats = Some(Seats::of(person));
        let done = self.take_turns();
        if person == Who::None {
            self.seats = None;
        }
        self.refresh();
        done
    }

    /// A line that is a move, where somebody plays.
    pub(super) fn move_of_play(&mut self, text: &str) -> Ended {
        let word = text.split_whitespace().next().unwrap_or_default();
        let orders = word == "?" || commands::named(word).is_some();
        if let Some(help) = habits::meant(text, &[]).filter(|_| orders)
            && !self.sitting().moves()?.iter().any(|mv| mv.label == text)
        {
            return Err(refusal(&format!("{text} is not a move"), &help));
        }
        self.try_move(text)?;
        self.refresh();
        self.take_turns()
    }

    /// Lets the program and the dice move until it is a person's turn.
    pub(super) fn take_turns(&mut self) -> Ended {
        let mut stopped = false;
        loop {
            let standing = self.sitting().standing()?;
            let waits = match standing {
                GameStatus::Moves(side) => self.seats.is_none_or(|seats| seats.has(side)),
                GameStatus::Chance => false,
                GameStatus::Over(_) | GameStatus::Repeated => true,
            };
            if waits || stopped || self.stop.load(Relaxed) {
                let over = matches!(standing, GameStatus::Over(_) | GameStatus::Repeated);
                let shown = self.moved()?;
                if over && self.lines.is_terminal() {
                    self.out.print(":undo takes moves back, :new begins a new game, Ctrl-D leaves\n");
                }
                return Ok(shown);
            }
            if !self.seats.is_some_and(|seats| seats.max || seats.min) {
                self.show()?;
            }
            stopped = self.reply("")?;
            self.refresh();
        }
    }
}

/// A position as it is printed, and whose turn it is.
fn drawn(shown: &Shown) -> String {
    let picture = shown.picture.as_ref().map_or_else(|| shown.position.clone(), |lines| lines.join("\n"));
    format!("{picture}\n{}\n", standing::line(shown.turn, shown.outcome, shown.repetition))
}
