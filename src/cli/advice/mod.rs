//! `advise` and `prove`: what an advice table says, and whether following it is right.

mod advise;
pub mod args;
mod picture;
mod prove;

pub(super) use advise::advise;
pub(super) use prove::prove;
