//! `lab random`, `dependent`, `perfect` and `ties`: means over many trees.

use super::args::{ManyArgs, RandomArgs, ShapeArgs, TiesArgs};
use super::{shape, status};
use crate::cli::Ended;
use crate::cli::output::Out;
use crate::cli::table::{percent, rounded, table};
use alphorn_lab::lab::counting::{MOST_SEARCHED, Means, Row, Sample, Searcher, growth, means};
use alphorn_lab::lab::critical::fewest_leaves;
use alphorn_lab::lab::theory;
use alphorn_lab::lab::ties;
use alphorn_lab::lab::uniform::Leaves;
use alphorn_text::report::{grouped, plural};
use serde_json::{Map, Value, json};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A mean and its standard error, as `12.66 +- 0.12`.
fn shown(sample: &Sample) -> String {
    match sample.standard_error() {
        Some(error) => format!("{:.2} +- {error:.2}", sample.mean()),
        None => format!("{:.2}", sample.mean()),
    }
}

fn sample_json(sample: &Sample, height: u32) -> Value {
    json!({
        "mean": rounded(sample.mean()),
        "error": sample.standard_error().map(rounded),
        "growth": rounded(growth(sample, height)),
    })
}

/// A searcher as a key.
fn name(searcher: Searcher) -> &'static str {
    match searcher {
        Searcher::F => "f",
        Searcher::F1 => "f1",
        Searcher::F2 => "f2",
        Searcher::Pvs => "pvs",
        Searcher::Mtdf => "mtdf",
    }
}

/// A row of means: height, trees, all leaves, each searcher's, and what stands beside them.
fn row_json(row: &Row, (key, beside): (&str, Value)) -> Map<String, Value> {
    let trees = row.samples.first().map_or(0, |(_, sample)| sample.count());
    let mut object = Map::new();
    object.insert("height".into(), row.height.into());
    object.insert("trees".into(), trees.into());
    object.insert("f".into(), row.leaves.into());
    object
        .extend(row.samples.iter().map(|(searcher, sample)| (name(*searcher).into(), sample_json(sample, row.height))));
    object.insert(key.into(), beside);
    object
}

const FOUR: [Searcher; 4] = [Searcher::F1, Searcher::F2, Searcher::Pvs, Searcher::Mtdf];

pub(super) fn random(args: &RandomArgs, out: &mut Out, stop: &Arc<AtomicBool>) -> Ended {
    let ManyArgs { shape: ShapeArgs { branching, depth, seed }, trees } = args.many;
    let shape = shape(branching, depth, MOST_SEARCHED)?;
    let values = args.leaves.0;
    let means = means(shape, trees, seed, &FOUR, &|seed| Leaves::Random { seed, values }, stop);
    // The theory is of leaves that are all distinct.
    let exact = |height: u32| match height {
        _ if values.is_some() => None,
        1 => Some(f64::from(branching)),
        2 => Some(theory::mean_of_height_two(branching)),
        _ => None,
    };
    if out.json {
        let row = |row: &Row| row_json(row, ("exact", json!(exact(row.height).map(rounded))));
        out.object(json!({
            "branching": branching,
            "depth": depth,
            "trees": trees,
            "seed": seed,
            "leaves": values.map_or(json!("distinct"), |values| json!(values)),
            "rows": means.rows.iter().map(row).collect::<Vec<_>>(),
            "theory": {
                "f1": rounded(theory::growth_without_deep_cutoffs(branching)),
                "f2": rounded(theory::growth_with_deep_cutoffs(branching)),
                "best": rounded(theory::growth_at_best(branching)),
            },
            "stopped": means.stopped,
        }));
        return status(means.stopped, out);
    }
    let row = |row: &Row| {
        let exact = exact(row.height).map_or("-".to_string(), |exact| format!("{exact:.4}"));
        let samples = row.samples.iter().map(|(_, sample)| shown(sample));
        [row.height.to_string(), grouped(row.leaves)].into_iter().chain(samples).chain([exact]).collect()
    };
    let leaves =
        values.map_or("all distinct".to_string(), |values| format!("among {}", plural(values, "value", "values")));
    out.print(&format!(
        "leaves read: branching {branching}, {} of each height, seed {seed}, leaves {leaves}\n\n{}\n{}",
        plural(trees, "tree", "trees"),
        table(&["height", "F", "F1", "F2", "PVS", "MTD(f)", "F1, F2 exactly"], means.rows.iter().map(row).collect()),
        growth_table(&means, branching)
    ));
    status(means.stopped, out)
}

/// What the highest trees say of the growth per ply, beside the theory.
fn growth_table(means: &Means, branching: u32) -> String {
    let Some(last) = means.rows.last() else { return String::new() };
    let before = means.rows.len().checked_sub(2).and_then(|at| means.rows.get(at));
    let row = |(searcher, sample): &(Searcher, Sample)| {
        let ratio = before.and_then(|row| row.sample(*searcher)).map(|below| sample.mean() / below.mean());
        let theory = match searcher {
            Searcher::F1 => format!("r* {:.4}, at most", theory::growth_without_deep_cutoffs(branching)),
            Searcher::F2 => format!("x/(1-x) {:.4}, in the limit", theory::growth_with_deep_cutoffs(branching)),
            _ => "-".to_string(),
        };
        let ratio = ratio.map_or("-".to_string(), |ratio| format!("{ratio:.4}"));
        vec![searcher.name().to_string(), format!("{:.4}", growth(sample, last.height)), ratio, theory]
    };
    let best = vec![
        "best case".to_string(),
        "-".to_string(),
        "-".to_string(),
        format!("sqrt(b) {:.4}, in the limit", theory::growth_at_best(branching)),
    ];
    let heads = ["growth per ply", "from the root", "last ply", "theory"];
    table(&heads, last.samples.iter().map(row).chain([best]).collect())
}

