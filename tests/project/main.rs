//! Tests of the project itself: the dependencies between modules, and the pages.

mod architecture;
mod book;
