//! Reads and shows positions and moves in the notation of the user.
//!
//! It turns texts of positions and moves into a position. It turns a position into labels, texts and
//! pictures. It does not use a search.

use super::database::hash_of_texts;
use super::{Failure, GameStart, LONGEST_LABEL, LONGEST_POSITION, MOST_LINES, Session, SessionResult, ShownMove};
use alphorn_lab::arena::GameLine;
use alphorn_lang::lang::near::nearest;
use alphorn_prolog::term::heap::{Heap, TermView};
use alphorn_prolog::term::pack::{Packed, unpack};
use alphorn_prolog::term::write::{Variables, WriteOptions, write_at};
use alphorn_rules::rules::Rules;
use alphorn_rules::rules::game::RuleGame;
use alphorn_rules::rules::position::{Position, RuleMove, term, words};
use alphorn_search::game::{Game, ToMove};
use alphorn_text::code::Code;
use alphorn_text::printable;
use alphorn_text::report::{Problem, first_of};
use alphorn_text::source::{Source, Sources};
use std::sync::Arc;

impl Session {
    /// The current position, in a session that a workspace has lent.
    pub fn here(&self) -> Option<&Position> {
        self.here.as_ref()
    }

    /// The position that `start` describes.
    pub fn position(&self, game: &RuleGame, start: &GameStart) -> SessionResult<Position> {
        Ok(self.line(game, start)?.last().clone())
    }

    /// The position that `start` describes, and the session in which the moves that it names were played: their
    /// positions count for repetition.
    ///
    /// # Errors
    ///
    /// The position or a move does not exist, or the rules fail.
    pub fn played(self, game: &RuleGame, start: &GameStart) -> SessionResult<(Session, Position)> {
        let line = self.line(game, start)?;
        let state = line.last().clone();
        if line.moves.is_empty() {
            return Ok((self, state));
        }
        let is_here = start.position.is_none() && start.at.is_none() && start.opening.is_none();
        let earlier = if is_here { &self.before[..] } else { &[] };
        let before = earlier.iter().chain(line.before()).cloned().collect();
        Ok((Session { here: Some(state.clone()), before, ..self }, state))
    }

    /// The moves that `start` names, from the position that it describes.
    pub(super) fn line(&self, game: &RuleGame, start: &GameStart) -> SessionResult<GameLine<RuleGame>> {
        let state = match (&start.position, &start.at) {
            (Some(text), _) => self.typed_position(game, text)?,
            (None, Some(text)) => self.read_position(game, text)?,
            (None, None) => match (&self.here, start.opening) {
                (Some(here), None) => here.clone(),
                (_, number) => self.opening(game, number.unwrap_or(1))?,
            },
        };
        game.note_given(start.position.as_ref().map(|_| state.clone()));
        let mut line = GameLine::from(state);
        let words = words(start.moves.as_deref().unwrap_or(""));
        let mut left = words.as_slice();
        while !left.is_empty() {
            let (mv, taken) = self.named_move(game, line.last(), left, line.moves.len() + 1)?;
            let next = mv.next.clone();
            line.push(mv, next);
            left = &left[taken..];
        }
        Ok(line)
    }

    /// A number for a position that is the same in every process: a hash of its text. Keys of a search are not the same,
    /// because they hash the numbers of atoms, which depend on what a process has read before.
    pub(super) fn lasting_key(&self, state: &Position) -> u128 {
        let mut heap = Heap::default();
        let term = unpack(&mut heap, &state.0);
        let mut text = String::new();
        let style = WriteOptions { quoted: true, operators: None, number_vars: false, stop: None, limit: usize::MAX };
        write_at(&heap, term, 1200, style, Variables::Cells, &mut text);
        hash_of_texts([text.as_str()])
    }

    /// The label of a move; its number in a game without labels.
    pub(super) fn move_name(&self, game: &RuleGame, state: &Position, mv: &RuleMove) -> SessionResult<String> {
        if self.rules.contract.labelled.is_some() {
            return self.label(game, state, mv);
        }
        let all = game.legal_moves(state).map_err(|fault| self.fault(&fault, &[]))?;
        Ok(all.iter().position(|other| other == mv).map_or(0, |at| at + 1).to_string())
    }

