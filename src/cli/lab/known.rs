//! `lab pi`, `bratko`, `critical` and `tree`: single trees.

use super::args::TreeArgs;
use super::{SMALLER, cannot, shape, status};
use crate::cli::output::Out;
use crate::cli::table::table;
use crate::cli::{Ended, YES};
use alphorn_lab::lab::Stopped;
use alphorn_lab::lab::counting::Searcher;
use alphorn_lab::lab::critical::{self, MOST_COUNTED, Types};
use alphorn_lab::lab::known;
use alphorn_lab::lab::picture::{MOST_DRAWN, Mark, Picture};
use alphorn_lab::lab::ties::{Pairing, play};
use alphorn_lab::lab::uniform::{Leaves, MOST_LEAVES, Place, Reader, Uniform};
use alphorn_lab::tree::svg::{Theme, document};
use alphorn_lab::tree::text;
use alphorn_search::search::limits::Limits;
use alphorn_search::search::{Algorithm, run};
use alphorn_session::session::writing::Form;
use alphorn_text::report::{Problem, grouped, plural};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Columns of a tree.
const COLUMNS: usize = 100;

/// The tree of F2 in lines.
fn drawn(picture: &Picture<'_>, name: &dyn Fn(Place) -> String, out: &Out) -> String {
    text::lines(&picture.drawn(name), out.letters(), COLUMNS).join("\n")
}

/// Of a tree whose places have no names.
fn nameless(_: Place) -> String {
    String::new()
}

const MARKS: &str = "* best play; [ ] not visited";

/// The value of a tree and the leaves that F, F1 and F2 read for it.
fn read(tree: &Uniform, stop: &AtomicBool) -> Result<(i64, [u64; 3]), Stopped> {
    let (value, all) = Searcher::F.read(tree, stop)?;
    let (_, bounded) = Searcher::F1.read(tree, stop)?;
    let (_, cut) = Searcher::F2.read(tree, stop)?;
    Ok((value, [all, bounded, cut]))
}

/// Best play from the root, by minimax.
fn line(tree: &Uniform) -> Vec<u32> {
    let searched = run(Algorithm::Minimax, tree, &Reader, &Place::ROOT, &Limits::default());
    searched.map(|outcome| outcome.line).unwrap_or_default()
}

pub(super) fn pi(out: &mut Out, stop: &Arc<AtomicBool>) -> Ended {
    let tree = known::pi();
    let Ok((value, leaves)) = read(&tree, stop) else { return status(true, out) };
    let picture = Picture::new(&tree);
    let deep = picture.leaves(Mark::DeepCut);
    if out.json {
        out.object(json!({
            "value": value,
            "line": line(&tree),
            "leaves": leaves_json(leaves),
            "deep_cutoffs": deep,
        }));
        return Ok(YES);
    }
    let [all, bounded, cut] = leaves;
    out.print(&format!(
        "value  {value}\nleaves F {all}, F1 {bounded}, F2 {cut}: {deep} by deep cut-offs\n\n{}\n\n{MARKS}\n",
        drawn(&picture, &nameless, out)
    ));
    Ok(YES)
}

fn leaves_json([all, bounded, cut]: [u64; 3]) -> Value {
    json!({ "f": all, "f1": bounded, "f2": cut })
}

pub(super) fn bratko(out: &mut Out, stop: &Arc<AtomicBool>) -> Ended {
    let tree = known::bratko();
    let Ok((value, leaves)) = read(&tree, stop) else { return status(true, out) };
    let mut place = Place::ROOT;
    let mut letters = vec![known::letter(place).to_string()];
    for mv in line(&tree) {
        place = place.child(tree.shape.branching(), mv);
        letters.push(known::letter(place).to_string());
    }
    // The textbook's line ends above the leaf.
    let leaf = letters.pop();
    let played = Pairing::ALL.map(|pairing| (pairing, play(&tree, pairing)));
    let letter = |mv| known::letter(Place::ROOT.child(tree.shape.branching(), mv)).to_string();
    if out.json {
        let rows = played.map(|(pairing, played)| {
            json!({ "rules": pairing.name(), "value": played.value, "best": letter(played.best), "leaves": played.leaves })
        });
        out.object(json!({
            "value": value,
            "line": letters,
            "leaf": leaf,
            "leaves": leaves_json(leaves),
            "rules": rows,
        }));
        return Ok(YES);
    }
    let rows = played.map(|(pairing, played)| {
        vec![pairing.name().to_string(), played.value.to_string(), letter(played.best), played.leaves.to_string()]
    });
    let [all, bounded, cut] = leaves;
    out.print(&format!(
        "value  {value}\nline   {}, to the leaf {}\nleaves F {all}, F1 {bounded}, F2 {cut}\n\n{}\n\n{MARKS}\n\n{}",
        letters.join("-"),
        leaf.unwrap_or_default(),
        drawn(&Picture::new(&tree), &|place| known::letter(place).to_string(), out),
        table(&["alpha-beta with", "value", "move", "leaves"], rows.to_vec())
    ));
    Ok(YES)
}

