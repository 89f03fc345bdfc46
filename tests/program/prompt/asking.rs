//! Tests commands, settings and help of the prompt: what the prompt accepts, and its messages otherwise.

use super::{Folder, OTHELLO, TICTACTOE, piped};

/// The output of a script, on both streams.
fn said(folder: &Folder, arguments: &[&str], script: &str) -> String {
    let (out, err, _) = piped(folder, arguments, script);
    out + &err
}

#[test]
fn a_setting_stands_in_nobodys_way() {
    let folder = Folder::new("way");
    let script = ":set depth 2\n:set threads 1\n\
        :profile --goal 'member(X, [a])'\n:profile --playouts 3\n:profile --all --depth 1\n\
        :why line(P, [x,x,x, e,e,e, e,e,e])\n:trace line(P, [x,x,x, e,e,e, e,e,e])\n:stats --games 5\n:value\n";
    let (out, err, status) = piped(&folder, &[TICTACTOE], script);
    assert_eq!((err.as_str(), status), ("", Some(0)), "{out}");
    assert!(out.contains("depth  2"), "{out}");
}

#[test]
fn a_setting_says_what_it_is() {
    let folder = Folder::new("what");
    let script =
        ":set depth 4\n:set nodes=5\n:set depth many\n:set algorithm minmax\n:set top 3\n:unset depth\n:set depth\n";
    let (out, err, _) = piped(&folder, &[TICTACTOE], script);
    assert_eq!(out, "depth 4\nnodes 5\ndepth is not set\n");
    assert!(err.contains("depth is a number of plies, 0 or more, not many"), "{err}");
    assert!(err.contains("did you mean minimax?") && err.contains("there is no setting top"), "{err}");
    let (out, _, _) = piped(&folder, &[], ":set\n:help\n");
    for line in out.lines() {
        assert!(line.chars().count() < 80, "{line}");
        assert!(!line.ends_with("..."), "{line}");
    }
}

#[test]
fn the_usual_time_is_not_what_was_set() {
    let folder = Folder::new("time");
    let (out, _, _) = piped(&folder, &[TICTACTOE], ":set time\n:set nodes 9\n:set time\n:set time 5\n:set time\n");
    assert_eq!(out, "time 5\nnodes 9\ntime is not set\ntime 5\ntime 5\n");
}

#[test]
fn budgets_hold_for_goals() {
    let folder = Folder::new("budgets");
    assert!(said(&folder, &[], ":set steps 1000\nrepeat, fail.\n").contains("more than 1,000 steps"));
    let limited = said(&folder, &[], ":set memory 8M\nX = 1.\nnumlist(1, 10000000, L), length(L, N).\n");
    assert!(limited.contains("X = 1") && limited.contains("A0602"), "{limited}");
}

#[test]
fn a_parameter_is_set_with_or_without_a_sign() {
    let folder = Folder::new("sign");
    let said = said(&folder, &[OTHELLO], ":param size 4\n:param size=6\n:param\n");
    assert!(said.contains("   a b c d\n") && said.contains("   a b c d e f\n") && said.contains("size=6"), "{said}");
}

#[test]
fn habits_find_their_way() {
    let folder = Folder::new("habits");
    for (typed, help) in [
        ("help.", "did you mean :help?"),
        ("?", "did you mean :help?"),
        ("listing(place).", "did you mean :listing place?"),
        ("[othello].", "did you mean :load othello.pl?"),
        ("consult('games/nim.pl').", "did you mean :load games/nim.pl?"),
        ("load games/nim.pl", "did you mean :load games/nim.pl?"),
        ("trace.", "did you mean :trace GOAL?"),
        ("make.", "did you mean :reload?"),
        ("time(true).", "did you mean :profile --goal 'true'?"),
        ("foo :- bar.", "did you mean :rule foo :- bar.?"),
        ("assertz(foo(1)).", "did you mean :rule foo(1).?"),
        ("assertz((foo(X) :- bar(X))).", "did you mean :rule foo(X) :- bar(X).?"),
        (":- use_module(library(lists)).", "a directive belongs in the file"),
        ("moves", "did you mean :moves?"),
        ("d3", "did you mean :move d3?"),
    ] {
        let said = said(&folder, &[OTHELLO], &format!("{typed}\n"));
        assert!(said.contains(help), "{typed}: {said}");
        assert_eq!(said.matches("  × ").count() + said.matches("  x ").count(), 1, "one message: {said}");
        assert!(!said.contains("A0201") && !said.contains("A0203"), "one message: {said}");
    }
    // A predicate defined by the user is not taken for a command of another Prolog system.
    let file = folder.file("own.pl", "help :- no_such_thing.\n");
    assert!(!said(&folder, &[&file], "help.\n").contains(":help"));
}

