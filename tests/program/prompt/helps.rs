//! Tests the messages of the prompt about slips; they suggest commands with a colon, not shell commands.

use super::{Folder, OTHELLO, TICTACTOE, piped};

/// A game of two heaps with labels take(Heap, Number).
const NIM: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/games/nim.pl");

#[test]
fn what_was_typed_is_refused_in_the_words_of_the_prompt() {
    let folder = Folder::new("helps");
    for (line, told) in [
        (":go 1 1", "1 is one argument too many for :go"),
        (":go --dept 2", "--dept is not an option of :go"),
        (":go --dept 2", "did you mean --depth?"),
        (":go --dept 2", "type :go [OPTIONS]"),
        (":pv --dept 2", "type :pv [DEPTH] [OPTIONS]"),
        (":value -3", "-3 is negative, and :value takes no negative number"),
        (":value --depth x", "--depth is a number of plies, 0 or more, not x"),
        // Regression test: the whole help page of the shell command stood in one message.
        (":lab", ":lab needs a word that says what to run"),
        (":lab", "the words are pi, bratko, critical"),
        (":lab", "type :lab WHAT [OPTIONS]"),
        (":lab foo", ":lab has no foo"),
        (":play max --depth 1", "set the search options first: :set depth 3"),
    ] {
        let (_, err, _) = piped(&folder, &[OTHELLO], &format!("{line}\n"));
        assert!(err.contains(told), "{line}: {err}");
        for word in ["tip:", "invalid digit", "'-- -3'", "unexpected argument", "Commands:", "Repeat classic"] {
            assert!(!err.contains(word), "{line}: {err}");
        }
    }
}

#[test]
fn the_beginning_of_several_moves_is_no_predicate_to_be_defined() {
    let folder = Folder::new("beginning");
    let chess = folder.file(
        "fork.pl",
        "initial(s).\nmax_to_move(s).\nno_moves(draw).\nmove(s, 'b1-a3', t).\nmove(s, 'b1-c3', t).\nmin_to_move(t).\n",
    );
    let (_, err, _) = piped(&folder, &[&chess], "b1.\n:move b1\n");
    assert!(err.contains("b1 is the beginning of 2 moves: :move 'b1-a3', :move 'b1-c3'"), "{err}");
    assert!(err.contains("b1 is the beginning of 2 moves\n") && !err.contains("define it"), "{err}");
}

#[test]
fn a_position_of_another_shape_is_told_at_the_prompt_too() {
    let folder = Folder::new("position");
    let (_, err, _) = piped(&folder, &[TICTACTOE], ":position u(x, foo, any)\n");
    assert!(err.contains("A0311"), "{err}");
    let rules = "initial(p(1)).\nmax_to_move(_).\nterminal(p(0)).\nmove(p(2), go, p(0)).\nmove(p(1), go, p(0)).\n\
                 static_eval(_, 0).\n";
    let game = folder.file("few.pl", rules);
    let (_, err, _) = piped(&folder, &[&game], ":position p(7)\n");
    assert!(err.contains(":whynot move(p(7), M, N) shows") && !err.contains("alphorn whynot"), "{err}");
}

/// Regression test: `:undo` left the program to move, so the next typed move was made for the program.
#[test]
fn undo_goes_back_to_the_turn_of_whoever_plays() {
    let folder = Folder::new("undo");
    let script = ":set depth 1\n:set threads 1\n:play max\ntake(1,1)\n:undo\n:history\n:undo\n:new\n:play min\n:undo\n";
    let (out, err, _) = piped(&folder, &[NIM], script);
    assert!(out.contains("no moves yet"), "{out}{err}");
    assert!(err.contains("no move has been made"), "{out}{err}");
    let after = out.rsplit("no moves yet").next().unwrap_or_default();
    assert!(after.contains("MIN to move"), "{after}");
}

/// Regression test: `:move` gave no reason if the goal that fails was tried more than once.
#[test]
fn an_illegal_move_is_explained_after_up_to_four_attempts() {
    let folder = Folder::new("attempts");
    for (steps, told) in [("1", "1+1 is 2, not 9\n"), ("1, 2, 3, 4", "in one of 4 attempts"), ("1, 2, 3, 4, 5", "")] {
        let rules = format!(
            "initial(at(1)).\nmax_to_move(_).\nmove(at(X), go(Y), at(Y)) :- member(S, [{steps}]), Y is X + S, Y =< 12.\n\
             static_eval(at(X), X).\nacyclic.\n"
        );
        let game = folder.file("walk.pl", &rules);
        let (_, err, _) = piped(&folder, &[&game], ":move go(9)\n");
        assert!(err.contains("go(9) is not a legal move") && err.contains(told), "{steps}: {err}");
        assert_eq!(err.contains("9 is 1+1 fails"), !told.is_empty(), "{steps}: {err}");
    }
}
