//! Questions of an editor about a text of rules.
//!
//! A [`Document`](text::Document) is the text of an open file. An [`TextAnalysis`](analysis::TextAnalysis) holds its
//! sentences and its surroundings; the other files answer one kind of question each.

pub mod analysis;
mod argument;
pub mod complete;
pub mod define;
pub mod describe;
pub mod environment;
pub mod heading;
pub mod highlight;
pub mod hover;
mod kept;
pub mod known;
pub mod navigate;
pub mod occurrences;
pub mod offers;
pub mod outline;
pub mod project;
mod reading;
pub mod rename;
mod same;
pub mod signature;
pub mod syntax;
mod template;
pub mod text;
mod words;
pub mod written;