pub(super) fn dependent(args: &ManyArgs, out: &mut Out, stop: &Arc<AtomicBool>) -> Ended {
    let ManyArgs { shape: ShapeArgs { branching, depth, seed }, trees } = *args;
    let shape = shape(branching, depth, MOST_SEARCHED)?;
    let means = means(shape, trees, seed, &[Searcher::F2], &|seed| Leaves::Dependent { seed }, stop);
    let formula = |row: &Row| theory::mean_of_dependent(branching, row.height);
    if out.json {
        let row = |row: &Row| row_json(row, ("formula", rounded(formula(row))));
        out.object(json!({
            "branching": branching,
            "depth": depth,
            "trees": trees,
            "seed": seed,
            "rows": means.rows.iter().map(row).collect::<Vec<_>>(),
            "stopped": means.stopped,
        }));
        return status(means.stopped, out);
    }
    let row = |row: &Row| {
        let sample = row.sample(Searcher::F2).map(shown).unwrap_or_default();
        vec![row.height.to_string(), grouped(row.leaves), sample, format!("{:.2}", formula(row))]
    };
    out.print(&format!(
        "leaves read: branching {branching}, {} of each height, seed {seed}\n\n{}",
        plural(trees, "totally dependent tree", "totally dependent trees"),
        table(&["height", "F", "F2", "formula"], means.rows.iter().map(row).collect())
    ));
    status(means.stopped, out)
}

/// Most leaves of a perfectly ordered tree, of which searches read about the square root.
const MOST_ORDERED: u64 = 1 << 32;

pub(super) fn perfect(args: &ShapeArgs, out: &mut Out, stop: &Arc<AtomicBool>) -> Ended {
    let ShapeArgs { branching, depth, seed } = *args;
    let shape = shape(branching, depth, MOST_ORDERED)?;
    let means = means(shape, 1, seed, &[Searcher::F1, Searcher::F2], &|seed| Leaves::Ordered { seed }, stop);
    // One tree each, so the mean is a count.
    let read = |row: &Row, searcher| row.sample(searcher).map_or(0, |sample| sample.mean() as u64);
    let rows: Vec<[u64; 5]> = means
        .rows
        .iter()
        .map(|row| {
            let fewest = fewest_leaves(shape.to_height(row.height));
            [row.height.into(), row.leaves, read(row, Searcher::F1), read(row, Searcher::F2), fewest]
        })
        .collect();
    if out.json {
        let row = |[height, all, bounded, cut, formula]: &[u64; 5]| json!({ "height": height, "f": all, "f1": bounded, "f2": cut, "formula": formula });
        out.object(json!({
            "branching": branching,
            "depth": depth,
            "seed": seed,
            "rows": rows.iter().map(row).collect::<Vec<_>>(),
            "stopped": means.stopped,
        }));
        return status(means.stopped, out);
    }
    out.print(&format!(
        "leaves read: branching {branching}, perfectly ordered trees, seed {seed}\n\n{}",
        table(
            &["height", "F", "F1", "F2", "b^ceil(d/2) + b^floor(d/2) - 1"],
            rows.iter().map(|row| row.map(grouped).to_vec()).collect()
        )
    ));
    status(means.stopped, out)
}

/// Most leaves of a tree that is searched without looking at the stop flag.
const MOST_AT_ONCE: u64 = 1 << 16;

pub(super) fn ties(args: &TiesArgs, out: &mut Out, stop: &Arc<AtomicBool>) -> Ended {
    let shape = shape(args.branching, args.depth, MOST_AT_ONCE)?;
    let found = ties::experiment(shape, args.trees, args.seed, args.leaves, stop);
    if out.json {
        let row = |row: &ties::Tally| {
            json!({
                "rules": row.pairing.name(),
                "wrong_values": row.wrong_values,
                "wrong_moves": row.wrong_moves,
                "leaves": row.leaves,
            })
        };
        out.object(json!({
            "branching": args.branching,
            "depth": args.depth,
            "values": args.leaves,
            "trees": found.trees,
            "seed": args.seed,
            "rules": found.rows.iter().map(row).collect::<Vec<_>>(),
            "stopped": found.stopped,
        }));
        return status(found.stopped, out);
    }
    let row = |row: &ties::Tally| {
        let share = (found.trees > 0).then(|| row.wrong_moves as f64 / found.trees as f64);
        vec![
            row.pairing.name().to_string(),
            grouped(row.wrong_values),
            grouped(row.wrong_moves),
            percent(share),
            grouped(row.leaves),
        ]
    };
    out.print(&format!(
        "{}, branching {}, depth {}, leaves among {}, seed {}\n\n{}",
        plural(found.trees, "tree", "trees"),
        args.branching,
        args.depth,
        plural(args.leaves, "value", "values"),
        args.seed,
        table(
            &["alpha-beta with", "wrong values", "wrong moves", "share", "leaves"],
            found.rows.iter().map(row).collect()
        )
    ));
    status(found.stopped, out)
}
