//! Compiles advice tables to rules.
//!
//! A table has facts `Name :: if Condition then [Advice, ...]` and `advice(Advice, [...])`. The
//! predicates of a [`CompiledTable`] give the rule that applies to a position, the state of its
//! goals, and the allowed moves. Problems report undefined names. A table costs what rules cost,
//! and its faults are faults of rules. Nothing here builds a forcing tree.

mod formula;
mod moves;
mod named;
mod operators;
mod slips;

use crate::rules::combined::hidden;
use crate::rules::contract::Contract;
use alphorn_lang::lang::ast::{NodeId, TermKind, TermTree};
use alphorn_lang::lang::program::{Callee, Clause, Goal, PredId, Program};
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use alphorn_text::source::{SourceId, Span};
use alphorn_text::symbol::{Atom, atoms};
use formula::{Formulas, PredicateUse, native, once};
use moves::Moves;
use named::NameChecker;

/// The predicates of a compiled advice table.
#[derive(Clone, Debug)]
pub struct CompiledTable {
    /// `(+Pos, -Rule, -Advice)`: the first rule whose condition holds, by number from 1.
    pub(super) rule: PredId,
    /// `(+Advice, +Pos, +Root, -Seen)`: 0 if only the holding-goal holds, 1 if the better-goal holds too.
    pub(super) look: PredId,
    /// `(+Advice, +Depth, +Pos, -Label, -Next)`: the moves that `us` allows.
    pub(super) ours: PredId,
    /// `(+Advice, +Depth, +Pos, -Label, -Next)`: the moves that `them` allows.
    pub(super) theirs: PredId,
    /// `(+Advice, -Number)`: the piece of advice with this name, by number from 0.
    pub(super) piece: PredId,
    /// `(+Number, +Advice, +Pos, +Root)`: the parts of a goal up to the one with this number. A
    /// condition ignores the advice.
    pub(super) part: PredId,
    /// The parts of all goals, by number.
    pub(super) parts: Vec<Part>,
    /// The rules in their order: name and place.
    pub rules: Vec<(String, Span)>,
}

/// A part of a goal, between its outermost `and`s.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) of: AdviceGoal,
    /// The text of the part.
    pub(super) text: String,
}

/// A goal of a table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum AdviceGoal {
    /// The condition of the rule with this number.
    Condition(usize),
    /// The holding-goal of the piece of advice with this number.
    Holding(usize),
    /// The better-goal of the piece of advice with this number.
    Better(usize),
}

/// The greatest number of parts of one goal.
const MOST_PARTS: usize = 32;

