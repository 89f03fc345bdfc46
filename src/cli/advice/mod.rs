//! `advise`, `prove` and `advice-worth`: apply advice, prove it, and measure the nodes it saves.

mod advise;
pub mod args;
mod picture;
mod prove;
mod worth;

pub(super) use advise::advise;
pub(super) use prove::prove;
pub(super) use worth::worth;
