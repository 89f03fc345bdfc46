//! The files of rules on disk, and what they define.

use alphorn_ide::ide::project::FileFacts;
use alphorn_text::source::Source;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

/// The greatest number of entries of a folder, and of files of a workspace, that are looked at.
const MANY: usize = 2_000;

/// The greatest depth of folders below a folder of the workspace.
const DEEP: usize = 6;

/// Facts of files on disk, kept while the files stay the same.
#[derive(Default)]
pub struct Folder {
    facts: BTreeMap<PathBuf, (Option<SystemTime>, u64, Arc<FileFacts>)>,
}

impl Folder {
    /// The facts of a file on disk.
    pub(super) fn facts(&mut self, path: &Path) -> Option<Arc<FileFacts>> {
        let data = std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file)?;
        let (time, size) = (data.modified().ok(), data.len());
        if let Some((known, bytes, facts)) = self.facts.get(path)
            && (*known, *bytes) == (time, size)
        {
            return Some(facts.clone());
        }
        let source = Source::read(path.to_str()?).ok()?;
        let facts = Arc::new(FileFacts::read(&source.text));
        self.facts.insert(path.to_path_buf(), (time, size, facts.clone()));
        Some(facts)
    }
}

/// The files of rules in a folder, sorted.
pub(super) fn rules_in(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().take(MANY);
    let mut files: Vec<PathBuf> =
        entries.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|end| end == "pl")).collect();
    files.sort();
    files
}

/// The files of rules in the folders of the workspace and below, sorted.
pub fn workspace_files(folders: &[PathBuf]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut stack: Vec<(PathBuf, usize)> = folders.iter().map(|folder| (folder.clone(), 0)).collect();
    while let Some((folder, depth)) = stack.pop() {
        if found.len() >= MANY {
            break;
        }
        found.extend(rules_in(&folder));
        let entries = std::fs::read_dir(&folder).into_iter().flatten().flatten().take(MANY);
        let hidden = |path: &Path| {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or(".");
            name.starts_with('.') || matches!(name, "target" | "node_modules")
        };
        let folders = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
        let folders = folders.map(|entry| entry.path()).filter(|path| depth < DEEP && !hidden(path));
        stack.extend(folders.map(|path| (path, depth + 1)));
    }
    found.sort();
    found.dedup();
    found.truncate(MANY);
    found
}
