//! Tests the output of `--json`: one object on one line, with the keys that the manual names.

use super::{CYCLIC, TOY, file, json, keys, top_keys};
use serde_json::Value;

const PROBLEM_KEYS: &[&str] = &["code", "level", "message", "help", "places", "edits"];
const QUERY_ERROR_KEYS: &[&str] = &["code", "level", "term", "message", "help", "places", "edits"];

#[test]
fn value_as_json_has_the_documented_keys() {
    let (status, found) = json(&["value", "games/nim.pl", "--opening", "3"]);
    assert_eq!(status, Some(0));
    let told = ["value", "outcome", "plies", "exact", "best", "depth", "stopped"].map(|key| found[key].clone());
    assert_eq!(Value::from(told.to_vec()).to_string(), r#"[-999994,"min",6,true,"take(1,1)",6,false]"#);
    assert_eq!(found["pv"].as_array().map(Vec::len), Some(6));
    assert!(found["nodes"].is_u64() && found["evals"].is_u64() && found["seconds"].is_f64());

    let (_, found) = json(&["value", "games/bratko.pl", "--algorithm", "minimax"]);
    let told = ["value", "outcome", "plies", "nodes", "evals"].map(|key| found[key].clone());
    assert_eq!(Value::from(told.to_vec()).to_string(), r#"[4,"max",null,15,8]"#);

    let (_, estimate) = json(&["value", "games/breakthrough.pl", "--depth", "1"]);
    assert_eq!(
        (&estimate["exact"], &estimate["outcome"], &estimate["plies"], &estimate["depth"]),
        (&false.into(), &Value::Null, &Value::Null, &1.into())
    );

    let (_, over) = json(&["value", "games/bratko.pl", "--position", "h"]);
    assert_eq!((&over["best"], &over["pv"], &over["value"]), (&Value::Null, &Value::Array(Vec::new()), &1.into()));
}

#[test]
fn solve_and_verify_as_json_have_the_documented_keys() {
    let proof = format!("{}.proof", file("proved.pl", TOY));
    let (status, found) = json(&["solve", "games/nim.pl", "--opening", "3", "--proof", &proof]);
    assert_eq!(status, Some(0));
    assert_eq!((&found["value"], &found["plies"], &found["outcome"]), (&(-999994).into(), &6.into(), &"min".into()));
    let (status, verified) = json(&["verify", "games/nim.pl", &proof]);
    assert_eq!(status, Some(0));
    assert_eq!((&verified["verified"], &verified["plies"]), (&true.into(), &6.into()));
    let (status, refused) = json(&["verify", "games/nim.pl", &file("no.proof", "alphorn proof 1\nposition a b\n")]);
    assert_eq!(status, Some(1));
    assert_eq!((&refused["verified"], &refused["line"]), (&false.into(), &2.into()));

    let all = file("all.pl", &format!("{TOY}position(a).\nposition(a2).\nposition(b).\nposition(a).\n"));
    let (status, found) = json(&["solve", &all, "--all"]);
    assert_eq!(status, Some(0));
    assert_eq!((&found["all"]["max_to_move"]["positions"], &found["positions"]), (&2.into(), &4.into()));
    for (args, code) in [
        (&["solve", "games/nim.pl", "--all"][..], "A0631"),
        (&["solve", "games/hexapawn.pl", "-p", "width=8", "--memory", "2M", "--method", "retrograde"], "A0630"),
        (&["solve", "games/othello.pl", "-p", "size=4", "--method", "pns"], "A0631"),
        (&["solve", "games/nim.pl", "--method", "alphabeta", "--proof", "x"], "A0631"),
        (&["solve", "games/nim.pl", "--method", "pns", "--save", "x"], "A0631"),
        (&["value", "games/nim.pl", "--table", "nowhere.db"], "A0632"),
        (&["verify", "games/nim.pl", "nowhere.proof"], "A0620"),
    ] {
        let (status, found) = json(args);
        assert_eq!((status, &found["error"]["code"]), (Some(2), &code.into()), "{args:?}");
    }
}

#[test]
fn wrong_usage_as_json_has_the_keys_of_a_problem() {
    for args in [
        &["frob"][..],
        &["perft", "games/nim.pl"],
        &["value", "games/nim.pl", "--hash", "x"],
        &["value", "games/nim.pl", "--advice", "loud"],
        &["match", "games/nim.pl", "--a", "--algorithm f1 --seed 1"],
        &["lab", "random"],
    ] {
        let (status, found) = json(args);
        let error = &found["error"];
        assert_eq!((status, top_keys(&found)), (Some(2), vec!["schema", "error"]), "{args:?}");
        assert_eq!((keys(error), &error["code"]), (PROBLEM_KEYS.to_vec(), &"A0620".into()), "{args:?}");
        let message = error["message"].as_str().expect("it is text");
        assert!(
            !message.contains('\n') && !message.contains("Usage") && error["help"].is_string(),
            "{args:?}: {error}"
        );
    }
}

#[test]
fn perft_and_moves_as_json_have_the_documented_keys() {
    let (_, found) = json(&["perft", "games/tictactoe.pl", "--depth", "2"]);
    assert_eq!(
        Value::Object(found).to_string(),
        r#"{"schema":2,"perft":[{"depth":1,"paths":9},{"depth":2,"paths":72}],"stopped":false,"unfinished":0}"#
    );
    let (_, found) = json(&["perft", "games/bratko.pl", "--depth", "4"]);
    assert_eq!(found["perft"][3].to_string(), r#"{"depth":4,"paths":0}"#);
    let (_, found) = json(&["moves", "games/bratko.pl"]);
    assert_eq!(
        Value::Object(found).to_string(),
        r#"{"schema":2,"position":"a","picture":["node a, then b or c"],"turn":"max","outcome":null,"repetition":false,"points":null,"labelled":false,"moves":[{"label":"b","next":"b"},{"label":"c","next":"c"}]}"#
    );
}

#[test]
fn query_as_json_has_the_documented_keys() {
    let (status, found) = json(&["query", "member(X, [f(A), B, A])"]);
    assert_eq!(status, Some(0));
    let shown = r#"{"schema":2,"answers":[{"X":"f(_1)","A":"_1","B":"_2"},{"X":"_1","A":"_2","B":"_1"},{"X":"_1","A":"_1","B":"_2"}],"complete":true,"output":"","warnings":[]}"#;
    assert_eq!(Value::Object(found).to_string(), shown);

    let (status, found) = json(&["query", "write(hello), member(X, [1, 2]), Y is 6 // (2 - X)"]);
    assert_eq!(
        (status, top_keys(&found)),
        (Some(2), vec!["schema", "answers", "complete", "output", "error", "warnings"])
    );
    assert_eq!(
        (found["answers"].to_string(), &found["complete"], &found["output"]),
        (r#"[{"X":"1","Y":"6"}]"#.to_string(), &false.into(), &"hello".into())
    );
    assert_eq!(
        (keys(&found["error"]), &found["error"]["term"]),
        (QUERY_ERROR_KEYS.to_vec(), &"evaluation_error(zero_divisor)".into())
    );

    let (status, found) = json(&["query", "member(X, [1, 2, 3])", "--limit", "2"]);
    assert_eq!(
        (status, found["answers"].as_array().map(Vec::len), &found["complete"]),
        (Some(0), Some(2), &false.into())
    );
    let (status, found) = json(&["query", "fail"]);
    assert_eq!((status, found["answers"].to_string(), &found["complete"]), (Some(1), "[]".to_string(), &true.into()));
}

#[test]
fn errors_of_a_goal_are_iso_terms_as_json() {
    for (goal, term) in [
        ("X is foo + 1", "type_error(evaluable,foo/0)"),
        ("X is _ + 1", "instantiation_error"),
        ("undefined(1)", "existence_error(procedure,undefined/1)"),
        ("throw(my(a + b))", "my(a+b)"),
        ("foo(", "syntax_error(cannot_read)"),
    ] {
        let (status, found) = json(&["query", goal]);
        assert_eq!((status, found["error"]["term"].as_str()), (Some(2), Some(term)), "{goal}");
    }
    let (_, found) = json(&["query", "--canonical", "throw(my(a + b))"]);
    assert_eq!(found["error"]["term"], "my(+(a,b))");
}

#[test]
fn the_other_commands_speak_json_too() {
    let (_, found) = json(&["check", "games/bratko.pl", "games/pi_tree.pl", "--playouts", "2"]);
    assert_eq!((top_keys(&found), found["files"].as_array().map(Vec::len)), (vec!["schema", "files"], Some(2)));
    assert_eq!(
        found["files"][0].to_string(),
        r#"{"file":"games/bratko.pl","read":true,"errors":0,"warnings":0,"stopped":false,"problems":[],"notes":[],"games":2}"#
    );

    let failing = file("failing_json.pl", &format!(":- expect(value = 2).\n:- expect(value = 1).\n{TOY}"));
    let (status, found) = json(&["test", &failing]);
    let tested = &found["files"][0];
    assert_eq!(
        (status, keys(tested), &tested["passed"], &tested["failed"]),
        (
            Some(1),
            vec!["file", "loaded", "passed", "failed", "undecided", "untested", "expectations"],
            &1.into(),
            &1.into()
        )
    );
    assert_eq!(keys(&tested["expectations"][1]), ["claim", "line", "holds", "verdict", "problem"]);
    assert_eq!((&tested["expectations"][0]["problem"], &tested["expectations"][1]["line"]), (&Value::Null, &2.into()));
    assert_eq!(keys(&tested["expectations"][1]["problem"]), PROBLEM_KEYS);

    let (_, found) = json(&["example"]);
    assert_eq!((top_keys(&found), keys(&found["examples"][0])), (vec!["schema", "examples"], vec!["name", "about"]));
    let (_, found) = json(&["example", "nim"]);
    assert_eq!(top_keys(&found), ["schema", "name", "text"]);
    let (_, found) = json(&["explain"]);
    assert_eq!((top_keys(&found), keys(&found["codes"][0])), (vec!["schema", "codes"], vec!["code", "title"]));
    let (_, found) = json(&["explain", "A0201"]);
    assert_eq!(top_keys(&found), ["schema", "code", "title", "text", "wrong", "right"]);
}

#[test]
fn what_could_not_be_done_is_a_problem_as_json() {
    let broken = file("broken_json.pl", "initial(a\nmax_to_move(a).\n");
    let (status, found) = json(&["value", &broken]);
    assert_eq!(
        (status, top_keys(&found), keys(&found["error"])),
        (Some(2), vec!["schema", "error", "problems"], PROBLEM_KEYS.to_vec())
    );
    let place = &found["error"]["places"][0];
    assert_eq!(
        (keys(place), &place["line"], &place["column"]),
        (vec!["file", "line", "column", "start", "end", "label"], &1.into(), &8.into())
    );
    let cyclic = file("cyclic_json.pl", CYCLIC);
    for args in [
        &["value", "nowhere.pl"][..],
        &["value", "games/bratko.pl", "--opening", "2"],
        &["moves", "games/nim.pl", "--moves", "x"],
        &["value", &cyclic],
        &["explain", "A9999"],
    ] {
        let (status, found) = json(args);
        assert_eq!(
            (status, top_keys(&found), keys(&found["error"])),
            (Some(2), vec!["schema", "error"], PROBLEM_KEYS.to_vec()),
            "{args:?}"
        );
    }
}

#[test]
fn wrong_usage_is_a_problem_as_json() {
    for args in
        [&["frob"][..], &["perft", "games/bratko.pl"], &["value", "games/bratko.pl", "--depth", "x"], &["query"]]
    {
        let (status, found) = json(args);
        assert_eq!(
            (status, top_keys(&found), keys(&found["error"])),
            (Some(2), vec!["schema", "error"], PROBLEM_KEYS.to_vec()),
            "{args:?}"
        );
    }
}
