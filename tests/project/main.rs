//! The project itself: who imports whom, and whether the book holds together.

mod architecture;
mod book;
