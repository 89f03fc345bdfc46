//! A language server for rules, over any connection.
//!
//! [`serve`](server::serve) answers messages on one thread from texts alone, so answers take milliseconds. Checks run on a
//! second thread, early diagnostics of long files on a third, and every command on a thread of its own.

mod action;
mod check;
mod colours;
mod command;
mod convert;
mod diagnostic;
mod dispatch;
mod early;
mod folder;
mod hint;
mod outcome;
mod play;
mod project;
mod publish;
mod rename;
mod request;
pub mod server;
mod state;
mod uri;
mod watchdog;
mod worker;
