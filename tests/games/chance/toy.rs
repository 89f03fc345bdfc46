//! Games with chance given by a table, the definition of their value, and a generator of random games.

use super::*;
use alphorn::game::GameFacts;

#[derive(Clone, Debug)]
pub struct Place {
    pub mover: Mover,
    /// The positions after the moves: only later positions, or any positions.
    pub children: Vec<usize>,
    pub weights: Vec<u64>,
    pub number: f64,
}

/// An artificial game: its positions by number, the root first. The game is over in a position without
/// children.
#[derive(Clone, Debug)]
pub struct Toy {
    pub places: Vec<Place>,
    pub acyclic: bool,
    pub range: Option<(f64, f64)>,
    /// Whether a game ends with a win or a loss, by the sign of its number.
    pub ends: bool,
}

impl Game for Toy {
    type State = usize;
    type Move = usize;
    type Fault = Infallible;

    fn to_move(&self, &at: &usize) -> Result<ToMove, Infallible> {
        Ok(match self.places[at].mover {
            _ if self.places[at].children.is_empty() => ToMove::Over,
            Mover::Max => ToMove::Max,
            Mover::Min => ToMove::Min,
            Mover::Chance => ToMove::Chance,
        })
    }

    fn moves(&self, &at: &usize, moves: &mut Vec<usize>) -> Result<(), Infallible> {
        moves.extend(&self.places[at].children);
        Ok(())
    }

    fn chance_outcomes(&self, &at: &usize, moves: &mut Vec<usize>, weights: &mut Vec<u64>) -> Result<(), Infallible> {
        moves.extend(&self.places[at].children);
        weights.extend(&self.places[at].weights);
        Ok(())
    }

    fn apply(&self, _: &usize, &mv: &usize) -> Result<usize, Infallible> {
        Ok(mv)
    }

    fn facts(&self) -> GameFacts {
        GameFacts { has_chance: true, payoff_range: self.range, is_acyclic: self.acyclic, ..GameFacts::default() }
    }

    fn result(&self, &at: &usize) -> Result<Option<GameResult>, Infallible> {
        let number = self.places[at].number;
        Ok(self.ends.then(|| match number {
            number if number > 0.2 => GameResult::Won(Side::Max),
            number if number < -0.2 => GameResult::Won(Side::Min),
            _ => GameResult::Draw,
        }))
    }
}

pub struct Numbers;

impl Heuristic<Toy> for Numbers {
    fn evaluate(&self, toy: &Toy, &at: &usize) -> Result<f64, Infallible> {
        Ok(toy.places[at].number)
    }
}

/// The definition of the value.
pub fn value(toy: &Toy, at: usize, depth: u32, backup: &Backup, owner: Side) -> f64 {
    let place = &toy.places[at];
    if place.children.is_empty() {
        let (loss, win) = toy.range.unwrap_or((-1.0, 1.0));
        let Ok(ending) = toy.result(&at);
        return match ending {
            None => place.number,
            Some(GameResult::Won(Side::Max)) => win,
            Some(GameResult::Won(Side::Min)) => loss,
            Some(_) => 0.0,
        };
    }
    if depth == 0 {
        return place.number;
    }
    let below = |owner| place.children.iter().map(move |child| value(toy, *child, depth - 1, backup, owner));
    match place.mover {
        Mover::Max => below(Side::Max).reduce(f64::max).expect("there are children"),
        Mover::Min => below(Side::Min).reduce(f64::min).expect("there are children"),
        Mover::Chance => backup.of(&below(owner).collect::<Vec<_>>(), &place.weights, toy.range, owner),
    }
}

/// Numbers that are often equal, and some that are not.
pub fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        3 => (-4i32..=4).prop_map(|n| f64::from(n) / 4.0),
        1 => Just(1.0),
        1 => Just(-1.0),
        2 => -1.0..=1.0f64,
    ]
}

pub fn place(number_of: usize, at: usize, cyclic: bool) -> impl Strategy<Value = Place> {
    let mover = prop_oneof![Just(Mover::Max), Just(Mover::Min), Just(Mover::Chance)];
    let first = if cyclic { 0 } else { at + 1 };
    let children = match first < number_of {
        true => prop::collection::vec(first..number_of, 0..=4).boxed(),
        false => Just(Vec::new()).boxed(),
    };
    (mover, children, prop::collection::vec(1u64..=6, 4), number()).prop_map(
        |(mover, children, mut weights, number)| {
            weights.truncate(children.len());
            Place { mover, children, weights, number }
        },
    )
}

pub fn toy(cyclic: bool) -> impl Strategy<Value = Toy> {
    (2usize..40, any::<bool>(), any::<bool>()).prop_flat_map(move |(count, known, ends)| {
        let places: Vec<_> = (0..count).map(|at| place(count, at, cyclic)).collect();
        places.prop_map(move |places| Toy {
            places,
            acyclic: !cyclic,
            range: known.then_some((-1.0, 1.0)),
            ends: ends && known,
        })
    })
}

pub fn backups() -> impl Strategy<Value = Backup> {
    let rule = prop_oneof![
        Just(BackupRule::Expect),
        (-0.95..0.95f64).prop_map(|c| BackupRule::Risk(RiskFunction::Linear(c))),
        (-3.0..3.0f64).prop_map(|k| BackupRule::Risk(RiskFunction::Exp(k))),
        (-0.5..0.5f64).prop_map(|k| BackupRule::Risk(RiskFunction::Exp(k))),
        (-1.0..1.0f64, -2.0..2.0f64).prop_map(|(k0, k1)| BackupRule::Risk(RiskFunction::Dynamic(k0, k1))),
        prop::collection::vec(0.1..4.0f64, 3).prop_map(|masses| {
            BackupRule::Risk(RiskFunction::Table([-1.0, 0.0, 1.0].into_iter().zip(masses).collect()))
        }),
        (-4.0..4.0f64).prop_map(BackupRule::Entropic),
    ];
    (rule, prop_oneof![Just(RiskView::Owner), Just(RiskView::Max), Just(RiskView::Min)])
        .prop_map(|(rule, view)| Backup { rule, view })
}

/// The result of an algorithm; `bytes` is the size of its table.
pub fn found(toy: &Toy, algorithm: Algorithm, limits: &Limits<'_>, backup: &Backup, bytes: u64) -> (Option<f64>, bool) {
    let table = TranspositionTable::new(bytes).expect("there is room");
    let settings =
        SearchSettings { backup, table: algorithm.keeps_table().then_some(&table), ..SearchSettings::default() };
    let outcome = search_with(algorithm, toy, &Numbers, &0, limits, &settings).expect("the toy never faults");
    let number = outcome.value.map(|value| match value {
        Score::Value(number) => number,
        score => panic!("an average is a number, and no {score}"),
    });
    assert!(outcome.averaged);
    (number, outcome.exact)
}
