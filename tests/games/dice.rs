//! Tests that the shipped games with dice have their known values, and that random play has the values of its
//! definition.
//!
//! The input is `tests/data/dice.tsv`, published and computed numbers in the words of their sources. Other
//! numbers below come from our own programs in other languages, which were written from the rules of the
//! games and not from the files in games/.

use alphorn::game::{Game, Score};
use alphorn::lang::ProgramOptions;
use alphorn::rules::Expected;
use alphorn::rules::game::RuleGame;
use alphorn::rules::position::Position;
use alphorn::search::Algorithm;
use alphorn::search::limits::Limits;
use alphorn::search::result::SearchResult;
use alphorn::session::solve::SolveOptions;
use alphorn::session::{Budgets, GameStart, SearchOptions, Session};
use alphorn::solve::Method;
use alphorn::source::Source;
use std::collections::HashMap;

const FACTS: &str = include_str!("../data/dice.tsv");

struct Played {
    session: Session,
    game: RuleGame,
}

/// A shipped game with parameters, written `target=10 sides=6`.
fn open(name: &str, params: &str) -> Played {
    open_with(name, params, &[])
}

fn open_with(name: &str, params: &str, overlays: &[Source]) -> Played {
    let path = format!("{}/games/{name}.pl", env!("CARGO_MANIFEST_DIR"));
    read(Source::read(&path).unwrap_or_else(|error| panic!("{error}")), params, overlays)
}

fn read(source: Source, params: &str, overlays: &[Source]) -> Played {
    let name = source.name.clone();
    let pairs = params.split_whitespace().filter_map(|pair| pair.split_once('='));
    let options = ProgramOptions {
        settings: pairs.map(|(name, value)| (name.to_string(), value.to_string())).collect(),
        ..ProgramOptions::default()
    };
    let session =
        Session::open(&[source], overlays, &options, Expected::Game, Budgets::new(None, None), Default::default())
            .unwrap_or_else(|failure| panic!("{name} {params} does not load: {failure:?}"));
    let game = session.game().unwrap_or_else(|failure| panic!("{name} {params}: {failure:?}"));
    Played { session, game }
}

fn at(text: &str) -> GameStart {
    match text {
        "" => GameStart::default(),
        text => GameStart { at: Some(text.to_string()), ..GameStart::default() },
    }
}

impl Played {
    fn position(&self, start: &GameStart) -> Position {
        self.session.position(&self.game, start).unwrap_or_else(|failure| panic!("{start:?}: {failure:?}"))
    }

    /// The value, with an error of at most 1e-11.
    fn solved(&self, start: &GameStart) -> f64 {
        let limits = Limits::default();
        let asking = SolveOptions {
            method: Method::Auto,
            all: false,
            save: None,
            proof: None,
            accuracy: 1e-12,
            limits: &limits,
        };
        let found = self.session.solve(&self.game, start, &asking).unwrap_or_else(|failure| panic!("{failure:?}"));
        let (low, high) = found.interval.expect("a game with chance has an average");
        assert!(high - low < 1e-11, "between {low} and {high}");
        found.score.expect("it was not stopped").to_number()
    }

    fn searched(&self, start: &GameStart, how: &SearchOptions<'_>) -> SearchResult<String> {
        let state = self.position(start);
        let found = self.session.value(&self.game, &state, how, &Limits::default());
        found.unwrap_or_else(|failure| panic!("{failure:?}")).outcome
    }
}

#[track_caller]
fn near(found: f64, known: f64, what: &str) {
    assert!((found - known).abs() < 2e-10, "{what}: {found}, and {known} is known");
}

/// The rows of the table whose first field begins with this name.
fn facts(name: &str) -> Vec<Vec<&'static str>> {
    let rows = FACTS.lines().skip(1).map(|line| line.split('\t').collect::<Vec<_>>());
    let found: Vec<Vec<&str>> = rows.filter(|row| row[0].starts_with(name)).collect();
    assert!(!found.is_empty(), "there are no facts of {name}");
    found
}

