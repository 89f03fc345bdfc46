//! Advice tables, compiled to rules.
//!
//! In: a program with facts `Name :: if Condition then [Advice, ...]` and `advice(Advice, [...])`.
//! Out: a [`CompiledTable`] of predicates that say of a position which rule speaks, what a piece of advice
//! sees there and which moves it allows; problems where a table says what nothing defines. So a
//! table costs what rules cost, and its faults are those of rules. Knows no forcing tree.

mod formula;
mod moves;
mod named;
mod slips;

use crate::rules::combined::hidden;
use crate::rules::contract::Contract;
use alphorn_lang::lang::ast::{NodeId, TermKind, TermTree};
use alphorn_lang::lang::program::{Callee, Clause, Goal, PRELUDE, PredId, Program};
use alphorn_text::report::Problem;
use alphorn_text::source::{SourceId, Span};
use alphorn_text::symbol::{Atom, atoms};
use formula::{Formulas, Use};
use moves::Moves;

/// The predicates of a table.
#[derive(Clone, Debug)]
pub struct CompiledTable {
    /// `(+Pos, -Rule, -Advice)`: the first rule whose condition holds, by number from 1.
    pub(super) rule: PredId,
    /// `(+Advice, +Pos, +Root, -Seen)`: 0 where the holding-goal alone holds, 1 with the better-goal.
    pub(super) look: PredId,
    /// `(+Advice, +Depth, +Pos, -Label, -Next)`: the moves allowed to whom the table is for.
    pub(super) ours: PredId,
    /// The same for the other side.
    pub(super) theirs: PredId,
    /// `(+Advice, -Number)`: the piece that a name means, by number from 0.
    pub(super) piece: PredId,
    /// `(+Number, +Advice, +Pos, +Root)`: the parts of goals up to this one; of a condition, whatever
    /// the advice.
    pub(super) part: PredId,
    /// What they are, by number.
    pub(super) parts: Vec<Part>,
    /// The rules as written, by number: name and place.
    pub rules: Vec<(String, Span)>,
}

/// A part of a goal: what stands between its outermost `and`s.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) of: Whole,
    /// As written.
    pub(super) text: String,
}

/// Which goal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Whole {
    /// The condition of the rule with this number.
    Condition(usize),
    /// The holding-goal of the piece of advice with this number.
    Holding(usize),
    /// Its better-goal.
    Better(usize),
}

/// How deep formulas and constraints may nest to the left; to the right they are as long as need be.
const DEEPEST: u32 = 500;

/// So many parts of one goal are told apart.
const MOST_PARTS: usize = 32;

/// Whether every term that fits the one name fits the other as well, as far as its shape tells.
fn covers(wide: &TermTree, at: NodeId, narrow: &TermTree, other: NodeId) -> bool {
    let mut stack = vec![(at, other)];
    let mut bound: Vec<(u32, NodeId)> = Vec::new();
    while let Some((left, right)) = stack.pop() {
        match wide.kind(left) {
            TermKind::Var(number) => match bound.iter().find(|(known, _)| known == number) {
                // A name that stands twice asks for equal terms: that is left open.
                Some((_, known)) if *known != right => return false,
                _ => bound.push((*number, right)),
            },
            TermKind::Compound(..) | TermKind::Atom(_) => {
                if wide.functor(left) != narrow.functor(right) {
                    return false;
                }
                stack.extend(wide.args(left).iter().copied().zip(narrow.args(right).iter().copied()));
            }
            kind if kind != narrow.kind(right) => return false,
            _ => {}
        }
    }
    true
}

/// Finds the table of a program and adds its predicates; none where there is no table, or none that
/// can be followed.
pub(super) fn add(program: &mut Program, contract: &Contract, problems: &mut Vec<Problem>) -> Option<CompiledTable> {
    let (rules, pieces) = (program.own("::", 2), program.own("advice", 2));
    let clauses = |pred: Option<PredId>| pred.map_or_else(Vec::new, |id| program.predicate(id).clauses.clone());
    let (rules, pieces) = (clauses(rules), clauses(pieces));
    if rules.is_empty() && pieces.is_empty() {
        return None;
    }
    let before = problems.len();
    let legal = legal(program, contract)?;
    let mut builder = Builder {
        program,
        problems,
        legal,
        pieces: &pieces,
        uses: Vec::new(),
        unread: false,
        parts: Vec::new(),
        part_clauses: Vec::new(),
    };
    let rules = builder.rules(&rules);
    let [look, ours, theirs, piece] = builder.pieces(&pieces);
    builder.unused(&rules);
    builder.silent(&rules);
    let uses = std::mem::take(&mut builder.uses);
    builder.mixed(&uses);
    let (parts, part) = (builder.parts, builder.part_clauses);
    let found = problems[before..].iter().any(|problem| problem.level == alphorn_text::report::Severity::Error);
    if found {
        return None;
    }
    let (clauses, names) = (rules.0, rules.2);
    Some(CompiledTable {
        rule: hidden(program, Atom::new("$rule"), 3, clauses),
        look: hidden(program, Atom::new("$look"), 4, look),
        ours: hidden(program, Atom::new("$ours"), 5, ours),
        theirs: hidden(program, Atom::new("$theirs"), 5, theirs),
        piece: hidden(program, Atom::new("$piece"), 2, piece),
        part: hidden(program, Atom::new("$part"), 4, part),
        parts,
        rules: names,
    })
}