/// Whether every term that matches the narrow name matches the wide one, as far as shapes tell.
fn covers(wide: &TermTree, at: NodeId, narrow: &TermTree, other: NodeId) -> bool {
    let mut stack = vec![(at, other)];
    let mut bound: Vec<(u32, NodeId)> = Vec::new();
    while let Some((left, right)) = stack.pop() {
        match wide.kind(left) {
            TermKind::Var(number) => match bound.iter().find(|(known, _)| known == number) {
                // A variable that occurs twice needs equal terms, which are not compared here.
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

/// Compiles the table of a program and adds its predicates; `None` if there is no table, or if it
/// has errors.
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
    // A rule that could not be read may name what seems unused.
    if !builder.unread {
        builder.names().unused(&rules.0, &rules.1);
    }
    builder.names().silent(&rules.0);
    let uses = std::mem::take(&mut builder.uses);
    builder.names().mixed(&uses);
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
    /// The predicate whose clauses are the rules of the table, in their order.
    pub fn rule_pred(&self) -> PredId {
        self.rule
    }

    /// The predicates of the table, which count as called.
    pub(super) fn roots(&self) -> [PredId; 6] {
        [self.rule, self.look, self.ours, self.theirs, self.piece, self.part]
    }
}

/// `(+Pos, -Label, -Next)`: the legal moves, or the pass of `no_moves(pass)`. Without labels, the
/// label of a move is its successor.
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
    // A game may define its own member/2, so the name is resolved in the library.
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

struct Builder<'a> {
    program: &'a Program,
    problems: &'a mut Vec<Problem>,
    legal: PredId,
    pieces: &'a [Clause],
    /// The predicates that goals and comparisons call.
    uses: Vec<PredicateUse>,
    /// Whether a rule could not be read, so that the advice in it is unknown.
    unread: bool,
    parts: Vec<Part>,
    part_clauses: Vec<Clause>,
}

/// The clauses of the rules, the functors of their advice, and their names and places.
type Rules = (Vec<Clause>, Vec<(Atom, usize)>, Vec<(String, Span)>);

impl Builder<'_> {
    fn bad(&mut self, code: Code, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.problems.push(Problem::error(code, span, message).help(help));
    }

    /// The checks of the names in the table.
    fn names(&mut self) -> NameChecker<'_> {
        NameChecker { program: self.program, problems: self.problems, pieces: self.pieces }
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
                    Problem::error(Code::InvalidTablePart, tree.span(name), format!("two rules have the name {text}"))
                        .also(*earlier, "the other rule is here")
                        .help("give one of them another name: proofs and explanations show the name"),
                );
            }
            names.push((text, tree.span(clause.head)));
            let parts = tree.unary(body, Atom::new("if")).and_then(|rule| tree.binary(rule, Atom::new("then")));
            let (Some((condition, advice)), Goal::True) = (parts, &clause.body) else {
                self.unread = true;
                self.bad(
                    Code::InvalidTablePart,
                    tree.span(clause.head),
                    "this is not a rule of an advice table",
                    "write Name :: if Condition then [Advice, ...].",
                );
                continue;
            };
            self.names().named(&tree, advice, &mut named);
            let span = clause.span;
            let position = tree.fresh("Pos", span);
            let mut formulas = Formulas::new(self.program, self.problems, position, position);
            let goal = formulas.goal(&mut tree, condition);
            self.uses.extend(formulas.uses);
            self.tell(&clause.tree, clause.span, None, condition, AdviceGoal::Condition(number + 1));
            let number = tree.add(TermKind::Int(number as i64 + 1), span);
            let head = tree.compound(Atom::new("$rule"), &[position, number, advice], span);
            clauses.push(Clause { tree, head, body: goal, span });
        }
        (clauses, named, names)
    }

    /// The clauses of `$look`, `$ours`, `$theirs` and `$piece`.
    fn pieces(&mut self, pieces: &[Clause]) -> [Vec<Clause>; 4] {
        let mut found = [Vec::new(), Vec::new(), Vec::new(), Vec::new()];
        for (piece, clause) in pieces.iter().enumerate() {
            let tree = &clause.tree;
            let (name, items) = (tree.args(clause.head)[0], tree.args(clause.head)[1]);
            let (Some(functor), Some(items), Goal::True) = (tree.functor(name), tree.list(items), &clause.body) else {
                self.bad(Code::InvalidTablePart, tree.span(clause.head), "this is not a piece of advice", SHAPE);
                continue;
            };
            let before = pieces[..piece].iter().find(|earlier| {
                let earlier_name = earlier.tree.args(earlier.head)[0];
                covers(&earlier.tree, earlier_name, tree, name)
            });
            if let Some(earlier) = before {
                let message = format!("the advice {} is already defined", functor.0.text());
                self.problems.push(
                    Problem::error(Code::InvalidTablePart, tree.span(name), message)
                        .also(earlier.tree.span(earlier.head), "Alphorn uses this definition")
                        .help("remove one of the two, or give it another name"),
                );
            }
            let Some(parts) = self.parts(tree, clause.span, &items) else { continue };
            found[0].push(self.look(clause, name, &parts));
            found[3].push(self.piece(clause, name, piece));
            for (goal, of) in [(parts.holding, AdviceGoal::Holding(piece)), (parts.better, AdviceGoal::Better(piece))] {
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
                    self.bad(Code::InvalidTablePart, tree.span(item), format!("{part} has more than one goal"), help);
                    return None;
                }
                Some((part @ ("us" | "them"), 2..)) => {
                    let help = format!("{part} takes one constraint: write a list of them, {part}([A, B])");
                    self.bad(
                        Code::InvalidTablePart,
                        tree.span(item),
                        format!("{part} has more than one constraint"),
                        help,
                    );
                    return None;
                }
                _ => {
                    self.bad(Code::InvalidTablePart, tree.span(item), "a piece of advice has no such part", SHAPE);
                    return None;
                }
            };
            if place.replace(tree.args(item)[0]).is_some() {
                self.bad(
                    Code::InvalidTablePart,
                    tree.span(item),
                    "this piece of advice has this part twice",
                    "join the goals with and",
                );
                return None;
            }
        }
        if parts.better.is_none() {
            let help = "add the goal that it must reach: better(Goal)";
            self.bad(Code::InvalidTablePart, span, "this piece of advice has no better-goal", help);
            return None;
        }
        Some(parts)
    }

    /// Adds the parts of a goal, to explain its failure. Problems of the goal were reported before.
    fn tell(&mut self, tree: &TermTree, span: Span, name: Option<NodeId>, goal: NodeId, of: AdviceGoal) {
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
            self.bad(Code::NoLegalFirstMove, clause.tree.span(at), "this constraint allows no move at depth 0", help);
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
