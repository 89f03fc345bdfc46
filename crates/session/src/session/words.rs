//! Moves as single words, for protocols whose lines separate words by blanks.
//!
//! The word of a move is its label as it is shown. In a label with blanks, `_` stands for each blank, and a
//! number is added if another move has that word. Moves without labels and chance outcomes have numbers.
//! Different legal moves have different words, so a word names one move. This file uses no search.

use super::{LONGEST_LABEL, Session, SessionResult};
use alphorn_rules::rules::game::RuleGame;
use alphorn_rules::rules::position::{Position, RuleMove};
use alphorn_search::game::{Game, ToMove};
use rustc_hash::FxHashSet;
use std::sync::atomic::Ordering::Relaxed;

/// How the result of a search names moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MoveNotation {
    /// By labels, which may contain blanks.
    #[default]
    Label,
    /// By words without blanks. A line ends early where the rules fail to list the moves.
    Word,
}

impl Session {
    /// The words of all legal moves of a position, in the order of the moves.
    ///
    /// # Errors
    ///
    /// The rules fail.
    pub fn move_words(&self, game: &RuleGame, state: &Position, legal: &[RuleMove]) -> SessionResult<Vec<String>> {
        let turn = game.to_move(state).map_err(|fault| self.fault(&fault, &[]))?;
        if turn == ToMove::Chance || self.rules.contract.labelled.is_none() {
            return Ok((1..=legal.len()).map(|number| number.to_string()).collect());
        }
        let labels: Vec<String> = legal.iter().map(|mv| self.label(game, state, mv)).collect::<SessionResult<_>>()?;
        Ok(unique_words(&labels))
    }

    /// The legal move that a word names, or a label or number that [`Session::position`] accepts. `number` is
    /// the number of the move in its line, for the message.
    ///
    /// # Errors
    ///
    /// The word names no legal move, or the rules fail.
    pub fn move_of_word(
        &self,
        game: &RuleGame,
        state: &Position,
        word: &str,
        number: usize,
    ) -> SessionResult<RuleMove> {
        let fault = |fault| self.fault(&fault, &[]);
        let over = game.is_terminal(state).map_err(fault)?;
        let mut legal = if over { Vec::new() } else { game.legal_moves(state).map_err(fault)? };
        let words = self.move_words(game, state, &legal)?;
        match words.iter().position(|other| other == word) {
            Some(at) => Ok(legal.swap_remove(at)),
            None => Ok(self.named_move(game, state, &[word.to_string()], number)?.0),
        }
    }

    /// The words of the moves of a line, as far as the rules list them.
    pub(super) fn line_words(&self, game: &RuleGame, state: &Position, moves: &[RuleMove]) -> Vec<String> {
        let after = self.stop.load(Relaxed).then(|| self.after_stop().game().ok()).flatten();
        let game = after.as_ref().unwrap_or(game);
        let mut at = state;
        let mut words = Vec::with_capacity(moves.len());
        for mv in moves {
            let Some(word) = self.plain_word(mv).or_else(|| self.listed_word(game, at, mv)) else { break };
            words.push(word);
            at = &mv.next;
        }
        words
    }

    /// The word of a move whose label is a short term without blanks. Such labels differ from each other.
    fn plain_word(&self, mv: &RuleMove) -> Option<String> {
        let is_label = self.rules.contract.labelled.is_some() && self.rules.contract.shown_move.is_none();
        let label = is_label.then(|| self.short_text(mv.label()))?;
        (is_word(&label) && label.len() < LONGEST_LABEL && *mv.label() != mv.next.0).then_some(label)
    }

    /// The word of a move in the list of all moves.
    fn listed_word(&self, game: &RuleGame, state: &Position, mv: &RuleMove) -> Option<String> {
        let legal = game.legal_moves(state).ok()?;
        let at = legal.iter().position(|other| other == mv)?;
        Some(self.move_words(game, state, &legal).ok()?.swap_remove(at))
    }
}

fn is_word(label: &str) -> bool {
    !label.is_empty() && !label.contains(char::is_whitespace)
}

/// A different word for each label. Labels without blanks stay as they are.
fn unique_words(labels: &[String]) -> Vec<String> {
    let mut taken = FxHashSet::default();
    let mut words: Vec<String> = labels
        .iter()
        .map(|label| if is_word(label) && taken.insert(label.clone()) { label.clone() } else { String::new() })
        .collect();
    for (at, label) in labels.iter().enumerate() {
        if !words[at].is_empty() {
            continue;
        }
        let mut word = label.split_whitespace().collect::<Vec<_>>().join("_");
        if word.is_empty() || taken.contains(&word) {
            word = format!("{word}#{}", at + 1);
        }
        while !taken.insert(word.clone()) {
            word.push('#');
        }
        words[at] = word;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::GameStart;
    use crate::session::options::LoadOptions;
    use alphorn_rules::rules::Expected;

    fn unique(labels: &[&str]) -> Vec<String> {
        unique_words(&labels.iter().map(|label| label.to_string()).collect::<Vec<_>>())
    }

    #[test]
    fn each_label_has_its_own_word() {
        assert_eq!(unique(&["e4", "take(1,2)"]), ["e4", "take(1,2)"]);
        assert_eq!(unique(&["a b", "a_b", "a  b", ""]), ["a_b#1", "a_b", "a_b#3", "#4"]);
        assert_eq!(unique(&["a b", "c d", "a_b#1", "a_b", "a_b"]), ["a_b#1#", "c_d", "a_b#1", "a_b", "a_b#5"]);
    }

    /// A game whose labels are shown with blanks, and a chance outcome between the moves.
    const SPOKEN: &str = "
        initial(at(max, 0)).
        max_to_move(at(max, _)).
        chance(at(dice, N), [1-at(over, N), 1-at(over, M)]) :- M is N + 1.
        move(at(max, N), go(K), at(dice, M)) :- member(K, [1, 2]), M is N + K.
        terminal(at(over, _)).
        static_eval(at(_, N), N).
        shown_move(_, go(K), Text) :- atomic_list_concat([go, K], ' ', Text).
    ";

    #[test]
    fn words_are_read_back() {
        let session = LoadOptions::of_text("spoken.pl", SPOKEN).open(Expected::Game, &Default::default());
        let session = session.unwrap_or_else(|failure| panic!("{failure}"));
        let game = session.game().expect("a game");
        let state = session.position(&game, &GameStart::default()).expect("a first position");
        let legal = game.legal_moves(&state).expect("moves");
        assert_eq!(session.move_words(&game, &state, &legal).expect("words"), ["go_1", "go_2"]);
        assert_eq!(session.line_words(&game, &state, &legal[1..]), ["go_2"]);
        for (word, mv) in ["go_1", "go_2"].iter().zip(&legal) {
            assert_eq!(session.move_of_word(&game, &state, word, 1).expect("a move"), *mv);
        }
        assert!(session.move_of_word(&game, &state, "go_3", 1).is_err());
    }
}