pub(super) fn critical(branching: u32, depth: u32, out: &mut Out, stop: &Arc<AtomicBool>) -> Ended {
    let shape = shape(branching, depth, MOST_LEAVES)?;
    let fewest = critical::fewest_leaves(shape);
    if fewest > MOST_COUNTED {
        let message = format!("every search reads more than {MOST_COUNTED} leaves of that tree");
        return Err(cannot(Problem::placeless("A0621", message).help(SMALLER)));
    }
    let counted = critical::counted(shape, stop);
    let stopped = counted.is_err();
    let levels: Vec<(u32, Types, Types)> = (0..)
        .zip(counted.unwrap_or_default())
        .map(|(level, types)| (level, types, critical::by_formula(shape, level)))
        .collect();
    if out.json {
        let rows: Vec<Value> = levels
            .iter()
            .map(|(level, counted, formula)| json!({ "level": level, "counted": counted.0, "formula": formula.0 }))
            .collect();
        out.object(json!({
            "branching": branching,
            "depth": depth,
            "levels": rows,
            "leaves": shape.leaves(),
            "critical_leaves": fewest,
            "stopped": stopped,
        }));
        return status(stopped, out);
    }
    let row = |(level, counted, formula): &(u32, Types, Types)| {
        let both = [counted, formula];
        let numbers = both.into_iter().flat_map(|types| types.0.into_iter().chain([types.sum()]));
        [level.to_string()].into_iter().chain(numbers.map(grouped)).collect()
    };
    let heads = ["level", "type 1", "type 2", "type 3", "all", "formula 1", "formula 2", "formula 3", "all"];
    out.print(&format!(
        "{}\nof {} every search reads at least {} = b^ceil(d/2) + b^floor(d/2) - 1\n",
        table(&heads, levels.iter().map(row).collect()),
        plural(shape.leaves(), "leaf", "leaves"),
        grouped(fewest)
    ));
    status(stopped, out)
}

/// The leaves of the classic exercise are from 0 to 19.
const EXERCISE: u64 = 20;

pub(super) fn tree(args: &TreeArgs, out: &mut Out) -> Ended {
    let shape = shape(2, args.depth, MOST_DRAWN)?;
    let tree = Uniform { shape, leaves: Leaves::Random { seed: args.seed, values: Some(EXERCISE) } };
    if let Some(file) = &args.svg {
        out.may_write(Path::new(file), Some(Form::Picture), None)?;
    }
    let picture = Picture::new(&tree);
    let value = alphorn_lab::lab::ties::minimax(&tree, Place::ROOT);
    let leaves = [Mark::Visited, Mark::Cut, Mark::DeepCut].map(|mark| picture.leaves(mark));
    if out.json {
        let rows: Vec<Value> = (0..shape.leaves())
            .map(|number| {
                let mark = match picture.mark(Place { ply: shape.height(), number }) {
                    Mark::Visited => "visited",
                    Mark::Cut => "cut",
                    Mark::DeepCut => "deep",
                };
                json!({ "value": tree.leaf(number), "mark": mark })
            })
            .collect();
        out.object(json!({
            "depth": args.depth,
            "seed": args.seed,
            "value": value,
            "line": line(&tree),
            "leaves": rows,
            "svg": args.svg,
        }));
    } else {
        let [visited, cut, deep] = leaves;
        out.print(&format!(
            "{}\n\nvalue  {value}\nleaves {visited} read, {cut} cut off, {deep} by deep cut-offs alone\n{MARKS}\n",
            drawn(&picture, &nameless, out)
        ));
    }
    if let Some(file) = &args.svg {
        let title = format!("a random tree, seed {}", args.seed);
        let drawn = document(&picture.drawn(&nameless), &title, Theme::Auto);
        out.write(Path::new(file), &drawn, Form::Picture, None)?;
    }
    Ok(YES)
}
