"""Values, solutions, matches, goals and trees."""

import itertools
import threading

import pytest

import alphorn
from alphorn import Error, RulesWarning, Var


def test_the_value_of_a_small_game(tictactoe):
    value = tictactoe.initial().value(threads=1)
    assert (value.value, value.outcome, value.exact, value.depth) == (0, "draw", True, 9)
    assert value["pv"] == value.pv and value.best == value.pv[0] and value.nodes > 100
    assert repr(value).startswith("<Value 0 (exact), best 'pos(")
    with pytest.raises(AttributeError, match="no field 'colour'"):
        value.colour


def test_iterations_by_callback_and_by_iterator(tictactoe):
    heard = []
    tictactoe.initial().value(threads=1, on_iteration=heard.append)
    depths = [event.depth for event in heard]
    with tictactoe.initial().iterations(threads=1) as search:
        assert [event.depth for event in search] == depths == sorted(depths)
        assert search.result.value == 0


def test_an_exception_of_a_callback_stops_the_search():
    def stop(event):
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        alphorn.example("chess").initial().value(on_iteration=stop)


def test_a_search_is_stopped():
    search = alphorn.example("othello").initial().iterations(threads=1)
    first = next(search)
    search.stop()
    assert search.result.stopped and search.result.depth >= first.depth


def test_limits_lines_and_algorithms():
    start = alphorn.example("othello").initial()
    value = start.value(depth=3, lines=3, threads=1)
    assert len(value.lines) == 3 and value.lines[0].best == value.best
    assert start.value(depth=3, algorithm="minimax").value == value.value
    assert start.value(time=0.05).seconds < 5
    assert start.value(nodes=500).nodes <= 501
    with pytest.warns(RulesWarning, match="no effect"):
        start.value(depth=2, algorithm="minimax", hash=3)


def test_a_wrong_option_is_explained(nim):
    with pytest.raises(Error) as raised:
        nim.initial().value(depht=3)
    assert raised.value.help == 'did you mean "depth"?' and raised.value.code.startswith("A0")
    with pytest.raises(Error):
        nim.initial().value(depth="deep")
    with pytest.raises(Error, match="there is no request"):
        nim.request("solv")
    with pytest.raises(Error, match="does not change"):
        nim.request("undo")


def test_positions_are_options(nim):
    assert nim.request("value", position=nim.initial().play("take(1)")).value == 999998
    assert nim.request("value", position="pile(max, 1)").value == 999999
    assert nim.request("value", params={"heap": 6}).outcome == "min"


def test_solutions_are_saved_and_read(nim, tmp_path):
    file = tmp_path / "nim.values"
    solved = nim.solve(save=file)
    assert (solved.value, solved.outcome, solved.saved) == (999997, "max", solved.positions)
    assert nim.initial().value(table=file).value == 999997
    proof = tmp_path / "nim.proof"
    assert nim.initial().play("take(1)").solve(proof=proof, method="retrograde").outcome == "max"
    assert nim.request("verify", proof=proof).verified


def test_matches_and_tournaments(tictactoe, tmp_path):
    games = []
    record = tmp_path / "games.jsonl"
    found = tictactoe.match({"depth": 4}, "--depth 1", games=[20, str(record)], jobs=1, on_game=games.append)
    assert found.games == len(games) == 20 and found.wins + found.draws + found.losses == 20
    assert found.score > 0.5 and record.read_text().count("\n") == 21
    ratings = tictactoe.tournament({"deep": {"depth": 4}, "flat": {"depth": 1}}, games=20, jobs=1)
    deep, flat = ratings.sides
    assert (deep.name, deep.rank, flat.name, flat.rank) == ("deep", 1, "flat", 2)
    assert deep.wins == flat.losses > deep.losses == flat.wins and deep.draws == flat.draws
    assert deep.wins + deep.draws + deep.losses == deep.games == flat.games == ratings.games == 20
    assert deep.score > 0.5 and deep.rating == -flat.rating > 0


def test_answers_are_terms_and_come_one_by_one(nim):
    assert list(nim.query("member(X, [1, f(Y), \"s\", 'A'])")) == [
        {"X": 1, "Y": Var("_1")},
        {"X": ("f", Var("_1")), "Y": Var("_1")},
        {"X": alphorn.String("s"), "Y": Var("_1")},
        {"X": "A", "Y": Var("_1")},
    ]
    endless = nim.query("between(1, inf, N)")
    assert [answer["N"] for answer in itertools.islice(endless, 3000)] == list(range(1, 3001))
    endless.close()
    assert list(endless) == []
    assert list(nim.query("fail")) == []
    assert list(nim.query("X = f(a)", text=True)) == [{"X": "f(a)"}]
    assert len(list(nim.query("between(1, 9, _)", limit=4))) == 4
    position = nim.initial().play("take(2)")
    assert list(position.query("position_now(P)")) == [{"P": position.term}]


def test_a_goal_that_fails_raises_after_its_answers(nim):
    answers = nim.query("member(X, [1, a]), Y is X + 1")
    assert next(answers) == {"X": 1, "Y": 2}
    with pytest.raises(Error) as raised:
        next(answers)
    assert raised.value.diagnostics[0].places[0].file == "goal"
    with pytest.raises(Error):
        list(nim.query("foo("))


def test_trees_are_pictures(tictactoe):
    tree = tictactoe.tree(depth=2)
    assert tree._repr_svg_().startswith("<svg ") and tree.value == 0 and tree.nodes[0].ply == 0
    deeper = tictactoe.initial().moves()[0].next.tree(depth=1, algorithm="minimax")
    assert deeper.visited == 9


def test_tuning(tmp_path):
    steps = []
    game = alphorn.example("breakthrough")
    found = alphorn.tune(game, ["man", "step"], games=20, nodes=50, no_match=True, jobs=1, on_step=steps.append)
    assert [(param.name, param.start) for param in found.params] == [("man", 10), ("step", 1)]
    assert all(param.low <= param.value <= param.high and param.changes_evaluation for param in found.params)
    assert found.games == sum(found.results) == 20 and found.fit.end < found.fit.start
    assert [{**step, "event": "tune"} for step in found.history] == steps and found.match is None
    file = tmp_path / "tuned.pl"
    file.write_text(found.overlay)
    tuned = alphorn.example("breakthrough", overlays=[file])
    assert tuned.params == {**game.params, **{param.name: str(param.value) for param in found.params}}


def test_perft(nim):
    assert nim.initial().perft(4) == [2, 4, 4, 1]


def test_searches_run_in_several_threads(tictactoe):
    values = []
    threads = [
        threading.Thread(target=lambda: values.append(tictactoe.initial().value(threads=1).value)) for _ in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert values == [0] * 6
