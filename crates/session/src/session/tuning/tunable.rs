//! Finds the parameters of a game that can be tuned: integers that only the evaluation uses.
//!
//! It takes the names that the user asks for, each perhaps with a narrower range. It returns the parameters
//! with their present values, or a problem that says what to type.

use crate::session::{Session, SessionResult};
use alphorn_lang::lang::ast::TermKind;
use alphorn_lang::lang::check::calls::reachable;
use alphorn_lang::lang::goal::each_goal;
use alphorn_lang::lang::near::nearest;
use alphorn_lang::lang::program::{Callee, Domain, Goal, Param, PredId, Program, USER};
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use alphorn_text::symbol::Atom;
use rustc_hash::FxHashSet;

/// A parameter to tune.
#[derive(Clone, Debug, PartialEq)]
pub struct Tunable {
    /// The name.
    pub name: String,
    /// The present value.
    pub value: i64,
    /// The least value.
    pub low: i64,
    /// The greatest value.
    pub high: i64,
    /// The range that the game declares.
    pub declared: (i64, i64),
    /// The description.
    pub about: String,
}

impl Tunable {
    /// The directive that declares the parameter with another default.
    pub fn directive(&self, value: i64) -> String {
        let (low, high) = self.declared;
        let about = self.about.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', " ");
        format!(":- param({}, {value}, {low}..{high}, \"{about}\").", quoted(&self.name))
    }
}

/// An atom as the loader reads it.
fn quoted(name: &str) -> String {
    let plain = name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if plain { name.to_string() } else { format!("'{}'", name.replace('\\', "\\\\").replace('\'', "\\'")) }
}

/// A parameter that the user asks for: its name, and a narrower range.
pub type ParamRange = (String, Option<(i64, i64)>);

impl Session {
    /// The parameters to tune: those asked for, or else all integer parameters that the evaluation uses and
    /// the other rules of the game do not use.
    ///
    /// # Errors
    ///
    /// The game has no evaluation. A parameter does not exist, is no integer, has an empty range, or changes
    /// the rules. Or nothing is left.
    pub fn tunables(&self, ranges: &[ParamRange]) -> SessionResult<Vec<Tunable>> {
        let contract = &self.rules.contract;
        let Some(eval) = contract.static_eval else {
            return self.nothing(
                "the game has no evaluation: it does not define static_eval/2",
                "define static_eval(Pos, Value) with parameters: param(man, Man), Value is Man * Men",
            );
        };
        let program = &self.rules.program;
        let of_eval = self.params_of(reachable(program, &[eval]));
        let roots = [contract.initial, contract.moves, contract.labelled, contract.max_to_move, contract.min_to_move];
        let more = [contract.terminal, contract.outcome, contract.pass, contract.canonical, contract.chance];
        let of_rules = self.params_of(called(program, roots.into_iter().chain(more).flatten().collect()));
        if !ranges.is_empty() {
            return ranges.iter().map(|range| self.tunable(range, &of_eval, &of_rules)).collect();
        }
        let params = &self.rules.program.params;
        let wanted = |param: &&Param| of_eval.contains(&param.name) && !of_rules.contains(&param.name);
        let found: Vec<Tunable> = params.iter().filter(wanted).filter_map(whole_range).collect();
        match found.is_empty() {
            true => self.nothing(
                "no parameter can be tuned: static_eval/2 uses no integer parameter of its own",
                "write the weights of static_eval/2 as parameters, in the game or in an overlay:\n\
                 :- param(man, 10, 0..50, \"value of a man\"). and in static_eval/2 param(man, Man)",
            ),
            false => Ok(found),
        }
    }

