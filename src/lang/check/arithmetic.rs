//! Variables that arithmetic needs and nothing can have bound.

use crate::lang::ast::NodeId;
use crate::lang::program::{Callee, Clause, Goal, Program};
use crate::report::Problem;
use rustc_hash::FxHashSet;

/// Reports variables of `is/2` and comparisons that stand nowhere before.
pub fn unbound(program: &Program, clause: &Clause, problems: &mut Vec<Problem>) {
    let mut walk = Walk { program, clause, problems };
    let mut seen = walk.variables(&[clause.head]);
    walk.goal(&clause.body, &mut seen);
}

struct Walk<'a> {
    program: &'a Program,
    clause: &'a Clause,
    problems: &'a mut Vec<Problem>,
}

type Seen = FxHashSet<u32>;

impl Walk<'_> {
    fn variables(&self, nodes: &[NodeId]) -> Seen {
        nodes.iter().flat_map(|node| self.clause.tree.variables_of(*node)).collect()
    }

    /// Visits a goal; `seen` gains every variable that it may bind.
    fn goal(&mut self, goal: &Goal, seen: &mut Seen) {
        match goal {
            Goal::True | Goal::Fail | Goal::Cut => {}
            Goal::Conj(goals) => goals.iter().for_each(|goal| self.goal(goal, seen)),
            Goal::Or(left, right) => {
                let mut other = seen.clone();
                self.goal(left, seen);
                self.goal(right, &mut other);
                seen.extend(other);
            }
            Goal::If(condition, then, other) | Goal::SoftIf(condition, then, other) => {
                let mut alone = seen.clone();
                self.goal(condition, seen);
                self.goal(then, seen);
                self.goal(other, &mut alone);
                seen.extend(alone);
            }
            Goal::Not(inner) => self.goal(inner, &mut seen.clone()),
            Goal::Scope(inner) => self.goal(inner, seen),
            Goal::Findall { goal, list, tail, .. } => {
                self.goal(goal, &mut seen.clone());
                seen.extend(self.variables(&[*list]));
                seen.extend(tail.iter().flat_map(|tail| self.variables(&[*tail])));
            }
            Goal::Meta(node, _) => seen.extend(self.variables(&[*node])),
            Goal::Call { callee, args, .. } => self.call(*callee, args, seen),
        }
    }

    fn call(&mut self, callee: Callee, args: &[NodeId], seen: &mut Seen) {
        if let Callee::Native(id) = callee {
            let needs: &[NodeId] = match self.program.known.row(id).name {
                "is" => &args[1..],
                "<" | ">" | "=<" | ">=" | "=:=" | "=\\=" => args,
                _ => &[],
            };
            for node in needs {
                self.needed(*node, seen);
            }
        }
        seen.extend(self.variables(args));
    }

    fn needed(&mut self, node: NodeId, seen: &Seen) {
        let tree = &self.clause.tree;
        let mut stack = vec![node];
        let mut told = Seen::default();
        while let Some(at) = stack.pop() {
            if let crate::lang::ast::Kind::Var(number) = tree.kind(at)
                && !seen.contains(number)
                && told.insert(*number)
            {
                let name = &tree.variables[*number as usize].name;
                let problem = Problem::error("A0401", tree.span(at), format!("{name} has no value here"))
                    .label("nothing before this goal can bind it")
                    .help("move the goal that gives it a value before this one, or correct the name");
                self.problems.push(problem);
            }
            stack.extend(tree.args(at).iter().rev());
        }
    }
}
