//! Tests of the language: diagnostics, builtins, both solvers, profiles and explanations.

mod broken;
mod codes;
mod conformance;
mod cost;
mod edits;
mod formatting;
mod library;
mod problems;
mod profile;
mod solvers;
mod textbook;
mod why;
