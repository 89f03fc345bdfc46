//! The commands of UGI and UCI: a line becomes a command, or a sentence that says what is wrong.
//!
//! UGI is the Universal Game Interface (kz04px, cutegames, `ugi.md`); UCI is the Universal Chess Interface
//! (Meyer-Kahlen and Huber, 2000). UGI is UCI with `query`, and with p1 and p2 in place of white and black.

use super::Dialect;
use alphorn_lang::lang::near::nearest;

/// A command for an engine.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum EngineCommand {
    /// `ugi` or `uci`: introduce yourself.
    Introduce,
    /// `isready`: answer after everything before it.
    IsReady,
    /// `setoption name NAME value VALUE`.
    SetOption(String, Option<String>),
    /// `uginewgame` or `ucinewgame`.
    NewGame,
    /// `position`: a first position and the moves from there.
    Position(EngineStart, Vec<String>),
    /// `go`: search.
    Go(GoLimits),
    /// `query`, in UGI.
    Query(GameQuery),
    /// `stop`: end the search.
    Stop,
    /// `quit`.
    Quit,
    /// A command that asks for nothing here.
    Nothing,
}

/// A first position.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum EngineStart {
    /// `startpos`.
    First,
    /// `fen TEXT`.
    Text(String),
}

/// A question about the position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum GameQuery {
    IsFirstPlayersTurn,
    Result,
    IsOver,
}

/// The limits of a search. Times are in milliseconds; those of the first player come first.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct GoLimits {
    pub(super) depth: Option<u32>,
    pub(super) nodes: Option<u64>,
    pub(super) move_time: Option<u64>,
    pub(super) time: [Option<u64>; 2],
    pub(super) increment: [u64; 2],
    /// The moves until the next time control.
    pub(super) moves_to_go: Option<u64>,
    pub(super) infinite: bool,
    /// Words of `go` that have no effect here.
    pub(super) unused: Vec<String>,
}

/// Reads one line. An empty line is [`EngineCommand::Nothing`].
///
/// # Errors
///
/// A sentence that says what is wrong with the line.
pub(super) fn parse(line: &str, dialect: Dialect) -> Result<EngineCommand, String> {
    let mut words = line.split_whitespace();
    let Some(first) = words.next() else { return Ok(EngineCommand::Nothing) };
    let rest: Vec<&str> = words.collect();
    match first {
        "isready" => Ok(EngineCommand::IsReady),
        "setoption" => option(&rest),
        "position" => position(&rest),
        "go" => go(&rest, dialect).map(EngineCommand::Go),
        "stop" => Ok(EngineCommand::Stop),
        "quit" => Ok(EngineCommand::Quit),
        "query" if dialect == Dialect::Ugi => query(&rest),
        "debug" | "register" | "ponderhit" => Ok(EngineCommand::Nothing),
        word if word == dialect.name() => Ok(EngineCommand::Introduce),
        word if word == dialect.new_game() => Ok(EngineCommand::NewGame),
        word => Err(unknown(word, dialect)),
    }
}

fn unknown(word: &str, dialect: Dialect) -> String {
    let (own, new) = (dialect.name(), dialect.new_game());
    let other = if dialect == Dialect::Ugi { Dialect::Uci } else { Dialect::Ugi };
    if word == other.name() || word == other.new_game() {
        return format!("this engine speaks {}: begin with {own}; for {word} run alphorn {}", own, other.name());
    }
    let known = [own, "isready", "setoption", new, "position", "go", "stop", "quit", "query"];
    let known = &known[..if dialect == Dialect::Ugi { 9 } else { 8 }];
    match nearest(word, known.iter().copied()) {
        Some(near) => format!("there is no command {word}; did you mean {near}?"),
        None => format!("there is no command {word}; the commands are {}", known.join(", ")),
    }
}

/// Words between two keywords: those after `from` and before `to`.
fn between<'a>(words: &[&'a str], from: &str, to: &str) -> Option<Vec<&'a str>> {
    let begin = words.iter().position(|word| *word == from)? + 1;
    let end = words[begin..].iter().position(|word| *word == to).map_or(words.len(), |at| begin + at);
    Some(words[begin..end].to_vec())
}

fn option(words: &[&str]) -> Result<EngineCommand, String> {
    let name = between(words, "name", "value").filter(|name| !name.is_empty() && words[0] == "name");
    let Some(name) = name else { return Err("write setoption name NAME value VALUE".to_string()) };
    let value = words.iter().position(|word| *word == "value").map(|at| words[at + 1..].join(" "));
    Ok(EngineCommand::SetOption(name.join(" "), value))
}

fn position(words: &[&str]) -> Result<EngineCommand, String> {
    const FORM: &str = "write position startpos or position fen TEXT, and then moves M1 M2 ...";
    let (start, rest) = match words {
        ["startpos", rest @ ..] => (EngineStart::First, rest),
        ["fen", rest @ ..] => {
            let end = rest.iter().position(|word| *word == "moves").unwrap_or(rest.len());
            if end == 0 {
                return Err(format!("the text of the position is missing: {FORM}"));
            }
            (EngineStart::Text(rest[..end].join(" ")), &rest[end..])
        }
        _ => return Err(FORM.to_string()),
    };
    match rest {
        [] => Ok(EngineCommand::Position(start, Vec::new())),
        ["moves", moves @ ..] => {
            Ok(EngineCommand::Position(start, moves.iter().map(|word| word.to_string()).collect()))
        }
        [word, ..] => Err(format!("{word} does not belong there: {FORM}")),
    }
}

