//! Answers the questions that an editor asks about rules.
//!
//! It takes texts and offsets of bytes, and returns completions, descriptions, places and changes of
//! texts. It does not depend on an editor protocol, and it runs no rules.

pub mod ide;
