//! Requests and replies of all front ends, as Rust types and as lines of JSON.
//!
//! A [`protocol::Request`] comes from the command line, the prompt or a line of JSON. The result is a
//! [`protocol::Reply`], preceded by events, or a failure. Terminals are unknown here.

pub mod codes;
pub mod protocol;
