//! Runs the shipped games and programs on both solvers, with every call of the game interface at random
//! positions.
//!
//! The input is the files of `games/` and `tests/programs/`. In a program that is not a game, lines that
//! begin with `%?` contain the goals.

use crate::solvers::compare::{Kinds, Seen, differences, watch};
use crate::solvers::{Ground, IGNORED, Loaded, pair};
use alphorn::lang::program::PredId;
use alphorn::lang::read;
use alphorn::machine::store::Budget;
use alphorn::machine::{Query, Solver};
use alphorn::rules::contract::Contract;
use alphorn::source::{Source, SourceId};
use alphorn::term::pack::{Packed, pack};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use std::sync::Mutex;

/// The number of positions in a game.
const POSITIONS: usize = 200;

const BUDGET: Budget = Budget { steps: 3_000_000, memory: 256 << 20 };

/// A game with both solvers.
struct Asking {
    name: String,
    loaded: Loaded,
    pair: (Box<dyn Solver>, Box<dyn Solver>),
    kinds: Kinds,
    wrong: Vec<String>,
    asked: usize,
}

impl Asking {
    fn note(&mut self, what: &str, left: &Seen, right: &Seen) {
        self.asked += 1;
        for found in differences(left, right, &self.kinds) {
            let text =
                format!("{}: {what}: {:?}\n    left  {}\n    right {}", self.name, found.kind, found.left, found.right);
            self.wrong.push(text);
        }
    }

    /// Runs a call on both solvers. Returns the answers of the first solver, each as its terms.
    fn ask(&mut self, pred: Option<PredId>, args: &[Option<&Packed>]) -> Vec<Vec<Packed>> {
        let Some(pred) = pred else { return Vec::new() };
        let ask = Query::Call(pred, args);
        let left = watch(&mut *self.pair.0, &ask, BUDGET, 300);
        let right = watch(&mut *self.pair.1, &ask, BUDGET, 300);
        let what = format!("{} of {args:?}", self.loaded.program.indicator(pred));
        self.note(&what, &left, &right);
        let mut found = Vec::new();
        let solver = &mut self.pair.0;
        if solver.ask(&ask, BUDGET).is_err() {
            return found;
        }
        while found.len() < 300 && solver.next() == Ok(true) {
            let values = solver.answer().to_vec();
            let heap = &solver.store().heap;
            found.push(values.into_iter().filter_map(|value| pack(heap, value, 1 << 20)).collect());
        }
        found
    }

    /// Makes every call of the game interface for one position. Returns the successors.
    fn position(&mut self, contract: &Contract, position: &Packed) -> Vec<Packed> {
        let given = Some(position);
        for pred in [contract.max_to_move, contract.min_to_move, contract.terminal] {
            self.ask(pred, &[given]);
        }
        for pred in [
            contract.static_eval,
            contract.outcome,
            contract.show,
            contract.pass,
            contract.canonical,
            contract.symmetry,
        ] {
            self.ask(pred, &[given, None]);
        }
        for text in self.ask(contract.write_position, &[given, None]).into_iter().flatten() {
            self.ask(contract.read_position, &[Some(&text), None]);
        }
        let mut next = Vec::new();
        for answer in self.ask(contract.labelled, &[given, None, None]) {
            self.ask(contract.shown_move, &[given, Some(&answer[0]), None]);
            next.push(answer[1].clone());
        }
        for list in self.ask(contract.moves, &[given, None]).into_iter().flatten() {
            let mut heap = alphorn::term::heap::Heap::default();
            let list = alphorn::term::pack::unpack(&mut heap, &list);
            let (items, _) = heap.elements(list);
            next.extend(items.into_iter().filter_map(|item| pack(&heap, item, 1 << 20)));
        }
        next
    }

    fn play(&mut self, contract: &Contract) {
        for pred in [contract.initial, contract.no_moves, contract.repetition] {
            self.ask(pred, &[None]);
        }
        self.ask(contract.value_range, &[None, None]);
        self.ask(contract.acyclic, &[]);
        let openings: Vec<Packed> = self.ask(contract.initial, &[None]).into_iter().flatten().collect();
        let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
        let mut at: Option<Packed> = None;
        for number in 0..POSITIONS {
            let position = at.unwrap_or_else(|| openings[number % openings.len()].clone());
            let mut next = self.position(contract, &position);
            at = if next.is_empty() { None } else { Some(next.swap_remove(random.random_range(0..next.len()))) };
            if self.wrong.len() > 20 {
                break;
            }
        }
    }

    /// Runs the goals that a text names in lines that begin with `%?`.
    fn goals(&mut self, text: &str) {
        for goal in text.lines().filter_map(|line| line.strip_prefix("%?")) {
            let id = SourceId(self.loaded.program.sources.len() as u16);
            let read = read::goal(id, goal, &self.loaded.program.ops);
            let sentence = read.ok().flatten().unwrap_or_else(|| panic!("{}: {goal} is no goal", self.name));
            let ask = Query::Goal(&sentence.tree, sentence.root);
            let left = watch(&mut *self.pair.0, &ask, BUDGET, 100);
            let right = watch(&mut *self.pair.1, &ask, BUDGET, 100);
            self.note(goal, &left, &right);
        }
    }
}

fn files() -> Vec<String> {
    let folders = ["games", "tests/programs"].map(|folder| format!("{}/{folder}", env!("CARGO_MANIFEST_DIR")));
    let entries = folders.iter().filter_map(|folder| std::fs::read_dir(folder).ok()).flatten().flatten();
    let mut found: Vec<String> = entries.map(|entry| entry.path().to_string_lossy().into_owned()).collect();
    found.retain(|path| path.ends_with(".pl"));
    found.sort();
    assert!(found.len() >= 13, "only {found:?} were found");
    found
}

fn look(path: &str, hot: Option<u32>) -> Asking {
    let source = Source::read(path).unwrap_or_else(|error| panic!("{error}"));
    let text = source.text.clone();
    let loaded = Ground::new().load(source).unwrap_or_else(|wrong| panic!("{path} does not load: {wrong:?}"));
    let name = path.rsplit('/').next().unwrap_or(path).trim_end_matches(".pl").to_string();
    let contract = Contract::of(&loaded.program);
    let pair = pair(&loaded, hot);
    let mut asking = Asking { name, loaded, pair, kinds: Kinds::but(IGNORED), wrong: Vec::new(), asked: 0 };
    if contract.is_game() {
        asking.play(&contract);
    }
    asking.goals(&text);
    asking
}

#[test]
fn games_have_the_same_answers() {
    // Each program runs with native code and without. The threads take the list from its end.
    let waiting: Vec<_> =
        [Some(2), None].into_iter().flat_map(|hot| files().into_iter().map(move |path| (path, hot))).collect();
    let waiting = Mutex::new(waiting);
    let wrong = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let Some((path, hot)) = waiting.lock().expect("nobody panics with it").pop() else { break };
                    let begun = std::time::Instant::now();
                    let asking = look(&path, hot);
                    println!(
                        "{}, native from {hot:?}: {} questions in {:.1?}",
                        asking.name,
                        asking.asked,
                        begun.elapsed()
                    );
                    assert!(asking.asked > 0, "{path} asks nothing");
                    wrong.lock().expect("nobody panics with it").extend(asking.wrong);
                }
            });
        }
    });
    let wrong = wrong.into_inner().expect("all have ended");
    let first: Vec<&str> = wrong.iter().take(20).map(String::as_str).collect();
    assert!(wrong.is_empty(), "{} differences\n{}", wrong.len(), first.join("\n"));
}
