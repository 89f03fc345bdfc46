//! The table of the search algorithms.
//!
//! To add an algorithm, write its file beside this one and a row here. A row names the file of a plain
//! search: its function `search` gets the task and an observer of visits. `search_with` calls the searches
//! that need more than that.

use super::chance::ChanceMethod;
use super::iteration::IterationTask;
use super::result::{SearchResult, Searched};
use super::visits::VisitObserver;
use crate::game::{Game, Heuristic};
use std::fmt;
use std::str::FromStr;

/// The search of a row, if the row names a file.
macro_rules! search_of {
    ($task:ident, $hear:ident) => {
        None
    };
    ($task:ident, $hear:ident, $file:ident) => {
        Some(super::$file::search($task, $hear))
    };
}

/// Defines [`Algorithm`]. A row: the name that a user types, the facts, and the file of a plain search.
macro_rules! algorithms {
    (
        minimax { $($(#[$doc:meta])* $name:ident = $text:literal, $facts:expr $(, $file:ident)?;)* }
        sampling { $($(#[$sampling_doc:meta])* $sampling:ident = $sampling_text:literal;)* }
    ) => {
        /// A search algorithm. All but [`Algorithm::SAMPLING`] give the minimax value and differ in the
        /// positions they visit. `mtdf` and `auto` may choose another of equally good moves, and may report as
        /// an estimate what others prove exact.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Algorithm {
            $($(#[$doc])* $name,)*
            $($(#[$sampling_doc])* $sampling,)*
        }

        impl Algorithm {
            /// The algorithms that give the minimax value, the plainest first.
            pub const ALL: [Algorithm; [$($text),*].len()] = [$(Algorithm::$name),*];

            /// The algorithms that use random play and need not find the minimax value.
            pub const SAMPLING: [Algorithm; [$($sampling_text),*].len()] = [$(Algorithm::$sampling),*];

            /// The name that a user types.
            pub fn name(self) -> &'static str {
                match self {
                    $(Algorithm::$name => $text,)*
                    $(Algorithm::$sampling => $sampling_text,)*
                }
            }

            fn facts(self) -> AlgorithmFacts {
                match self {
                    $(Algorithm::$name => $facts,)*
                    $(Algorithm::$sampling => PLAIN,)*
                }
            }

            /// Searches by the file of the row and reports visits to `hear`. `None` if the row names no file.
            pub(super) fn search<G: Game, H: Heuristic<G>>(
                self,
                task: &IterationTask<'_, G, H>,
                hear: Option<VisitObserver<'_, G::State>>,
            ) -> Option<Searched<SearchResult<G::Move>, G>> {
                match self {
                    $(Algorithm::$name => search_of!(task, hear $(, $file)?),)*
                    $(Algorithm::$sampling => None,)*
                }
            }
        }
    };
}

/// What is known of an algorithm.
struct AlgorithmFacts {
    /// Whether the algorithm uses a transposition table.
    keeps_table: bool,
    /// How the algorithm searches games with chance, if it can.
    chance: Option<ChanceMethod>,
    /// Whether the algorithm reports its visits, in a game with or without chance.
    reports: bool,
}

/// An algorithm without a table and without chance that reports no visits.
const PLAIN: AlgorithmFacts = AlgorithmFacts { keeps_table: false, chance: None, reports: false };
/// An algorithm without a table and without chance that reports its visits.
const REPORTS: AlgorithmFacts = AlgorithmFacts { reports: true, ..PLAIN };
/// An algorithm with a table.
const TABLE: AlgorithmFacts = AlgorithmFacts { keeps_table: true, ..PLAIN };

const fn with_chance(method: ChanceMethod, facts: AlgorithmFacts) -> AlgorithmFacts {
    AlgorithmFacts { chance: Some(method), ..facts }
}

algorithms! {
    minimax {
        /// Minimax: visits every position down to the horizon.
        Minimax = "minimax", REPORTS, minimax;
        /// Branch and bound: cuts off by the bound of the parent only.
        F1 = "f1", REPORTS, f1;
        /// Alpha-beta as published: cuts off by the bounds of all ancestors.
        F2 = "f2", REPORTS, f2;
        /// The same algorithm as F2, as two procedures, one for each side.
        F2G2 = "f2g2", REPORTS, f2g2;
        /// Alpha-beta, fail-soft.
        AlphaBeta = "alphabeta", REPORTS, alphabeta;
        /// Principal variation search: searches later moves with a null window first.
        Pvs = "pvs", PLAIN;
        /// MTD(f): null windows that converge on the value, with a table.
        Mtdf = "mtdf", TABLE;
        /// Minimax with averages at chance positions. Equals `minimax` in a game without chance.
        Expectiminimax = "expectiminimax", with_chance(ChanceMethod::Plain, PLAIN), minimax;
        /// Star1: cutoffs at chance positions too; iterative deepening with a table. Without chance,
        /// `alphabeta`.
        Star1 = "star1", with_chance(ChanceMethod::Star1, TABLE), alphabeta;
        /// Star2: Star1 that first probes one move of each chance outcome.
        Star2 = "star2", with_chance(ChanceMethod::Star2, TABLE), alphabeta;
        /// Iterative deepening with a table and ordered moves: the strongest in play.
        Auto = "auto", with_chance(ChanceMethod::Star2, TABLE);
    }
    sampling {
        /// The exact expected value of random play. Visits every line.
        Expected = "expected";
        /// The mean result of random games.
        Playouts = "playouts";
        /// Monte Carlo tree search: plays more random games where play is good.
        Mcts = "mcts";
    }
}

impl Algorithm {
    /// All algorithms, those of random play last.
    pub fn every() -> impl Iterator<Item = Algorithm> {
        Algorithm::ALL.into_iter().chain(Algorithm::SAMPLING)
    }

    /// Whether the algorithm uses random play.
    pub fn samples(self) -> bool {
        Algorithm::SAMPLING.contains(&self)
    }

    /// Whether the algorithm uses a transposition table.
    pub fn keeps_table(self) -> bool {
        self.facts().keeps_table
    }

    /// How the algorithm searches games with chance, if it does so by averages.
    pub(super) fn chance_method(self) -> Option<ChanceMethod> {
        self.facts().chance
    }

    /// Whether the algorithm can search games with chance.
    pub fn knows_chance(self) -> bool {
        self.chance_method().is_some() || self.samples()
    }

    /// Whether the algorithm can report its visits, in a game with or without chance.
    pub fn reports_visits(self) -> bool {
        self.facts().reports
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The error for a name that no algorithm has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownAlgorithm(pub String);

impl fmt::Display for UnknownAlgorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Algorithm::every().map(Algorithm::name).collect::<Vec<_>>().join(", ");
        write!(f, "there is no algorithm `{}`; the algorithms are {names}", self.0)
    }
}

impl std::error::Error for UnknownAlgorithm {}

impl FromStr for Algorithm {
    type Err = UnknownAlgorithm;

    fn from_str(name: &str) -> Result<Algorithm, UnknownAlgorithm> {
        Algorithm::every().find(|algorithm| algorithm.name() == name).ok_or_else(|| UnknownAlgorithm(name.to_string()))
    }
}
