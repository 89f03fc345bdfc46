//! The program, run as a user runs it: its arguments, texts, files, limits and pages.

mod atoms;
mod bounds;
mod cli;
mod docs;
mod hostile;
mod matches;
mod prompt;
mod protocol;
mod schema;
