//! `tree`: prints the tree of a search as text, picture, graph or JSON.

pub mod args;

use crate::cli::output::{Out, columns, line_of};
use crate::cli::play::ask;
use crate::cli::{CommandResult, INTERRUPTED, YES};
use alphorn_lab::tree::svg::Theme;
use alphorn_lab::tree::{dot, svg, text};
use alphorn_protocol::protocol::host::Host;
use alphorn_protocol::protocol::tree::{self, Reply, Request};
use alphorn_session::session::writing::FileFormat;
use alphorn_text::report::{grouped, plural};
use args::{Colours, Format, TreeArgs};

/// Columns of text that is not written to a terminal.
const COLUMNS: usize = 100;

pub(super) fn tree(args: &TreeArgs, host: &mut Host<'_>, out: &Out) -> CommandResult {
    let form = match args.format {
        _ if out.json => FileFormat::JsonTree,
        Format::Json => FileFormat::JsonTree,
        Format::Svg => FileFormat::Picture,
        Format::Dot => FileFormat::Graph,
        Format::Text => FileFormat::Tree,
    };
    let found = ask(out, |listen| {
        host.writes = args.output.clone().map(|path| (path, form));
        let request = Request { svg: out.json && args.format == Format::Svg, ..args.request.clone() };
        tree::answer(&request, host, listen)
    })?;
    let drawn = match args.format {
        _ if out.json => None,
        Format::Json => None,
        Format::Svg => Some(svg::document(&found.tree, &found.title, theme(args.theme))),
        Format::Dot => Some(dot::graph(&found.tree, &found.title)),
        Format::Text => Some(in_text(&found, args, out)),
    };
    match (&args.output, drawn) {
        (Some(path), drawn) => {
            let text = drawn.unwrap_or_else(|| line_of(&found));
            if out.json {
                out.object(&found);
            }
            out.write(path, &text, form)?;
        }
        (None, Some(drawn)) => out.reply(&found, || drawn),
        (None, None) => out.object(&found),
    }
    if found.stopped {
        out.tell("stopped: unfinished positions have no value\n");
    }
    Ok(if found.stopped { INTERRUPTED } else { YES })
}

fn theme(colours: Colours) -> Theme {
    match colours {
        Colours::Light => Theme::Light,
        Colours::Dark => Theme::Dark,
        Colours::Auto => Theme::Auto,
    }
}

/// The tree as text, with the counts below it.
fn in_text(found: &Reply, args: &TreeArgs, out: &Out) -> String {
    let width = args.width.map_or_else(|| columns(COLUMNS), usize::from);
    let mut text = text::lines(&found.tree, out.letters(), width).join("\n");
    let legend = text::legend(&found.tree, out.letters());
    text.push_str(&format!("\n\n{}: {} visited", found.algorithm, plural(found.visited, "position", "positions")));
    if found.folded > 0 {
        text.push_str(&format!(", {} of them folded", grouped(found.folded)));
    }
    text.push_str(&format!(", {} evaluated\n", grouped(found.evaluated)));
    if !legend.is_empty() {
        text.push_str(&format!("{}\n", legend.join("; ")));
    }
    text
}
