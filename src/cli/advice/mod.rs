//! `advise`, `prove` and `advice-worth`: apply advice, prove it, and measure the nodes it saves.

mod advise;
mod picture;
mod prove;
mod worth;

pub use advise::AdviseArgs;
pub(super) use advise::advise;
pub(super) use prove::prove;
pub(super) use worth::worth;
