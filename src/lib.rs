//! Two-player games written as Prolog rules, searched for their minimax value.
//!
//! Data flows one way. [`source`] holds the texts, [`lang`] makes a checked
//! program of them, [`machine`] runs its goals with the [`builtins`], [`rules`]
//! turns a program into a [`game::Game`], and [`search`] finds values of any
//! game, in a text or in Rust; [`solve`] proves them, [`verify`] checks its proofs,
//! [`advice`] follows what a master knows, [`lab`] counts what searches cost, [`tree`] keeps what
//! one has seen, [`arena`] plays games to their end,
//! [`reason`] tells why a goal is true or not. [`session`] is
//! where they meet, and what a program that embeds Alphorn begins with:
//!
//! ```
//! use alphorn::rules::Expected;
//! use alphorn::search::{Algorithm, limits::Limits};
//! use alphorn::session::{Failure, Start, recipe::Recipe};
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
//! let session = Recipe::of_text("pile.pl", rules).open(Expected::Game, &Default::default())?;
//! let game = session.game()?;
//! let state = session.position(&game, &Start::default())?;
//! let found = session.value(&game, &state, &Algorithm::Auto.into(), &Limits::default())?;
//! assert!(found.outcome.exact);
//! assert_eq!(found.outcome.line, ["1", "1", "2"]);
//! # Ok(())
//! # }
//! ```
//!
//! # Where to go from here
//!
//! * **Rules from files or texts, reloaded, with overlays and parameters:** [`session::recipe::Recipe`];
//!   `examples/ask.rs` loads a game, asks for its value, and draws what is wrong with its text.
//! * **A game that is played, by people or by the program:** [`session::sitting::Sitting`] keeps its
//!   line and says what is not legal; `examples/host.rs` plays one.
//! * **A game written in Rust:** implement [`game::Game`] and [`game::Heuristic`], and hand them to
//!   [`search::run`]; `examples/native_game.rs`.
//! * **Errors:** a [`session::Failure`] carries [`report::Problem`]s, each with a code, a help and
//!   spans into [`source::Sources`]. It is a `std::error::Error`, whose text has a line for each;
//!   `report::Report::drawings` makes miette diagnostics of its [`session::Failure::report`].
//! * **Why:** [`session::Session::why`] and [`session::Session::why_not`] give proofs and their
//!   absence, [`session::Session::explained`] compares a move with all others, and
//!   [`session::Session::search_tree`] keeps the tree behind a value.
//! * **Limits:** every search takes [`search::limits::Limits`], every question to the rules a
//!   [`machine::store::Budget`], and a flag that is set from another thread stops either.

pub use alphorn_lab::{arena, lab, tree};
pub use alphorn_lang::lang;
pub use alphorn_prolog::{builtins, machine, reason, term};
pub use alphorn_protocol::{codes, protocol};
pub use alphorn_rules::rules;
pub use alphorn_search::{advice, game, search, solve, verify};
pub use alphorn_session::session;
pub use alphorn_text::{interrupt, printable, report, signature, source, symbol};

pub mod cli;
