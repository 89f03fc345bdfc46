//! `tree`: the tree of a search, as text, picture, graph or JSON.

pub mod args;
mod json;

use crate::cli::output::{Out, columns, line_of};
use crate::cli::play::{load, start};
use crate::cli::{Ended, INTERRUPTED, YES};
use alphorn_lab::tree::svg::Theme;
use alphorn_lab::tree::{Named, SearchTree, dot, svg, text};
use alphorn_session::session::tree::TreeWish;
use alphorn_session::session::writing::Form;
use alphorn_text::report::{grouped, plural};
use args::{Colours, Format, TreeArgs};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Columns of text that goes to no terminal.
const COLUMNS: usize = 100;

pub(super) fn tree(args: &TreeArgs, out: &mut Out, stop: &Arc<AtomicBool>) -> Ended {
    let session = load(&args.at.file, &args.at.game, out, stop)?;
    let game = session.game()?;
    let state = session.position(&game, &start(&args.at.start))?;
    // After an interrupt the rules answer no more.
    let position = session.position_text(&game, &state)?;
    let form = match args.format {
        _ if out.json => Form::Json,
        Format::Json => Form::Json,
        Format::Svg => Form::Picture,
        Format::Dot => Form::Graph,
        Format::Text => Form::Tree,
    };
    if let Some(path) = &args.output {
        out.may_write(path, Some(form), Some(&session))?;
    }
    let wish =
        TreeWish { algorithm: args.algorithm, depth: args.depth, most: args.max_nodes as usize, whole: args.whole };
    let tree = session.search_tree(&game, &state, &wish)?;
    let title = title(&args.at.file, &position);
    let drawn = match args.format {
        _ if out.json => None,
        Format::Json => None,
        Format::Svg => Some(svg::document(&tree, &title, theme(args.theme))),
        Format::Dot => Some(dot::graph(&tree, &title)),
        Format::Text => Some(in_text(&tree, args, out)),
    };
    let object = json::object(&tree, &position);
    match (&args.output, drawn) {
        (Some(path), drawn) => {
            let text = drawn.unwrap_or_else(|| line_of(&object));
            if out.json {
                out.object(object);
            }
            out.write(path, &text, form, Some(&session))?;
        }
        (None, Some(drawn)) => out.answer(object, || drawn),
        (None, None) => out.object(object),
    }
    if tree.stopped {
        out.tell("stopped: positions that were not finished have no value\n");
    }
    Ok(if tree.stopped { INTERRUPTED } else { YES })
}

/// The game by its name, and the position where that is short.
fn title(file: &str, position: &str) -> String {
    let stem = std::path::Path::new(file).file_stem().map_or(file.into(), |stem| stem.to_string_lossy());
    match position.chars().count() {
        0..=60 if !position.contains('\n') => format!("{stem}, {position}"),
        _ => stem.into_owned(),
    }
}

fn theme(colours: Colours) -> Theme {
    match colours {
        Colours::Light => Theme::Light,
        Colours::Dark => Theme::Dark,
        Colours::Auto => Theme::Auto,
    }
}

/// The tree with its counts under it.
fn in_text(tree: &SearchTree<Named>, args: &TreeArgs, out: &Out) -> String {
    let width = args.width.map_or_else(|| columns(COLUMNS), usize::from);
    let mut text = text::lines(tree, out.letters(), width).join("\n");
    let legend = text::legend(tree, out.letters());
    let folded: u64 = tree.nodes.iter().map(|node| node.folded).sum();
    text.push_str(&format!("\n\n{}: {} looked at", tree.algorithm, plural(tree.visited, "position", "positions")));
    if folded > 0 {
        text.push_str(&format!(", {} of them folded", grouped(folded)));
    }
    text.push_str(&format!(", {} judged\n", grouped(tree.judged)));
    if !legend.is_empty() {
        text.push_str(&format!("{}\n", legend.join("; ")));
    }
    text
}
