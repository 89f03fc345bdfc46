"""Batches of positions as Arrow arrays."""

import random

import pyarrow as pa
import pytest
from conftest import random_line

import alphorn
from alphorn import Error

SAMPLE = ["tictactoe", "connect_four", "backgammon", "chess", "pig", "kalah"]


def table(batch: alphorn.Batch) -> dict:
    return pa.record_batch(batch).to_pydict()


@pytest.fixture(params=SAMPLE)
def line(request) -> list[alphorn.Position]:
    return random_line(alphorn.example(request.param), random.Random(5), 40)


def test_successors_are_those_of_each_position(line):
    game = line[0].game
    found = table(game.successors(game.batch(line), threads=2))
    moves = [(row, move) for row, position in enumerate(line) for move in position.moves()]
    assert found["row"] == [row for row, _ in moves]
    assert found["label"] == [move.label for _, move in moves]
    assert found["weight"] == [move.weight for _, move in moves]
    assert found["position"] == [bytes(move.next) for _, move in moves]
    bare = game.successors(game.batch(line), labels=False)
    assert bare.column_names == ["row", "position", "weight"] and len(bare) == len(moves)


def test_evaluations_are_those_of_each_position(line):
    game = line[0].game
    found = table(game.evaluate(game.batch(line)))
    assert found["to_move"] == [position.to_move for position in line]
    assert found["eval"] == [position.eval() for position in line]
    assert found["winner"] == [position.winner for position in line]


def test_playouts_are_those_of_a_search(line):
    # Random games of chess are long.
    game, line = line[0].game, line[-2:] if line[0].game.name == "chess.pl" else line
    found = table(game.playouts(game.batch(line), 20, seed=7, threads=2))
    for row, position in list(enumerate(line))[::7]:
        value = position.value(algorithm="playouts", games=20, seed=7, threads=1)
        assert found["mean"][row] == pytest.approx(value.value, abs=1e-9)
        assert (found["games"][row], found["wins"][row]) == (20, value.sample.wins)
        assert found["mean_plies"][row] == pytest.approx(value.sample.mean_plies)
    alone = table(game.playouts(game.batch(line), 20, seed=7, threads=1))
    assert found == alone, "the number of threads does not matter"


def test_batches_come_from_many_places(tictactoe):
    positions = [tictactoe.initial(), *[move.next for move in tictactoe.initial().moves()]]
    rows = [bytes(position) for position in positions]
    batch = tictactoe.batch(positions)
    expected = table(tictactoe.evaluate(batch))
    polars = pytest.importorskip("polars")
    for form in (
        rows,
        pa.array(rows),
        pa.array(rows, pa.large_binary()),
        pa.array(rows, pa.binary_view()),
        pa.chunked_array([rows[:3], [], rows[3:]], pa.binary()),
        pa.array([b"", *rows], pa.binary())[1:],
        pa.table({"other": range(len(rows)), "position": rows}),
        pa.record_batch(batch),
        polars.DataFrame({"position": rows}),
        polars.Series(rows),
    ):
        assert table(tictactoe.evaluate(form)) == expected
        assert tictactoe.positions(form) == positions
    assert polars.DataFrame(batch)["position"].to_list() == rows
    assert len(tictactoe.successors([])) == 0 == len(tictactoe.batch([]))
    assert repr(batch) == "<Batch of 10 rows: position>"


def test_what_is_no_batch_is_refused(tictactoe):
    good = bytes(tictactoe.initial())
    with pytest.raises(Error, match="row 1 of the batch"):
        tictactoe.successors([good, good[:-1]])
    for wrong in (["pos"], pa.array(["text"]), pa.array([1, 2]), pa.table({"x": [good]}), 7, None, [None]):
        with pytest.raises(TypeError):
            tictactoe.evaluate(wrong)
    with pytest.raises(ValueError, match="null"):
        tictactoe.evaluate(pa.array([good, None]))
    with pytest.raises(ValueError):
        tictactoe.playouts([good], 0)
    with pytest.raises(ValueError):
        tictactoe.evaluate([good], threads=0)
    with pytest.raises(TypeError):
        tictactoe.batch(["x"])
    with pytest.raises(OverflowError):
        tictactoe.playouts([good], -1)


def test_an_array_that_was_taken_is_refused(tictactoe):
    """Once a panic of Rust passed through ``except Exception``."""

    class Twice:
        capsules = pa.array([bytes(tictactoe.initial())]).__arrow_c_array__()

        def __arrow_c_array__(self, requested_schema=None):
            return self.capsules

    batch = Twice()
    assert len(tictactoe.evaluate(batch)) == 1
    with pytest.raises(ValueError, match="released"):
        tictactoe.evaluate(batch)


def test_a_position_of_another_game_is_warned_of(tictactoe, nim):
    foreign = bytes(tictactoe.initial())
    with pytest.warns(alphorn.RulesWarning, match="no position of the game"):
        nim.successors([foreign] * 3)