/// The decimal number in a value such as `23/18 = 1.2777777778`.
fn decimal(text: &str) -> f64 {
    let word = text.split(['=', ';']).find_map(|part| part.trim().parse().ok());
    word.unwrap_or_else(|| panic!("{text} holds no number"))
}

#[test]
fn pig_and_piglet_have_the_published_values() {
    for (row, params) in [
        ("piglet goal 2", "sides=2 adds=one target=2"),
        ("piglet goal 3", "sides=2 adds=one target=3"),
        ("piglet goal 10", "sides=2 adds=one target=10"),
        ("pig goal 10", "target=10"),
        ("pig goal 50", "target=50"),
    ] {
        let played = open("pig", params);
        near(played.solved(&GameStart::default()), decimal(facts(row)[0][3]), row);
    }
    // The points of the player to move, the points of the other player, the turn total.
    let piglet = open("pig", "sides=2 adds=one target=2");
    let all = facts("piglet goal 2").into_iter().find(|row| row[2] == "all").expect("it is there")[3];
    for entry in all.split(' ') {
        let (place, value) = entry.split_once('=').expect("(i,j,k)=P");
        let numbers: Vec<&str> = place.trim_matches(['(', ')']).split(',').collect();
        let start = at(&format!("{} max", numbers.join(" ")));
        near(piglet.solved(&start), value.parse().expect("a number"), place);
    }
}

#[test]
fn pig_to_a_hundred_is_won_by_who_begins_with_0_5306() {
    let pig = open("pig", "");
    for row in facts("pig 100") {
        let start = if row[2] == "(99,99)" { at("99 99 0 max") } else { GameStart::default() };
        near(pig.solved(&start), decimal(row[3]), row[2]);
    }
}

#[test]
fn pig_is_rolled_up_to_a_turn_total_of_20() {
    // At the score 0 to 0, the best play is to roll at a turn total of 20, and to hold from 21 on.
    let pig = open("pig", "");
    let limits = Limits::default();
    for (text, best) in [("0 0 20 max", "roll"), ("0 0 21 max", "hold")] {
        let asking = SolveOptions {
            method: Method::Auto,
            all: false,
            save: None,
            proof: None,
            accuracy: 1e-12,
            limits: &limits,
        };
        let found = pig.session.solve(&pig.game, &at(text), &asking).unwrap_or_else(|failure| panic!("{failure:?}"));
        assert_eq!(found.line, [best], "{text}");
    }
}

#[test]
fn other_programs_find_the_same_values() {
    let known: &[(&str, &str, &str, f64)] = &[
        ("pig", "target=10", "3 7 0 min", 0.138475644699),
        ("pig", "target=10", "2 6 3 min", 0.116716306776),
        ("pig", "target=50", "25 25 15 max", 0.759114207718),
        ("pig", "target=50", "45 0 12 min", 0.806481243066),
        ("nannon", "", "", 0.0),
        ("nannon", "", "1 xx..oo 1 max roll", 0.139697565600),
        ("nannon", "", "1 xx..oo 1 max 6", 0.356570509565),
        ("nannon", "", "0 x.ox.o 0 min 5", -0.523243913752),
        ("nannon", "", "1 xxoo.. 0 max 2", -0.897290534987),
        ("einstein_wuerfelt_nicht", "", "...../.1.../..2.5/...../.d... max roll", 319.0 / 324.0),
        ("einstein_wuerfelt_nicht", "", "...../.1.../..2.5/...../.d... max 4", 107.0 / 108.0),
        ("einstein_wuerfelt_nicht", "", "...../.1.../..2.5/...../.d... min roll", 22.0 / 27.0),
        ("short_backgammon", "", "", 0.096297145557),
        ("short_backgammon", "", "6(2) / 6(2) black", -0.096297145557),
        ("short_backgammon", "", "6(2) / 6(2) white 3-1", -0.094005242502),
        ("short_backgammon", "", "6 3 / 6 5 white", 0.265882820172),
        ("short_backgammon", "", "5 1 / bar 3 black", -0.318248141418),
        ("short_backgammon", "", "bar(2) / 2 1 white", -0.185043697887),
        ("short_backgammon", "dice=1", "", 0.066693504472),
        ("short_backgammon", "doubles=2", "", 0.046199751479),
        ("short_backgammon", "points=4", "", -0.057308413291),
        ("short_backgammon", "men=3", "", 0.110098721735),
    ];
    for (name, params, text, value) in known {
        near(open(name, params).solved(&at(text)), *value, &format!("{name} {params} {text}"));
    }
}

