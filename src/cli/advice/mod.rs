//! `advise`, `prove`, `advice-worth`: what advice says, whether it is right, and what it saves.

mod advise;
pub mod args;
mod picture;
mod prove;
mod worth;

pub(super) use advise::advise;
pub(super) use prove::prove;
pub(super) use worth::worth;