    pub(super) fn opening(&self, game: &RuleGame, number: usize) -> SessionResult<Position> {
        let openings = game.openings().map_err(|fault| self.fault(&fault, &[]))?;
        match number.checked_sub(1).and_then(|at| openings.get(at)) {
            Some(position) => Ok(position.clone()),
            None => self.problem(
                Problem::placeless(Code::InvalidPositionOrMove, format!("there is no opening {number}")).help(
                    match openings.len() {
                        1 => "the game has only opening 1".to_string(),
                        all => format!("the game has the openings 1 to {all}"),
                    },
                ),
            ),
        }
    }

    fn typed_position(&self, game: &RuleGame, text: &str) -> SessionResult<Position> {
        let problem = match term(text, &self.rules.program.ops) {
            Ok(packed) if packed.is_ground() => return Ok(Position(packed)),
            Ok(_) => Problem::placeless(Code::InvalidPositionOrMove, "a position cannot contain variables")
                .help("write the position in full, in the form that the rules use"),
            Err(problem) => *problem,
        };
        if self.read_position(game, text).is_ok() {
            return self.problem(
                Problem::placeless(
                    Code::InvalidPositionOrMove,
                    "the position is no term: it is in the notation of the game",
                )
                .help("write --at instead of --position"),
            );
        }
        Err(self.typed_problem(problem, "position", text))
    }

    /// The failure for a problem whose spans point into a typed text.
    fn typed_problem(&self, problem: Problem, name: &str, text: &str) -> Failure {
        let mut sources = Sources::default();
        sources.add(Source::typed(name, text));
        Failure::Problem(Box::new(problem), Arc::new(sources))
    }

    fn read_position(&self, game: &RuleGame, text: &str) -> SessionResult<Position> {
        let contract = self.rules.contract;
        if contract.read_position.is_none() {
            return self.problem(
                Problem::placeless(
                    Code::InvalidPositionOrMove,
                    "the game defines no read_position/2, which --at needs",
                )
                .help("give the position as a term: --position TERM"),
            );
        }
        let atom = Packed::text(text);
        match game
            .output_of("reading a position", contract.read_position, &[&atom])
            .map_err(|fault| self.fault(&fault, &[]))?
        {
            Some(packed) => Ok(Position(packed)),
            None => self.problem(
                Problem::placeless(Code::InvalidPositionOrMove, format!("the game cannot read the position {text}"))
                    .help("see the notation of write_position/2: alphorn moves FILE"),
            ),
        }
    }

    /// Finds the move that the first words name, and the number of these words. A move is named by its
    /// label as text or as a term, or by its number if no label is a number. A label may contain
    /// blanks; the longest label that matches counts.
    pub(super) fn named_move(
        &self,
        game: &RuleGame,
        state: &Position,
        words: &[String],
        number: usize,
    ) -> SessionResult<(RuleMove, usize)> {
        let over = game.is_terminal(state).map_err(|fault| self.fault(&fault, &[]))?;
        let moves = if over { Vec::new() } else { game.legal_moves(state).map_err(|fault| self.fault(&fault, &[]))? };
        let mut labels = Vec::new();
        let mut found: Option<(&RuleMove, usize)> = None;
        let mut readings: Vec<(usize, usize)> = Vec::new();
        // A quoted text names the move that is shown as this text.
        let quoted = words[0].strip_prefix('\'').and_then(|word| word.strip_suffix('\''));
        for mv in &moves {
            let label = self.label(game, state, mv)?;
            let taken = label.split_whitespace().count().max(1);
            let written = words.get(..taken).is_some_and(|words| same_text(&label, &words.join(" ")));
            let as_term = same_text(&self.term_text(mv.label()), &words[0]);
            let shown = quoted.is_some_and(|text| same_text(&label, text));
            let taken = if written { taken } else { 1 };
            let written = written || shown;
            if written || as_term {
                readings.push((labels.len(), taken));
            }
            if (written || as_term) && found.is_none_or(|(_, before)| taken > before) {
                found = Some((mv, taken));
            }
            labels.push(label);
        }
        if let Some((mv, taken)) = found {
            readings.retain(|(at, words)| *words == taken && moves[*at].label() != mv.label());
            if let Some((other, _)) = readings.first().filter(|_| self.rules.contract.shown_move.is_some()) {
                let one = moves.iter().position(|one| one.label() == mv.label()).unwrap_or(*other);
                return self
                    .two_readings(&words[..taken].join(" "), &[one, *other].map(|at| (&moves[at], &*labels[at])));
            }
            return Ok((mv.clone(), taken));
        }
        let word = words[0].as_str();
        let typed = term(word, &self.rules.program.ops).ok();
        if let Some(mv) = moves.iter().find(|mv| Some(mv.label()) == typed.as_ref()) {
            return Ok((mv.clone(), 1));
        }
        // In a game without labels a move has only its number.
        let names = if self.rules.contract.labelled.is_some() { labels.as_slice() } else { &[] };
        if let Some(at) = Session::numbered(&moves, names, word) {
            return Ok((moves[at].clone(), 1));
        }
        self.illegal_move(game, state, &labels, number, word)
    }