impl CompiledTable {
    /// The predicate whose clauses are the rules, in their order.
    pub fn rule_pred(&self) -> PredId {
        self.rule
    }

    /// Its predicates, for whoever asks what is called.
    pub(super) fn roots(&self) -> [PredId; 6] {
        [self.rule, self.look, self.ours, self.theirs, self.piece, self.part]
    }
}

/// `(+Pos, -Label, -Next)`: the legal moves, a pass included where the game says so. Without labels a
/// move is its successor.
fn legal(program: &mut Program, contract: &Contract) -> Option<PredId> {
    let passes = contract.pass.is_some()
        && contract.no_moves.is_some_and(|id| {
            let first = &program.predicate(id).clauses[0];
            *first.tree.kind(first.tree.args(first.head)[0]) == TermKind::Atom(Atom::new("pass"))
        });
    let span = Span { source: SourceId(0), start: 0, end: 0 };
    let mut tree = TermTree::default();
    let [position, label, next, list] = ["Pos", "Label", "Next", "Nexts"].map(|name| tree.fresh(name, span));
    let own = |pred, args: &[NodeId]| Goal::Call { callee: Callee::User(pred), args: args.to_vec(), span };
    // A game's own member/2 and the like mean what it wants them to.
    let library = |name, args: &[NodeId]| native(program, name, args.to_vec(), span);
    let moves = match (contract.labelled, contract.moves) {
        (Some(pred), _) => own(pred, &[position, label, next]),
        (None, Some(pred)) => Goal::Conj(vec![
            once(own(pred, &[position, list])),
            library(Atom::new("member"), &[next, list]),
            library(atoms::EQUAL, &[label, next]),
        ]),
        (None, None) => return None,
    };
    let body = match contract.pass.filter(|_| passes) {
        Some(pred) => {
            let pass = tree.add(TermKind::Atom(Atom::new("pass")), span);
            let passed = Goal::Conj(vec![own(pred, &[position, next]), library(atoms::EQUAL, &[label, pass])]);
            Goal::SoftIf(Box::new(moves), Box::new(Goal::True), Box::new(passed))
        }
        None => moves,
    };
    let name = Atom::new("$legal");
    let head = tree.compound(name, &[position, label, next], span);
    Some(hidden(program, name, 3, vec![Clause { tree, head, body, span }]))
}

/// A goal that holds once.
fn once(goal: Goal) -> Goal {
    Goal::If(Box::new(goal), Box::new(Goal::True), Box::new(Goal::Fail))
}

struct Builder<'a> {
    program: &'a Program,
    problems: &'a mut Vec<Problem>,
    legal: PredId,
    pieces: &'a [Clause],
    /// What goals and comparisons call.
    uses: Vec<Use>,
    /// Whether a rule could not be read, so that nothing is known of what it names.
    unread: bool,
    parts: Vec<Part>,
    part_clauses: Vec<Clause>,
}

/// The clauses of the rules, the advice that they name, and how they are called.
type Rules = (Vec<Clause>, Vec<(Atom, usize)>, Vec<(String, Span)>);

