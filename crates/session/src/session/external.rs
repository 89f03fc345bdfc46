//! External engines as players of a match: programs that speak UGI or UCI.
//!
//! It takes a command, limits for a move and the moves played so far, and returns the legal move that the
//! engine chooses. An engine that dies, hangs or plays an illegal move gives a sentence that says so; the caller
//! decides what follows. The process ends with its `EngineProcess`.

use super::clocks::MatchClocks;
use super::engine_option::{OfferedOptions, shown};
use super::engine_program::EngineProgram;
use super::player::{ExternalEngine, MatchPlayer};
use super::{Failure, GameStart, Session};
use alphorn_lab::arena::GameLine;
use alphorn_rules::rules::game::RuleGame;
use alphorn_rules::rules::position::RuleMove;
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use std::cell::{Cell, RefCell};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::ChildStdin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SendError, Sender, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// The time for the first answer of an engine.
const START: Duration = Duration::from_secs(20);

/// The time for a move that is limited by depth or positions.
const PATIENCE: Duration = Duration::from_secs(60);

/// The time that a move may take beyond its limit.
const GRACE: Duration = Duration::from_secs(2);

/// The time that an engine has to end after `quit`.
const FAREWELL: Duration = Duration::from_millis(300);

/// The time between two looks at the stop flag.
const TICK: Duration = Duration::from_millis(20);

/// The bytes of a line of an engine that are read, and the lines that may wait.
const LONGEST_LINE: u64 = 1 << 20;
const MOST_LINES: usize = 1 << 12;

/// A move of an engine, with what the engine reports of its search.
pub(super) struct EngineMove {
    pub(super) mv: RuleMove,
    pub(super) depth: u64,
    pub(super) nodes: u64,
}

/// Why an engine gives no move.
pub(super) enum EngineError {
    /// The match was interrupted.
    Stopped,
    /// The engine loses the game for this reason.
    Forfeit(String),
    /// The engine does not have an option, or the option does not take its value.
    Unfit(String),
}

/// A running engine.
pub(super) struct EngineProcess {
    program: EngineProgram,
    /// Lines for the engine. A thread writes them, because an engine that does not read must not block a game.
    input: Sender<String>,
    lines: Receiver<String>,
    /// `ugi` or `uci`.
    protocol: &'static str,
    /// Whether the engine has said which protocol it speaks.
    answered: bool,
    /// The number of the game under way.
    game: Option<u32>,
}

impl Drop for EngineProcess {
    fn drop(&mut self) {
        let _ = self.send("stop").and_then(|()| self.send("quit"));
        self.program.ended_within(FAREWELL);
    }
}

impl ExternalEngine {
    /// Starts the engine once, so that a wrong command is reported before the match.
    ///
    /// # Errors
    ///
    /// The program does not start, or it speaks neither UGI nor UCI, or it does not have the options, or `stop`
    /// is set meanwhile.
    pub fn check(&self, stop: &AtomicBool) -> Result<(), Failure> {
        let (code, message, help) = match self.start(&|| stop.load(Relaxed)) {
            Ok(_) => return Ok(()),
            Err(EngineError::Stopped) => {
                let help = "the match has not begun; type the command again";
                (Code::Interrupted, "the start of the engine was interrupted".to_string(), help)
            }
            Err(EngineError::Unfit(message)) => {
                let help =
                    "-p NAME=VALUE before engine: sets an option of the engine: -p \"Skill Level=0\" engine:stockfish";
                (Code::InvalidArgument, message, help)
            }
            Err(EngineError::Forfeit(message)) => {
                let help = "write engine: and a command that starts an engine, such as engine:stockfish or \
                            'engine:alphorn ugi games/nim.pl'; the engine speaks UGI or UCI";
                (Code::InvalidArgument, message, help)
            }
        };
        Err(Failure::Problem(Box::new(Problem::placeless(code, message).help(help)), Arc::default()))
    }

    /// Starts the engine, chooses the protocol and sets the options.
    pub(super) fn start(&self, stopped: &dyn Fn() -> bool) -> Result<EngineProcess, EngineError> {
        let (program, input, output) = EngineProgram::start(&self.command).map_err(EngineError::Forfeit)?;
        let (send, lines) = sync_channel(MOST_LINES);
        thread::spawn(move || {
            let mut output = BufReader::new(output);
            loop {
                let mut line = Vec::new();
                match output.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line) {
                    Ok(1..) if send.send(String::from_utf8_lossy(&line).trim().to_string()).is_ok() => {}
                    _ => return,
                }
            }
        });
        let input = writer(input);
        let mut engine = EngineProcess { program, input, lines, protocol: "ugi", answered: false, game: None };
        let deadline = Instant::now() + START;
        // An engine answers the protocol that it speaks, and may complain about the other one.
        let offered = RefCell::new(OfferedOptions::default());
        let hello = match engine.say("ugi\nuci") {
            Ok(()) => engine.wait(deadline, stopped, &|line| {
                offered.borrow_mut().hear(line);
                line == "ugiok" || line == "uciok"
            }),
            Err(error) => Err(error),
        };
        let hello = hello.map_err(|error| engine.unanswered(error))?;
        engine.answered = true;
        engine.protocol = if hello == "ugiok" { "ugi" } else { "uci" };
        for (option, value) in &self.options {
            offered.borrow().check(option, value).map_err(EngineError::Unfit)?;
            engine.say(&format!("setoption name {option} value {value}"))?;
        }
        engine.say("isready")?;
        engine.wait(deadline, stopped, &|line| line == "readyok")?;
        Ok(engine)
    }
}