    /// The legal move that a text names: by its label, or by its number in a game without labels.
    ///
    /// # Errors
    ///
    /// The text names no legal move or several moves, or the rules fail.
    pub fn move_of(&self, game: &RuleGame, state: &Position, text: &str) -> SessionResult<RuleMove> {
        let words = words(text);
        if words.is_empty() {
            return self.problem(
                Problem::placeless(Code::InvalidPositionOrMove, "the text of a move is empty")
                    .help("give the label of a legal move"),
            );
        }
        let (mv, taken) = self.named_move(game, state, &words, 1)?;
        match taken == words.len() {
            true => Ok(mv),
            false => self.problem(
                Problem::placeless(Code::InvalidPositionOrMove, format!("{text} names several moves"))
                    .help("give the label of one move"),
            ),
        }
    }

    /// The error for a word that names no legal move, with the labels of the legal moves.
    fn illegal_move<T>(
        &self,
        game: &RuleGame,
        state: &Position,
        labels: &[String],
        number: usize,
        word: &str,
    ) -> SessionResult<T> {
        let help = match self.rules.contract.labelled {
            _ if labels.is_empty() => "the game is over in this position".to_string(),
            _ if game.to_move(state).is_ok_and(|turn| turn == ToMove::Chance) => {
                format!("chance moves: the chance outcomes are numbered from 1 to {}", labels.len())
            }
            Some(_) => {
                let near = nearest(word, labels.iter().map(String::as_str));
                let near = near.map(|near| format!("did you mean {near}? ")).unwrap_or_default();
                format!("{near}the legal moves are {}", first_of(labels, " "))
            }
            None => format!("the moves are numbered from 1 to {}", labels.len()),
        };
        self.problem(
            Problem::placeless(Code::InvalidPositionOrMove, format!("move {number}, {word}, is not legal")).help(help),
        )
    }

    /// The error for a text that names two moves, each given with its shown text.
    fn two_readings<T>(&self, typed: &str, moves: &[(&RuleMove, &str); 2]) -> SessionResult<T> {
        let told = moves.map(|(mv, shown)| format!("{} is shown as {shown}", self.term_text(mv.label())));
        let [(one, first), (other, second)] = moves;
        let help = match first == second {
            true => format!(
                "{}: write a label, {} or {}",
                told.join(", "),
                self.term_text(one.label()),
                self.term_text(other.label())
            ),
            false => format!(
                "the move {}, the move {}: write '{first}' or '{second}', in quotes, to choose a move by its text",
                told[0], told[1]
            ),
        };
        self.problem(
            Problem::placeless(Code::InvalidPositionOrMove, format!("{typed} is ambiguous: two moves match"))
                .help(help),
        )
    }

    /// The label of a move in the game's notation.
    pub fn label(&self, game: &RuleGame, state: &Position, mv: &RuleMove) -> SessionResult<String> {
        let shown = game
            .output_of("calling shown_move/3", self.rules.contract.shown_move, &[&state.0, mv.label()])
            .map_err(|fault| self.fault(&fault, &[]))?;
        Ok(match shown {
            Some(shown) => printable::cut(&self.plain(&shown), LONGEST_LABEL).into_owned(),
            None => self.short_text(mv.label()),
        })
    }

    /// The text of an atom without quotes, on one line; any other term as Prolog reads it.
    pub(super) fn plain(&self, packed: &Packed) -> String {
        packed.as_atom().map_or_else(|| self.term_text(packed), |name| printable::line(&name.name()).into_owned())
    }