impl Builder<'_> {
    fn bad(&mut self, code: &'static str, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.problems.push(Problem::error(code, span, message).help(help));
    }

    fn rules(&mut self, rules: &[Clause]) -> Rules {
        let (mut clauses, mut named) = (Vec::new(), Vec::new());
        let mut names: Vec<(String, Span)> = Vec::new();
        for (number, clause) in rules.iter().enumerate() {
            let mut tree = clause.tree.clone();
            let (name, body) = (tree.args(clause.head)[0], tree.args(clause.head)[1]);
            let text = self.program.sources.text(tree.span(name)).to_string();
            if let Some((_, earlier)) = names.iter().find(|(earlier, _)| *earlier == text) {
                self.problems.push(
                    Problem::error("A0701", tree.span(name), format!("two rules have the name {text}"))
                        .also(*earlier, "the other rule is here")
                        .help("give one of them another name: proofs and explanations show the name"),
                );
            }
            names.push((text, tree.span(clause.head)));
            let parts = tree.unary(body, Atom::new("if")).and_then(|rule| tree.binary(rule, Atom::new("then")));
            let (Some((condition, advice)), Goal::True) = (parts, &clause.body) else {
                self.unread = true;
                self.bad(
                    "A0701",
                    tree.span(clause.head),
                    "this is not a rule of an advice table",
                    "write Name :: if Condition then [Advice, ...].",
                );
                continue;
            };
            self.named(&tree, advice, &mut named);
            let span = clause.span;
            let position = tree.fresh("Pos", span);
            let mut formulas = Formulas::new(self.program, self.problems, position, position);
            let goal = formulas.goal(&mut tree, condition);
            self.uses.extend(formulas.uses);
            self.tell(&clause.tree, clause.span, None, condition, Whole::Condition(number + 1));
            let number = tree.add(TermKind::Int(number as i64 + 1), span);
            let head = tree.compound(Atom::new("$rule"), &[position, number, advice], span);
            clauses.push(Clause { tree, head, body: goal, span });
        }
        (clauses, named, names)
    }

    /// What the pieces of advice see, and the moves they allow to both sides.
    fn pieces(&mut self, pieces: &[Clause]) -> [Vec<Clause>; 4] {
        let mut found = [Vec::new(), Vec::new(), Vec::new(), Vec::new()];
        for (piece, clause) in pieces.iter().enumerate() {
            let tree = &clause.tree;
            let (name, items) = (tree.args(clause.head)[0], tree.args(clause.head)[1]);
            let (Some(functor), Some(items), Goal::True) = (tree.functor(name), tree.list(items), &clause.body) else {
                self.bad("A0701", tree.span(clause.head), "this is not a piece of advice", SHAPE);
                continue;
            };
            let before = pieces[..piece].iter().find(|earlier| {
                let earlier_name = earlier.tree.args(earlier.head)[0];
                covers(&earlier.tree, earlier_name, tree, name)
            });
            if let Some(earlier) = before {
                let message = format!("the advice {} is already defined", functor.0.text());
                self.problems.push(
                    Problem::error("A0701", tree.span(name), message)
                        .also(earlier.tree.span(earlier.head), "Alphorn uses this definition")
                        .help("remove one of the two, or give it another name"),
                );
            }
            let Some(parts) = self.parts(tree, clause.span, &items) else { continue };
            found[0].push(self.look(clause, name, &parts));
            found[3].push(self.piece(clause, name, piece));
            for (goal, of) in [(parts.holding, Whole::Holding(piece)), (parts.better, Whole::Better(piece))] {
                goal.into_iter().for_each(|goal| self.tell(&clause.tree, clause.span, Some(name), goal, of));
            }
            for (at, ours) in [(1, true), (2, false)] {
                let constraint = if ours { parts.us } else { parts.them };
                found[at].push(self.constraint(clause, name, constraint, ours));
            }
        }
        found
    }

    fn parts(&mut self, tree: &TermTree, span: Span, items: &[NodeId]) -> Option<Parts> {
        let mut parts = Parts::default();
        for &item in items {
            let place = match tree.functor(item).map(|(name, arity)| (name.text(), arity)) {
                Some(("better", 1)) => &mut parts.better,
                Some(("holding", 1)) => &mut parts.holding,
                Some(("us", 1)) => &mut parts.us,
                Some(("them", 1)) => &mut parts.them,
                Some((part @ ("better" | "holding"), 2..)) => {
                    let help = format!("{part} takes one goal: join the goals with and");
                    self.bad("A0701", tree.span(item), format!("{part} has more than one goal"), help);
                    return None;
                }
                Some((part @ ("us" | "them"), 2..)) => {
                    let help = format!("{part} takes one constraint: write a list of them, {part}([A, B])");
                    self.bad("A0701", tree.span(item), format!("{part} has more than one constraint"), help);
                    return None;
                }
                _ => {
                    self.bad("A0701", tree.span(item), "a piece of advice has no such part", SHAPE);
                    return None;
                }
            };
            if place.replace(tree.args(item)[0]).is_some() {
                self.bad(
                    "A0701",
                    tree.span(item),
                    "this piece of advice has this part twice",
                    "join the goals with and",
                );
                return None;
            }
        }
        if parts.better.is_none() {
            let help = "add the goal that it must reach: better(Goal)";
            self.bad("A0701", span, "this piece of advice has no better-goal", help);
            return None;
        }
        Some(parts)
    }

    /// Adds the parts of a goal, for whoever asks why it fails. What is wrong with the goal has been
    /// told.
    fn tell(&mut self, tree: &TermTree, span: Span, name: Option<NodeId>, goal: NodeId, of: Whole) {
        let conjuncts = formula::conjuncts(tree, goal);
        for last in 0..conjuncts.len().min(MOST_PARTS) {
            let mut tree = tree.clone();
            let [position, root] = ["Pos", "Root"].map(|name| tree.fresh(name, span));
            let whose = name.unwrap_or_else(|| tree.fresh("Advice", span));
            let mut known = Vec::new();
            let mut formulas = Formulas::new(self.program, &mut known, position, root);
            let goals = conjuncts[..=last].iter().map(|part| formulas.goal(&mut tree, *part)).collect();
            let number = tree.add(TermKind::Int(self.parts.len() as i64), span);
            let text = self.program.sources.text(tree.span(conjuncts[last])).to_string();
            let head = tree.compound(Atom::new("$part"), &[number, whose, position, root], span);
            self.part_clauses.push(Clause { tree, head, body: Goal::Conj(goals), span });
            self.parts.push(Part { of, text: text.split_whitespace().collect::<Vec<_>>().join(" ") });
        }
    }

    /// `'$piece'(Advice, Number) :- !.`
    fn piece(&self, clause: &Clause, name: NodeId, number: usize) -> Clause {
        let (mut tree, span) = (clause.tree.clone(), clause.span);
        let number = tree.add(TermKind::Int(number as i64), span);
        let head = tree.compound(Atom::new("$piece"), &[name, number], span);
        Clause { tree, head, body: Goal::Cut, span }
    }

    /// `'$look'(Advice, Pos, Root, Seen) :- !, Holding, (Better -> Seen = 1 ; Seen = 0).`
    fn look(&mut self, clause: &Clause, name: NodeId, parts: &Parts) -> Clause {
        let (mut tree, span) = (clause.tree.clone(), clause.span);
        let [position, root, seen] = ["Pos", "Root", "Seen"].map(|name| tree.fresh(name, span));
        let mut formulas = Formulas::new(self.program, self.problems, position, root);
        let holding = parts.holding.map_or(Goal::True, |at| formulas.goal(&mut tree, at));
        let better = parts.better.map_or(Goal::True, |at| formulas.goal(&mut tree, at));
        self.uses.extend(formulas.uses);
        let [open, reached] = [0, 1].map(|number| {
            let number = tree.add(TermKind::Int(number), span);
            native(self.program, atoms::EQUAL, vec![seen, number], span)
        });
        let verdict = Goal::If(Box::new(better), Box::new(reached), Box::new(open));
        let head = tree.compound(Atom::new("$look"), &[name, position, root, seen], span);
        Clause { tree, head, body: Goal::Conj(vec![Goal::Cut, holding, verdict]), span }
    }

    /// `'$ours'(Advice, Depth, Pos, Label, Next) :- !, ...`
    fn constraint(&mut self, clause: &Clause, name: NodeId, at: Option<NodeId>, ours: bool) -> Clause {
        let (mut tree, span) = (clause.tree.clone(), clause.span);
        let [depth, position, label, next] = ["Depth", "Pos", "Label", "Next"].map(|name| tree.fresh(name, span));
        let before = self.problems.len();
        let mut moves = Moves::new(self.program, self.problems, self.legal, [depth, position, label, next]);
        let body = moves.generated(&mut tree, at, span);
        let sound = self.problems.len() == before;
        if let Some(at) = at.filter(|at| ours && sound && !moves::some_at_once(&clause.tree, *at)) {
            let help = "our first move is at depth 0: allow a move at this depth, such as us([at(0, legal)])";
            self.bad("A0703", clause.tree.span(at), "this constraint allows no move at depth 0", help);
        }
        let functor = if ours { "$ours" } else { "$theirs" };
        let head = tree.compound(Atom::new(functor), &[name, depth, position, label, next], span);
        Clause { tree, head, body: Goal::Conj(vec![Goal::Cut, body]), span }
    }
}

/// The parts of a piece of advice.
#[derive(Default)]
struct Parts {
    better: Option<NodeId>,
    holding: Option<NodeId>,
    us: Option<NodeId>,
    them: Option<NodeId>,
}

const SHAPE: &str = "write advice(Name, [better(Goal), holding(Goal), us(Moves), them(Moves)]).";

/// A call of a predicate that every program sees.
fn native(program: &Program, name: Atom, args: Vec<NodeId>, span: Span) -> Goal {
    let callee = program.resolve(PRELUDE, name, args.len()).unwrap_or(Callee::Unknown(name, args.len()));
    Goal::Call { callee, args, span }
}
