"""Work on a cluster of two nodes, on one machine."""

import os
import signal
import threading
import time

import pyarrow as pa
import pytest

ray = pytest.importorskip("ray")

from ray.cluster_utils import Cluster

import alphorn
import alphorn.ray

from conftest import LONG, NIM


@pytest.fixture(scope="module")
def cluster():
    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "object_store_memory": 200 << 20})
    made.second = made.add_node(num_cpus=1, object_store_memory=200 << 20)
    ray.init(address=made.address, log_to_driver=False)
    yield made
    ray.shutdown()
    made.shutdown()


def same_values(game: alphorn.Game, ours, theirs) -> bool:
    """Whether two files have the same positions with the same values."""
    return [pa.table(game.saved_values(file)).sort_by("position") for file in (ours, theirs)].count(
        pa.table(game.saved_values(ours)).sort_by("position")
    ) == 2


def small(name: str) -> alphorn.Game:
    return {"nim": lambda: alphorn.loads(NIM), "hexapawn": lambda: alphorn.example("hexapawn")}[name]()


@pytest.mark.parametrize("name", ["nim", "hexapawn"])
def test_values_are_saved_position_for_position(cluster, tmp_path, name):
    game = small(name)
    ours = alphorn.ray.solve(game, save=tmp_path / "ours", partitions=3)
    theirs = game.solve(save=tmp_path / "theirs", method="retrograde")
    assert (ours.positions, ours.saved, ours.value, ours.plies) == (
        theirs.positions, theirs.saved, theirs.value, theirs.plies,
    )
    assert same_values(game, tmp_path / "ours", tmp_path / "theirs")
    assert game.initial().value(table=tmp_path / "ours").value == theirs.value


@pytest.mark.parametrize("name", ["tictactoe", *(["krk", "connect_four"] if LONG else [])])
def test_solutions_are_those_of_one_machine(cluster, tmp_path, name):
    params = {"width": 5, "height": 4} if name == "connect_four" else {}
    game = alphorn.example(name, params=params)
    whole = name == "krk"
    begun = time.time()
    ours = alphorn.ray.solve(game, save=tmp_path / "ours", partitions=4, all=whole)
    between = time.time()
    theirs = game.solve(save=tmp_path / "theirs", method="retrograde", all=whole)
    print(f"{name}: {ours.positions} positions, Ray {between - begun:.1f} s, here {time.time() - between:.1f} s")
    assert (ours.positions, ours.saved, ours.longest) == (theirs.positions, theirs.saved, theirs.longest)
    assert same_values(game, tmp_path / "ours", tmp_path / "theirs")
    if not whole:
        assert (ours.value, ours.outcome) == (theirs.value, theirs.outcome)


def test_lost_workers_and_nodes_change_nothing(cluster, tmp_path):
    game = alphorn.example("hexapawn", params={"width": 4, "height": 4})
    expected = game.solve(save=tmp_path / "theirs", method="retrograde")

    def harm() -> None:
        time.sleep(1.5)
        for worker in ray_workers():
            os.kill(worker, signal.SIGKILL)
        time.sleep(0.5)
        cluster.remove_node(cluster.second)
        time.sleep(0.5)
        cluster.second = cluster.add_node(num_cpus=1, object_store_memory=200 << 20)

    thread = threading.Thread(target=harm)
    thread.start()
    found = alphorn.ray.solve(game, save=tmp_path / "ours", partitions=8)
    thread.join()
    assert (found.positions, found.saved, found.value) == (expected.positions, expected.saved, expected.value)
    assert same_values(game, tmp_path / "ours", tmp_path / "theirs")


def ray_workers() -> list[int]:
    """The processes that carry out tasks of this module."""
    found = []
    for process in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{process}/cmdline") as file:
                command = file.read()
            with open(f"/proc/{process}/stat") as file:
                parent = file.read().rsplit(")", 1)[1].split()[1]
        except OSError:
            continue
        if command.startswith("ray::_call") and raylet_of_ours(parent):
            found.append(int(process))
    return found


def raylet_of_ours(process: str) -> bool:
    """Whether a raylet is a child of this process."""
    try:
        with open(f"/proc/{process}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()[1] == str(os.getpid())
    except OSError:
        return False


def test_a_checkpoint_goes_on(cluster, tmp_path):
    game = alphorn.example("tictactoe")
    first = alphorn.ray.solve(game, checkpoint=tmp_path / "store", partitions=2)
    begun = time.time()
    for file in (tmp_path / "store" / "done").glob("decide-[2-9]-*.json"):
        file.unlink()
    assert alphorn.ray.solve(game, checkpoint=tmp_path / "store", partitions=2) == first
    with pytest.raises(ValueError, match="another game"):
        alphorn.ray.solve(alphorn.loads(NIM), checkpoint=tmp_path / "store", partitions=2)


def test_games_that_cannot_be_solved_are_refused(cluster):
    with pytest.raises(ValueError, match="chance"):
        alphorn.ray.solve(alphorn.example("pig"))
    with pytest.raises(ValueError, match="numbers"):
        alphorn.ray.solve(alphorn.example("pi_tree"))


def test_perft_matches_and_tournaments(cluster):
    start = alphorn.example("chess").initial()
    assert alphorn.ray.perft(start, 3) == [20, 400, 8902]
    assert alphorn.ray.perft(start, 1) == [20]
    game = alphorn.example("tictactoe")
    found = alphorn.ray.match(game, {"depth": 4}, {"depth": 1}, games=16, tasks=2)
    assert found == alphorn.ray.match(game, {"depth": 4}, {"depth": 1}, games=16, tasks=2)
    assert found.games == 16 and sum(found.pentanomial) == 8 and found.score > 0.5
    table = alphorn.ray.tournament(game, {"a": {"depth": 1}, "b": {"depth": 2}, "c": {"depth": 3}}, games=4)
    assert set(table) == {("a", "b"), ("a", "c"), ("b", "c")}
    with pytest.raises(ValueError):
        alphorn.ray.match(game, "", "", games=3)


def test_tuning(cluster):
    game = alphorn.example("breakthrough")
    found = alphorn.ray.tune(game, ["man"], games=20, nodes=50, no_match=True, tasks=2)
    assert "man" in str(found)


def test_errors_come_back(cluster):
    with pytest.raises(Exception, match="depht"):
        alphorn.ray.match(alphorn.example("nim"), {"depht": 2}, {}, games=2)
