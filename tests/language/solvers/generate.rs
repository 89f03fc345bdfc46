//! Generates random programs over the whole language, with goals for them.
//!
//! A seed gives a [`Sample`]. A program is a few predicates, each made from a pattern (facts, a loop over a
//! list, a count, plain rules, a table, ...) with random parts. Later predicates call earlier predicates, so
//! that most recursion ends.

use crate::solvers::goals::{Goals, Mode, Pred};
use crate::solvers::program::{Asked, Clause, Goal, Sample};
use crate::solvers::terms::{Chance, Scope, Type};
use Mode::{Both, In, Out};
use Type::{Any, Atom, Board, Int, Ints, Items};

#[path = "generate/patterns.rs"]
mod patterns;

/// The sample of a seed. With `by_age`, goals may compare variables by their age, in which the solvers may
/// differ.
pub fn sample(seed: u64, by_age: bool) -> Sample {
    let goals = Goals { chance: Chance::new(seed), preds: Vec::new(), by_age };
    let mut maker = Maker { goals, directives: Vec::new(), clauses: Vec::new() };
    if maker.goals.chance.percent(60) {
        maker.directives.push("use_module(library(alphorn))".to_string());
    }
    for number in 0..2 + maker.goals.chance.below(4) {
        maker.predicate(number);
    }
    let asked = maker.asked();
    let chance = &mut maker.goals.chance;
    let steps = [1_000, 10_000, 30_000, 100_000][chance.weighted(&[6, 60, 25, 9])];
    // A small memory limit causes garbage collections.
    let memory = if chance.percent(12) { 3 << 20 } else { 32 << 20 };
    Sample { directives: maker.directives, clauses: maker.clauses, asked, steps, memory }
}

struct Maker {
    goals: Goals,
    directives: Vec<String>,
    clauses: Vec<Clause>,
}

fn leaf(text: &str) -> Goal {
    Goal::Leaf(text.to_string())
}

fn any_mode(chance: &mut Chance) -> Mode {
    *chance.pick(&[In, In, Out, Both])
}

fn any_type(chance: &mut Chance) -> Type {
    *chance.pick(&[Int, Int, Atom, Ints, Ints, Items, Any, Any, Board])
}

impl Maker {
    fn chance(&mut self) -> &mut Chance {
        &mut self.goals.chance
    }

    fn clause(&mut self, head: String, body: Vec<Goal>) {
        self.clauses.push(Clause { head, neck: ":-", body });
    }

    fn defined(&mut self, name: &str, args: &[(Type, Mode)]) {
        self.goals.preds.push(Pred { name: name.to_string(), args: args.to_vec() });
    }

    fn predicate(&mut self, number: usize) {
        let name = format!("p{number}");
        match self.chance().weighted(&[14, 10, 8, 10, 6, 26, 7, 4, 4, 3, 3, 5]) {
            0 => self.facts(&name),
            1 => self.map(&name),
            2 => self.fold(&name),
            3 => self.count(&name),
            4 => self.split(&name),
            5 => self.rules(&name),
            6 => self.table(&name),
            7 => self.tree(&name),
            8 => self.grammar(&name),
            9 => self.runaway(&name),
            10 if self.chance().percent(60) => self.drawn(&name),
            10 => self.boards(&name),
            _ => self.choices(&name),
        }
    }

    fn asked(&mut self) -> Vec<Asked> {
        let mut asked = Vec::new();
        for pred in self.goals.preds.clone() {
            let mut scope = Scope::default();
            let mut goals = Vec::new();
            if self.chance().percent(15) {
                let most = *self.chance().pick(&[20, 50, 300, 1500]);
                goals.push(Goal::Leaf(format!("numlist(1, {most}, {})", scope.fresh(Ints))));
            }
            goals.push(Goal::Leaf(self.goals.call_of(&pred, &mut scope, 0)));
            let more = self.chance().weighted(&[5, 2, 1]);
            goals.extend(self.goals.conjunction(&mut scope, more, 2));
            asked.push(Asked::Goal(goals));
            if self.chance().percent(60) {
                asked.push(self.packed(&pred));
            }
        }
        for _ in 0..1 + self.chance().below(2) {
            let mut scope = Scope::default();
            let count = 1 + self.chance().below(3);
            asked.push(Asked::Goal(self.goals.conjunction(&mut scope, count, 3)));
        }
        asked
    }

    fn packed(&mut self, pred: &Pred) -> Asked {
        let mut args = Vec::new();
        for (kind, mode) in &pred.args {
            let chance = self.chance();
            let open = chance.percent(match mode {
                In => 5,
                Out => 92,
                Both => 65,
            });
            args.push(match open {
                true => None,
                false if chance.percent(12) => Some(chance.term(&mut Scope::default(), 2)),
                false if *kind == Int && chance.percent(60) => Some(chance.small()),
                false => Some(chance.ground(*kind, 2)),
            });
        }
        Asked::Call(pred.name.clone(), args)
    }
}