/// Starts a thread that writes texts to an engine. It ends when the engine does not read any more, or when no
/// text can come.
fn writer(mut input: ChildStdin) -> Sender<String> {
    let (send, texts) = channel::<String>();
    thread::spawn(move || {
        for text in texts {
            if input.write_all(text.as_bytes()).and_then(|()| input.flush()).is_err() {
                return;
            }
        }
    });
    send
}

impl EngineProcess {
    /// Gives lines to the thread that writes. Errs if the engine has closed its input.
    fn send(&mut self, text: &str) -> Result<(), SendError<String>> {
        self.input.send(format!("{text}\n"))
    }

    fn say(&mut self, text: &str) -> Result<(), EngineError> {
        self.send(text).map_err(|_| self.died())
    }

    fn died(&mut self) -> EngineError {
        let before = if self.answered { "" } else { " before it answered" };
        EngineError::Forfeit(self.program.end_text(before))
    }

    /// The error of an engine that has not said which protocol it speaks. An engine that runs speaks another one.
    fn unanswered(&mut self, error: EngineError) -> EngineError {
        match error {
            EngineError::Forfeit(reason) if self.program.ended().is_none() => {
                EngineError::Forfeit(format!("the engine speaks neither UGI nor UCI: {reason}"))
            }
            other => other,
        }
    }

    /// The first line that is wanted. Lines before it are dropped.
    fn wait(
        &mut self,
        deadline: Instant,
        stopped: &dyn Fn() -> bool,
        wanted: &dyn Fn(&str) -> bool,
    ) -> Result<String, EngineError> {
        loop {
            match self.lines.recv_timeout(TICK) {
                Ok(line) if wanted(&line) => return Ok(line),
                Err(RecvTimeoutError::Disconnected) => {
                    let died = self.died();
                    return Err(if stopped() { EngineError::Stopped } else { died });
                }
                Ok(_) | Err(RecvTimeoutError::Timeout) => {}
            }
            if stopped() {
                return Err(EngineError::Stopped);
            }
            if Instant::now() > deadline {
                let error = if self.answered { String::new() } else { self.program.error_text() };
                return Err(EngineError::Forfeit(format!("the engine did not answer in time{error}")));
            }
        }
    }

    /// Asks for a move. `position` is a line of the protocol.
    fn ask(
        &mut self,
        (game, position): (u32, &str),
        player: &MatchPlayer,
        (clocks, who, max): (&MatchClocks, usize, usize),
        stopped: &dyn Fn() -> bool,
    ) -> Result<(String, u64, u64), EngineError> {
        if self.game != Some(game) {
            self.game = Some(game);
            let new = format!("{}newgame", self.protocol);
            self.say(&new)?;
        }
        // What the engine says before it is ready is no answer to this question: it may repeat its last move.
        self.say("isready")?;
        self.wait(Instant::now() + START, stopped, &|line| line == "readyok")?;
        let limits = [
            player.depth.map(|depth| format!(" depth {depth}")),
            player.nodes.map(|nodes| format!(" nodes {nodes}")),
            player.time.map(|time| format!(" movetime {}", ((time * 1000.0) as u64).max(1))),
            clocks.left(who).map(|_| clocks.words(max, self.protocol)),
        ];
        let limits: String = limits.into_iter().flatten().collect();
        self.say(&format!("{position}\ngo{limits}"))?;
        let time = clocks.left(who).or(player.time.map(Duration::from_secs_f64));
        let deadline = Instant::now() + time.map_or(PATIENCE, |time| time + GRACE);
        let seen = Cell::new((0, 0));
        let best = self.wait(deadline, stopped, &|line| {
            let (depth, nodes) = seen.get();
            seen.set((reported(line, "depth").unwrap_or(depth), reported(line, "nodes").unwrap_or(nodes)));
            line == "bestmove" || line.starts_with("bestmove ")
        })?;
        let (depth, nodes) = seen.get();
        Ok((best.split_whitespace().nth(1).unwrap_or_default().to_string(), depth, nodes))
    }
}