/// A search to the end of the game finds the value that solving finds.
#[test]
fn searches_to_the_end_find_what_solving_finds() {
    let ewn = open("einstein_wuerfelt_nicht", "");
    let start = at("...../.1.../..2.5/...../.d... max roll");
    for algorithm in [Algorithm::Star1, Algorithm::Star2, Algorithm::Auto] {
        let found = ewn.searched(&start, &algorithm.into());
        assert!(found.exact && found.averaged);
        near(found.value.map_or(f64::NAN, Score::to_number), 319.0 / 324.0, algorithm.name());
    }
}

/// The positions of one player's men, as the table writes them: `(1, 6)`.
fn men(text: &str) -> String {
    let inner = text.trim().trim_start_matches('(').trim_end_matches(')');
    let points: Vec<&str> = inner.split(',').map(str::trim).filter(|point| !point.is_empty()).collect();
    // Several men on one point have a count: 1(3).
    let mut written: Vec<String> = points
        .chunk_by(|left, right| left == right)
        .map(|same| if same.len() == 1 { same[0].to_string() } else { format!("{}({})", same[0], same.len()) })
        .collect();
    written.reverse();
    written.join(" ")
}

#[test]
fn two_sided_bear_offs_have_the_known_chances() {
    let played = open("backgammon", "gammons=no");
    for row in facts("backgammon two-sided bear-off") {
        // "(1, 2, 3) on roll vs (6,)"
        let (ours, theirs) = row[2].split_once("on roll vs").expect("two sides");
        let start = at(&format!("{} / {} white", men(ours), men(theirs)));
        near((played.solved(&start) + 1.0) / 2.0, decimal(row[3]), row[2]);
    }
}

/// A game of one player, who wants to bear off in as few rolls as possible.
const SOLO: &str = "
initial(rolls(0, Board)) :- start_board(Board).
max_to_move(_).
terminal(off(_)).
value_range(-1000, 0).
static_eval(_, 0).
outcome(off(N), score(Value)) :- Value is -N.
chance(rolls(N, Board), Outcomes) :-
    two_dice(Rolls),
    outcomes(Rolls, thrown(N, Board), Outcomes).
thrown(N, Board, roll(High, Low), dice(N, High, Low, Board)).
move(dice(N, High, Low, Board), Label, Next) :-
    points(25, 1, Board, Points),
    plays(High, Low, Points, 1, Board, Plays),
    N1 is N + 1,
    member(Board1-Label, Plays),
    (   points(25, 1, Board1, [])
    ->  Next = off(N1)
    ;   Next = rolls(N1, Board1)
    ).
read_position(Text, rolls(0, Board)) :-
    atomic_list_concat(Words, ' ', Text),
    maplist(men_of, Words, Men),
    men_board(24, Men, [], Board).
men_of(Word, Point-Count) :-
    (   atomic_list_concat([Name, Rest], '(', Word)
    ->  atomic_list_concat([Number, ''], ')', Rest),
        atom_number(Number, Count)
    ;   Name = Word,
        Count = 1
    ),
    atom_number(Name, Point).
write_position(rolls(_, Board), Text) :- term_to_atom(Board, Text).
show(_, []).
shown_move(_, Label, Text) :- term_to_atom(Label, Text).
";

