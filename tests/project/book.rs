//! Tests the pages: the contents list every page, links have targets, `docs.rs` runs every page, and the
//! gallery shows every shipped game.
//!
//! The input is docs/, README.md, CONTRIBUTING.md, CHANGELOG.md and games/. `docs.rs` tests the text of the
//! pages, and `tests/language/codes.rs` tests the page of codes.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

fn text(file: &str) -> String {
    fs::read_to_string(Path::new(ROOT).join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// The files of a folder with this ending, sorted by name.
fn files(folder: &str, ending: &str) -> Vec<String> {
    let entries = fs::read_dir(Path::new(ROOT).join(folder)).expect("the folder can be listed");
    let names = entries.map(|entry| entry.expect("the folder can be listed").file_name());
    let mut names: Vec<String> =
        names.filter_map(|name| name.into_string().ok()).filter(|name| name.ends_with(ending)).collect();
    names.sort();
    names
}

/// The pages of the book.
fn pages() -> Vec<String> {
    files("docs", ".md").into_iter().filter(|name| name != "SUMMARY.md").collect()
}

/// A page without code blocks and without code between backticks.
fn prose(page: &str) -> String {
    let mut open = false;
    let mut prose = String::new();
    for line in page.lines() {
        let fence = line.starts_with("```");
        open ^= fence;
        if !open && !fence {
            prose.extend(line.split('`').step_by(2));
        }
        prose.push('\n');
    }
    prose
}

/// The links of a page to files, each with its text.
fn links(page: &str) -> Vec<(String, String)> {
    let prose = prose(page);
    let pieces: Vec<&str> = prose.split("](").collect();
    let pairs = pieces.windows(2).filter_map(|pair| {
        let text = pair[0].rsplit_once('[').map_or("", |(_, text)| text);
        let (target, _) = pair[1].split_once(')')?;
        Some((text.to_string(), target.to_string()))
    });
    pairs.filter(|(_, target)| !target.contains("://")).collect()
}

/// The headings of a page, without their marks.
fn headings(page: &str) -> Vec<String> {
    let mut open = false;
    let mut found = Vec::new();
    for line in page.lines() {
        open ^= line.starts_with("```");
        if !open && line.starts_with('#') {
            found.push(line.trim_start_matches('#').trim().to_string());
        }
    }
    found
}

/// The anchors of a page: of equal headings the second has the suffix `-1`, and so on.
fn anchors(page: &str) -> Vec<String> {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let anchor = |heading: String| {
        let kept = heading.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        let anchor: String = kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect();
        let before = seen.entry(anchor.clone()).or_default();
        *before += 1;
        match *before {
            1 => anchor,
            times => format!("{anchor}-{}", times - 1),
        }
    };
    headings(page).into_iter().map(anchor).collect()
}

/// The broken links of a page.
fn broken(file: &str, page: &str) -> Vec<String> {
    let here = Path::new(ROOT).join(file);
    let folder = here.parent().expect("a page lies in a folder");
    let lost = |target: &str| {
        let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
        let there = if file.is_empty() { Some(page.to_string()) } else { fs::read_to_string(folder.join(file)).ok() };
        match there {
            Some(there) => !anchor.is_empty() && !anchors(&there).iter().any(|known| known == anchor),
            // A folder and a picture have no headings.
            None => !folder.join(file).exists() || !anchor.is_empty(),
        }
    };
    let targets = links(page).into_iter().map(|(_, target)| target);
    targets.filter(|target| lost(target)).map(|target| format!("{file} links to {target}")).collect()
}

#[test]
fn links_lead_somewhere() {
    let books = files("docs", ".md").into_iter().map(|name| format!("docs/{name}"));
    let beside = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(String::from);
    let lost: Vec<String> = books.chain(beside).flat_map(|file| broken(&file, &text(&file))).collect();
    assert!(lost.is_empty(), "{}", lost.join("\n"));
}

#[test]
fn a_link_that_leads_nowhere_is_found() {
    let page = "# One\n\n## Two words, `code`\n\n# One\n[a](#one) [b](#two-words-code) [c](#one-1) [d](language.md)\n\
                [e](../games) [f](language.md#control)\n`[code](not-a-link)`\n```text\n[g](not-a-link)\n```\n";
    assert_eq!(broken("docs/made-up.md", page), Vec::<String>::new());
    for target in ["#three", "#one-2", "nowhere.md", "language.md#nothing", "../nowhere/", "../games#one"] {
        let found = broken("docs/made-up.md", &format!("{page}\nand [there]({target})"));
        assert_eq!(found, [format!("docs/made-up.md links to {target}")]);
    }
}

/// The contents list every page once, by its title.
#[test]
fn the_contents_list_every_page() {
    let listed = links(&text("docs/SUMMARY.md"));
    let mut names: Vec<&String> = listed.iter().map(|(_, target)| target).collect();
    names.sort();
    assert_eq!(names, pages().iter().collect::<Vec<_>>());
    for (title, target) in &listed {
        let heading = headings(&text(&format!("docs/{target}"))).into_iter().next();
        assert_eq!(heading.as_ref(), Some(title), "{target} in docs/SUMMARY.md");
    }
    let settings = text("docs/book.toml");
    assert!(settings.contains("src = \".\""), "the pages lie beside docs/book.toml");
}

/// Written by the program; `codes.rs` runs its examples.
const CODES_PAGE: &str = "codes.md";

#[test]
fn every_page_is_run() {
    let runs = text("tests/program/docs.rs");
    for page in pages().iter().filter(|page| *page != CODES_PAGE) {
        assert!(runs.contains(&format!("runs(\"docs/{page}\")")), "tests/program/docs.rs does not run docs/{page}");
    }
}

/// The number of lines of rules, without comments and blank lines.
fn rules(game: &str) -> usize {
    game.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('%')).count()
}

/// The names of the parameters.
fn parameters(game: &str) -> Vec<&str> {
    game.lines().filter_map(|line| line.strip_prefix(":- param(")?.split_once(',')).map(|(name, _)| name).collect()
}

/// The part of a page below the heading with this anchor.
fn section(page: &str, anchor: &str) -> String {
    let number = anchors(page).iter().position(|known| known == anchor);
    let number = number.unwrap_or_else(|| panic!("there is no heading {anchor}"));
    let (mut open, mut heading, mut part) = (false, 0, String::new());
    for line in page.lines() {
        open ^= line.starts_with("```");
        heading += usize::from(!open && line.starts_with('#'));
        if heading == number + 1 {
            part.push_str(line);
            part.push('\n');
        }
    }
    part
}

#[test]
fn the_gallery_shows_every_game() {
    let page = text("docs/gallery.md");
    let rows: Vec<Vec<&str>> = page
        .lines()
        .filter(|line| line.starts_with("| ["))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect();
    let mut shown: Vec<String> = Vec::new();
    for row in &rows {
        let [link, lines, params] = row.as_slice() else { panic!("three cells: {row:?}") };
        let (name, anchor) = link
            .strip_prefix('[')
            .and_then(|link| link.strip_suffix(')')?.split_once("](#"))
            .unwrap_or_else(|| panic!("a link: {link}"));
        let file = format!("games/{name}.pl");
        let game = text(&file);
        assert_eq!(*lines, rules(&game).to_string(), "lines of rules in {file}");
        let named: Vec<String> = parameters(&game).iter().map(|name| format!("`{name}`")).collect();
        assert_eq!(*params, named.join(", "), "parameters of {file}");
        let part = section(&page, anchor);
        for wanted in ["alphorn moves", "alphorn perft"] {
            assert!(part.contains(&format!("$ {wanted} {file}")), "the gallery has no `{wanted} {file}`");
        }
        assert!(part.contains(&format!("`{file}`: ")), "the gallery says nothing of the rules of {file}");
        for name in &named {
            assert!(part.contains(&format!("\n| {name} | ")), "the gallery does not say what {name} of {file} is");
        }
        shown.push(format!("{name}.pl"));
    }
    shown.sort();
    assert_eq!(shown, files("games", ".pl"));
}

#[test]
fn the_gallery_shows_every_picture() {
    let page = text("docs/gallery.md");
    let pictures = files("docs/gallery", ".svg");
    assert!(pictures.len() > 5, "there are {pictures:?}");
    for picture in pictures {
        assert!(page.contains(&format!("](gallery/{picture})")), "the gallery does not show {picture}");
        let made = page.lines().any(|line| line.starts_with("$ alphorn tree ") && line.ends_with(&picture));
        assert!(made, "the gallery does not say how {picture} is drawn");
    }
}

#[test]
fn lines_of_rules_are_counted_without_comments() {
    let game = "% A game.\n\n:- param(size, 3, 1..9, \"side\").\n  % indented\ninitial(a).   % beside\n";
    assert_eq!((rules(game), parameters(game)), (2, vec!["size"]));
}
