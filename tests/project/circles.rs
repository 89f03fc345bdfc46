//! Tests that no files of a crate import each other in a circle.
//!
//! Only `use` items count, without those of the tests inside a file, and without those by which a module takes names
//! from its own submodules: they are its parts.

use std::collections::{BTreeMap, BTreeSet};
use syn::{Item, UseTree};

/// A module of a crate: the crate, then the names of the modules.
type Module = Vec<String>;

/// The module of a file, and the path under which `self` finds its submodules.
fn module(name: &str, path: &str) -> Module {
    let path = path.trim_end_matches(".rs").trim_end_matches("/mod");
    [name]
        .into_iter()
        .chain(path.split('/').filter(|part| *part != "lib" && *part != "main"))
        .map(String::from)
        .collect()
}

/// The names of a path of modules that a `use` imports, each as a whole path.
fn flat(tree: &UseTree, before: &[String], found: &mut Vec<Vec<String>>) {
    let with = |name: String| before.iter().cloned().chain([name]).collect::<Vec<_>>();
    match tree {
        UseTree::Path(path) => flat(&path.tree, &with(path.ident.to_string()), found),
        UseTree::Name(name) => found.push(with(name.ident.to_string())),
        UseTree::Rename(name) => found.push(with(name.ident.to_string())),
        UseTree::Glob(_) => found.push(before.to_vec()),
        UseTree::Group(group) => group.items.iter().for_each(|tree| flat(tree, before, found)),
    }
}

/// The whole path of an import, from the crate on; `None` if it names another crate.
fn absolute(path: &[String], from: &Module) -> Option<Module> {
    let mut base = match path.first()?.as_str() {
        "crate" => vec![from[0].clone()],
        "self" | "super" => from.clone(),
        _ => return None,
    };
    for name in path.iter().skip_while(|name| ["crate", "self"].contains(&name.as_str())) {
        match name.as_str() {
            "super" => drop(base.pop()),
            name => base.push(name.to_string()),
        }
    }
    Some(base)
}

/// The imports between the files of one crate. A file is given with its path below `src/`.
fn imports(name: &str, files: &[(String, String)]) -> BTreeMap<Module, BTreeSet<Module>> {
    let modules: BTreeSet<Module> = files.iter().map(|(path, _)| module(name, path)).collect();
    let mut found = BTreeMap::new();
    for (path, text) in files {
        let own = module(name, path);
        let items = syn::parse_file(text).expect("a file that compiles can be read").items;
        let mut paths = Vec::new();
        for item in &items {
            if let Item::Use(item) = item {
                flat(&item.tree, &[], &mut paths);
            }
        }
        let file_of = |path: &Vec<String>| {
            let whole = absolute(path, &own)?;
            (1..=whole.len()).rev().map(|length| whole[..length].to_vec()).find(|module| modules.contains(module))
        };
        let used: BTreeSet<Module> = paths.iter().filter_map(file_of).filter(|module| *module != own).collect();
        found.insert(own, used);
    }
    found
}

/// The files that are in a circle, or between two circles.
fn circles(mut imports: BTreeMap<Module, BTreeSet<Module>>) -> Vec<String> {
    loop {
        // A file that imports nothing, or that nothing imports, is in no circle.
        let used: BTreeSet<Module> = imports.values().flatten().cloned().collect();
        let outside = imports.iter().filter(|(file, uses)| uses.is_empty() || !used.contains(*file));
        let outside: BTreeSet<Module> = outside.map(|(file, _)| file.clone()).collect();
        if outside.is_empty() {
            return imports.keys().map(|file| file.join("::")).collect();
        }
        imports.retain(|file, _| !outside.contains(file));
        imports.values_mut().for_each(|uses| uses.retain(|file| !outside.contains(file)));
    }
}

#[test]
fn no_files_import_each_other_in_a_circle() {
    for (name, files) in crate::architecture::crates() {
        let imports = imports(&name, &files);
        assert!(imports.len() == 1 || imports.values().any(|uses| !uses.is_empty()), "{name}: no imports were found");
        assert_eq!(circles(imports), Vec::<String>::new(), "{name}: move what both need to a file below them");
    }
}

#[test]
fn planted_circles_are_seen() {
    let seen = |files: &[(&str, &str)]| {
        let files: Vec<_> = files.iter().map(|(path, text)| (path.to_string(), text.to_string())).collect();
        circles(imports("one", &files))
    };
    let two = [("a/mod.rs", "use self::b::C; mod b;"), ("a/b.rs", "use super::D;"), ("c.rs", "use crate::a::D;")];
    assert_eq!(seen(&two), ["one::a", "one::a::b"]);
    let three =
        [("a.rs", "use crate::{b::C as D};"), ("b.rs", "use crate::c::{self, E};"), ("c.rs", "use super::a::*;")];
    assert_eq!(seen(&three), ["one::a", "one::b", "one::c"]);
    let none = [("a.rs", "use crate::b::C;"), ("b.rs", "#[cfg(test)] mod tests { use crate::a::D; }")];
    assert_eq!(seen(&none), Vec::<String>::new());
}
