//! Levels: how far a search, or a player, goes along with the advice of a game.

use std::fmt;
use std::str::FromStr;

/// See the module.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum AdviceLevel {
    /// Advice is not asked.
    Off,
    /// What it finds promising is tried first, which changes no value; a heuristic search heeds what it
    /// says of depth, and passes over moves that it calls not worth looking at.
    #[default]
    Order,
    /// Moves that it calls not worth looking at are passed over as well: values are estimates.
    Prune,
    /// For so many plies its side looks at moves alone that it allows: values are estimates.
    Focus(u32),
    /// It is followed without a search.
    Strict,
    /// It is followed, unless a search finds that it costs more than a margin: an outcome, and so
    /// much, if so much is given.
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
