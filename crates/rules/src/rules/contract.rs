//! The contract: the predicates that a game must define, and those that it may.
//!
//! [`Contract::of`] finds the predicates by name; `check` reports what is wrong with them. Only this
//! module contains the names of the game interface.

use alphorn_lang::lang::ast::TermKind;
use alphorn_lang::lang::program::{PredId, Program};

/// The predicates of a game.
#[derive(Clone, Copy, Debug, Default)]
pub struct Contract {
    /// `initial(-Pos)`.
    pub initial: Option<PredId>,
    /// `moves(+Pos, -Successors)`.
    pub moves: Option<PredId>,
    /// `move(+Pos, -Label, -Next)`.
    pub labelled: Option<PredId>,
    /// `max_to_move(+Pos)`.
    pub max_to_move: Option<PredId>,
    /// `min_to_move(+Pos)`.
    pub min_to_move: Option<PredId>,
    /// `terminal(+Pos)`.
    pub terminal: Option<PredId>,
    /// `static_eval(+Pos, -Value)`.
    pub static_eval: Option<PredId>,
    /// `outcome(+Pos, -Result)`.
    pub outcome: Option<PredId>,
    /// `show(+Pos, -Lines)`.
    pub show: Option<PredId>,
    /// `draw(+Pos, -Picture)`.
    pub draw: Option<PredId>,
    /// `read_position(+Text, -Pos)`.
    pub read_position: Option<PredId>,
    /// `write_position(+Pos, -Text)`.
    pub write_position: Option<PredId>,
    /// `shown_move(+Pos, +Label, -Text)`.
    pub shown_move: Option<PredId>,
    /// `pass(+Pos, -Next)`.
    pub pass: Option<PredId>,
    /// `canonical(+Pos, -Canonical)`.
    pub canonical: Option<PredId>,
    /// `symmetry(+Pos, -Image)`.
    pub symmetry: Option<PredId>,
    /// `value_range(Low, High)`.
    pub value_range: Option<PredId>,
    /// `no_moves(Meaning)`.
    pub no_moves: Option<PredId>,
    /// `repetition(Meaning)`.
    pub repetition: Option<PredId>,
    /// `acyclic`.
    pub acyclic: Option<PredId>,
    /// `quiet(+Pos)`.
    pub quiet: Option<PredId>,
    /// `noisy(+Pos, +Label)`.
    pub noisy: Option<PredId>,
    /// `forced(+Pos)`.
    pub forced: Option<PredId>,
    /// `null_ok(+Pos)`.
    pub null_ok: Option<PredId>,
    /// `position(-Pos)`.
    pub position: Option<PredId>,
    /// `prefer(+Pos, +Label, -Weight)`.
    pub prefer: Option<PredId>,
    /// `prune(+Pos, +Label)`.
    pub prune: Option<PredId>,
    /// `extend(+Pos, +Label, -Plies)`.
    pub extend: Option<PredId>,
    /// `reduce(+Pos, +Label, -Plies)`.
    pub reduce: Option<PredId>,
    /// `advice_for(Side)`.
    pub advice_for: Option<PredId>,
    /// `sample(-Name, -Pos)`.
    pub sample: Option<PredId>,
    /// `chance(+Pos, -Outcomes)`.
    pub chance: Option<PredId>,
    /// `noisy_move(+Pos, -Label, -Next)`.
    pub noisy_move: Option<PredId>,
    /// `move_counter(-Argument)`.
    pub move_counter: Option<PredId>,
}

/// Further predicates that a game may define. Other parts of the language use them, so they count
/// as called.
pub(super) const OTHER_PREDICATES: &[(&str, usize)] = &[("advice", 2), ("move_class", 4), ("param", 2), ("::", 2)];

