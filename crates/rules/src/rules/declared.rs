//! What a game declares once: the range of its values, and the arguments of positions that only count moves.

use crate::rules::answer::number;
use crate::rules::ask::{RuleQuery, RuleResult};
use crate::rules::combined::small;
use crate::rules::game::RuleGame;
use crate::rules::position::Position;
use alphorn_prolog::term::Term;
use alphorn_search::game::key_of;
use alphorn_text::code::Code;
use std::borrow::Cow;

/// The greatest number of arguments that count moves.
const MOST_COUNTERS: usize = 4;

impl RuleGame {
    /// The range that `value_range/2` declares, whether or not searches use it.
    pub fn declared_range(&self) -> RuleResult<Option<(f64, f64)>> {
        let doing = "reading value_range/2";
        let Some(pred) = self.rules.contract.value_range else { return Ok(None) };
        let question = RuleQuery { doing, pred, args: &[None, None], position: None };
        let found = self.asker.first(question, |solver| {
            let (low, high) = (solver.answer()[0], solver.answer()[1]);
            Ok((number(solver, low), number(solver, high)))
        })?;
        match found {
            Some((Ok(low), Ok(high))) if low <= high => Ok(Some((low, high))),
            _ => Err(self.answer_fault(
                question,
                Code::InvalidDeclaration,
                "value_range/2 does not give two numbers, the smaller first",
                "write the least and the greatest value: value_range(-1, 1).",
            )),
        }
    }

    /// The arguments of positions that only count moves, counted from 1, in ascending order.
    pub(super) fn declared_counters(&self) -> RuleResult<Vec<usize>> {
        let Some(pred) = self.rules.contract.move_counter else { return Ok(Vec::new()) };
        let question = RuleQuery { doing: "reading move_counter/1", pred, args: &[None], position: None };
        let mut counters = Vec::new();
        self.asker.each(question, MOST_COUNTERS + 1, |solver| {
            counters.push(small(solver, 0).and_then(|number| usize::try_from(number).ok()).filter(|at| *at > 0));
            Ok(())
        })?;
        let Some(mut counters) = counters.into_iter().collect::<Option<Vec<usize>>>() else {
            return Err(self.answer_fault(
                question,
                Code::InvalidDeclaration,
                "move_counter/1 does not give the number of an argument",
                "write the number of the argument of a position that counts moves: move_counter(5).",
            ));
        };
        counters.sort_unstable();
        counters.dedup();
        if counters.len() > MOST_COUNTERS {
            return Err(self.answer_fault(
                question,
                Code::InvalidDeclaration,
                "move_counter/1 has more than four answers",
                "name at most four arguments",
            ));
        }
        Ok(counters)
    }
}

impl Position {
    /// The key of the position without some of its arguments, which are counted from 1 and in ascending order. `None`
    /// if the position is no structure with small integers there.
    pub(super) fn key_without(&self, left_out: &[usize]) -> Option<u128> {
        let Cow::Borrowed(words) = self.0.stable_words() else { return None };
        let (mut hashed, mut from) = ([&[][..]; MOST_COUNTERS + 1], 0);
        for (place, argument) in left_out.iter().enumerate() {
            let at = self.0.place_of_argument(*argument)?;
            Term::of_cell(words[at]).as_small()?;
            hashed[place] = &words[from..at];
            from = at + 1;
        }
        hashed[left_out.len()] = &words[from..];
        Some(key_of(&hashed))
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::position::{Position, term};
    use alphorn_lang::lang::ops::Ops;

    #[test]
    fn keys_leave_out_counters() {
        let read = |text: &str| Position(term(text, &Ops::default()).expect("the term can be read"));
        let key = |text: &str, left_out: &[usize]| read(text).key_without(left_out);
        let other = key("p([a, b], 7, x, 8)", &[2, 4]);
        assert!(other.is_some());
        assert_eq!(key("p([a, b], 9, x, 10)", &[2, 4]), other);
        assert_ne!(key("p([a, b], 9, y, 10)", &[2, 4]), other);
        assert_ne!(key("p([a, 7], 9, x, 10)", &[2, 4]), other);
        // No such argument, no integer, and no structure.
        for (text, left_out) in [("p(1, 2)", 3), ("p(a, 2)", 1), ("[1, 2, 3]", 1), ("7", 1)] {
            assert_eq!(key(text, &[left_out]), None, "{text}");
        }
    }
}