fn query(words: &[&str]) -> Result<EngineCommand, String> {
    match words {
        ["p1turn"] => Ok(EngineCommand::Query(GameQuery::IsFirstPlayersTurn)),
        ["result"] => Ok(EngineCommand::Query(GameQuery::Result)),
        ["gameover"] => Ok(EngineCommand::Query(GameQuery::IsOver)),
        _ => Err("write query p1turn, query result or query gameover".to_string()),
    }
}

fn go(words: &[&str], dialect: Dialect) -> Result<GoLimits, String> {
    let mut limits = GoLimits::default();
    let mut words = words.iter();
    let [first, second] = dialect.players();
    while let Some(&word) = words.next() {
        let mut number = || -> Result<i64, String> {
            let Some(text) = words.next() else { return Err(format!("a number is missing after {word}")) };
            text.parse().map_err(|_| format!("{word} needs a whole number, not {text}"))
        };
        // Clocks may show a negative time when a move came late.
        let mut natural = || number().map(|number| number.max(0) as u64);
        let is = |name: &str| word.strip_prefix(first).or(word.strip_prefix(second)) == Some(name);
        let who = usize::from(word.starts_with(second));
        match word {
            "infinite" => limits.infinite = true,
            "depth" => limits.depth = Some(natural()?.min(u32::MAX.into()) as u32),
            "nodes" => limits.nodes = Some(natural()?),
            "movetime" => limits.move_time = Some(natural()?),
            "movestogo" => limits.moves_to_go = Some(natural()?),
            _ if is("time") => limits.time[who] = Some(natural()?),
            _ if is("inc") => limits.increment[who] = natural()?,
            "mate" => {
                natural()?;
                limits.unused.push("mate".to_string());
            }
            "ponder" => limits.unused.push("ponder".to_string()),
            "searchmoves" => {
                limits.unused.push("searchmoves".to_string());
                break;
            }
            _ => return Err(format!("go has no limit {word}; the limits are {}", limit_names(dialect))),
        }
    }
    Ok(limits)
}

fn limit_names(dialect: Dialect) -> String {
    let clocks = dialect.players().map(|player| format!("{player}time, {player}inc"));
    format!("depth, nodes, movetime, {}, movestogo and infinite", clocks.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ugi(line: &str) -> Result<EngineCommand, String> {
        parse(line, Dialect::Ugi)
    }

    #[test]
    fn lines_are_read() {
        assert_eq!(ugi("  ugi \r\n"), Ok(EngineCommand::Introduce));
        assert_eq!(ugi(""), Ok(EngineCommand::Nothing));
        let set =
            |name: &str, value: Option<&str>| Ok(EngineCommand::SetOption(name.to_string(), value.map(str::to_string)));
        assert_eq!(ugi("setoption name Move Overhead value 5"), set("Move Overhead", Some("5")));
        assert_eq!(ugi("setoption name Clear"), set("Clear", None));
        let moves = |moves: &[&str]| moves.iter().map(|word| word.to_string()).collect();
        assert_eq!(ugi("position startpos"), Ok(EngineCommand::Position(EngineStart::First, Vec::new())));
        assert_eq!(
            ugi("position fen p(1, 2) w moves a1 moves"),
            Ok(EngineCommand::Position(EngineStart::Text("p(1, 2) w".to_string()), moves(&["a1", "moves"])))
        );
        assert_eq!(ugi("query result"), Ok(EngineCommand::Query(GameQuery::Result)));
    }

    #[test]
    fn limits_are_read() {
        let found = go(&["p1time", "-5", "p2time", "700", "p2inc", "10", "movestogo", "3"], Dialect::Ugi);
        let limits =
            GoLimits { time: [Some(0), Some(700)], increment: [0, 10], moves_to_go: Some(3), ..GoLimits::default() };
        assert_eq!(found, Ok(limits));
        let found = go(&["wtime", "1", "btime", "2", "depth", "99999999999"], Dialect::Uci);
        assert_eq!(found, Ok(GoLimits { time: [Some(1), Some(2)], depth: Some(u32::MAX), ..GoLimits::default() }));
    }

    #[test]
    fn wrong_lines_are_explained() {
        for (line, said) in [
            ("go depth", "a number is missing after depth"),
            ("go depth x", "depth needs a whole number, not x"),
            ("go wtime 3", "go has no limit wtime"),
            ("position", "write position startpos"),
            ("position fen", "the text of the position is missing"),
            ("position fen moves a", "the text of the position is missing"),
            ("position startpos e2e4", "e2e4 does not belong there"),
            ("setoption value 3", "write setoption name NAME value VALUE"),
            ("query who", "write query p1turn"),
            ("positon startpos", "did you mean position?"),
            ("uci", "for uci run alphorn uci"),
            ("\u{1F600}", "there is no command"),
        ] {
            let error = ugi(line).expect_err(line);
            assert!(error.contains(said), "{line}: {error}");
        }
    }
}