/// The predicates of the game interface, each with its arguments and its purpose.
pub const INTERFACE: &[(&str, &[&str], &str)] = &[
    ("initial", &["Pos"], "the openings; a search starts at the first one"),
    ("moves", &["Pos", "Successors"], "the list of all successors, for moves without labels"),
    ("move", &["Pos", "Label", "Next"], "each legal move: its label and the successor"),
    ("max_to_move", &["Pos"], "true if MAX is to move"),
    ("min_to_move", &["Pos"], "true if MIN is to move"),
    ("terminal", &["Pos"], "true if the game is over"),
    ("static_eval", &["Pos", "Value"], "the estimated value of a position for MAX, used where a search stops"),
    ("outcome", &["Pos", "Result"], "the outcome of a finished game: win(max), win(min), draw or score(N)"),
    ("show", &["Pos", "Lines"], "a picture of a position, a list of lines"),
    ("draw", &["Pos", "Picture"], "the board of a position, a list of squares, pieces and other items"),
    ("read_position", &["Text", "Pos"], "the position for a text in the notation of the game"),
    ("write_position", &["Pos", "Text"], "the text of a position, in the notation of the game"),
    ("shown_move", &["Pos", "Label", "Text"], "the text of a move, as people write it"),
    ("pass", &["Pos", "Next"], "the position after a pass, needed with no_moves(pass)"),
    ("canonical", &["Pos", "Canonical"], "the representative of all positions symmetric to one"),
    ("symmetry", &["Pos", "Image"], "the positions symmetric to one"),
    ("value_range", &["Low", "High"], "the least and the greatest value of static_eval/2"),
    ("no_moves", &["Meaning"], "the meaning of a position without a move: loss, draw, eval or pass"),
    ("repetition", &["Meaning"], "repetition(draw): a repeated position is a draw"),
    ("acyclic", &[], "declares that no line repeats a position"),
    ("position", &["Pos"], "all positions, for solve --all"),
    ("quiet", &["Pos"], "true if a search may stop in the position and evaluate it"),
    ("noisy", &["Pos", "Label"], "moves for the quiescence search"),
    ("noisy_move", &["Pos", "Label", "Next"], "each noisy move: its label and the successor"),
    ("move_counter", &["Argument"], "the number of an argument of a position that only counts moves"),
    ("forced", &["Pos"], "true if the quiescence search must try all moves, as in check"),
    ("null_ok", &["Pos"], "true if a pass is never the best move"),
    ("prefer", &["Pos", "Label", "Weight"], "the weight of a move: a search tries greater weights first"),
    ("prune", &["Pos", "Label"], "moves that a search may skip"),
    ("extend", &["Pos", "Label", "Plies"], "plies that a search adds after a move"),
    ("reduce", &["Pos", "Label", "Plies"], "plies that a search takes away after a move"),
    ("advice_for", &["Side"], "the side that the advice is for"),
    ("sample", &["Name", "Pos"], "named positions for advice-worth"),
    ("chance", &["Pos", "Outcomes"], "the chance outcomes, a list of Weight-Next"),
    ("advice", &["Name", "Parts"], "a piece of advice, by name"),
    ("move_class", &["Class", "Pos", "Label", "Next"], "a class of moves, for the advice table"),
];

/// The field of a predicate in a contract.
type Field = fn(&mut Contract) -> &mut Option<PredId>;

