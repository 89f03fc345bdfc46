//! Reports variables in arithmetic that no earlier goal can have bound.

use crate::lang::ast::{NodeId, TermKind};
use crate::lang::goal::each_goal;
use crate::lang::program::{Callee, Clause, Goal, Program};
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use alphorn_text::signature::Fact;
use rustc_hash::FxHashSet;

/// Reports variables of `is/2` and comparisons that do not occur earlier in the clause.
pub fn unbound(program: &Program, clause: &Clause, problems: &mut Vec<Problem>) {
    let mut walk = BindingCheck::new(program, clause, problems);
    let mut seen = Bound::default();
    seen.extend(walk.variables(&[clause.head]));
    walk.goal(&clause.body, &mut seen);
}

/// Like [`unbound`], if only the arguments `given` of the head have values; the others are outputs.
/// Reports warnings, because other goals may call the predicate with other modes.
pub fn unanswered(program: &Program, clause: &Clause, given: &[NodeId], problems: &mut Vec<Problem>) {
    let mut found = Vec::new();
    let mut walk = BindingCheck::new(program, clause, &mut found);
    let mut seen = Bound::default();
    seen.extend(walk.variables(given));
    walk.answers = walk.variables(&[clause.head]).into_iter().filter(|number| !seen.contains(number)).collect();
    let mut open = walk.answers.clone();
    // A clause that tests whether the variable is bound handles both cases.
    each_goal(&clause.body, &mut |goal| {
        if let Goal::Call { callee: Callee::Native(id), args, .. } = goal
            && program.known.row(*id).has(Fact::TestsBinding)
        {
            for number in args.iter().flat_map(|arg| clause.tree.variables_of(*arg)) {
                open.remove(&number);
            }
        }
    });
    if open.len() == walk.answers.len() {
        walk.goal(&clause.body, &mut seen);
    }
    problems.extend(found.into_iter().map(Problem::as_warning));
}

struct BindingCheck<'a> {
    program: &'a Program,
    clause: &'a Clause,
    problems: &'a mut Vec<Problem>,
    /// Variables that only the alternative before a `;` can bind.
    beside: Seen,
    /// Variables of the head that a goal must bind, if they are known.
    answers: Seen,
}

type Seen = FxHashSet<u32>;

/// The variables that earlier goals may have bound. Recent additions can be undone, so that an
/// alternative need not copy the whole set.
#[derive(Default)]
struct Bound {
    numbers: Seen,
    added: Vec<u32>,
}

impl Bound {
    fn contains(&self, number: &u32) -> bool {
        self.numbers.contains(number)
    }

    fn extend(&mut self, numbers: impl IntoIterator<Item = u32>) {
        for number in numbers {
            if self.numbers.insert(number) {
                self.added.push(number);
            }
        }
    }

    /// The current size, for [`Bound::back_to`].
    fn mark(&self) -> usize {
        self.added.len()
    }

    /// Undoes the additions since a mark and returns them.
    fn back_to(&mut self, mark: usize) -> Vec<u32> {
        let taken = self.added.split_off(mark);
        for number in &taken {
            self.numbers.remove(number);
        }
        taken
    }
}

