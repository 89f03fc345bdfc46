//! Replaces native code in builds without it: no procedure is ever native.

use crate::machine::engine::Engine;
use crate::machine::engine::drive::Left;
use crate::machine::fault::Fault;

/// Native code, which does not exist in this build.
pub(super) enum Native {}

impl Native {
    pub(super) fn new(_: u32) -> Option<Native> {
        None
    }

    pub(super) fn has(&self, _: u32) -> bool {
        match *self {}
    }

    pub(super) fn is_hot(&mut self, _: u32) -> bool {
        match *self {}
    }

    pub(super) fn rewind(&mut self, _: usize) {
        match *self {}
    }
}

impl Engine {
    pub(super) fn run_native(&mut self) -> Result<Left, Fault> {
        Ok(Left::Loop)
    }

    pub(super) fn heat_up(&mut self, _: u32) {}
}
