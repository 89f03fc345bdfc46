//! `lab pi`, `bratko`, `critical`, `tree`: single trees. Each function returns whether it was stopped.

use super::args::LabTreeArgs;
use crate::cli::output::Out;
use crate::cli::table::table;
use alphorn_lab::tree::svg::{Theme, document};
use alphorn_lab::tree::text;
use alphorn_protocol::protocol::lab::{
    self, BratkoReply, CriticalReply, Drawing, Level, Marked, Paired, PiReply, Read,
};
use alphorn_session::session::SessionResult;
use alphorn_session::session::writing::FileFormat;
use alphorn_text::report::{grouped, plural};

/// Columns of a tree.
const COLUMNS: usize = 100;

/// Draws the tree of F2 as text.
fn drawn(drawing: &Drawing, out: &Out) -> String {
    text::lines(drawing, out.letters(), COLUMNS).join("\n")
}

const MARKS: &str = "* best play; [ ] not visited";

pub(super) fn pi(found: &PiReply, out: &Out) -> bool {
    let PiReply { value, leaves: Read { f, f1, f2 }, deep_cutoffs, drawing, .. } = found;
    out.reply(found, || {
        let tree = drawn(drawing, out);
        format!(
            "value  {value}\nleaves F {f}, F1 {f1}, F2 {f2}: {deep_cutoffs} by deep cut-offs\n\n{tree}\n\n{MARKS}\n"
        )
    });
    false
}

pub(super) fn bratko(found: &BratkoReply, out: &Out) -> bool {
    let BratkoReply { value, line, leaf, leaves: Read { f, f1, f2 }, rules, drawing } = found;
    let row = |Paired { rules, value, best, leaves }: &Paired| {
        vec![rules.clone(), value.to_string(), best.clone(), leaves.to_string()]
    };
    out.reply(found, || {
        format!(
            "value  {value}\nline   {}, to the leaf {}\nleaves F {f}, F1 {f1}, F2 {f2}\n\n{}\n\n{MARKS}\n\n{}",
            line.join("-"),
            leaf.as_deref().unwrap_or_default(),
            drawn(drawing, out),
            table(&["alpha-beta with", "value", "move", "leaves"], rules.iter().map(row).collect())
        )
    });
    false
}

pub(super) fn critical(found: &CriticalReply, out: &Out) -> bool {
    let row = |Level { level, counted, formula }: &Level| {
        let numbers =
            [counted, formula].into_iter().flat_map(|types| types.iter().copied().chain([types.iter().sum()]));
        [level.to_string()].into_iter().chain(numbers.map(grouped)).collect()
    };
    let heads = ["level", "type 1", "type 2", "type 3", "all", "formula 1", "formula 2", "formula 3", "all"];
    out.reply(found, || {
        format!(
            "{}\nof {} every search reads at least {} = b^ceil(d/2) + b^floor(d/2) - 1\n",
            table(&heads, found.levels.iter().map(row).collect()),
            plural(found.leaves, "leaf", "leaves"),
            grouped(found.critical_leaves)
        )
    });
    found.stopped
}

pub(super) fn tree(args: &LabTreeArgs, out: &Out) -> SessionResult<bool> {
    if let Some(file) = &args.svg {
        out.may_write(file, Some(FileFormat::Picture))?;
    }
    let found = lab::tree(&args.request)?;
    let marked = |mark| found.leaves.iter().filter(|leaf| leaf.mark == mark).count();
    let [visited, cut, deep] = [Marked::Visited, Marked::Cut, Marked::Deep].map(marked);
    out.reply(&found, || {
        let tree = drawn(&found.drawing, out);
        let leaves = format!("leaves {visited} read, {cut} cut off, {deep} by deep cut-offs alone");
        format!("{tree}\n\nvalue  {}\n{leaves}\n{MARKS}\n", found.value)
    });
    if let Some(file) = &args.svg {
        let title = format!("a random tree, seed {}", found.seed);
        out.write(file, &document(&found.drawing, &title, Theme::Auto), FileFormat::Picture)?;
    }
    Ok(false)
}
