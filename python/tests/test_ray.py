"""Work on a cluster of two nodes, on one machine."""

import json
import os
import pickle
import signal
import subprocess
import sys
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
    theirs = game.solve(save=tmp_path / "theirs", method="retrograde", all=whole, memory="8G")
    print(f"{name}: {ours.positions} positions, Ray {between - begun:.1f} s, here {time.time() - between:.1f} s")
    assert (ours.positions, ours.saved, ours.longest) == (theirs.positions, theirs.saved, theirs.longest)
    assert same_values(game, tmp_path / "ours", tmp_path / "theirs")
    if not whole:
        assert (ours.value, ours.outcome) == (theirs.value, theirs.outcome)


@pytest.mark.parametrize("name", ["hexapawn", *(["krk", "connect_four"] if LONG else [])])
def test_lost_workers_and_nodes_change_nothing(cluster, tmp_path, name):
    params = {"hexapawn": {"width": 4, "height": 4}, "connect_four": {"width": 5, "height": 4}, "krk": {}}
    game, whole = alphorn.example(name, params=params[name]), name == "krk"
    expected = game.solve(save=tmp_path / "theirs", method="retrograde", all=whole, memory="8G")
    done, ended, lost = tmp_path / "store" / "done", threading.Event(), []

    def harm() -> None:
        while not ended.is_set() and not any(done.glob("level-1-*.json")):
            time.sleep(0.001)
        while not ended.is_set() and not lost:
            for worker in ray_workers():
                os.kill(worker, signal.SIGKILL)
                lost.append("worker")
        while not ended.is_set() and not any(done.glob("decide-1-*.json")):
            time.sleep(0.001)
        cluster.remove_node(cluster.second)
        if not ended.is_set():
            lost.append("node")

    thread = threading.Thread(target=harm)
    thread.start()
    found = alphorn.ray.solve(game, save=tmp_path / "ours", partitions=8, checkpoint=tmp_path / "store", all=whole)
    ended.set()
    thread.join()
    cluster.second = cluster.add_node(num_cpus=1, object_store_memory=200 << 20)
    assert set(lost) == {"worker", "node"}, "the solution must take longer than the harm"
    assert (found.positions, found.saved, found.longest) == (expected.positions, expected.saved, expected.longest)
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


@pytest.mark.parametrize("calls", [0, 3, 12, 15])
def test_a_checkpoint_goes_on(cluster, tmp_path, monkeypatch, calls):
    game, together = alphorn.example("tictactoe"), alphorn.ray._together
    expected = alphorn.ray.solve(game, partitions=2)
    left = calls

    def interrupted(tasks: list) -> list:
        nonlocal left
        left -= 1
        found = together(tasks)
        if left < 0:
            raise KeyboardInterrupt
        return found

    with monkeypatch.context() as patch:
        patch.setattr(alphorn.ray, "_together", interrupted)
        with pytest.raises(KeyboardInterrupt):
            alphorn.ray.solve(game, checkpoint=tmp_path / "store", partitions=2)
    done = {file: file.stat().st_mtime_ns for file in (tmp_path / "store" / "done").iterdir()}
    assert alphorn.ray.solve(game, checkpoint=tmp_path / "store", partitions=2) == expected
    assert done.items() <= {file: file.stat().st_mtime_ns for file in (tmp_path / "store" / "done").iterdir()}.items()
    with pytest.raises(ValueError, match="another game"):
        alphorn.ray.solve(alphorn.loads(NIM), checkpoint=tmp_path / "store", partitions=2)


def test_games_that_cannot_be_solved_are_refused(cluster):
    with pytest.raises(ValueError, match="chance moves.*: use Game.solve"):
        alphorn.ray.solve(alphorn.example("pig"))
    with pytest.raises(ValueError, match="ends in a number.*: use Game.solve"):
        alphorn.ray.solve(alphorn.example("pi_tree"))
    with pytest.raises(alphorn.Error, match="defines no position/1"):
        alphorn.ray.solve(alphorn.example("tictactoe"), all=True)


def test_tasks_that_fail_together_do_not_end_the_process(cluster):
    """Ray ended it when tasks were cancelled that a worker took at that moment."""
    for _ in range(12):
        with pytest.raises(ValueError, match="ends in a number"):
            alphorn.ray.solve(alphorn.example("pi_tree"))


def test_perft(cluster):
    start = alphorn.example("chess").initial()
    assert alphorn.ray.perft(start, 3) == [20, 400, 8902]
    assert alphorn.ray.perft(start, 1) == [20]


@pytest.mark.parametrize(
    "name, sides, options",
    [
        ("tictactoe", ({"depth": 4}, "--depth 1"), {"games": 16, "opening_plies": 2}),
        ("breakthrough", ({"nodes": 60, "params": {"man": 3}}, {"nodes": 30}), {"balance": "value=50,depth=1"}),
        ("breakthrough", ({"nodes": 30}, {"nodes": 30}), {"max_plies": 20, "games": 8}),
        ("pig", ({"depth": 2}, {"depth": 1}), {}),
    ],
)
def test_a_match_is_that_of_one_machine(cluster, name, sides, options):
    game, asked = alphorn.example(name), {"games": 10, "seed": 5, **options}
    expected = game.match(*sides, **asked)
    assert (expected.games, expected.ended) == (asked["games"], "games")
    for tasks in (1, 2, 4):
        assert alphorn.ray.match(game, *sides, tasks=tasks, **asked) == expected


