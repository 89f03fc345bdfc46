//! Tests the horizon effect: positions beyond the horizon deceive a search to a fixed depth, but not
//! quiescence search.
//!
//! Each position is searched twice with the same rules: unchanged, and with an overlay that calls every
//! position quiet. A deeper search without quiescence search gives the true value.

use alphorn::lang::ProgramOptions;
use alphorn::rules::Expected;
use alphorn::search::Algorithm;
use alphorn::search::limits::Limits;
use alphorn::session::{Budgets, GameStart, Session};
use alphorn::source::Source;

#[derive(Clone, Copy)]
enum Horizon {
    /// The evaluation at the horizon is used unchanged.
    Plain,
    /// Positions that the rules do not call quiet are searched further.
    Quiescent,
}
use Horizon::{Plain, Quiescent};

/// The value of a position and its best move, by a search to `depth` plies.
fn found(name: &str, start: &GameStart, horizon: Horizon, depth: u32) -> (f64, String) {
    let game = Source::read(&format!("{}/games/{name}.pl", env!("CARGO_MANIFEST_DIR"))).expect("the game is there");
    let overlay = match horizon {
        Plain => vec![Source::typed("still.pl", "quiet(_).")],
        Quiescent => Vec::new(),
    };
    let budgets = Budgets::new(None, None);
    let session =
        Session::open(&[game], &overlay, &ProgramOptions::default(), Expected::Game, budgets, Default::default())
            .expect("the game loads");
    let game = session.game().expect("the game can be played");
    let state = session.position(&game, start).expect("the position is there");
    let found =
        session.value(&game, &state, &Algorithm::Auto.into(), &Limits::to_depth(depth)).expect("it is searched");
    let value = found.outcome.value.expect("nothing stops it");
    (value.to_number(), found.outcome.best.expect("there is a move"))
}

fn opening(number: usize) -> GameStart {
    GameStart { opening: Some(number), ..GameStart::default() }
}

fn at(fen: &str) -> GameStart {
    GameStart { at: Some(fen.to_string()), ..GameStart::default() }
}

#[test]
fn a_queen_takes_a_defended_pawn() {
    let first = opening(1);
    assert_eq!(found("horizon", &first, Plain, 1), (1.0, "take".into()));
    assert_eq!(found("horizon", &first, Quiescent, 1), (0.0, "leave".into()));
    assert_eq!(found("horizon", &first, Plain, 3), (0.0, "leave".into()));
    // The same trap on a whole board: after Qxd6 the queen is lost.
    let board = at("4k3/2p5/3p4/8/8/3Q4/8/4K3 w - - 0 1");
    let (deceived, wrong) = found("chess", &board, Plain, 1);
    let (value, best) = found("chess", &board, Quiescent, 1);
    let (truth, _) = found("chess", &board, Plain, 4);
    assert_eq!(wrong, "d3d6");
    assert_ne!(best, wrong);
    assert!(deceived > truth + 50.0 && (value - truth).abs() < 50.0, "{deceived}, {value}, {truth}");
}

/// A search to an odd depth ends after White's captures, a search to an even depth after Black's.
#[test]
fn the_value_of_an_exchange_goes_up_and_down_with_the_depth() {
    let values = |opening_number, horizon| {
        [1, 2, 3, 4, 5].map(|depth| found("horizon", &opening(opening_number), horizon, depth).0)
    };
    assert_eq!(values(2, Plain), [1.0, 0.0, 1.0, 0.0, 0.0]);
    assert_eq!(values(2, Quiescent), [0.0; 5]);
    // Here the pawn can be taken, and Black's last capture deceives the search.
    assert_eq!(values(3, Plain), [1.0, 0.0, 1.0, 1.0, 1.0]);
    assert_eq!(values(3, Quiescent), [1.0; 5]);
}

/// The knight in the corner is lost. A search of three plies does not see the loss: a pawn sacrifice pushes
/// the loss beyond the horizon. Then both are lost. After Hans Berliner, 1973.
#[test]
fn a_sacrifice_pushes_a_loss_over_the_horizon() {
    let board = at("N7/pk6/5b2/8/6P1/8/8/6K1 w - - 0 1");
    let (deceived, wrong) = found("chess", &board, Plain, 3);
    let (value, best) = found("chess", &board, Quiescent, 3);
    let (truth, right) = found("chess", &board, Plain, 5);
    assert_eq!(wrong, "g4g5");
    assert_eq!((best.as_str(), right.as_str()), ("g1f2", "g1f2"));
    assert!(deceived > truth + 100.0 && (value - truth).abs() < 50.0, "{deceived}, {value}, {truth}");
}