/// The name, the arguments and the field of each predicate of the interface: `+` is given, `-` is an
/// output argument.
const FIELDS: &[(&str, &str, Field)] = &[
    ("initial", "-", |contract| &mut contract.initial),
    ("moves", "+-", |contract| &mut contract.moves),
    ("move", "+--", |contract| &mut contract.labelled),
    ("max_to_move", "+", |contract| &mut contract.max_to_move),
    ("min_to_move", "+", |contract| &mut contract.min_to_move),
    ("terminal", "+", |contract| &mut contract.terminal),
    ("static_eval", "+-", |contract| &mut contract.static_eval),
    ("outcome", "+-", |contract| &mut contract.outcome),
    ("show", "+-", |contract| &mut contract.show),
    ("draw", "+-", |contract| &mut contract.draw),
    ("read_position", "+-", |contract| &mut contract.read_position),
    ("write_position", "+-", |contract| &mut contract.write_position),
    ("shown_move", "++-", |contract| &mut contract.shown_move),
    ("pass", "+-", |contract| &mut contract.pass),
    ("canonical", "+-", |contract| &mut contract.canonical),
    ("symmetry", "+-", |contract| &mut contract.symmetry),
    ("value_range", "--", |contract| &mut contract.value_range),
    ("no_moves", "-", |contract| &mut contract.no_moves),
    ("repetition", "-", |contract| &mut contract.repetition),
    ("acyclic", "", |contract| &mut contract.acyclic),
    ("quiet", "+", |contract| &mut contract.quiet),
    ("noisy", "++", |contract| &mut contract.noisy),
    ("noisy_move", "+--", |contract| &mut contract.noisy_move),
    ("move_counter", "-", |contract| &mut contract.move_counter),
    ("forced", "+", |contract| &mut contract.forced),
    ("null_ok", "+", |contract| &mut contract.null_ok),
    ("position", "-", |contract| &mut contract.position),
    ("prefer", "++-", |contract| &mut contract.prefer),
    ("prune", "++", |contract| &mut contract.prune),
    ("extend", "++-", |contract| &mut contract.extend),
    ("reduce", "++-", |contract| &mut contract.reduce),
    ("advice_for", "-", |contract| &mut contract.advice_for),
    ("sample", "--", |contract| &mut contract.sample),
    ("chance", "+-", |contract| &mut contract.chance),
];

/// The modes of the arguments of a game predicate: `+` is given, `-` is an output argument. `None` for
/// other predicates.
pub fn modes(name: &str, arity: usize) -> Option<&'static str> {
    FIELDS.iter().find(|(field, modes, _)| *field == name && modes.len() == arity).map(|(_, modes, _)| *modes)
}

impl Contract {
    /// Finds the predicates of the interface in a program.
    pub fn of(program: &Program) -> Contract {
        let mut contract = Contract::default();
        for (name, modes, field) in FIELDS {
            *field(&mut contract) = program.own(name, modes.len());
        }
        contract
    }

    /// The predicates of the interface that the game defines, each with its arguments: `+` is
    /// given, `-` is an output argument.
    pub fn questions(mut self) -> Vec<(PredId, &'static str)> {
        FIELDS.iter().filter_map(|(_, modes, field)| Some(((*field(&mut self))?, *modes))).collect()
    }

    /// Whether the game has chance moves only.
    pub(super) fn is_all_chance(&self) -> bool {
        let players = self.moves.or(self.labelled).or(self.max_to_move).or(self.min_to_move);
        self.chance.is_some() && players.is_none()
    }

    /// Whether the program is meant to be a game: it has openings and some kind of move.
    pub fn is_game(&self) -> bool {
        let goes_on = self.moves.or(self.labelled).or(self.chance);
        self.initial.is_some() && goes_on.is_some()
    }
}

/// Whether a clause of `no_moves/1` has this meaning, for some values of the parameters at least.
pub(super) fn says_no_moves(program: &Program, contract: &Contract, meaning: &str) -> bool {
    let clauses = contract.no_moves.map_or(&[][..], |id| &program.predicate(id).clauses);
    let says = |kind: &TermKind| matches!(kind, TermKind::Atom(name) if name.text() == meaning);
    clauses.iter().any(|clause| says(clause.tree.kind(clause.tree.args(clause.head)[0])))
}

/// The items of a picture that `draw/2` gives: names and numbers of arguments.
pub const PICTURE_ITEMS: &[(&str, usize)] = &[
    ("square", 3),
    ("square", 4),
    ("hex", 3),
    ("hex", 4),
    ("point", 3),
    ("slot", 3),
    ("grid", 1),
    ("piece", 2),
    ("piece", 3),
    ("piece_at", 3),
    ("line", 4),
    ("line", 5),
    ("label", 3),
    ("mark", 1),
    ("pocket", 3),
    ("dice", 1),
    ("text", 1),
    ("click", 2),
];
