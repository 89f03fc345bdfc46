"""Games, positions and moves."""

import pickle
import random
import threading

import pytest
from conftest import NIM, random_line

import alphorn
from alphorn import Error, RulesWarning, String


def test_a_game_is_played_by_labels_and_by_moves(nim):
    start = nim.initial()
    assert start.to_move == "max" and not start.is_terminal and start.result is None and start.winner is None
    first, second = start.moves()
    assert [first.label, second.label] == ["take(1)", "take(2)"] == [str(first), str(second)]
    assert first.term == ("take", 1) and first.weight is None and first.position == start
    assert start.play("take(1)") == start.play(first) == first.next
    over = start.play("take(1)", "take(1)", "take(2)")
    assert over.is_terminal and over.to_move is None and over.moves() == []
    assert over.result == over.winner == "max" and over.eval() == 1_000_000
    assert repr(over) == "<Position pile(min,0)>" and repr(first) == "<Move take(1)>"


def test_parameters_and_overlays_change_a_game(tmp_path):
    game = alphorn.loads(NIM, params={"heap": 7})
    assert game.initial().term == ("pile", "max", 7) and game.params == {"heap": "7"}
    overlay = tmp_path / "one.pl"
    overlay.write_text("initial(pile(max, 1)).\n")
    assert alphorn.loads(NIM, overlays=[overlay]).initial().term == ("pile", "max", 1)
    file = tmp_path / "nim.pl"
    file.write_text(NIM)
    assert alphorn.load(file) == alphorn.loads(NIM) != game
    assert repr(alphorn.load(file)) == f"<Game {file}>"


def test_moves_without_labels_are_named_by_their_position(tictactoe):
    move = tictactoe.initial().moves()[4]
    assert move.label == "pos(o,[e,e,e,e,x,e,e,e,e])" == move.next.text
    assert tictactoe.initial().play(move.label) == move.next
    assert tictactoe.initial().play("5") == move.next, "as on the command line, the moves have numbers"
    assert str(move.next) == ". . .\n. x .\n. . ."


def test_terms_come_back():
    game = alphorn.loads(
        """
        initial(s([], [a|b], 'A b', "text", -3, 2.5, 123456789012345678901234567890, f(g([x])), {y}, -(1))).
        max_to_move(_).
        move(s(A,B,C,D,E,F,G,H,I,J), go, over(A,B,C,D,E,F,G,H,I,J)).
        terminal(over(_,_,_,_,_,_,_,_,_,_)).
        outcome(_, draw).
        """
    )
    start = game.initial()
    assert start.term[1] == [] and start.term[3:5] == ("A b", String("text"))
    assert start.term[5:9] == (-3, 2.5, 123456789012345678901234567890, ("f", ("g", ["x"])))
    assert start.term[4] != "text" and repr(start.term[4]) == "String('text')"
    assert game.position(start.term) == start == game.parse(start.text) == game.position(bytes(start))
    assert hash(game.position(start.term)) == hash(start)
    nested = start.play("go").term
    deep = "z"
    for _ in range(100_000):
        deep = ("s", deep)
    with pytest.warns(RulesWarning):
        far = game.position((*nested[:1], deep, *nested[2:]))
    assert bytes(game.position(far.term)) == bytes(far)


@pytest.mark.parametrize("wrong", [True, None, (), ("f",), (1, 2), b"\x09", b"", {"a": 1}, float("nan"), object()])
def test_what_is_no_term_is_refused(nim, wrong):
    with pytest.raises((TypeError, ValueError, Error)):
        nim.position(wrong)


def test_bytes_have_one_form_only(nim):
    data = bytes(nim.initial())
    for at in range(len(data)):
        with pytest.raises(Error):
            nim.position(data[:at])
    for extra in (data + b"\x00", b"\x02\x011", b"\x01\x80\x00", b"\x05\x00"):
        with pytest.raises(Error):
            nim.position(extra)


def test_positions_of_other_shapes_are_warned_of(nim):
    with pytest.warns(RulesWarning, match="A0"):
        nim.position(("heap", 3))
    with pytest.warns(RulesWarning):
        nim.parse("heap(3)")
    with pytest.raises(Error, match="variables"):
        nim.parse("pile(max, X)")


def test_pickles_contain_the_rules(nim):
    for start in (nim.initial(), alphorn.example("backgammon").initial(), alphorn.loads(NIM, params={"heap": 9}).initial()):
        copies = pickle.loads(pickle.dumps([start, start.game, start.moves()]))
        assert copies == [start, start.game, start.moves()]
        assert hash(copies[0]) == hash(start) and copies[0].game.params == start.game.params


def test_overlays_are_pickled_as_texts(tmp_path):
    overlay = tmp_path / "one.pl"
    overlay.write_text("initial(pile(max, 1)).\n")
    data = pickle.dumps(alphorn.loads(NIM, overlays=[overlay]).initial())
    overlay.unlink()
    assert pickle.loads(data).game.initial().term == ("pile", "max", 1)


def test_positions_of_other_games_differ(nim):
    other = alphorn.loads(NIM, params={"heap": 9})
    assert other.position(nim.initial().term) != nim.initial()
    for use in (other.position, lambda p: other.batch([p]), lambda p: other.initial().play(p.moves()[0])):
        with pytest.raises(Error, match="another"):
            use(nim.initial())


def test_chance_positions_have_weights():
    game = alphorn.example("pig")
    rng = random.Random(3)
    seen = [position for _ in range(5) for position in random_line(game, rng) if position.to_move == "chance"]
    assert game.has_chance and seen
    for position in seen:
        assert all(move.weight >= 1 for move in position.moves())
    backgammon = alphorn.example("backgammon").initial()
    line = random_line(backgammon.game, rng, 20)
    throws = [position for position in line if position.to_move == "chance"]
    assert {sum(move.weight for move in throw.moves()) for throw in throws} == {30, 36}, "no doubles at first"


def test_notations_are_read_and_written():
    chess = alphorn.example("chess")
    start = chess.initial()
    assert start.notation.startswith("rnbqkbnr/pppppppp/8/8")
    assert chess.read(start.notation) == start
    assert start.play("e2e4").play("e7e5", "g1f3").to_move == "min"
    with pytest.raises(Error):
        alphorn.example("nim").read("3 4 5")


def test_threads_share_a_game():
    game = alphorn.example("connect_four")
    results, errors = [], []

    def play(seed: int) -> None:
        try:
            results.append([line[-1].winner for line in (random_line(game, random.Random(seed)) for _ in range(5))])
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=play, args=(seed,)) for seed in [1, 2, 3, 4] * 2]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors and len(results) == 8
    assert all(results.count(result) % 2 == 0 for result in results), "equal seeds give equal games"
