//! Tests of the project itself: imports between modules, names of types, the pages of the book, the grammar for editors.

mod architecture;
mod book;
mod circles;
mod editors;
mod names;
