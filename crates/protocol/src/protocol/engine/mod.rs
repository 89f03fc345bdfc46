//! Serves a game as an engine: Universal Game Interface (UGI) or Universal Chess Interface (UCI).
//!
//! It takes a workspace with a loaded game, lines of input, and an output. One thread reads lines, so that
//! `stop` and `isready` are answered during a search; the calling thread carries out the commands in their
//! order. A line that cannot be carried out is answered by `info string` with the reason and changes nothing.
//! Terminals are unknown here.

mod command;
mod control;
mod options;
mod search;
mod worker;

use super::connection::locked;
use super::host::refusal;
use super::serve::skipped;
use alphorn_rules::rules::Expected;
use alphorn_search::game::Side;
use alphorn_session::session::options::LoadOptions;
use alphorn_session::session::workspace::{GameStatus, Workspace};
use alphorn_session::session::{Failure, SessionResult};
use alphorn_text::{interrupt, printable};
use command::{EngineCommand, parse};
use control::SearchControl;
use std::io::{BufRead, Read, Write};
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Instant;
use worker::EngineWorker;

/// The limit of a line of input, in bytes.
const LONGEST_LINE: u64 = 1 << 20;

/// A protocol between a program that plays games and an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// The Universal Game Interface, for any game.
    Ugi,
    /// The Universal Chess Interface, for chess.
    Uci,
}

impl Dialect {
    /// The name of the protocol, which is also its first command.
    pub fn name(self) -> &'static str {
        match self {
            Dialect::Ugi => "ugi",
            Dialect::Uci => "uci",
        }
    }

    /// The command that announces another game.
    fn new_game(self) -> &'static str {
        match self {
            Dialect::Ugi => "uginewgame",
            Dialect::Uci => "ucinewgame",
        }
    }

    /// The names of the players in the limits of `go`, the first player first.
    fn players(self) -> [&'static str; 2] {
        match self {
            Dialect::Ugi => ["p1", "p2"],
            Dialect::Uci => ["w", "b"],
        }
    }

    /// The hundredths of a pawn, or of any unit, in one unit of the evaluation.
    fn scale(self) -> f64 {
        match self {
            Dialect::Ugi => 100.0,
            Dialect::Uci => 1.0,
        }
    }
}

/// Lines of output, and the end of the engine when nobody reads them.
struct EngineOutput<W> {
    output: Mutex<W>,
    control: Arc<SearchControl>,
}

impl<W: Write> EngineOutput<W> {
    fn line(&self, text: &str) {
        let mut output = locked(&self.output);
        if writeln!(output, "{}", printable::line(text)).and_then(|()| output.flush()).is_err() {
            self.control.quit();
        }
    }

    /// A remark for people: each line of `text` after `info string`.
    fn remark(&self, text: &str) {
        text.lines().for_each(|line| self.line(&format!("info string {line}")));
    }
}

/// A command in the queue. `go` has the number of its search.
struct QueuedCommand {
    command: Result<EngineCommand, String>,
    number: u64,
    read: Instant,
}

/// Loads a game for [`serve`].
///
/// # Errors
///
/// The texts have errors or are no game. For UCI, the game is not chess as [`Dialect::Uci`] needs it.
pub fn open(dialect: Dialect, options: LoadOptions, stop: &Arc<AtomicBool>) -> SessionResult<Workspace> {
    // A program that is no game gets the report of what it lacks.
    options.open(Expected::Game, stop)?;
    let workspace = Workspace::open(options, 1, stop)?;
    if dialect == Dialect::Uci {
        check_chess(&workspace)?;
    }
    Ok(workspace)
}

/// Checks that a game reads and writes FEN, names moves as UCI does, and begins with White as MAX.
fn check_chess(workspace: &Workspace) -> SessionResult<()> {
    let help = "alphorn ugi serves any game; games/chess.pl is chess for alphorn uci";
    let lacks = |what: &str| Err::<(), Failure>(refusal(format!("alphorn uci needs chess: {what}"), help));
    let contract = workspace.session().rules.contract;
    if contract.read_position.is_none() || contract.write_position.is_none() {
        return lacks("these rules do not define read_position/2 and write_position/2 for FEN");
    }
    let (text, _) = workspace.shown()?;
    let fields: Vec<&str> = text.split(' ').collect();
    let is_fen = fields.len() == 6 && fields[0].split('/').count() == 8 && matches!(fields[1], "w" | "b");
    if !is_fen {
        return lacks(&format!("write_position/2 gives {text}, which is not a FEN"));
    }
    let turn = if fields[1] == "w" { Side::Max } else { Side::Min };
    if let GameStatus::Moves(side) = workspace.status()?
        && side != turn
    {
        return lacks("White is MAX, but here Black is MAX");
    }
    match workspace.move_words()?.into_iter().find(|word| !is_chess_move(word)) {
        Some(word) => lacks(&format!("the move {word} is not named as in UCI, such as e2e4")),
        None => Ok(()),
    }
}

