//! Names of types: one name for one thing.

use crate::architecture::{before_tests, files, room};
use std::collections::{BTreeMap, BTreeSet};

/// The module whose types are the JSON form of other types, and may have the same names.
const JSON: &str = "protocol";

/// Names that the types of the protocol share with the types that they are made of.
const SHARED: &[&str] = &[
    "Clause",
    "Code",
    "Completion",
    "CompletionKind",
    "Completions",
    "Counterexample",
    "Expectation",
    "Failure",
    "Game",
    "Goal",
    "Iteration",
    "Number",
    "Predicate",
    "ProvedBy",
    "Severity",
    "Side",
    "TreeRequest",
    "Verdict",
    "Visit",
];

/// The names of the public types of a text.
fn public_types(text: &str) -> impl Iterator<Item = &str> {
    before_tests(text).lines().filter_map(|line| {
        let item = line.trim_start().strip_prefix("pub ")?;
        let (kind, rest) = item.split_once(' ')?;
        let name = rest.split(|c: char| !c.is_alphanumeric()).next()?;
        matches!(kind, "struct" | "enum" | "trait").then_some(name)
    })
}

/// The names that public types of several modules have, with these modules.
fn shared(files: &[(String, String)]) -> BTreeMap<&str, BTreeSet<&str>> {
    let mut modules: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (path, text) in files {
        let Some(module) = room(path) else { continue };
        for name in public_types(text) {
            modules.entry(name).or_default().insert(module);
        }
    }
    modules.retain(|_, modules| modules.len() > 1);
    modules
}

#[test]
fn no_two_modules_have_a_public_type_of_the_same_name() {
    let files = files();
    let found = shared(&files);
    let unexpected: Vec<_> =
        found.iter().filter(|(name, modules)| !(modules.contains(JSON) && SHARED.contains(*name))).collect();
    assert!(unexpected.is_empty(), "rename one of them: {unexpected:?}");
    let unused: Vec<_> = SHARED.iter().filter(|name| !found.contains_key(*name)).collect();
    assert!(unused.is_empty(), "take out of SHARED: {unused:?}");
}

#[test]
fn a_shared_name_is_seen() {
    let file = |path: &str, text: &str| (path.to_string(), text.to_string());
    let files = [file("search/a.rs", "pub struct Node<S> {"), file("tree/b.rs", "    pub enum Node {")];
    assert_eq!(shared(&files).into_keys().collect::<Vec<_>>(), ["Node"]);
    assert!(shared(&[file("search/a.rs", "struct Node;"), file("tree/b.rs", "pub enum Node {")]).is_empty());
}
