//! What every front end asks and what it gets: typed requests and replies, also as lines of JSON.
//!
//! In: a [`protocol::Request`], from the command line, the prompt, or a line of JSON. Out: a
//! [`protocol::Reply`], events on the way to it, or a failure. Knows no terminal.

pub mod codes;
pub mod protocol;
