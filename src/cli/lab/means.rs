//! `lab random`, `dependent`, `perfect` and `ties`: means over many trees. Each function returns
//! whether it was stopped.

use crate::cli::output::Out;
use crate::cli::table::{percent, table};
use alphorn_protocol::protocol::many::{
    DependentReply, DependentRow, Mean, PerfectReply, PerfectRow, RandomReply, RandomRow, TiesReply, Wrong,
};
use alphorn_text::report::{grouped, plural};

/// Formats a mean and its standard error, as `12.66 +- 0.12`.
fn shown(mean: &Mean) -> String {
    match mean.error {
        Some(error) => format!("{:.2} +- {:.2}", mean.mean.0, error.0),
        None => format!("{:.2}", mean.mean.0),
    }
}

pub(super) fn random(found: &RandomReply, out: &Out) -> bool {
    let row = |row: &RandomRow| {
        let exact = row.exact.map_or("-".to_string(), |exact| format!("{:.4}", exact.0));
        let means = [&row.f1, &row.f2, &row.pvs, &row.mtdf].map(shown);
        [row.height.to_string(), grouped(row.f)].into_iter().chain(means).chain([exact]).collect()
    };
    let leaves = match found.leaves.0 {
        None => "all distinct".to_string(),
        Some(values) => format!("among {}", plural(values, "value", "values")),
    };
    out.reply(found, || {
        format!(
            "leaves read: branching {}, {} of each height, seed {}, leaves {leaves}\n\n{}\n{}",
            found.branching,
            plural(found.trees, "tree", "trees"),
            found.seed,
            table(
                &["height", "F", "F1", "F2", "PVS", "MTD(f)", "F1, F2 exactly"],
                found.rows.iter().map(row).collect()
            ),
            growth_table(found)
        )
    });
    found.stopped
}

/// The growth per ply in the highest trees, beside the theory.
fn growth_table(found: &RandomReply) -> String {
    let Some((last, lower)) = found.rows.split_last() else { return String::new() };
    let means = |row: &RandomRow| [row.f1, row.f2, row.pvs, row.mtdf];
    let below = lower.last().map(means);
    let theory = [
        format!("r* {:.4}, at most", found.theory.f1.0),
        format!("x/(1-x) {:.4}, in the limit", found.theory.f2.0),
        "-".to_string(),
        "-".to_string(),
    ];
    let rows = ["F1", "F2", "PVS", "MTD(f)"].into_iter().zip(means(last)).zip(theory).enumerate();
    let row = |(at, ((name, mean), theory)): (usize, ((&str, Mean), String))| {
        let ratio = below.map(|below| mean.mean.0 / below[at].mean.0);
        let ratio = ratio.map_or("-".to_string(), |ratio| format!("{ratio:.4}"));
        vec![name.to_string(), format!("{:.4}", mean.growth.0), ratio, theory]
    };
    let limit = format!("sqrt(b) {:.4}, in the limit", found.theory.best.0);
    let best = vec!["best case".to_string(), "-".to_string(), "-".to_string(), limit];
    let heads = ["growth per ply", "from the root", "last ply", "theory"];
    table(&heads, rows.map(row).chain([best]).collect())
}

pub(super) fn dependent(found: &DependentReply, out: &Out) -> bool {
    let row = |row: &DependentRow| {
        vec![row.height.to_string(), grouped(row.f), shown(&row.f2), format!("{:.2}", row.formula.0)]
    };
    out.reply(found, || {
        format!(
            "leaves read: branching {}, {} of each height, seed {}\n\n{}",
            found.branching,
            plural(found.trees, "totally dependent tree", "totally dependent trees"),
            found.seed,
            table(&["height", "F", "F2", "formula"], found.rows.iter().map(row).collect())
        )
    });
    found.stopped
}

pub(super) fn perfect(found: &PerfectReply, out: &Out) -> bool {
    let row = |PerfectRow { height, f, f1, f2, formula }: &PerfectRow| {
        [u64::from(*height), *f, *f1, *f2, *formula].map(grouped).to_vec()
    };
    out.reply(found, || {
        format!(
            "leaves read: branching {}, perfectly ordered trees, seed {}\n\n{}",
            found.branching,
            found.seed,
            table(&["height", "F", "F1", "F2", "b^ceil(d/2) + b^floor(d/2) - 1"], found.rows.iter().map(row).collect())
        )
    });
    found.stopped
}

pub(super) fn ties(found: &TiesReply, out: &Out) -> bool {
    let row = |row: &Wrong| {
        let share = (found.trees > 0).then(|| row.wrong_moves as f64 / found.trees as f64);
        let [values, moves, leaves] = [row.wrong_values, row.wrong_moves, row.leaves].map(grouped);
        vec![row.rules.clone(), values, moves, percent(share), leaves]
    };
    let heads = ["alpha-beta with", "wrong values", "wrong moves", "share", "leaves"];
    out.reply(found, || {
        format!(
            "{}, branching {}, depth {}, leaves among {}, seed {}\n\n{}",
            plural(found.trees, "tree", "trees"),
            found.branching,
            found.depth,
            plural(found.values, "value", "values"),
            found.seed,
            table(&heads, found.rules.iter().map(row).collect())
        )
    });
    found.stopped
}
