//! Tests that arithmetic without memory gives the results of general arithmetic.

use crate::builtins::arithmetic;
use crate::builtins::number;
use crate::machine::store::Store;
use crate::term::Term;
use crate::term::short::{compare, evaluate};
use alphorn_text::symbol::Atom;
use num_bigint::BigInt;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use std::sync::Arc;

const UNARY: [&str; 15] = [
    "-", "+", "abs", "sign", "\\", "msb", "lsb", "popcount", "float", "truncate", "integer", "round", "floor",
    "ceiling", "sqrt",
];
const BINARY: [&str; 19] = [
    "+", "-", "*", "/", "//", "tdiv", "rem", "mod", "div", "min", "max", "/\\", "\\/", "xor", "getbit", "<<", ">>",
    "**", "^",
];

/// A number: small, near a limit of 60 to 192 bits, or a float.
fn number(store: &mut Store, random: &mut Xoshiro256PlusPlus) -> Term {
    let small = random.random_range(-5i64..130);
    match random.random_range(0..8) {
        0..3 => store.heap.integer(small),
        3 => store.heap.float([0.0, -0.0, 0.5, -2.5, 1e300, 9_007_199_254_740_993.0][random.random_range(0..6)]),
        4 => store.heap.float(random.random_range(-100.0..100.0)),
        _ => {
            let bits = [59, 60, 61, 62, 63, 64, 72, 126, 127, 128, 192][random.random_range(0..11)];
            let near = (BigInt::from(1) << bits) + random.random_range(-2i64..3);
            store.heap.big(&if random.random() { near } else { -near })
        }
    }
}

fn expression(store: &mut Store, random: &mut Xoshiro256PlusPlus, depth: u32) -> Term {
    match random.random_range(0..if depth == 0 { 1 } else { 4 }) {
        0 => number(store, random),
        1 => {
            let arg = expression(store, random, depth - 1);
            store.heap.structure(Atom::new(UNARY[random.random_range(0..UNARY.len())]), &[arg])
        }
        _ => {
            let args = [(); 2].map(|()| expression(store, random, depth - 1));
            store.heap.structure(Atom::new(BINARY[random.random_range(0..BINARY.len())]), &args)
        }
    }
}

#[test]
fn results_are_those_of_general_arithmetic_and_cost_nothing() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
    let mut evaluated = [0; 2];
    for round in 0..200_000 {
        let mut store = Store::new(Arc::default(), Arc::default());
        let (left, right) = (expression(&mut store, &mut random, 1), expression(&mut store, &mut random, 2));
        if let Some(value) = evaluate(&store.heap, right) {
            evaluated[0] += 1;
            let before = store.steps;
            let general = arithmetic::eval(&mut store, right).expect("general arithmetic has a value");
            assert_eq!(store.steps, before, "round {round}");
            let (own, general) = (value.to_term(&mut store.heap), arithmetic::to_term(&mut store, &general));
            assert!(same(&store, own, general), "round {round}");
            if let Some(order) = compare(&store.heap, left, right) {
                evaluated[1] += 1;
                let sides = [left, right].map(|side| arithmetic::eval(&mut store, side));
                let [left, right] = sides.map(|side| side.expect("general arithmetic has a value"));
                assert_eq!(Some(order), number::compare(&left, &right), "round {round}");
            }
        }
    }
    assert!(evaluated[0] > 50_000 && evaluated[1] > 30_000, "{evaluated:?}");
}

/// Whether two numbers have the same cells.
fn same(store: &Store, left: Term, right: Term) -> bool {
    let cells = |term: Term| match term.as_small() {
        Some(_) => vec![term.0],
        None => {
            let words = crate::term::heap::raw_words(store.heap.cells[term.index()]);
            store.heap.cells[term.index()..=term.index() + words].to_vec()
        }
    };
    cells(left) == cells(right)
}
