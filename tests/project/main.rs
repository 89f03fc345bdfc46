//! Tests of the project itself: imports between modules, names of types, and the pages of the book.

mod architecture;
mod book;
mod names;