#[test]
fn one_sided_bear_offs_take_the_known_number_of_rolls() {
    let played = open_with("backgammon", "", &[Source::typed("solo.pl", SOLO)]);
    for row in facts("backgammon one-sided bear-off") {
        near(-played.solved(&at(&men(row[2]))), decimal(row[3]), row[2]);
    }
}

#[test]
fn so_many_rolls_bear_all_men_off_at_once() {
    let played = open_with("backgammon", "", &[Source::typed("solo.pl", SOLO)]);
    for row in facts("backgammon bear-off in one roll") {
        let start = played.position(&at(&men(row[2])));
        let (mut rolls, mut weights) = (Vec::new(), Vec::new());
        played.game.chance_outcomes(&start, &mut rolls, &mut weights).expect("the rules are sound");
        let mut off = 0;
        for (roll, weight) in rolls.iter().zip(weights) {
            let mut moves = Vec::new();
            played.game.moves(&roll.next, &mut moves).expect("the rules are sound");
            let all_off = |next: &Position| played.game.is_terminal(next).expect("the rules are sound");
            off += if moves.iter().any(|mv| all_off(&mv.next)) { weight } else { 0 };
        }
        assert_eq!(off.to_string(), row[3], "{}", row[2]);
    }
}

#[test]
fn every_roll_from_the_start_has_the_known_number_of_plays() {
    let played = open("backgammon", "");
    let start = "24(2) 13(5) 8(3) 6(5) / 24(2) 13(5) 8(3) 6(5) white";
    let plays = |roll: &str| {
        let state = played.position(&at(&format!("{start} {roll}")));
        played.session.moves(&played.game, &state).unwrap_or_else(|failure| panic!("{failure:?}")).len() as u64
    };
    let mut counted = HashMap::new();
    for high in 1..=6 {
        for low in 1..=high {
            let roll = format!("{high}-{low}");
            let count = plays(&roll);
            counted.insert(roll, count);
        }
    }
    let rows: Vec<Vec<&str>> = FACTS.lines().map(|line| line.split('\t').collect::<Vec<_>>()).collect();
    let mut checked = 0;
    for row in rows.iter().filter(|row| row[0] == "backgammon") {
        let known: u64 = row[3].parse().expect("a number");
        let found = match row[1] {
            "sum of distinct positions over the 21 rolls" => counted.values().sum(),
            "sum over the 15 non-double rolls" => {
                counted.iter().filter(|(roll, _)| roll[..1] != roll[2..]).map(|(_, count)| count).sum()
            }
            _ => counted[row[2]],
        };
        assert_eq!(found, known, "{} {}", row[1], row[2]);
        checked += 1;
    }
    assert!(checked >= 17, "only {checked} rows of the facts are about plays");
}

/// Small games, or positions near the end, of every kind: with labels or without, with dice or without, with
/// cycles or without.
const SMALL: &[(&str, &str, &str)] = &[
    ("tictactoe", "", ""),
    ("nim", "", ""),
    ("hexapawn", "", ""),
    ("bratko", "", ""),
    ("pi_tree", "", ""),
    ("dots_and_boxes", "columns=2 rows=1", ""),
    ("domineering", "rows=3 columns=3", ""),
    ("kalah", "houses=2 seeds=2", ""),
    ("pig", "target=3", ""),
    ("pig", "sides=2 adds=one target=3", ""),
    ("einstein_wuerfelt_nicht", "", "...../.1.../..2.5/...../.d... max roll"),
    ("short_backgammon", "points=4 men=1 dice=1", ""),
    ("backgammon", "gammons=no", "1 / 1 white"),
];