/// Whether a word is a move of UCI: two squares, and the piece of a promotion.
fn is_chess_move(word: &str) -> bool {
    let bytes = word.as_bytes();
    let square = |at: usize| matches!(bytes.get(at..at + 2), Some([b'a'..=b'h', b'1'..=b'8']));
    square(0) && square(2) && matches!(bytes[4..], [] | [b'q' | b'r' | b'b' | b'n'])
}

/// Serves the loaded game until `quit` or the end of the input. After the end of the input, commands that wait
/// are carried out; a search without a limit ends at once, and one without a time limit after ten seconds.
///
/// `flag` is the flag with which the workspace was opened. `interrupted` is the flag of Ctrl-C.
pub fn serve<W: Write + Send + 'static>(
    dialect: Dialect,
    input: impl BufRead + Send + 'static,
    output: W,
    workspace: Workspace,
    (flag, interrupted): (&Arc<AtomicBool>, &Arc<AtomicBool>),
) {
    let control = SearchControl::start(flag.clone(), interrupted.clone());
    let output = Arc::new(EngineOutput { output: Mutex::new(output), control: control.clone() });
    let (send, queue) = channel();
    let reader = output.clone();
    std::thread::spawn(move || read(input, dialect, &reader, &send));
    let mut worker = EngineWorker::new(dialect, workspace, &control, &output);
    work(&queue, &control, &mut worker);
    control.quit();
}

/// Reads commands, stops searches at once, and sends the other commands to the worker.
fn read<W: Write>(mut input: impl BufRead, dialect: Dialect, output: &EngineOutput<W>, send: &Sender<QueuedCommand>) {
    let control = &output.control;
    loop {
        let mut line = Vec::new();
        match input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return control.close(),
            Ok(_) if line.len() as u64 == LONGEST_LINE && !line.ends_with(b"\n") => {
                output.remark("the line is longer than 1 MiB and was skipped");
                if skipped(&mut input) {
                    continue;
                }
                return control.close();
            }
            Ok(_) => {}
        }
        let command = parse(&String::from_utf8_lossy(&line), dialect);
        let number = match &command {
            // What came before is still answered.
            Ok(EngineCommand::Quit) => {
                control.stop();
                0
            }
            Ok(EngineCommand::Stop) => {
                control.stop();
                continue;
            }
            Ok(EngineCommand::IsReady) if control.is_busy() => {
                output.line("readyok");
                continue;
            }
            Ok(EngineCommand::Go(_)) => control.request(),
            _ => 0,
        };
        let quits = command == Ok(EngineCommand::Quit);
        if send.send(QueuedCommand { command, number, read: Instant::now() }).is_err() || quits {
            return;
        }
    }
}

fn work<W: Write>(queue: &Receiver<QueuedCommand>, control: &SearchControl, worker: &mut EngineWorker<'_, W>) {
    while !control.quits() {
        // Ctrl-C ends the engine at once while nothing is searched.
        let Ok(QueuedCommand { command, number, read }) = interrupt::idle(|| queue.recv()) else { return };
        if control.quits() {
            return;
        }
        match command {
            Ok(EngineCommand::Go(limits)) => worker.go(number, &limits, read),
            Ok(EngineCommand::Quit) => return,
            Ok(command) => worker.carry_out(&command),
            Err(wrong) => worker.refuse(&wrong),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::is_chess_move;

    #[test]
    fn moves_of_uci_are_known() {
        assert!(["e2e4", "e7e8q", "a1h8"].into_iter().all(is_chess_move));
        assert!(!["e2", "", "e2e9", "e7e8k", "e2e4qq", "Nf3", "\u{e9}2e4"].into_iter().any(is_chess_move));
    }
}