    /// A position as a term.
    pub fn term(&self, state: &Position) -> String {
        self.term_text(&state.0)
    }

    /// A position in the game's notation, or else as a term.
    pub fn position_text(&self, game: &RuleGame, state: &Position) -> SessionResult<String> {
        let written = game
            .output_of("calling write_position/2", self.rules.contract.write_position, &[&state.0])
            .map_err(|fault| self.fault(&fault, &[]))?;
        Ok(match written {
            Some(text) => printable::cut(&self.plain(&text), LONGEST_POSITION).into_owned(),
            None => self.term_text(&state.0),
        })
    }

    /// The picture of a position, if the game draws one.
    pub fn picture(&self, game: &RuleGame, state: &Position) -> SessionResult<Option<Vec<String>>> {
        let lines = game
            .output_of("calling show/2", self.rules.contract.show, &[&state.0])
            .map_err(|fault| self.fault(&fault, &[]))?;
        let Some(lines) = lines else { return Ok(None) };
        let mut heap = Heap::default();
        let list = unpack(&mut heap, &lines);
        let (items, _) = heap.elements(list);
        let line = |item| match heap.view(item) {
            TermView::Atom(name) => name.name().to_string(),
            TermView::Text(length, words) => heap.text_of(length, words),
            _ => {
                let mut out = String::new();
                write_at(&heap, item, 1200, plain_style(&self.rules), Variables::Cells, &mut out);
                out
            }
        };
        let more = items.len().saturating_sub(MOST_LINES);
        let cut = |item| printable::line(&printable::cut(&line(item), LONGEST_LABEL)).into_owned();
        let rest = (more > 0).then(|| format!("... ({more} lines more)"));
        Ok(Some(items.into_iter().take(MOST_LINES).map(cut).chain(rest).collect()))
    }

    /// The answer of `draw/2` for a position, if the game defines it.
    ///
    /// # Errors
    ///
    /// The rules raise an error.
    pub fn drawing(&self, game: &RuleGame, state: &Position) -> SessionResult<Option<Packed>> {
        let drawn = game.output_of("calling draw/2", self.rules.contract.draw, &[&state.0]);
        drawn.map_err(|fault| self.fault(&fault, &[]))
    }

    /// The legal moves of a position, each with its weight if it is a chance outcome.
    ///
    /// # Errors
    ///
    /// The rules raise an error.
    pub fn legal_moves(&self, game: &RuleGame, state: &Position) -> SessionResult<Vec<(RuleMove, Option<u64>)>> {
        let fault = |fault| self.fault(&fault, &[]);
        let (mut moves, mut weights) = (Vec::new(), Vec::new());
        match game.to_move(state).map_err(fault)? {
            ToMove::Over => {}
            ToMove::Chance => game.chance_outcomes(state, &mut moves, &mut weights).map_err(fault)?,
            ToMove::Max | ToMove::Min => game.moves(state, &mut moves).map_err(fault)?,
        }
        let weight = |number: usize| weights.get(number).copied();
        Ok(moves.into_iter().enumerate().map(|(number, mv)| (mv, weight(number))).collect())
    }

    /// The legal moves of a position.
    pub fn moves(&self, game: &RuleGame, state: &Position) -> SessionResult<Vec<ShownMove>> {
        self.shown_moves(game, state, &self.legal_moves(game, state)?)
    }

    /// The labels of legal moves, and the positions after them.
    ///
    /// # Errors
    ///
    /// The rules raise an error.
    pub fn shown_moves(
        &self,
        game: &RuleGame,
        state: &Position,
        legal: &[(RuleMove, Option<u64>)],
    ) -> SessionResult<Vec<ShownMove>> {
        let shown = |(mv, weight): &(RuleMove, Option<u64>)| {
            let (label, next) = (self.label(game, state, mv)?, self.position_text(game, &mv.next)?);
            Ok(ShownMove { label, next, weight: *weight })
        };
        legal.iter().map(shown).collect()
    }
}

fn plain_style(rules: &Rules) -> WriteOptions<'_> {
    WriteOptions { quoted: false, operators: Some(&rules.program.ops), number_vars: true, stop: None, limit: 1 << 16 }
}

/// Whether two texts are equal apart from blanks.
fn same_text(left: &str, right: &str) -> bool {
    let bare = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    left == right || bare(left) == bare(right)
}
