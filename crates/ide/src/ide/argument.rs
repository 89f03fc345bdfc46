//! What may be written as an argument of a game predicate, of a position or of a claim.

use crate::ide::complete::{CompletionKind, List};
use crate::ide::heading;
use crate::ide::template;
use crate::ide::written::escaped;
use alphorn_rules::rules::contract::INTERFACE;
use alphorn_text::symbol::Atom;

/// Of a longer position, the list shows the beginning.
const LONGEST_LABEL: usize = 60;

impl List<'_> {
    /// Adds the usual terms of an argument.
    pub(super) fn argument(&mut self, name: Atom, number: usize, in_directive: bool) {
        self.values_of(name, number);
        if in_directive {
            self.claimed_position(name, number);
            return;
        }
        self.position(name, number);
        self.usual_name(name, number);
    }

    /// The fixed values of an argument of a game predicate.
    fn values_of(&mut self, name: Atom, number: usize) {
        let values: &[&str] = match (name.text(), number) {
            ("outcome", 1) => &["win(max)", "win(min)", "draw", "score(N)"],
            ("no_moves", 0) => &["loss", "draw", "eval", "pass"],
            ("repetition", 0) => &["draw"],
            ("advice_for" | "win", 0) => &["max", "min"],
            _ => &[],
        };
        for value in values {
            self.add(value, CompletionKind::Atom, 0, String::new(), String::new(), escaped(value));
        }
    }

    /// The first opening, for the position of a claim such as `value(Pos) = draw`.
    fn claimed_position(&mut self, name: Atom, number: usize) {
        if !matches!(name.text(), "value" | "best" | "perft") || number > 0 {
            return;
        }
        if let Some(opening) = template::opening(self.analysis) {
            let about = "The first opening. Change it to another position.".to_string();
            let mut label: String = opening.lines().next().unwrap_or_default().chars().take(LONGEST_LABEL).collect();
            if label.len() < opening.len() {
                label.push_str("...");
            }
            self.add(&label, CompletionKind::GamePredicate, 0, "a position".to_string(), about, escaped(&opening));
        }
    }

    /// The shape of the positions, for an argument of a game predicate that is a position.
    fn position(&mut self, name: Atom, number: usize) {
        let takes =
            argument_name(name, number).is_some_and(|arg| matches!(arg, "Pos" | "Next" | "Image" | "Canonical"));
        if let Some(shape) = template::position_shape(self.analysis).filter(|_| takes) {
            let about = "A position in the shape that this file uses.".to_string();
            self.add(&shape, CompletionKind::GamePredicate, 0, "a position".to_string(), about, escaped(&shape));
        }
    }

    /// The names of the variables that usually stand here: in a game predicate, in a position, in a predicate of the
    /// text.
    fn usual_name(&mut self, name: Atom, number: usize) {
        let analysis = self.analysis;
        let mut found: Vec<String> =
            argument_name(name, number).filter(|_| number > 0).into_iter().map(str::to_string).collect();
        let mut headings: Vec<String> = template::position_shape(analysis).into_iter().collect();
        headings.retain(|shape| shape.split('(').next() == Some(name.text()));
        if argument_name(name, number).is_none() {
            let own = analysis.own.iter().filter(|own| own.name == name);
            headings.extend(own.map(|own| analysis.described(own).0));
        }
        for heading in &headings {
            let named = heading::arguments(heading).get(number).map(|arg| heading::without_mode(arg));
            found.extend(named.filter(|arg| arg.starts_with(char::is_uppercase)).map(str::to_string));
        }
        for name in found {
            self.add(&name, CompletionKind::Variable, 0, String::new(), String::new(), escaped(&name));
        }
    }
}

/// The name of an argument of a game predicate, from 0.
fn argument_name(name: Atom, number: usize) -> Option<&'static str> {
    let (_, args, _) = INTERFACE.iter().find(|(known, ..)| *known == name.text())?;
    args.get(number).copied()
}

#[cfg(test)]
mod tests {
    use crate::ide::complete::tests::offered;

    const GAME: &str = ":- use_module(library(alphorn)).\ninitial(deal(max, [2, 5], [3, 4], 0)).\n\
        max_to_move(deal(max, _, _, _)).\nlead(deal(_, Max, Min, Lead), Lead) :- Max \\== Min.\n";

    fn first(more: &str) -> String {
        offered(&format!("{GAME}{more}")).first().cloned().unwrap_or_default()
    }

    #[test]
    fn a_claim_is_offered_the_first_opening() {
        for claim in ["value", "best", "perft"] {
            let offers = offered(&format!("{GAME}:- expect({claim}(|"));
            assert_eq!(offers[0], "deal(max, [2, 5], [3, 4], 0)", "{claim}");
            assert!(!offers.iter().any(|name| name == "Lead"), "{offers:?}");
        }
        let open = "initial(deal(max, N)) :- N = 3.\n:- expect(value(|";
        assert!(!offered(open).iter().any(|name| name.contains('N')), "an opening with variables is no position");
    }

    #[test]
    fn an_argument_of_a_game_predicate_has_its_usual_name() {
        let among = |more: &str, name: &str| offered(&format!("{GAME}{more}")).iter().take(6).any(|one| one == name);
        assert!(among("static_eval(deal(_, _, _, Lead), |", "Value"));
        assert!(among("move(deal(max, Max, Min, Lead), |", "Label"));
        assert!(among("move(deal(max, Max, Min, Lead), Card, |", "deal(Player, Max, Min, Lead)"));
    }

    #[test]
    fn an_argument_of_a_position_has_the_name_of_other_clauses() {
        assert_eq!(first("next(deal(max, |"), "Max");
        assert_eq!(first("next(deal(max, _, Mi|"), "Min");
        assert_eq!(first("next(deal(max, _, _, L|"), "Lead");
    }

    #[test]
    fn an_argument_of_a_predicate_has_the_name_of_its_head() {
        let takes = "takes(Card, Table, Taken) :- select(Card, Table, Taken).\nlater(C) :- takes(C, [C], |";
        assert!(offered(takes)[..2].contains(&"Taken".to_string()));
        let described = "%! takes(+Card, ?Rest)  Rest stays.\ntakes(a, b).\nlater(C) :- takes(C, R|";
        assert_eq!(offered(described)[0], "Rest");
    }

    #[test]
    fn a_new_parameter_has_no_known_name() {
        assert!(offered(&format!("{GAME}:- param(|")).is_empty());
    }
}
