//! Tests the trees of the textbooks.

use super::played::{leaves, open};
use super::{Row, reference};
use alphorn::game::Score;
use alphorn::search::Algorithm;

#[test]
fn trees_of_the_books() {
    let bratko = open("bratko", "-");
    let (read, value) = leaves(&bratko);
    let worth = |leaf: &String| bratko.count(&format!("leaf({leaf}, N)"));
    let found = format!(
        "{}; {}: [{}]",
        value.map_or(f64::NAN, Score::to_number),
        read.len(),
        read.iter().map(worth).collect::<Vec<_>>().join(", ")
    );
    let checked = reference(
        |name| name.starts_with("bratko tree"),
        |row| match row[2] {
            "cutoff non-strict (val>=beta)" => Row::Found(found.clone()),
            _ => Row::Left("the core cuts on equality; tests/textbook.rs runs the textbook's strict rules"),
        },
    );
    assert_eq!(checked, 1);
    let pi = open("pi_tree", "-");
    let minimax = pi.value(&pi.opening(1), Algorithm::Minimax);
    let (read, value) = leaves(&pi);
    let numbered = |leaf: &String| {
        leaf.trim_start_matches("node(4,")
            .trim_end_matches(')')
            .parse::<usize>()
            .map_or("?".to_string(), |number| (number + 1).to_string())
    };
    let checked = reference(
        |name| name.starts_with("knuth-moore pi tree"),
        |row| {
            Row::Found(match row[2] {
                "value" => {
                    assert_eq!(minimax.value, value);
                    value.map_or(f64::NAN, Score::to_number).to_string()
                }
                "F0 leaves" => minimax.evals.to_string(),
                "F2 leaves (alpha-beta)" => read.len().to_string(),
                "F2 leaves in order, 1-based" => read.iter().map(numbered).collect::<Vec<_>>().join(" "),
                _ => return Row::Left("the core has no alpha-beta without deep cut-offs"),
            })
        },
    );
    assert_eq!(checked, 4);
}
