//! Tests of the program as a user runs it: arguments, input, files, limits and pages.

mod annotations;
mod atoms;
mod bounds;
mod cli;
mod docs;
mod engine_sides;
mod engines;
mod format;
mod hooks;
mod hostile;
mod matches;
mod new;
mod prompt;
mod protocol;
mod ran;
mod records;
mod schema;
mod session;
mod studio;
mod tournaments;
mod tune;
