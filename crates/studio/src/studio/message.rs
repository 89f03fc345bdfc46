//! The messages of the page beside the requests of the protocol: the opened file.
//!
//! They are JSON objects with the same keys `id`, `request`, `reply` and `event`.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A request that only this server knows.
#[derive(Debug, Deserialize)]
#[serde(tag = "request", rename_all = "kebab-case")]
pub enum StudioRequest {
    /// Send the opened file, and an event whenever another program changes it.
    File,
    /// Save the opened file.
    Save(Save),
}

/// A request to save the opened file.
#[derive(Debug, Deserialize)]
pub struct Save {
    /// The new text.
    pub text: String,
    /// The version of the text that was changed.
    pub version: String,
}

/// The reply to `file` or `save`.
#[derive(Debug, Serialize)]
#[serde(tag = "reply", rename_all = "kebab-case")]
pub enum StudioReply {
    /// The reply to `file`.
    File(OpenedReply),
    /// The reply to `save`.
    Save(Saved),
}

/// What the server was started with.
#[derive(Debug, Serialize)]
pub struct OpenedReply {
    /// The version of Alphorn.
    pub alphorn: &'static str,
    /// The opened file; null if there is none.
    pub file: Option<FileText>,
    /// The overlays to load with the file.
    #[serde(rename = "with")]
    pub overlays: Vec<String>,
    /// The file of solved positions to look up; null for none.
    pub table: Option<String>,
    /// The parameters to set.
    pub params: BTreeMap<String, String>,
    /// The name of the game to show if there is no file.
    pub example: &'static str,
}

/// The opened file.
#[derive(Debug, Serialize)]
pub struct FileText {
    /// The name of the file. Texts of this name may load other files of its folder.
    pub name: String,
    /// The path, as it was given when the server started.
    pub path: String,
    /// The text; null if the file cannot be read now.
    pub text: Option<String>,
    /// The version of the text.
    pub version: String,
}

/// The result of saving.
#[derive(Debug, Serialize)]
pub struct Saved {
    /// Whether the file was written.
    pub saved: bool,
    /// The version of the text that is in the file now.
    pub version: String,
    /// The text that another program has written; null if it has removed the file. Missing if the file was
    /// written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<Option<String>>,
}

/// An event that no request has asked for.
#[derive(Debug, Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum StudioEvent {
    /// Another program, or another window, has changed the opened file.
    FileChanged {
        /// The version of the text.
        version: String,
        /// The text; null if the file was removed or cannot be read.
        text: Option<String>,
    },
}
