//! Interprets a text that the user types in the place of a move or of a goal.
//!
//! It returns a legal move, a label that no legal move has, or neither. All commands try the meanings in
//! one order: a legal move; a text that `shown_move/3` reads; a term of the shape of a label; a text that
//! looks like shown moves; a goal. It does not use a search.

use super::elsewhere::Elsewhere;
use super::label::{LabelShape, operand, pattern, shape, sought};
use super::query::Typed;
use super::{Failure, Session, SessionResult};
use alphorn_lang::lang::goal::Resolver;
use alphorn_lang::lang::near::nearest;
use alphorn_lang::lang::program::{Callee, Goal, USER};
use alphorn_prolog::machine::store::Budget;
use alphorn_prolog::term::heap::{Heap, TermView};
use alphorn_prolog::term::pack::{Packed, unpack};
use alphorn_rules::rules::game::RuleGame;
use alphorn_rules::rules::position::{Position, RuleMove, term, words};
use alphorn_search::game::{Game, ToMove};
use alphorn_text::code::Code;
use alphorn_text::report::{Problem, first_of};
use alphorn_text::symbol::{Atom, atoms};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// A goal that asks the rules about a move.
pub(super) struct MoveGoal {
    /// The move in the notation of the user.
    pub(super) name: String,
    /// Whether the move is legal.
    pub(super) legal: bool,
    /// The goal with the label of the move. Its proof explains most.
    pub(super) goal: String,
    /// For an illegal move: a goal that surely fails. Rules that generate labels may succeed if they are
    /// called with a label that they never generate.
    pub(super) sought: Option<String>,
    /// For an illegal move: a goal for the same move in a position where the move is legal.
    pub(super) like: Option<String>,
}

/// The meaning of a text in the place of a move.
enum MoveMeaning {
    /// A legal move.
    Legal(RuleMove),
    /// The label of an illegal move as a term, and a position in which a move has this label.
    Label(String, Option<Elsewhere>),
    /// A term with variables that unifies with the shape of a label.
    Form(String),
    /// A text in the game's notation that no legal move is shown as.
    Written(String),
}

/// The number of chance outcomes whose moves are collected.
const THROWS: usize = 4;

/// A text that no game uses as a move.
const NO_MOVE: &str = "no move";

/// The steps for reading a label from its text. Most rules fail at once, because they only write labels.
const READING: u64 = 100_000;

impl Session {
    /// The one legal move that a text names, by the same rules in every command. These are: its label;
    /// the label that `shown_move/3` reads; its number in the move list, if no label is a number; a
    /// unique prefix of its label.
    ///
    /// # Errors
    ///
    /// No move or several moves match, or the rules fail.
    pub(super) fn typed_move(&self, game: &RuleGame, state: &Position, text: &str) -> SessionResult<RuleMove> {
        let typed = words(text);
        if typed.is_empty() {
            return self.problem(
                Problem::placeless(Code::InvalidPositionOrMove, "the move is empty").help("name a move, such as d3"),
            );
        }
        if let Some(mv) = self.legal_move(game, state, text) {
            return Ok(mv);
        }
        match self.named_move(game, state, &typed, 1) {
            Ok((mv, taken)) if taken >= typed.len() => Ok(mv),
            Ok((_, taken)) => {
                let message = format!("{} is more than one move", typed.join(" "));
                let help = format!("type one move at a time: first {}", typed[..taken].join(" "));
                self.problem(Problem::placeless(Code::InvalidPositionOrMove, message).help(help))
            }
            Err(failure) => {
                self.move_by_number_or_prefix(game, state, &typed.join(" "))?.ok_or_else(|| illegal(failure, text))
            }
        }
    }