    fn tunable(
        &self,
        (name, range): &ParamRange,
        of_eval: &FxHashSet<Atom>,
        of_rules: &FxHashSet<Atom>,
    ) -> SessionResult<Tunable> {
        let params = &self.rules.program.params;
        let Some(param) = params.iter().find(|param| param.name.text() == name) else {
            let names: Vec<&str> = params.iter().map(|param| param.name.text()).collect();
            let help = match nearest(name, names.iter().copied()) {
                Some(near) => format!("did you mean {near}?"),
                None if names.is_empty() => {
                    "the game declares none; to declare one, write :- param(man, 10, 0..50, \"value of a man\").".into()
                }
                None => format!("the parameters are {}", names.join(", ")),
            };
            return self.problem(
                Problem::placeless(Code::InvalidParameter, format!("there is no parameter {name}")).help(help),
            );
        };
        let Some(found) = whole_range(param) else {
            return self.nothing(
                &format!("the parameter {name} cannot be tuned: its values are no range of integers"),
                "tune parameters with a range such as 0..50; to set this one, type -p NAME=VALUE",
            );
        };
        if of_rules.contains(&param.name) {
            return self.nothing(
                &format!("the parameter {name} cannot be tuned: it changes the rules of the game"),
                &format!("tune parameters that only static_eval/2 uses; to set this one, type -p {name}=VALUE"),
            );
        }
        if !of_eval.contains(&param.name) {
            return self.nothing(
                &format!("the parameter {name} cannot be tuned: static_eval/2 does not use it"),
                &format!("call param({}, Value) in static_eval/2, or leave out -p {name}", quoted(name)),
            );
        }
        match *range {
            Some(range) => self.within(found, name, range),
            None => Ok(found),
        }
    }

    /// A parameter with a narrower range.
    fn within(&self, found: Tunable, name: &str, (low, high): (i64, i64)) -> SessionResult<Tunable> {
        let (least, most) = found.declared;
        let wrong = |message: String, help: String| {
            self.problem(Problem::placeless(Code::InvalidParameter, message).help(help))
        };
        if low >= high {
            return wrong(
                format!("the range {low}..{high} of {name} is empty or has one value"),
                format!("write the smaller number first: -p {name}={least}..{most}"),
            );
        }
        if low < least || high > most {
            return wrong(
                format!("{name} is from {least} to {most}, so its range cannot be {low}..{high}"),
                format!("write a range within it: -p {name}={least}..{most}; or declare a larger range in an overlay"),
            );
        }
        if !(low..=high).contains(&found.value) {
            return wrong(
                format!("the present value of {name}, {}, is not in the range {low}..{high}", found.value),
                format!("set another start: -p {name}={low} -p {name}={low}..{high}"),
            );
        }
        Ok(Tunable { low, high, ..found })
    }

    /// The problem of a request that has nothing to tune.
    pub fn nothing<T>(&self, message: &str, help: &str) -> SessionResult<T> {
        self.problem(Problem::placeless(Code::NothingToTune, message).help(help))
    }

    /// The problem of positions that cannot be used.
    pub fn unusable_positions<T>(&self, message: &str, help: &str) -> SessionResult<T> {
        self.problem(Problem::placeless(Code::UnusablePositions, message).help(help))
    }

    /// The parameters that the clauses of predicates use.
    fn params_of(&self, predicates: FxHashSet<PredId>) -> FxHashSet<Atom> {
        let program = &self.rules.program;
        let mut found = FxHashSet::default();
        for id in predicates {
            for clause in &program.predicate(id).clauses {
                each_goal(&clause.body, &mut |goal| {
                    let Goal::Call { callee: Callee::User(callee), args, .. } = goal else { return };
                    let key = program.predicate(*callee).key;
                    if (key.name.text(), key.arity, key.scope) != ("param", 2, USER) {
                        return;
                    }
                    match args.first().map(|arg| clause.tree.kind(*arg)) {
                        Some(TermKind::Atom(name)) => {
                            found.insert(*name);
                        }
                        // A name that is known only at run time may be any.
                        _ => found.extend(program.params.iter().map(|param| param.name)),
                    }
                });
            }
        }
        found
    }
}

/// The predicates that the roots call. Unlike [`reachable`], it ignores names in arguments: the name of a
/// parameter is often also the name of a predicate.
fn called(program: &Program, roots: Vec<PredId>) -> FxHashSet<PredId> {
    let (mut found, mut stack) = (FxHashSet::default(), roots);
    while let Some(id) = stack.pop() {
        if !found.insert(id) {
            continue;
        }
        for clause in &program.predicate(id).clauses {
            each_goal(&clause.body, &mut |goal| {
                if let Goal::Call { callee: Callee::User(callee), .. } = goal
                    && !found.contains(callee)
                {
                    stack.push(*callee);
                }
            });
        }
    }
    found
}

/// A parameter with more than one integer value.
fn whole_range(param: &Param) -> Option<Tunable> {
    let Domain::Range(low, high) = param.domain else { return None };
    let value = param.value.parse().ok()?;
    let found =
        Tunable { name: param.name.text().into(), value, low, high, declared: (low, high), about: param.doc.clone() };
    (low < high).then_some(found)
}