def test_a_record_is_the_same_in_every_process(cluster):
    """Once atoms that a process met before, such as those of another game, changed the keys of its openings."""
    game, options = alphorn.example("tictactoe"), {"games": 30, "opening_plies": 2, "seed": 3, "max_plies": 1000}
    asked = {"a": {"depth": 2}, "b": {"depth": 1}, "jobs": 1, **options}
    whole = alphorn.ray._continued(asked, game, 0)
    later = [json.loads(line) for line in alphorn.ray._continued(asked, game, 10)[0]]
    assert later == [json.loads(line) for line in whole[0][11:]] and len(later) == 20
    code = (
        "import sys, pickle, alphorn, alphorn.ray\n"
        "alphorn.loads('initial(zebra(yak)). max_to_move(_). move(zebra(yak), wolf, zebra(vole)). result(_, 0).')\n"
        "asked = pickle.load(sys.stdin.buffer)\n"
        "sys.stdout.buffer.write(pickle.dumps(alphorn.ray._continued(asked, alphorn.example('tictactoe'), 10)[0]))\n"
    )
    other = subprocess.run([sys.executable, "-c", code], input=pickle.dumps(asked), capture_output=True, check=True)
    assert [json.loads(line) for line in pickle.loads(other.stdout)] == later


def test_a_match_ends_when_there_are_no_more_openings(cluster):
    game, sides = alphorn.example("tictactoe"), ({"depth": 2}, {"depth": 1})
    found = alphorn.ray.match(game, *sides, games=40, opening_plies=1, tasks=3)
    assert found == game.match(*sides, games=40, opening_plies=1)
    assert (found.ended, found.games, found.openings) == ("openings", 18, 9)


def test_an_interval_is_wide_if_all_pairs_end_alike(cluster):
    found = alphorn.ray.match(alphorn.example("breakthrough"), {"depth": 3}, {"depth": 1}, games=4, tasks=2)
    assert found.pentanomial == [0, 0, 0, 0, 2] and found.alike and found.same_moves == 0
    assert found.low < 0.5 < found.score == found.high == 1


def test_options_of_a_match_are_checked(cluster):
    game = alphorn.example("tictactoe")
    with pytest.raises(ValueError, match="games is an even number"):
        alphorn.ray.match(game, "", "", games=3)
    with pytest.raises(ValueError, match="use Game.match, or leave out sprt"):
        alphorn.ray.match(game, "", "", games=4, sprt="elo0=0,elo1=10")


@pytest.mark.parametrize("options", [{}, {"gauntlet": True, "anchor": "b"}, {"opening_plies": 1, "games": 40}])
def test_a_tournament_is_that_of_one_machine(cluster, options):
    game = alphorn.example("tictactoe")
    sides = {"c": {"depth": 3}, "a": {"depth": 1}, "b": "--depth 2"}
    asked = {"games": 6, "seed": 5, **options}
    assert alphorn.ray.tournament(game, sides, **asked) == game.tournament(sides, **asked)


def test_sides_of_a_tournament_are_checked(cluster):
    game = alphorn.example("tictactoe")
    with pytest.raises(ValueError, match="two sides"):
        alphorn.ray.tournament(game, {"a": {"depth": 1}})
    with pytest.raises(ValueError, match="anchor is the name of a side: a, b"):
        alphorn.ray.tournament(game, {"a": {"depth": 1}, "b": {"depth": 2}}, anchor="c")
    with pytest.raises(alphorn.Error, match="depht"):
        alphorn.ray.tournament(game, {"a": {"depht": 1}, "b": {"depth": 2}})


def test_tuning(cluster):
    game = alphorn.example("breakthrough")
    asked = {"games": 20, "nodes": 50, "max_plies": 200, "match_games": 4, "seed": 3, "tasks": 2}
    found = alphorn.ray.tune(game, ["man"], **asked)
    [man] = found.params
    assert (man.name, man.start, man.changes_evaluation) == ("man", 10, True)
    assert 0 <= man.value <= 100 and man.value != 10
    assert found.fit.end < found.fit.start and f":- param(man, {man.value}, 0..100" in found.overlay
    assert found == alphorn.ray.tune(game, "man", **asked)
    assert (found.seed, found.match_seed, found.match.games) == (3, 1_000_003, 4)
    for side in (found.match.a, found.match.b):
        assert 1 < side.nodes <= 51, "the final match has the limit of the games"


def test_the_options_of_games_reach_the_final_match(cluster):
    game = alphorn.example("breakthrough")
    found = alphorn.ray.tune(
        game, ["man"], games=40, depth=1, opening_plies=20, settle=1, match_games=4, tasks=2, seed=2
    )
    assert (found.match.games, found.match.a.depth, found.match.b.depth) == (4, 1, 1)
    assert found.match.plies > 20


def test_tasks_have_seeds_of_their_own():
    seeds = [seed for first in range(50) for seed in alphorn.ray._seeds(first, 40)]
    assert len(set(seeds)) == len(seeds) == 2000 and min(seeds) > 1000
    assert alphorn.ray._seeds(7, 3) == alphorn.ray._seeds(7, 5)[:3]


def test_errors_come_back(cluster):
    with pytest.raises(alphorn.Error, match="depht"):
        alphorn.ray.match(alphorn.example("nim"), {"depht": 2}, {}, games=2)