    /// The index of the move with a number in the move list; `None` if labels are numbers.
    pub(super) fn numbered(moves: &[RuleMove], labels: &[String], text: &str) -> Option<usize> {
        // If labels are numbers, another number names no move.
        let counted = !labels.iter().any(|label| label.parse::<i64>().is_ok());
        let at = text.parse::<usize>().ok()?.checked_sub(1)?;
        (counted && at < moves.len()).then_some(at)
    }

    /// The move that a text without its label names: by a number, or by a unique prefix of a label.
    fn move_by_number_or_prefix(
        &self,
        game: &RuleGame,
        state: &Position,
        text: &str,
    ) -> SessionResult<Option<RuleMove>> {
        let mut moves = game.legal_moves(state).map_err(|fault| self.fault(&fault, &[]))?;
        let labels: Vec<String> = moves.iter().map(|mv| self.label(game, state, mv)).collect::<SessionResult<_>>()?;
        if let Some(at) = Session::numbered(&moves, &labels, text) {
            return Ok(Some(moves.swap_remove(at)));
        }
        match labels_with_prefix(&labels, text).as_slice() {
            [] => Ok(None),
            [only] => Ok(Some(moves.swap_remove(*only))),
            several => {
                let names: Vec<&str> = several.iter().map(|at| labels[*at].as_str()).collect();
                let message = format!("{text} is the beginning of {} moves", names.len());
                self.problem(
                    Problem::placeless(Code::InvalidPositionOrMove, message)
                        .help(format!("type one of {}", first_of(&names, " "))),
                )
            }
        }
    }

    /// The legal move that a text names by its label, or by the label that `shown_move/3` reads.
    fn legal_move(&self, game: &RuleGame, state: &Position, text: &str) -> Option<RuleMove> {
        // A shell removes the quotes that a label needs.
        let quoted = || vec![self.term_text(&Packed::text(text))];
        let named = |typed: Vec<String>| {
            let (mv, taken) = self.named_move(game, state, &typed, 1).ok()?;
            (taken == typed.len()).then_some(mv)
        };
        let typed = words(text);
        if typed.is_empty() {
            return None;
        }
        named(typed).or_else(|| named(quoted())).or_else(|| {
            let label = self.read_move(state, text)?;
            game.legal_moves(state).ok()?.into_iter().find(|mv| *mv.label() == label)
        })
    }

    /// The goal for the move that a text names; `None` if the text is a goal itself.
    ///
    /// # Errors
    ///
    /// The text is no goal, and names no move or several.
    pub(super) fn move_goal(&self, text: &str, now: Option<&Position>) -> SessionResult<Option<MoveGoal>> {
        if !self.rules.contract.is_game() {
            return Ok(None);
        }
        let Some((game, state)) = self.game_and_position(now) else { return Ok(None) };
        let state = &state;
        let text = text.trim().trim_end_matches('.').trim();
        if self.rules.contract.labelled.is_none() {
            return self.numbered_goal(&game, state, text);
        }
        let place = self.term(state);
        let Some(meant) = self.move_meaning(&game, state, text)? else { return Ok(None) };
        Ok(Some(match meant {
            MoveMeaning::Legal(mv) => MoveGoal {
                name: self.label(&game, state, &mv)?,
                legal: true,
                goal: format!("move({place}, {}, _)", self.operand(mv.label())),
                sought: None,
                like: None,
            },
            MoveMeaning::Form(form) => {
                MoveGoal { name: text.to_string(), legal: false, goal: sought(&place, &form), sought: None, like: None }
            }
            MoveMeaning::Label(label, found) => MoveGoal {
                name: text.to_string(),
                legal: false,
                goal: format!("move({place}, {label}, _)"),
                sought: Some(sought(&place, &label)),
                like: found.map(|(at, mv)| format!("move({}, {}, _)", self.term(&at), self.operand(mv.label()))),
            },
            MoveMeaning::Written(written) => MoveGoal {
                name: text.to_string(),
                legal: false,
                goal: format!("move({place}, Move, _), shown_move({place}, Move, {written})"),
                sought: None,
                like: None,
            },
        }))
    }