/// Playouts agree with the definition of random play within four standard errors.
#[test]
fn playouts_agree_with_the_exact_value_of_random_play() {
    for (name, params, text) in SMALL {
        let played = open(name, params);
        let exact = played.searched(&at(text), &Algorithm::Expected.into());
        let exact = exact.value.unwrap_or_else(|| panic!("{name} {params} has an end")).to_number();
        let how = SearchOptions { games: 4_000, seed: Some(7), ..Algorithm::Playouts.into() };
        let found = played.searched(&at(text), &how);
        let sample = found.sample.expect("games were played");
        let mean = found.value.expect("games were played").to_number();
        let spread = sample.spread.expect("each game is played by itself");
        let error = spread.standard_error.max(1e-9);
        assert_eq!((sample.games, spread.unfinished), (4_000, 0), "{name} {params}");
        assert!((mean - exact).abs() <= 4.0 * error, "{name} {params}: {mean} and not {exact}, error {error}");
        assert!(spread.low <= mean && mean <= spread.high);
    }
}

/// A seed gives the same games with any number of threads; another seed gives other games.
#[test]
fn playouts_are_the_same_for_every_number_of_threads() {
    for (name, params) in [("tictactoe", ""), ("pig", "target=20"), ("short_backgammon", "")] {
        let played = open(name, params);
        let found = |threads, seed| {
            let how = SearchOptions { games: 1_000, seed: Some(seed), threads, ..Algorithm::Playouts.into() };
            let found = played.searched(&GameStart::default(), &how);
            (found.value, found.sample, found.best, found.nodes)
        };
        assert_eq!(found(1, 1), found(2, 1), "{name}");
        assert_eq!(found(1, 1), found(3, 1), "{name}");
        assert_ne!(found(1, 1), found(1, 2), "{name}");
    }
}

/// If the best move is known, Monte Carlo tree search finds it.
#[test]
fn a_growing_tree_finds_the_solved_move() {
    let cases: &[(&str, &str, &str)] = &[
        ("nim", "", ""),
        ("hexapawn", "", ""),
        ("kalah", "houses=2 seeds=2", ""),
        ("domineering", "rows=4 columns=4", ""),
        ("pig", "target=10", "5 5 2 max"),
        ("short_backgammon", "", "4 2 / 4 2 white 3-2"),
        ("einstein_wuerfelt_nicht", "", "...../.1.../..2.5/...../.d... max 4"),
        ("nannon", "", "1 xx..oo 1 max 4"),
    ];
    for (name, params, text) in cases {
        let played = open(name, params);
        let start = at(text);
        let state = played.position(&start);
        let mut moves = Vec::new();
        played.game.moves(&state, &mut moves).expect("the rules are sound");
        let max =
            played.game.to_move(&state).ok().and_then(alphorn::game::ToMove::side) == Some(alphorn::game::Side::Max);
        // The value of each move, from solving the position after it.
        let worth = |label: &str| {
            let moves = GameStart { moves: Some(label.to_string()), ..start.clone() };
            if played.game.facts().has_chance {
                return played.solved(&moves);
            }
            let after = played.searched(&moves, &Algorithm::AlphaBeta.into());
            after.value.map_or(f64::NAN, |value| value.to_number().signum())
        };
        let labels: Vec<String> = moves
            .iter()
            .map(|mv| played.session.label(&played.game, &state, mv).unwrap_or_else(|failure| panic!("{failure:?}")))
            .collect();
        let values: Vec<f64> = labels.iter().map(|label| worth(label)).collect();
        let best = values.iter().copied().fold(f64::NAN, if max { f64::max } else { f64::min });
        let how = SearchOptions { games: 20_000, ..Algorithm::Mcts.into() };
        let chosen = played.searched(&start, &how).best.unwrap_or_else(|| panic!("{name} has a move"));
        let at = labels.iter().position(|label| *label == chosen).unwrap_or_else(|| panic!("{chosen} is no move"));
        assert!((values[at] - best).abs() < 1e-9, "{name} {params}: {chosen} is worth {}, not {best}", values[at]);
    }
}