impl<'a> BindingCheck<'a> {
    fn new(program: &'a Program, clause: &'a Clause, problems: &'a mut Vec<Problem>) -> BindingCheck<'a> {
        BindingCheck { program, clause, problems, beside: Seen::default(), answers: Seen::default() }
    }

    fn variables(&self, nodes: &[NodeId]) -> Vec<u32> {
        nodes.iter().flat_map(|node| self.clause.tree.variables_of(*node)).collect()
    }

    /// Visits a goal whose bindings do not survive.
    fn passing(&mut self, goal: &Goal, seen: &mut Bound) {
        let mark = seen.mark();
        self.goal(goal, seen);
        seen.back_to(mark);
    }

    /// Visits a goal and adds the variables that it may bind to `seen`.
    fn goal(&mut self, goal: &Goal, seen: &mut Bound) {
        match goal {
            Goal::True | Goal::Fail | Goal::Cut => {}
            Goal::Conj(goals) => goals.iter().for_each(|goal| self.goal(goal, seen)),
            Goal::Or(left, right) => {
                let mark = seen.mark();
                self.goal(left, seen);
                let there = seen.back_to(mark);
                let outside = std::mem::replace(&mut self.beside, there.iter().copied().collect());
                self.goal(right, seen);
                self.beside = outside;
                seen.extend(there);
            }
            Goal::If(condition, then, other) | Goal::SoftIf(condition, then, other) => {
                let mark = seen.mark();
                self.goal(condition, seen);
                self.goal(then, seen);
                let there = seen.back_to(mark);
                self.goal(other, seen);
                seen.extend(there);
            }
            Goal::Not(inner) => self.passing(inner, seen),
            Goal::Scope(inner) => self.goal(inner, seen),
            Goal::Findall { goal, list, tail, .. } => {
                self.passing(goal, seen);
                seen.extend(self.variables(&[*list]));
                seen.extend(tail.iter().flat_map(|tail| self.variables(&[*tail])));
            }
            Goal::Meta(node, _) => seen.extend(self.variables(&[*node])),
            Goal::Call { callee, args, .. } => self.call(*callee, args, seen),
        }
    }

    fn call(&mut self, callee: Callee, args: &[NodeId], seen: &mut Bound) {
        if let Callee::Native(id) = callee {
            let name = self.program.known.row(id).name;
            let needs: &[NodeId] = match name {
                "is" => &args[1..],
                "<" | ">" | "=<" | ">=" | "=:=" | "=\\=" => args,
                "==" => {
                    self.compared(args, seen);
                    &[]
                }
                _ => &[],
            };
            let solved = if matches!(name, "is" | "=:=") { self.solved(args, seen) } else { None };
            for node in needs {
                self.needed(*node, seen, solved.as_deref());
            }
        }
        seen.extend(self.variables(args));
    }

    fn needed(&mut self, node: NodeId, seen: &Bound, solved: Option<&str>) {
        let tree = &self.clause.tree;
        let mut stack = vec![node];
        let mut told = Seen::default();
        while let Some(at) = stack.pop() {
            if let TermKind::Var(number) = tree.kind(at)
                && !seen.contains(number)
                && told.insert(*number)
            {
                let name = &tree.variables[*number as usize].name;
                let help = match solved {
                    _ if self.beside.contains(number) => format!(
                        "{name} has no value after `;`, which begins another case: write `,` if both goals must hold"
                    ),
                    Some(solved) => format!("is/2 does not solve equations: write {solved}"),
                    None => "move the goal that binds it before this goal, or correct the name".to_string(),
                };
                let problem =
                    Problem::error(Code::UnboundInArithmetic, tree.span(at), format!("{name} has no value here"))
                        .label("no goal before this one can bind it")
                        .help(help);
                self.problems.push(problem);
            }
            stack.extend(tree.args(at).iter().rev());
        }
    }

    /// Solves `N is M + K` for an unbound M: `M is N - K`.
    fn solved(&self, args: &[NodeId], seen: &Bound) -> Option<String> {
        let (tree, &[result, sum]) = (&self.clause.tree, args) else { return None };
        let known = |node: NodeId| tree.variables_of(node).iter().all(|number| seen.contains(number));
        let (&[left, right], Some((name, 2))) = (tree.args(sum), tree.functor(sum)) else { return None };
        let text = |node: NodeId| self.program.sources.text(tree.span(node));
        // Any other unbound variable is probably misspelt, or its goal is missing.
        let open = |number: &u32| !seen.contains(number) && self.answers.contains(number);
        let unknown = |node: NodeId| matches!(tree.kind(node), TermKind::Var(number) if open(number));
        // A subtrahend needs brackets unless it is a name or a number.
        let plain = |node: NodeId| tree.args(node).is_empty();
        if !known(result) {
            return None;
        }
        match name.text() {
            "+" if unknown(left) && known(right) && plain(right) => {
                Some(format!("{} is {} - {}", text(left), text(result), text(right)))
            }
            "+" if unknown(right) && known(left) && plain(left) => {
                Some(format!("{} is {} - {}", text(right), text(result), text(left)))
            }
            "-" if unknown(left) && known(right) => {
                Some(format!("{} is {} + {}", text(left), text(result), text(right)))
            }
            "-" if unknown(right) && known(left) && plain(result) => {
                Some(format!("{} is {} - {}", text(right), text(left), text(result)))
            }
            _ => None,
        }
    }

    /// Reports `V == 0` with an unbound output V: `==` does not bind it.
    fn compared(&mut self, args: &[NodeId], seen: &Bound) {
        let tree = &self.clause.tree;
        let open = |node: NodeId| matches!(tree.kind(node), TermKind::Var(number) if self.answers.contains(number) && !seen.contains(number));
        let &[left, right] = args else { return };
        let Some(one) = [left, right].into_iter().find(|node| open(*node)) else { return };
        let text = |node: NodeId| self.program.sources.text(tree.span(node));
        let message = format!("{} has no value here, and == does not bind it", text(one));
        let help = format!("write {} = {}", text(left), text(right));
        self.problems
            .push(Problem::error(Code::UnboundInArithmetic, tree.span(left).to(tree.span(right)), message).help(help));
    }
}