    /// The goal for a move of a game without labels, whose moves have numbers.
    fn numbered_goal(&self, game: &RuleGame, state: &Position, text: &str) -> SessionResult<Option<MoveGoal>> {
        if text.parse::<i64>().is_err() {
            return Ok(None);
        }
        self.named_move(game, state, &[text.to_string()], 1).map_err(|failure| illegal(failure, text))?;
        let goal = format!("moves({}, Moves), nth1({text}, Moves, Next)", self.term(state));
        Ok(Some(MoveGoal { name: format!("move {text}"), legal: true, goal, sought: None, like: None }))
    }

    /// The game, and the current position or else the first opening.
    fn game_and_position(&self, now: Option<&Position>) -> Option<(RuleGame, Position)> {
        let game = self.game().ok()?;
        let state = now.cloned().or_else(|| self.opening(&game, 1).ok())?;
        Some((game, state))
    }

    /// A message that no player has a move because the game is over, and a goal that fails for this
    /// reason. Rules of moves may still give moves there.
    pub(super) fn game_over_goal(&self, now: Option<&Position>) -> Option<(&'static str, String)> {
        let (game, state) = self.game_and_position(now)?;
        let shown = self.term(&state);
        game.is_terminal(&state)
            .ok()?
            .then(|| ("no move is legal here: the game is over", format!("\\+ terminal({shown})")))
    }

