"""Calls that a hurried user makes: they raise an exception that says what to do, and never hang."""

import os
import signal
import threading
import time

import pyarrow as pa
import pytest

import alphorn


@pytest.fixture(autouse=True)
def impatient():
    """Ends a call that takes a minute."""

    def over(*_: object) -> None:
        raise TimeoutError("the call hangs")

    signal.signal(signal.SIGALRM, over)
    signal.alarm(60)
    yield
    signal.alarm(0)


def test_a_pipe_is_no_file_of_rules(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", "-", "/dev/zero"):
        with pytest.raises(alphorn.Error) as raised:
            alphorn.load(path)
        assert raised.value.message.endswith("is not a regular file")
    with pytest.raises(alphorn.Error) as raised:
        alphorn.example("nim", overlays=[tmp_path / "pipe"])
    assert raised.value.message.endswith("is not a regular file")


def test_a_path_may_be_bytes(tmp_path):
    (tmp_path / "a.pl").write_text(":- use_module(library(alphorn)).\ninitial(a).\nmax_to_move(a).\nmoves(a, []).\n")
    assert alphorn.load(os.fsencode(tmp_path / "a.pl")).initial().text == "a"


@pytest.mark.parametrize(
    "options, kind, message",
    [
        ({"depth": float("nan")}, ValueError, "depth: Out of range float"),
        ({"time": float("inf")}, ValueError, "time: Out of range float"),
        ({"depth": object()}, TypeError, "depth: .* not JSON"),
        ({"threads": 0}, alphorn.Error, "from 1 to 1024"),
    ],
)
def test_a_wrong_option_is_named(nim, options, kind, message):
    with pytest.raises(kind, match=message):
        nim.initial().value(**options)


def test_an_option_that_contains_itself_is_refused(nim):
    endless: dict = {}
    endless["again"] = endless
    with pytest.raises(ValueError, match="params: the object contains itself"):
        nim.request("value", params=endless)


def test_a_file_that_cannot_be_written_is_an_error_with_the_result(nim, tmp_path):
    with pytest.raises(alphorn.Error) as raised:
        nim.solve(save=tmp_path, method="retrograde")
    assert raised.value.reply["outcome"] in ("max", "min")
    assert raised.value.code == "A0632"


@pytest.mark.parametrize("rows", [["a"], [3], [None], [[1, 2]]])
def test_a_list_that_is_a_batch_has_bytes(nim, rows):
    with pytest.raises(TypeError, match="has bytes, not .*: use game.batch"):
        nim.successors(rows)
    with pytest.raises(TypeError, match="not Position: use game.batch"):
        nim.evaluate([nim.initial()])


def test_threads_share_answers(nim):
    answers = nim.query("between(1, 2000, X)")
    found: list = []
    failed: list = []

    def work() -> None:
        try:
            found.extend(answer["X"] for answer in answers)
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert (failed, sorted(found)) == ([], list(range(1, 2001)))


def test_iterators_that_are_dropped_end_their_searches():
    chess = alphorn.example("chess").initial()
    before = threading.active_count()
    for _ in range(20):
        next(chess.iterations(depth=60, threads=1))
    begun = time.process_time()
    time.sleep(1)
    assert time.process_time() - begun < 0.8, "a search goes on"
    assert threading.active_count() == before


def test_a_batch_that_lies_about_its_memory_is_refused(nim):
    class Liar:
        def __arrow_c_array__(self, requested_schema: object = None) -> tuple:
            return (1, 2)

    with pytest.raises(TypeError):
        nim.successors(Liar())
    with pytest.raises(alphorn.Error, match="row 1 of the batch is no position"):
        nim.successors(pa.array([bytes(nim.initial()), b"\xff" * 9]))
