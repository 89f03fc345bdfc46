//! Plays the current game: moves of people, moves of the program, and the status of the game.

use super::args::Seats;
use super::args::Who;
use super::{Repl, commands, habits, refusal};
use crate::cli::commands::Command;
use crate::cli::value::average;
use crate::cli::watch::EventPrinter;
use crate::cli::{CommandResult, YES, status};
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
use std::time::Instant;

/// Limits of the explanation of an illegal move.
const DETAIL: Detail = Detail { depth: 200, text: 76, clauses: 5 };

/// The reason of an illegal move is printed if its goal fails in at most this number of attempts.
const FEW_ATTEMPTS: u64 = 4;

impl Repl<'_> {
    /// Prints the position and whose turn it is.
    pub(super) fn show(&mut self) -> CommandResult {
        let shown = shown(self.workspace(), Show::default(), None)?;
        self.out.reply(&shown, || drawn(&shown));
        Ok(YES)
    }

    pub(super) fn new_game(&mut self, rest: &str) -> CommandResult {
        let opening = match rest {
            "" => None,
            number => Some(
                number
                    .parse()
                    .map_err(|_| refusal("the argument must be the number of an opening", "such as :new 2"))?,
            ),
        };
        self.workspace_mut().begin(&GameStart { opening, ..GameStart::default() })?;
        self.clocks.restart();
        self.moved()
    }

    pub(super) fn position(&mut self, rest: &str) -> CommandResult {
        let term = rest.trim().trim_end_matches('.');
        if term.is_empty() {
            let text = match self.workspace().here() {
                Some(here) => self.workspace().session().term(here),
                None => return self.show(),
            };
            self.out.print(&format!("{text}\n"));
            return Ok(YES);
        }
        let session = self.session();
        if let Some(problem) = session.rules.odd_position(term) {
            self.out.problem(&problem, &session.rules.program.sources);
        }
        self.workspace_mut().begin(&GameStart { position: Some(term.to_string()), ..GameStart::default() })?;
        self.moved()
    }

    pub(super) fn history(&mut self) -> CommandResult {
        let played = self.workspace().played();
        let text = if played.is_empty() { "no moves yet\n".to_string() } else { played.join(" ") + "\n" };
        self.out.print(&text);
        Ok(YES)
    }

    pub(super) fn make(&mut self, rest: &str) -> CommandResult {
        self.try_move(rest)?;
        self.moved()
    }

    /// Makes a move, or explains why it is illegal.
    fn try_move(&mut self, text: &str) -> Result<String, Failure> {
        let made = self.workspace_mut().play(text);
        if let Err(Failure::Problem(problem, _)) = &made
            && problem.message.ends_with("is not a legal move")
        {
            self.explain_illegal(text);
        }
        made
    }

    /// Explains why a move is illegal, if one goal of the rules is the reason in a few attempts.
    fn explain_illegal(&mut self, text: &str) {
        let (session, here) = (self.session(), self.workspace().here().cloned());
        if let Ok(why) = session.why_not(text, DETAIL, here)
            && let Some(smallest) = why.smallest.as_ref().filter(|smallest| smallest.attempts <= FEW_ATTEMPTS)
        {
            self.out.report(&Report::new(
                why.warnings.sources.clone(),
                vec![alphorn_session::session::reason::problem(smallest, &why.warnings.sources)],
            ));
        }
    }

    pub(super) fn undo(&mut self, rest: &str) -> CommandResult {
        let count = match rest {
            "" => 1,
            number => match number.parse() {
                Ok(number @ 1..) => number,
                _ => return Err(refusal("the argument must be the number of moves to take back", "such as :undo 2")),
            },
        };
        if self.workspace_mut().undo(count)? == 0 {
            return Err(refusal(
                "no move has been made",
                ":new N begins at another opening, :position at any position",
            ));
        }
        // With one person, takes back moves until it is that person's turn.
        while self.seats.is_some_and(|seats| seats.max != seats.min)
            && !matches!(self.workspace().status()?, GameStatus::Moves(side) if self.seats.is_some_and(|seats| seats.has(side)))
        {
            if self.workspace_mut().undo(1)? == 0 {
                // The program made the first move, and now makes it again.
                return self.take_turns();
            }
        }
        self.moved()
    }

    /// Updates the prompt after a change of the position, and shows the position.
    fn moved(&mut self) -> CommandResult {
        self.refresh();
        self.show()
    }

    /// Searches the position with the options and settings of `:value`.
    fn found(&mut self, asked: &str, rest: &str) -> Result<value::Reply, Failure> {
        let Command::Value(args) = self.read(commands::find("value")?, asked, rest)? else {
            unreachable!("this is the command :value")
        };
        let watch = EventPrinter::new(self.out, true);
        value::answer(&args.request, &Host::borrowing_workspace(self.workspace(), &self.stop), &|event| {
            watch.print_event(event)
        })
    }

    /// Explains the last move in the position before it.
    pub(super) fn explain_last(&mut self, options: &str) -> CommandResult {
        // Chance moves since then are skipped: nobody chose them.
        let mut thrown = Vec::new();
        let last = loop {
            match self.workspace_mut().step_back() {
                Some(throw) if matches!(self.workspace().status(), Ok(GameStatus::Chance)) => thrown.push(throw),
                last => break last,
            }
        };
        let Some(last) = last else {
            thrown.into_iter().rev().for_each(|throw| self.workspace_mut().step_forward(throw));
            return Err(refusal("no move has been made", "name a move, :explain d3, or a code, :explain A0201"));
        };
        let name = shlex::try_quote(last.name()).map_or_else(|_| last.name().to_string(), Into::into);
        let done = commands::find("explain").and_then(|order| self.command(order, &format!("{options} -- {name}")));
        self.workspace_mut().step_forward(last);
        thrown.into_iter().rev().for_each(|throw| self.workspace_mut().step_forward(throw));
        done
    }

    /// Makes a move of the program, or a chance move.
    pub(super) fn go(&mut self, rest: &str) -> CommandResult {
        self.reply(rest)?;
        self.moved()
    }

    /// Makes that move, and returns whether the search was interrupted.
    fn reply(&mut self, rest: &str) -> Result<bool, Failure> {
        let status = self.workspace().status()?;
        if status == GameStatus::Chance {
            let number = self.workspace_mut().play_chance_outcome()?;
            self.out.print(&format!("chance: {number}\n"));
            return Ok(false);
        }
        let GameStatus::Moves(side) = status else {
            return Err(refusal(&status::text(&status), "take a move back with :undo, or begin a new game with :new"));
        };
        let limit = self.clocks.share(side).filter(|_| rest.is_empty());
        let limit = limit.map(|limit| format!("--time={}", limit.as_secs_f64()));
        let begun = Instant::now();
        let found = self.found("go", limit.as_deref().unwrap_or(rest))?;
        let clock = self.clocks.spend(side, begun.elapsed()).map(|left| format!("; {left}")).unwrap_or_default();
        // An interrupted search still gives a move.
        let stopped = self.stop.swap(false, Relaxed);
        let value = found.deeper.as_ref().map(|deeper| deeper.value).or(found.value);
        let chosen = found.best.clone().zip(value);
        let (label, worth) = match chosen {
            Some((best, value)) => {
                let winner = match found.outcome {
                    Some(Winner::Max) => Some("MAX"),
                    Some(Winner::Min) => Some("MIN"),
                    _ => None,
                };
                let worth = match (winner, found.plies) {
                    // The proved line of random games need not be the shortest.
                    (Some(winner), Some(_)) if found.sample.is_some() => format!(", a win for {winner}"),
                    (Some(winner), Some(plies)) => {
                        format!(", a win for {winner} in {}", plural(plies.into(), "ply", "plies"))
                    }
                    _ => format!(", value {}", average((value.0 * 1e4).round() / 1e4)),
                };
                (best, worth)
            }
            // The search was stopped before it had tried a move.
            None => match self.workspace().moves()?.first() {
                Some(first) => (first.label.clone(), String::new()),
                None => return Err(refusal("there is no move", "ask :show")),
            },
        };
        let made = self.workspace_mut().play(&label)?;
        let sure = match (worth.is_empty() || found.exact, &found.deeper) {
            (true, _) => String::new(),
            (false, Some(deeper)) => format!(" (an estimate, of depth {}, not finished)", deeper.depth),
            (false, None) if !found.finished => format!(" (an estimate, of depth {}, not finished)", found.depth),
            (false, None) => " (an estimate)".to_string(),
        };
        self.out.print(&format!("{} plays {made}{worth}{sure}{clock}\n", side.name()));
        Ok(stopped)
    }

    pub(super) fn pv(&mut self, rest: &str) -> CommandResult {
        let found = self.found("pv", rest)?;
        self.stop.store(false, Relaxed);
        let mut rows = Vec::new();
        for label in &found.pv {
            let side = match self.workspace().status() {
                Ok(GameStatus::Moves(side)) => side.name(),
                _ => "chance",
            };
            if self.workspace_mut().play(label).is_err() {
                break;
            }
            rows.push(format!("{:>3}. {side} {label}", rows.len() + 1));
        }
        let made = rows.len();
        let last = shown(self.workspace(), Show::default(), None);
        self.workspace_mut().undo(made)?;
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

    pub(super) fn best_lines(&mut self, rest: &str) -> CommandResult {
        let (count, more) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let count = if count.is_empty() { "3" } else { count };
        let depth = if more.trim().parse::<u32>().is_ok() { "--depth=" } else { "" };
        self.command_as(commands::find("value")?, "lines", &format!("--lines={count} {depth}{}", more.trim()))
    }

    /// Starts or ends the mode in which lines are moves.
    pub(super) fn play(&mut self, rest: &str) -> CommandResult {
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

    /// Handles a line in the mode in which lines are moves.
    pub(super) fn move_of_play(&mut self, text: &str) -> CommandResult {
        let word = text.split_whitespace().next().unwrap_or_default();
        let orders = word == "?" || commands::named(word).is_some();
        if let Some(help) = habits::suggested_command(text, &[]).filter(|_| orders)
            && !self.workspace().moves()?.iter().any(|mv| mv.label == text)
        {
            return Err(refusal(&format!("{text} is not a move"), &help));
        }
        self.try_move(text)?;
        self.refresh();
        self.take_turns()
    }

    /// Makes moves of the program and of chance until it is a person's turn.
    pub(super) fn take_turns(&mut self) -> CommandResult {
        let mut stopped = false;
        loop {
            let status = self.workspace().status()?;
            let waits = match status {
                GameStatus::Moves(side) => self.seats.is_none_or(|seats| seats.has(side)),
                GameStatus::Chance => false,
                GameStatus::Over(_) | GameStatus::Repeated => true,
            };
            if waits || stopped || self.stop.load(Relaxed) {
                let over = matches!(status, GameStatus::Over(_) | GameStatus::Repeated);
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

/// Formats a position and whose turn it is.
fn drawn(shown: &Shown) -> String {
    let picture = shown.picture.as_ref().map_or_else(|| shown.position.clone(), |lines| lines.join("\n"));
    format!("{picture}\n{}\n", status::scored((shown.turn, shown.outcome, shown.repetition), shown.points))
}