    /// The failure for a text that is no goal, but similar to a move: the name of a label with other
    /// arguments, a misspelt name, or a label without brackets.
    pub(super) fn similar_move_failure(&self, text: &str, now: Option<&Position>) -> Option<Failure> {
        let text = text.trim().trim_end_matches('.').trim();
        if !self.rules.contract.is_game() || self.rules.contract.labelled.is_none() || self.is_goal(text) {
            return None;
        }
        let (game, state) = self.game_and_position(now)?;
        let moves = game.legal_moves(&state).ok()?;
        let labels: Vec<String> = moves.iter().filter_map(|mv| self.label(&game, &state, mv).ok()).collect();
        let bare = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).collect::<String>();
        if let Some(label) = labels.iter().find(|label| !bare(label).is_empty() && bare(label) == bare(text)) {
            let problem = Problem::placeless(Code::InvalidPositionOrMove, format!("{text} is not a legal move"));
            return Some(Failure::Problem(Box::new(problem.help(format!("did you mean {label}?"))), Arc::default()));
        }
        let name =
            |text: &str| text.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default().to_string();
        let mut names: Vec<String> = labels.iter().map(|label| name(label)).collect();
        names.extend(self.written_shapes().filter_map(|shape| match shape {
            LabelShape::Compound(name, _) => Some(name.name().to_string()),
            _ => None,
        }));
        let typed = name(text);
        let named = names.iter().any(|name| !name.is_empty() && *name == typed);
        let slip = || nearest(&typed, names.iter().map(String::as_str)).filter(|_| typed.chars().count() > 2);
        let near = || nearest(text, labels.iter().map(String::as_str));
        let odd = self.odd_label(text, &moves);
        let strange = || (odd.is_some() || self.is_plain(text)) && self.cannot_be_goal(text);
        if !(named || slip().is_some() || near().is_some() || strange()) {
            return None;
        }
        let failure = self.named_move(&game, &state, &[text.to_string()], 1).err()?;
        // A plain word may be a misspelt goal.
        let word = is_name(text) && !text.is_empty() && !named;
        let odd = odd.or(word.then(|| format!("as a goal, {text}/0 is not defined")));
        Some(match (illegal(failure, text), odd) {
            (Failure::Problem(problem, sources), Some(odd)) => {
                let help = problem.help.iter().fold(odd, |odd, help| format!("{odd}\n{help}"));
                Failure::Problem(Box::new(Problem { help: Some(help), ..*problem }), sources)
            }
            (failure, _) => failure,
        })
    }

    /// For a term of a wrong shape: a similar label, and the shapes of labels.
    fn odd_label(&self, text: &str, moves: &[RuleMove]) -> Option<String> {
        let typed = term(text, &self.rules.program.ops).ok().filter(Packed::is_ground)?;
        let mut shapes: Vec<LabelShape> = Vec::new();
        for shape in self.written_shapes().chain(moves.iter().map(|mv| shape(mv.label()))) {
            if !shapes.contains(&shape) {
                shapes.push(shape);
            }
        }
        let typed = shape(&typed);
        if !matches!(typed, LabelShape::Compound(..)) || shapes.contains(&typed) {
            return None;
        }
        let written = |shape: &LabelShape| match shape {
            LabelShape::Compound(name, arity) => Some(format!("{}({})", &*name.name(), vec!["_"; *arity].join(", "))),
            _ => None,
        };
        let shapes: Option<Vec<String>> = shapes.iter().map(written).collect();
        let shapes = shapes.filter(|shapes| !shapes.is_empty())?.join(" or ");
        let labels: Vec<String> = moves.iter().map(|mv| self.term_text(mv.label())).collect();
        let near = nearest(text, labels.iter().map(String::as_str));
        let near = near.map_or(String::new(), |near| format!("did you mean {near}? "));
        Some(format!("{near}labels are {shapes}"))
    }

    /// Whether a text is a simple term as labels are: a number, a name, or two of them around an
    /// operator.
    fn is_plain(&self, text: &str) -> bool {
        let Ok(typed) = term(text, &self.rules.program.ops) else { return false };
        let mut heap = Heap::default();
        let found = unpack(&mut heap, &typed);
        let is_name = |term| matches!(heap.view(term), TermView::Int(_) | TermView::Atom(_));
        match heap.view(found) {
            TermView::Compound(sign, args) => {
                let signs = !sign.name().chars().any(|c| c.is_alphanumeric() || c == '_');
                signs && args.len() == 2 && heap.args(found).into_iter().all(is_name)
            }
            _ => is_name(found),
        }
    }

    /// Whether a text can be no goal: a number, a fraction of names, or an unknown predicate without a
    /// similarly named one.
    fn cannot_be_goal(&self, text: &str) -> bool {
        if self.is_fraction(text) {
            return true;
        }
        let Ok(Typed::Goal(_, warnings)) = self.typed(text) else { return false };
        let [problem] = &warnings.problems[..] else { return false };
        if problem.code == Code::InvalidGoal {
            return true;
        }
        let begins = problem.labels.first().is_some_and(|(span, _)| span.start == 0);
        problem.code == Code::UndefinedPredicate
            && begins
            && problem.help.as_ref().is_some_and(|help| help.starts_with("define it"))
    }

    fn move_meaning(&self, game: &RuleGame, state: &Position, text: &str) -> SessionResult<Option<MoveMeaning>> {
        if let Some(mv) = self.legal_move(game, state, text) {
            return Ok(Some(MoveMeaning::Legal(mv)));
        }
        let shown = self.rules.contract.shown_move.is_some();
        let found_as = |label: Option<&Packed>| {
            let is_text =
                |at: &Position, mv: &RuleMove| shown && self.label(game, at, mv).is_ok_and(|name| name == text);
            self.nearby_move(game, state, |at, mv| Some(mv.label()) == label || is_text(at, mv))
        };
        let asked = |label: &Packed, found: Option<Elsewhere>| {
            let label = self.operand(found.as_ref().map_or(label, |(_, mv)| mv.label()));
            Ok(Some(MoveMeaning::Label(label, found)))
        };
        let is_goal = self.is_goal(text);
        // If `shown_move/3` reads any text as a move, only an atom that is no goal counts.
        let plain =
            |text: &str| !is_goal && term(text, &self.rules.program.ops).is_ok_and(|term| term.as_atom().is_some());
        let sure = |_: &Packed| plain(text) || self.read_move(state, NO_MOVE).is_none();
        if let Some(label) = self.read_move(state, text).filter(sure) {
            return asked(&label, found_as(Some(&label)));
        }
        // Rules that show moves may not read them. A call with arguments is not looked for, which takes long.
        if shown
            && is_goal
            && !text.contains('(')
            && let Some(found) = found_as(None)
        {
            return asked(&Packed::text(text), Some(found));
        }
        let moves = self.usual_moves(game, state);
        if let Ok(label) = term(text, &self.rules.program.ops) {
            let shape = shape(&label);
            let mut shapes: FxHashSet<LabelShape> = moves.iter().map(|(_, mv)| self::shape(mv.label())).collect();
            shapes.extend(self.written_shapes());
            let fits = shape != LabelShape::Other && shapes.contains(&shape);
            if fits && !label.is_ground() {
                return Ok(Some(MoveMeaning::Form(format!("({text})"))));
            }
            let found = if fits { found_as(Some(&label)) } else { None };
            // Another callable atom is a goal: all atoms have one shape.
            let is_label = || !is_goal || shape != LabelShape::Atom || found.is_some() || self.is_written(&label);
            if fits && is_label() {
                // A number in the move list, or the prefix of a label.
                let near =
                    if is_goal || found.is_some() { None } else { self.move_by_number_or_prefix(game, state, text)? };
                return near.map_or_else(|| asked(&label, found), |mv| Ok(Some(MoveMeaning::Legal(mv))));
            }
        }
        if self.rules.contract.shown_move.is_some() {
            let shown = moves.iter().filter_map(|(at, mv)| self.label(game, at, mv).ok());
            let patterns: FxHashSet<String> =
                shown.flat_map(|shown| shown.split_whitespace().map(pattern).collect::<Vec<_>>()).collect();
            if !patterns.is_empty()
                && words(text).iter().all(|word| patterns.contains(&pattern(word)))
                && !is_name(text)
            {
                let written = Packed::text(text);
                return match found_as(None) {
                    Some(found) => asked(&written, Some(found)),
                    None => Ok(Some(MoveMeaning::Written(self.term_text(&written)))),
                };
            }
        }
        match is_goal || text.is_empty() {
            true => Ok(None),
            false => Ok(self.move_by_number_or_prefix(game, state, text)?.map(MoveMeaning::Legal)),
        }
    }

    /// Moves with the positions in which they are made. At a chance move these are the moves after the
    /// first chance outcomes; at the end of the game, those of the first opening.
    fn usual_moves(&self, game: &RuleGame, state: &Position) -> Vec<(Position, RuleMove)> {
        let mut places = vec![state.clone()];
        match game.to_move(state) {
            Ok(ToMove::Chance) => {
                let (mut moves, mut weights) = (Vec::new(), Vec::new());
                // A fault of the rules here does not concern the text.
                if game.chance_outcomes(state, &mut moves, &mut weights).is_ok() {
                    places = moves.into_iter().take(THROWS).map(|mv| mv.next).collect();
                }
            }
            Ok(ToMove::Over) => places.extend(self.opening(game, 1).ok()),
            _ => {}
        }
        let moves = |at: Position| {
            let found = game.legal_moves(&at).unwrap_or_default();
            found.into_iter().map(move |mv| (at.clone(), mv))
        };
        places.into_iter().flat_map(moves).collect()
    }

    /// The label that `shown_move/3` reads a text as, if it can read.
    fn read_move(&self, state: &Position, text: &str) -> Option<Packed> {
        self.rules.contract.shown_move?;
        let written = self.term_text(&Packed::text(text.trim()));
        let goal = format!("shown_move({}, Label, {written})", self.term(state));
        let Ok(Typed::Goal(sentence, _)) = self.typed(&goal) else { return None };
        let steps = READING.min(self.budgets.goal.steps);
        let lent = Session {
            budgets: super::Budgets { goal: Budget { steps, ..self.budgets.goal }, ..self.budgets },
            ..self.clone()
        };
        // Most rules only show moves, and raise an error here.
        let (_, values) = lent.decide(&sentence, 1, None).ok()?.1?;
        let mut heap = Heap::default();
        let call = unpack(&mut heap, &values);
        let label = heap.args(call).into_iter().next()?;
        alphorn_prolog::term::pack::pack(&heap, label, 1 << 16).filter(Packed::is_ground)
    }

    /// Whether a text is `5/2` or `a1/b`. With a name or a number before `/` it is no lambda expression.
    fn is_fraction(&self, text: &str) -> bool {
        let Ok(typed) = term(text, &self.rules.program.ops) else { return false };
        let mut heap = Heap::default();
        let found = unpack(&mut heap, &typed);
        let own = self.rules.program.own("/", 2).is_some();
        !own && shape(&typed) == LabelShape::Compound(atoms::SLASH, 2)
            && heap
                .args(found)
                .first()
                .is_some_and(|first| matches!(heap.view(*first), TermView::Int(_) | TermView::Atom(_)))
    }

    /// Whether a text is a goal whose predicates all exist.
    pub(super) fn is_goal(&self, text: &str) -> bool {
        if self.is_fraction(text) {
            return false;
        }
        let Ok(Typed::Goal(sentence, _)) = self.typed(text) else { return false };
        let mut resolver = Resolver::new(&self.rules.program, USER, &sentence.tree);
        resolver.typed = true;
        let goal = resolver.goal(sentence.root);
        resolver.bad.is_empty() && !matches!(goal, Goal::Call { callee: Callee::Unknown(..), .. })
    }

    /// The functors of labels in the heads of `move/3`.
    fn written_functors(&self) -> impl Iterator<Item = (Atom, usize)> {
        let clauses = self.rules.contract.labelled.map_or(&[][..], |id| &self.rules.program.predicate(id).clauses);
        clauses.iter().filter_map(|clause| clause.tree.functor(*clause.tree.args(clause.head).get(1)?))
    }

    /// The shapes of labels in the heads of `move/3`.
    fn written_shapes(&self) -> impl Iterator<Item = LabelShape> {
        self.written_functors().map(|functor| match functor {
            (_, 0) => LabelShape::Atom,
            (name, arity) => LabelShape::Compound(name, arity),
        })
    }

    /// Whether an atom is a label in the head of a clause of `move/3`.
    fn is_written(&self, label: &Packed) -> bool {
        label.as_atom().is_some_and(|atom| self.written_functors().any(|functor| functor == (atom, 0)))
    }

    /// The text of a label as an argument or an operand.
    fn operand(&self, label: &Packed) -> String {
        operand(label, self.term_text(label), &self.rules.program.ops)
    }
}

/// The indices of the labels that begin with a text. The quotes of a label may be omitted.
fn labels_with_prefix(labels: &[String], text: &str) -> Vec<usize> {
    let begins = |label: &str| label.starts_with(text) || label.trim_start_matches('\'').starts_with(text);
    (0..labels.len()).filter(|at| begins(&labels[*at])).collect()
}

/// The failure for an illegal move in a command that takes one move.
fn illegal(failure: Failure, text: &str) -> Failure {
    match failure {
        Failure::Problem(mut problem, sources) if problem.code == Code::InvalidPositionOrMove => {
            problem.message = format!("{} is not a legal move", text.trim());
            Failure::Problem(problem, sources)
        }
        failure => failure,
    }
}

/// Whether a text is one plain name without digits.
fn is_name(text: &str) -> bool {
    text.chars().all(|c| c.is_alphanumeric() || c == '_') && !text.chars().any(|c| c.is_ascii_digit())
}
