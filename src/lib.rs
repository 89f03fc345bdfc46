//! Two-player games written as Prolog rules, searched for their minimax value.
//!
//! Data flows one way. [`source`] holds the texts and [`lang`] makes a checked program of them.
//! [`machine`] runs its goals with the [`builtins`], and [`rules`] turns a program into a
//! [`game::Game`]. [`search`] computes values of any game, written in Prolog or in Rust. [`solve`]
//! proves values and [`verify`] checks the proofs. [`advice`] follows advice tables, [`lab`] counts
//! what searches cost, and [`tree`] records search trees. [`arena`] plays matches and [`reason`]
//! explains why a goal holds or fails. [`session`] joins these modules: programs that embed Alphorn
//! start there.
//!
//! ```
//! use alphorn::rules::Expected;
//! use alphorn::search::{Algorithm, limits::Limits};
//! use alphorn::session::{Failure, GameStart, options::LoadOptions};
//!
//! # fn main() -> Result<(), Failure> {
//! // Take one or two; whoever cannot move has lost.
//! let rules = "
//!     initial(pile(max, 4)).
//!     max_to_move(pile(max, _)).
//!     move(pile(P, N), K, pile(Q, M)) :- member(K, [1, 2]), N >= K, M is N - K, other(P, Q).
//!     other(max, min).  other(min, max).
//!     outcome(pile(P, 0), win(Q)) :- other(P, Q).
//! ";
//! let session = LoadOptions::of_text("pile.pl", rules).open(Expected::Game, &Default::default())?;
//! let game = session.game()?;
//! let state = session.position(&game, &GameStart::default())?;
//! let found = session.value(&game, &state, &Algorithm::Auto.into(), &Limits::default())?;
//! assert!(found.outcome.exact);
//! assert_eq!(found.outcome.line, ["1", "1", "2"]);
//! # Ok(())
//! # }
//! ```
//!
//! # Where to go from here
//!
//! * **Rules from files or texts, reloaded, with overlays and parameters:**
//!   [`session::options::LoadOptions`]. `examples/ask.rs` computes a value and prints diagnostics.
//! * **A game played by people or by the program:** [`session::workspace::Workspace`] keeps the moves
//!   played and refuses illegal ones. `examples/host.rs` plays a game.
//! * **A game written in Rust:** implement [`game::Game`] and [`game::Heuristic`], and pass them to
//!   [`search::run`]; see `examples/native_game.rs`.
//! * **Errors:** a [`session::Failure`] carries [`report::Problem`]s, each with a code, a help and
//!   spans into [`source::Sources`]. It implements `std::error::Error`; its text has a line per problem.
//!   `report::Report::drawings` makes miette diagnostics of its [`session::Failure::report`].
//! * **Reasons:** [`session::Session::why`] proves a goal and [`session::Session::why_not`] explains a
//!   failure. [`session::Session::explained`] compares a move with all others, and
//!   [`session::Session::search_tree`] records the tree behind a value.
//! * **Limits:** a search takes [`search::limits::Limits`], a goal takes a
//!   [`machine::store::Budget`]. A flag set by another thread stops either.

pub use alphorn_lab::{arena, lab, tree};
pub use alphorn_lang::lang;
pub use alphorn_prolog::{builtins, machine, reason, term};
pub use alphorn_protocol::{codes, protocol};
pub use alphorn_rules::rules;
pub use alphorn_search::{advice, game, search, solve, verify};
pub use alphorn_session::session;
pub use alphorn_studio::studio;
pub use alphorn_text::{code, interrupt, printable, report, signature, source, symbol};

pub mod cli;
