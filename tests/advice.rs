//! The advice that comes with games, put to the proof.
//!
//! In: games with a table. Out: what `prove` finds of every position, held to golden numbers; and
//! the 48 lines on which the textbook's table for king and rook stalemates, played again.

use alphorn::advice::prove::{Aim, Failing};
use alphorn::lang::Options;
use alphorn::rules::Expected;
use alphorn::session::advice::{Trial, Tried};
use alphorn::session::query::Asking;
use alphorn::session::{Budgets, Session, Start};
use alphorn::source::Source;
use std::sync::{Mutex, PoisonError};

fn open(name: &str) -> Session {
    let game = Source::read(&format!("{}/games/{name}.pl", env!("CARGO_MANIFEST_DIR"))).expect("the game is there");
    let budgets = Budgets::new(None, None);
    Session::open(&[game], &[], &Options::default(), Expected::Game, budgets, Default::default())
        .unwrap_or_else(|failure| panic!("{name} does not load: {failure:?}"))
}

/// One proof at a time: each has all cores.
static PROOF: Mutex<()> = Mutex::new(());

fn proved(session: &Session) -> Tried {
    let _alone = PROOF.lock().unwrap_or_else(PoisonError::into_inner);
    let trial = Trial {
        side: None,
        aim: Aim::Win,
        most: 100_000,
        counterexamples: 100,
        threads: std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
        progress: &|_| {},
    };
    session.prove(&Start::default(), &trial).unwrap_or_else(|failure| panic!("{failure:?}"))
}

/// In how many positions each piece of advice is followed.
fn followed(tried: &Tried) -> Vec<(&str, u64)> {
    tried.by_advice.iter().map(|(name, count)| (name.as_str(), *count)).collect()
}

/// The mean to six digits.
fn mean(tried: &Tried) -> String {
    format!("{:.6}", tried.mean.expect("some lines reach the aim"))
}

#[test]
fn king_and_rook_mate_from_every_position() {
    let tried = proved(&open("krk"));
    assert_eq!((tried.positions, tried.aim, tried.failures.len()), (175_168, 175_168, 0));
    assert_eq!(tried.longest, Some((34, "8/8/8/8/3R4/2k5/8/K7 w - - 0 1".into())));
    assert_eq!(mean(&tried), "19.730550");
    let advice = [
        ("squeeze", 116_504),
        ("divide(2)", 32_948),
        ("approach", 16_180),
        ("mate(2)", 6_188),
        ("keep_room", 3_344),
        ("divide(3)", 4),
    ];
    assert_eq!(followed(&tried), advice);
}

#[test]
fn the_advice_of_the_textbook_stalemates() {
    let session = open("krk_bratko");
    let tried = proved(&session);
    assert_eq!((tried.positions, tried.aim), (175_168, 175_120));
    assert_eq!(tried.failures, [(Failing::Drawn, 48)]);
    assert_eq!(tried.longest.as_ref().map(|(moves, _)| *moves), Some(34));
    assert_eq!(mean(&tried), "19.732572");
    assert_eq!(tried.counterexamples.len(), 48);
    let game = session.game().expect("the game can be played");
    for missed in &tried.counterexamples {
        let start = Start { at: Some(missed.from.clone()), moves: Some(missed.moves.join(" ")), ..Start::default() };
        let end = session.position(&game, &start).expect("its moves can be played");
        let said = session.position_text(&game, &end).expect("it can be written");
        assert_eq!(said, missed.to, "{missed:?}");
        let goal = format!("read_position('{said}', P), stalemate(P)");
        let asking = Asking { limit: 1, canonical: false, keep: true };
        let found = session.query(&goal, asking, None, &mut |_, _| {}).expect("the goal is one");
        assert_eq!(found.answers.len(), 1, "{missed:?}");
    }
    let at_once = tried.counterexamples.iter().filter(|missed| missed.moves.len() == 1);
    assert_eq!(at_once.filter(|missed| missed.advice.as_deref() == Some("keep_room")).count(), 40);
}

#[test]
fn king_and_queen_mate_from_every_position() {
    let tried = proved(&open("kqk"));
    assert_eq!((tried.positions, tried.aim, tried.failures.len()), (144_508, 144_508, 0));
    assert_eq!(tried.longest.as_ref().map(|(moves, _)| *moves), Some(23));
    assert_eq!(mean(&tried), "10.688294");
    let advice = [
        ("halve", 104_084),
        ("squeeze(1)", 28_940),
        ("mate(2)", 5_012),
        ("approach(1)", 3_600),
        ("mate(1)", 2_448),
        ("squeeze(2)", 360),
        ("squeeze(3)", 40),
        ("approach(2)", 16),
        ("release", 8),
    ];
    assert_eq!(followed(&tried), advice);
}
