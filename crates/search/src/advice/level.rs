//! Advice levels: how much a search, or a player, uses the advice of a game.

use std::fmt;
use std::str::FromStr;

/// How much a search or a player uses advice.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum AdviceLevel {
    /// Advice is not used.
    Off,
    /// Advice orders moves, which changes no value. A heuristic search also uses its extensions and
    /// reductions, and prunes the moves that the advice rejects.
    #[default]
    Order,
    /// Moves that the advice rejects are pruned too: values are estimates.
    Prune,
    /// For so many plies, its side searches only moves that advice allows: values are estimates.
    Focus(u32),
    /// The player follows advice without a search.
    Strict,
    /// The player follows advice, unless a search finds that advice worsens the outcome, or costs
    /// more than the margin if there is one.
    Plan(Option<f64>),
}

impl fmt::Display for AdviceLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AdviceLevel::Off => f.write_str("off"),
            AdviceLevel::Order => f.write_str("order"),
            AdviceLevel::Prune => f.write_str("prune"),
            AdviceLevel::Focus(plies) => write!(f, "focus={plies}"),
            AdviceLevel::Strict => f.write_str("strict"),
            AdviceLevel::Plan(None) => f.write_str("plan"),
            AdviceLevel::Plan(Some(margin)) => write!(f, "plan={margin}"),
        }
    }
}

impl FromStr for AdviceLevel {
    type Err = String;

    fn from_str(text: &str) -> Result<AdviceLevel, String> {
        let wrong = || "write off, order, prune, focus=PLIES, strict, plan, or plan=MARGIN".to_string();
        match text.split_once('=') {
            None => match text {
                "off" => Ok(AdviceLevel::Off),
                "order" => Ok(AdviceLevel::Order),
                "prune" => Ok(AdviceLevel::Prune),
                "strict" => Ok(AdviceLevel::Strict),
                "plan" => Ok(AdviceLevel::Plan(None)),
                _ => Err(wrong()),
            },
            Some(("focus", plies)) => match plies.parse() {
                Ok(plies @ 1..) => Ok(AdviceLevel::Focus(plies)),
                _ => Err("focus needs a number of plies, at least 1: focus=4".to_string()),
            },
            Some(("plan", margin)) => match margin.parse::<f64>() {
                Ok(margin) if margin >= 0.0 && margin.is_finite() => Ok(AdviceLevel::Plan(Some(margin))),
                _ => Err("plan needs a margin, a number of 0 or more: plan=0.5".to_string()),
            },
            Some(_) => Err(wrong()),
        }
    }
}
