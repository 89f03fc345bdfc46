//! The language server: it speaks the Language Server Protocol with an editor.
//!
//! It takes messages and returns messages. The crate `ide` answers the questions about texts, and the crate
//! `protocol` checks and runs them. It does not depend on the command line.

// The list of capabilities is one literal.
#![recursion_limit = "256"]

pub mod lsp;