/// The number after a word of an `info` line.
fn reported(line: &str, word: &str) -> Option<u64> {
    let mut words = line.strip_prefix("info ")?.split(' ').take_while(|other| !["string", "pv"].contains(other));
    words.find(|other| *other == word)?;
    words.next()?.parse().ok()
}

impl Session {
    /// The move of an external engine at the end of a line of the judging rules.
    ///
    /// The engine is started if it does not run. After an error it is ended, and starts again for the next move.
    pub(super) fn engine_move(
        &self,
        (player, external): (&MatchPlayer, &ExternalEngine),
        process: &mut Option<EngineProcess>,
        judge: &RuleGame,
        (game, line): (u32, &GameLine<RuleGame>),
        clocks: (&MatchClocks, usize, usize),
        stopped: &dyn Fn() -> bool,
    ) -> Result<EngineMove, EngineError> {
        let position = self.position_line(judge, line);
        let mut running = match process.take() {
            Some(running) => running,
            None => external.start(stopped)?,
        };
        let (word, depth, nodes) = running.ask((game, &position), player, clocks, stopped)?;
        let legal = judge.legal_moves(line.last()).unwrap_or_default();
        let words = self.move_words(judge, line.last(), &legal).unwrap_or_default();
        let found = legal.into_iter().zip(&words).find(|(_, other)| **other == word);
        match found {
            Some((mv, _)) => {
                *process = Some(running);
                Ok(EngineMove { mv, depth, nodes })
            }
            None if ["", "(none)", "0000", "resign"].contains(&word.as_str()) => {
                Err(EngineError::Forfeit("the engine gave no move".to_string()))
            }
            None => Err(EngineError::Forfeit(format!("the engine played {}, which is not legal", shown(&word)))),
        }
    }

    /// The line `position ...` for the end of a line of play.
    fn position_line(&self, judge: &RuleGame, line: &GameLine<RuleGame>) -> String {
        let start = line.before().first().unwrap_or(line.last());
        let first = self.position(judge, &GameStart::default());
        let place = if first.is_ok_and(|first| first == *start) {
            "startpos".to_string()
        } else {
            let written = self.rules.contract.read_position.and_then(|_| self.position_text(judge, start).ok());
            format!("fen {}", written.unwrap_or_else(|| self.term(start)))
        };
        let moves = self.line_words(judge, start, &line.moves);
        match moves.is_empty() {
            true => format!("position {place}"),
            false => format!("position {place} moves {}", moves.join(" ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_of_an_engine_are_read() {
        let line = "info depth 7 seldepth 9 nodes 1234 pv depth 3";
        assert_eq!((reported(line, "depth"), reported(line, "nodes")), (Some(7), Some(1234)));
        assert_eq!(reported("info string depth 3", "depth"), None);
        assert_eq!(reported("bestmove depth 3", "depth"), None);
    }

    /// Once a line that is longer than the pipe blocked the game without end.
    #[cfg(unix)]
    #[test]
    fn an_engine_that_does_not_read_runs_out_of_time() {
        let script = "read a; read b; echo uciok; read c; echo readyok; exec sleep 60";
        let command = ["sh", "-c", script].map(str::to_string).to_vec();
        let begun = Instant::now();
        let Ok(mut engine) = ExternalEngine { command, options: Vec::new() }.start(&|| false) else {
            panic!("the engine answers")
        };
        assert!(engine.say(&"x".repeat(1 << 20)).is_ok());
        let deadline = Instant::now() + Duration::from_millis(50);
        let Err(EngineError::Forfeit(reason)) = engine.wait(deadline, &|| false, &|_| true) else {
            panic!("the engine says nothing")
        };
        assert_eq!(reason, "the engine did not answer in time");
        drop(engine);
        assert!(begun.elapsed() < Duration::from_secs(20));
    }

    #[test]
    fn a_command_that_is_no_engine_is_refused() {
        let refused = |command: &[&str]| {
            let command = command.iter().map(|word| word.to_string()).collect();
            let checked = ExternalEngine { command, options: Vec::new() }.check(&AtomicBool::new(false));
            checked.err().map(|failure| failure.to_string()).unwrap_or_default()
        };
        assert!(refused(&["/nowhere/engine"]).contains("the engine /nowhere/engine does not start"));
        assert!(refused(&["true"]).contains("the engine ended before it answered with exit status: 0"));
        let told = refused(&["sh", "-c", "echo no such game >&2; exec >&-; exec <&-; exec sleep 60"]);
        assert!(told.contains("speaks neither UGI nor UCI: the engine closed its input or output"), "{told}");
        assert_eq!(told.matches("no such game").count(), 1, "{told}");
    }
}