#[test]
fn nothing_loaded_is_told_in_one_message() {
    let folder = Folder::new("nothing");
    for order in [":show", ":value", ":moves", ":go", ":tree", ":move d3"] {
        let (_, err, _) = piped(&folder, &[], &format!("{order}\n"));
        assert!(err.contains("no game is loaded") && err.contains(":load FILE"), "{order}: {err}");
        assert_eq!(err.matches("A0").count(), 1, "{order}: {err}");
    }
    let (_, err, _) = piped(&folder, &[TICTACTOE], ":load nothing.pl\n");
    assert!(err.contains("still loaded: "), "{err}");
}

#[test]
fn options_are_told_from_files() {
    let folder = Folder::new("told");
    let (out, err, status) = piped(&folder, &[TICTACTOE], ":check --playouts 5\n:explain 5 --depth 1\n:test\n");
    assert_eq!(status, Some(0), "{out}{err}");
    assert!(out.contains("no problems"), "{out}");
}

#[test]
fn a_trace_takes_a_goal() {
    let folder = Folder::new("trace");
    let (out, err, _) = piped(&folder, &[TICTACTOE], ":trace member(X, [a])\n:trace --depth 1 append([], [], L)\n");
    assert!(out.contains("call       member(_1,[a])") && out.contains("call       append("), "{out}{err}");
    let (out, err, _) = piped(&folder, &[TICTACTOE], ":trace --search --depth 1 --limit 3\n:trace\n");
    assert!(out.contains("in   pos("), "{out}{err}");
    assert!(err.contains(":trace needs a goal") && err.contains("--search"), "{err}");
}

#[test]
fn usage_leaves_out_what_the_prompt_knows() {
    let folder = Folder::new("usage");
    for line in [":help trace", ":help value", ":match x", ":perft", ":value --nothing", ":why"] {
        let said = said(&folder, &[TICTACTOE], &format!("{line}\n"));
        for word in [" <FILE>\n", "[FILE", "--color", "--json ", "try '--help'"] {
            assert!(!said.contains(word), "{line} says {word}: {said}");
        }
    }
    assert!(said(&folder, &[], ":help trace\n").contains(":trace [OPTIONS] GOAL|--search"));
}

#[test]
fn help_knows_settings_codes_and_the_game_interface() {
    let folder = Folder::new("help");
    for (topic, text) in [
        ("depth", "a number of plies, 0 or more"),
        ("A0303", "a clause that is never reached"),
        ("a0303", "a clause that is never reached"),
        ("static_eval", "the estimated value of a position for MAX"),
        ("append/3", "followed by Ys"),
        ("atom_length", "built in"),
        (":reload", "load the files again"),
    ] {
        let said = said(&folder, &[], &format!(":help {topic}\n"));
        assert!(said.contains(text), "{topic}: {said}");
    }
    let said = said(&folder, &[OTHELLO], ":apropos board\n");
    for line in said.lines() {
        assert!(line.contains("  ") && line.chars().count() < 80, "{line}");
    }
}

#[test]
fn a_game_by_its_bare_name_is_looked_for() {
    let folder = Folder::new("bare");
    for (typed, help) in [("othello", "alphorn example othello"), ("othelo.pl", "alphorn example othello")] {
        let (_, err, status) = piped(&folder, &[typed], "");
        assert!(err.contains(help) && status == Some(2), "{typed}: {err}");
    }
    let file = folder.file("othello.pl", "a.\n");
    let (_, err, _) = piped(&folder, &["othelo.pl"], "");
    assert!(err.contains("did you mean othello.pl?"), "{err}");
    let (_, err, _) = piped(&folder, &["othello"], "");
    assert!(err.contains("did you mean othello.pl?"), "{err}");
    std::fs::remove_file(file).expect("it was there");
}
