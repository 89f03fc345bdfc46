//! Tests chess and its endgames.

use super::played::open;
use super::{ALL_POSITIONS, Row, TOO_LONG, number, reference};
use alphorn::session::GameStart;
use alphorn::solve::Method;

#[test]
fn chess() {
    let chess = open("chess", "-");
    let checked = reference(
        |name| name == "chess",
        |row| {
            let fen = row[1].split_once(": ").map(|(_, fen)| fen.trim_end_matches(')')).expect("perft (name: FEN)");
            let depth = row[2].parse().expect("a depth");
            match row[3].parse::<u64>() {
                Ok(paths) if paths <= 50_000 => {
                    Row::Found(chess.perft(&chess.fen(fen), depth)[depth as usize - 1].to_string())
                }
                _ => Row::Left(TOO_LONG),
            }
        },
    );
    assert_eq!(checked, 13);
}

#[test]
fn king_and_rook() {
    let krk = open("krk", "-");
    let checked = reference(
        |name| name == "chess",
        |row| match (row[1].strip_prefix("perft (krk: "), row[2]) {
            (None, _) => Row::Left("more men than a king and a rook against a king"),
            (_, "5") => {
                Row::Left("krk.pl ends a game when Black takes the rook, chess plays on: 246,037 paths, not 246,330")
            }
            (Some(fen), depth) => Row::Found(
                krk.perft(&krk.fen(fen.trim_end_matches(')')), number(depth) as u32)[number(depth) - 1].to_string(),
            ),
        },
    );
    assert_eq!(checked, 4);
    let all = |also: &str| krk.count(&format!("aggregate_all(count, ( position(P), {also} ), N)"));
    // White's king is in the triangle a1, d1, d4. On its diagonal, the lesser of two reflections counts.
    let classes = |also: &str| {
        krk.count(&format!(
            "aggregate_all(count, ( member(X-Y, [1-1, 2-1, 3-1, 4-1, 2-2, 3-2, 4-2, 3-3, 4-3, 4-4]),
                 P = krk(b, s(X, Y), s(A, B), s(C, D)), position(P),
                 ( X =:= Y -> [A, B, C, D] @=< [B, A, D, C] ; true ), {also} ), N)"
        ))
    };
    let checked = reference(
        |name| name == "chess KRK",
        |row| {
            Row::Found(match (row[1], row[2]) {
                (quantity, "0") if quantity.contains("mated in n moves") => classes("mate(P)"),
                ("black to move, total up to symmetry", _) => classes("true"),
                (_, summary) if summary.starts_with("piece R legal") => format!(
                    "piece R legal wtm {} btm {} checkmates(btm) {} stalemates(btm) {}",
                    all("P = krk(w, _, _, _)"),
                    all("P = krk(b, _, _, _)"),
                    all("mate(P)"),
                    all("stalemate(P)")
                ),
                _ => return Row::Left(ALL_POSITIONS),
            })
        },
    );
    assert_eq!(checked, 3);
}

#[test]
fn king_and_pawn() {
    let kpk = open("kpk", "-");
    let all = |side: &str| kpk.count(&format!("aggregate_all(count, position(kpk({side}, _, _, _)), N)"));
    assert_eq!([all("w"), all("b")], ["163328", "168024"]);
    let checked = reference(
        |name| name == "chess KPK",
        |_| {
            let [white, black] =
                kpk.solved(&GameStart::default(), Method::Retrograde, true).all.expect("asked for all");
            assert_eq!((white.min, black.min), (0, 0), "Black never wins");
            Row::Found(format!(
                "wtm legal {} win {} draw {} ; btm legal {} white-wins {} draw {} ; total legal {} win {}",
                white.positions,
                white.max,
                white.draw,
                black.positions,
                black.max,
                black.draw,
                white.positions + black.positions,
                white.max + black.max
            ))
        },
    );
    assert_eq!(checked, 1);
}