/// Monte Carlo tree search calls a value exact only if the value is proved.
#[test]
fn a_growing_tree_proves_what_it_calls_exact() {
    for (name, params, value) in
        [("nim", "", None), ("hexapawn", "", Some(-1.0)), ("domineering", "rows=3 columns=3", None)]
    {
        let played = open(name, params);
        let truth = played.searched(&GameStart::default(), &Algorithm::AlphaBeta.into());
        let truth = truth.value.expect("it ends").to_number().signum();
        let how = SearchOptions { games: 100_000, ..Algorithm::Mcts.into() };
        let found = played.searched(&GameStart::default(), &how);
        assert!(found.exact, "{name} is small enough to be proved");
        assert_eq!(found.value.map(|value| value.to_number().signum()), Some(truth), "{name}");
        assert!(value.is_none_or(|value: f64| value == truth));
    }
}

/// Wrong outcomes of `chance/2` are reported, and soon.
#[test]
fn wrong_outcomes_are_told() {
    let told = |clause: &str| {
        let text = format!(
            "initial(r). max_to_move(_). move(r, go, c). terminal(a). outcome(a, win(max)). static_eval(_, 0). {clause}"
        );
        let source = Source::typed("wrong.pl", &text);
        let budgets = Budgets::new(None, None);
        let session =
            Session::open(&[source], &[], &ProgramOptions::default(), Expected::Game, budgets, Default::default())
                .expect(clause);
        let game = session.game().expect(clause);
        let state = session.position(&game, &GameStart::default()).expect(clause);
        match session.value(&game, &state, &Algorithm::Auto.into(), &Limits::to_depth(3)) {
            Err(alphorn::session::Failure::Problem(problem, _)) => (problem.code, problem.message),
            other => panic!("{clause}: {other:?}"),
        }
    };
    for (clause, what) in [
        ("chance(c, L) :- L = [1-a|L].", "a list that does not end"),
        ("chance(c, _).", "an unbound variable"),
        ("chance(c, []).", "something that is not a list with elements"),
        ("chance(c, [a]).", "not Weight-Next"),
        ("chance(c, [0-a]).", "a weight that is not a whole number of 1 or more"),
        ("chance(c, [-1-a]).", "a weight that is not a whole number of 1 or more"),
        ("chance(c, [0.5-a]).", "a weight that is not a whole number of 1 or more"),
        ("chance(c, [_-a]).", "a weight that is not a whole number of 1 or more"),
        ("chance(c, [9007199254740991-a, 1-a]).", "add up to 2^53"),
        // Each of these weights is an integer of 1 or more.
        ("chance(c, [9007199254740992-a]).", "add up to 2^53"),
        ("chance(c, [1-a, 9223372036854775807-a]).", "add up to 2^53"),
        ("chance(c, [1-a, 100000000000000000000000000000-a, 1-a]).", "add up to 2^53"),
        ("chance(c, [-100000000000000000000000000000-a]).", "a weight that is not a whole number of 1 or more"),
    ] {
        let (code, message) = told(clause);
        assert_eq!(code, "A0619", "{clause}: {message}");
        assert!(message.contains(what), "{clause}: {message}");
    }
    assert_eq!(told("chance(c, [1-f(_)]).").0, "A0605");
}

/// Regression test: here endless play counts 0 and the outcome win(min) counts 1, so MIN prefers endless
/// play. Monte Carlo tree search called the win exact.
#[test]
fn a_win_was_better_than_every_number_where_there_is_chance() {
    let rules = "initial(c). max_to_move(z). chance(c, [1-a, 1-w]). move(a, stay, a). move(a, go, b).
        terminal(w). terminal(b). outcome(w, win(min)). outcome(b, win(min)). value_range(1, 3).";
    let played = read(Source::typed("cyclic.pl", rules), "", &[]);
    for games in [4, 100, 2000] {
        let found = played.searched(&GameStart::default(), &SearchOptions { games, ..Algorithm::Mcts.into() });
        assert!(!found.exact, "{games} games call {:?} exact, and it is 0.5", found.value);
    }
    assert!((played.solved(&GameStart::default()) - 0.5).abs() < 1e-9);
}
