//! Failures inside a game of a match: a player's rules that disagree with the judging rules, and where in the
//! match a failure happened.
//!
//! It takes what went wrong and the line of play. It returns a failure that names the player, the game and the
//! position. It does not know how a match is played.

use super::{Failure, Session};
use alphorn_lab::arena::GameLine;
use alphorn_rules::rules::game::RuleGame;
use alphorn_rules::rules::position::RuleMove;
use alphorn_search::game::{Side, ToMove};
use alphorn_text::code::Code;
use alphorn_text::report::Problem;

/// What failures say of a game: the command, and the names of A and B.
pub(super) struct GamePlayers<'a> {
    /// The command: `match`, `tournament` or `tune`.
    pub(super) command: &'static str,
    /// The names of A and B.
    pub(super) names: [&'a str; 2],
}

impl GamePlayers<'_> {
    /// Where in the match a player thinks: the game counts from 0, the players are 0 for A and 1 for B.
    pub(super) fn thinking(&self, number: u32, max: usize, who: usize) -> String {
        let GamePlayers { command, names } = self;
        let series = if *command == "tune" { "tuning".to_string() } else { format!("the {command}") };
        format!("in game {} of {series}, with {} as MAX, where {} moves", number + 1, names[max], names[who])
    }
}

impl Session {
    /// The failure for a move that the judging rules do not allow. `who` is 0 for A.
    pub(super) fn illegal(
        &self,
        (players, who): (&GamePlayers<'_>, usize),
        mv: &RuleMove,
        line: &GameLine<RuleGame>,
        when: &str,
    ) -> Failure {
        let message = format!("{} plays {}, which is not legal", players.names[who], self.term_text(mv.label()));
        let leads = format!("the move leads to {}", self.term_text(&mv.next.0));
        with_match_context(self.differing(players, (&message, &leads), line), when)
    }

    /// The failure for a player by whose rules another side is to move.
    pub(super) fn other_turn(
        &self,
        (players, name): (&GamePlayers<'_>, &str),
        side: Side,
        turn: ToMove,
        line: &GameLine<RuleGame>,
    ) -> Failure {
        let own = match turn {
            ToMove::Over => "the game is over",
            ToMove::Chance => "chance moves",
            ToMove::Max => "MAX moves",
            ToMove::Min => "MIN moves",
        };
        let message = format!("by the rules of {name} {own}, but {} is to move", side.name());
        self.differing(players, (&message, ""), line)
    }

    /// The failure for a player's rules that disagree with the judging rules.
    fn differing(
        &self,
        players: &GamePlayers<'_>,
        (message, more): (&str, &str),
        line: &GameLine<RuleGame>,
    ) -> Failure {
        let place = format!("in the position {}", self.term_text(&line.last().0));
        let moves = match line.moves.as_slice() {
            [] => String::new(),
            moves => {
                let words: Vec<String> = moves.iter().map(|mv| self.term_text(mv.label())).collect();
                format!("\nafter the moves {}", words.join(" "))
            }
        };
        let more = if more.is_empty() { String::new() } else { format!("\n{more}") };
        let sides = if players.command == "match" { "both sides" } else { "all sides" };
        let problem = Problem::placeless(Code::UnplayableMatch, message).help(format!(
            "{place}{moves}{more}\n--with and -p of a side may only change its evaluation; to change the game \
             for {sides}, type: alphorn {} FILE -p NAME=VALUE",
            players.command
        ));
        Failure::Problem(Box::new(problem), self.rules.program.sources.clone())
    }
}

/// Adds to a failure where in the match it happened.
pub(super) fn with_match_context(failure: Failure, when: &str) -> Failure {
    match failure {
        Failure::Problem(mut problem, sources) => {
            let help = problem.help.take().map(|help| format!("\n{help}")).unwrap_or_default();
            problem.help = Some(format!("{when}{help}"));
            Failure::Problem(problem, sources)
        }
        failure => failure,
    }
}
