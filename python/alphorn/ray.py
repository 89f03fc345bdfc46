"""Work on several machines: Ray does the distribution, and these functions divide the work.

``pip install alphorn[ray]``. Call ``ray.init()`` first, or let the first function start Ray on this machine. Every
machine needs the package. A task whose process or machine dies is repeated elsewhere.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import warnings
from typing import Any, Mapping, Sequence

import numpy as np
import pyarrow as pa
import ray

import alphorn
from alphorn import Error, Game, Position, Reply, RulesWarning, _alphorn
from alphorn import _retrograde as retrograde
from alphorn._store import Store

# A process keeps the games that its tasks have loaded, so that the next task need not load them.
_kept: dict[Game, Game] = {}


def _keep(game: Game) -> Game:
    return _kept.setdefault(game, game)


@ray.remote(max_retries=-1)
def _call(function: str, game: Game | None, arguments: tuple) -> Any:
    """Carries out a task: a function of ``_retrograde`` or of this module."""
    # Ray copies this function to its workers, but not this module.
    import alphorn.ray as here

    if game is not None:
        game = here._keep(game)
    work = getattr(here, function, None) or getattr(here.retrograde, function)
    return work(*(arguments if game is None else (arguments[0], game, *arguments[1:])))


def _shares(total: int, parts: int, unit: int = 1) -> list[int]:
    """Divides a number into nearly equal parts that are multiples of ``unit``, without empty parts."""
    units = total // unit
    parts = max(1, min(parts, units))
    return [unit * (units * (at + 1) // parts - units * at // parts) for at in range(parts)]


def _workers() -> int:
    if not ray.is_initialized():
        ray.init()
    return max(1, int(ray.cluster_resources().get("CPU", 1)))


def _together(tasks: list[ray.ObjectRef]) -> list[Any]:
    """The results of tasks. If one fails, or the wait is interrupted, the others are cancelled."""
    try:
        return ray.get(tasks)
    except BaseException as error:
        # Ray 2.60 ends this process if a task is cancelled while a worker takes it. A worker takes the next task when
        # one ends: short tasks end before the others are cancelled, and those that wait are cancelled before those
        # that run.
        for task in reversed(ray.wait(tasks, num_returns=len(tasks), timeout=1, fetch_local=False)[1]):
            ray.cancel(task)
        if isinstance(error, ray.exceptions.RayTaskError):
            raise error.cause from error
        raise


def match(
    game: Game,
    a: str | Mapping[str, Any],
    b: str | Mapping[str, Any],
    *,
    games: int = 100,
    tasks: int | None = None,
    seed: int = 1,
    max_plies: int = 1000,
    **options: Any,
) -> Reply:
    """Plays a match between two settings, its games divided among tasks.

    ``games`` is an even number: two games from each opening. The other options are those of ``Game.match``, except
    ``sprt``. ``tasks`` is the number of tasks (default: as many as the cluster has processors).

    A task chooses the openings of all earlier games again, which takes little time, and then plays its own games.
    So no opening is played in two tasks, and the games and the reply are those of ``Game.match`` with the same seed,
    for any number of tasks, unless a setting depends on the time.

    Raises ``ValueError`` if ``games`` is odd or ``sprt`` is given, and ``Error`` if a setting is wrong or the rules
    fail.
    """
    _check_games(games)
    if options.pop("sprt", None) is not None:
        raise ValueError(
            "sprt stops a match after the game that decides the test, but tasks play fixed numbers of games: "
            "use Game.match, or leave out sprt"
        )
    asked = {"a": _plain(a), "b": _plain(b), "seed": seed, "jobs": 1, **options}
    workers, first, work = _workers(), 0, []
    for count in _shares(games, tasks or workers, 2):
        one = {**asked, "games": first + count, "max_plies": max_plies}
        work.append(_call.remote("_continued", game, (one, first)))
        first += count
    parts = _together(work)
    with tempfile.TemporaryDirectory() as folder:
        reply = game.request("match-report", file=_written(folder, [line for part, _ in parts for line in part]))
    reply["ended"] = parts[-1][1]
    return reply


def _check_games(games: int) -> None:
    if games < 2 or games % 2:
        raise ValueError("games is an even number from 2")


def _plain(settings: str | Mapping[str, Any]) -> str | dict:
    return settings if isinstance(settings, str) else dict(settings)


def _written(folder: str, lines: Sequence[str]) -> str:
    """Writes a record into a folder. Returns its path."""
    path = os.path.join(folder, "games.jsonl")
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(lines)
    return path


def _recorded(options: dict, game: Game, kind: str, before: Sequence[str] = ()) -> tuple[list[str], str]:
    """Plays a match or a tournament after the games ``before``. Returns the lines of its record, and why it ended."""
    with tempfile.TemporaryDirectory() as folder:
        path = _written(folder, before)
        with warnings.catch_warnings():
            # The program notes that the record holds games.
            if before:
                warnings.simplefilter("ignore", RulesWarning)
            reply = game.request(kind, **{**options, "games": [options["games"], path]})
        with open(path, encoding="utf-8", newline="\n") as file:
            return file.readlines(), reply["ended"]


def _continued(options: dict, game: Game, first: int) -> tuple[list[str], str]:
    """Plays the games of a match after the first ones.

    Returns their lines, with the line of settings if there are no games before them, and why the match ended.
    """
    before, ended = [], "games"
    if first > 0:
        # Games of one move from the same openings stand for the games of other tasks. Only the players, whose
        # settings the program writes, and the greatest length differ.
        short = {**options, "max_plies": 1}
        begun, _ = _recorded({**short, "games": 2}, game, "match")
        header = {**json.loads(begun[0]), "max_plies": options["max_plies"]}
        short |= {"a": {"nodes": 1}, "b": {"nodes": 1}, "games": first}
        (_, *openings), ended = _recorded(short, game, "match")
        before = [json.dumps(header) + "\n", *openings]
    lines = before
    if ended == "games":
        lines, ended = _recorded(options, game, "match", before)
    return lines[1 + first if first else 0 :], ended


def tournament(
    game: Game,
    sides: Mapping[str, str | Mapping[str, Any]],
    *,
    games: int = 20,
    gauntlet: bool = False,
    anchor: str | None = None,
    seed: int = 1,
    **options: Any,
) -> Reply:
    """Plays a tournament between several sides, and rates them. Each task plays the games of two sides.

    ``sides`` is a dict from names to settings, ``games`` the even number of games of each pairing. With
    ``gauntlet``, the first side plays against all others, and no other games are played. The side ``anchor``
    has the rating 0; without it, the mean rating is 0. The other options are those of ``Game.tournament``.

    The openings are those of ``Game.tournament`` with the same seed. So the games, the ratings and the reply are
    the same, unless the settings of a side depend on the time.

    Raises ``ValueError`` if ``games`` is odd or there are fewer than two sides, and ``Error`` if a setting is
    wrong or the rules fail.
    """
    _check_games(games)
    names = list(sides)
    if len(names) < 2:
        raise ValueError("a tournament has at least two sides")
    if anchor is not None and anchor not in sides:
        raise ValueError(f"anchor is the name of a side: {', '.join(names)}")
    couples = [(a, b) for at, a in enumerate(names) for b in names[at + 1 :] if not gauntlet or at == 0]
    _workers()
    asked = [
        {
            "side": [{"name": name, "settings": _plain(sides[name])} for name in couple],
            "games": games, "jobs": 1, "seed": seed, **options,
        }
        for couple in couples
    ]
    played = _together([_call.remote("_recorded", game, (one, "tournament")) for one in asked])
    reply = _rated(game, (names, gauntlet, anchor), [record for record, _ in played])
    reply["ended"] = played[0][1]
    return reply


def _rated(game: Game, about: tuple[list[str], bool, str | None], records: list[list[str]]) -> Reply:
    """The ratings of a tournament whose pairings have these records."""
    (names, gauntlet, anchor), headers = about, [json.loads(record[0]) for record in records]
    found = {side["name"]: side for header in headers for side in header["sides"]}
    header = {**headers[0], "sides": [found[name] for name in names], "gauntlet": gauntlet}
    lines = [json.dumps(header) + "\n"]
    # All pairings play an opening in turn, each with both colours.
    for pairs in zip(*(zip(record[1::2], record[2::2]) for record in records)):
        for line in (line for pair in pairs for line in pair):
            lines.append(json.dumps({**json.loads(line), "game": len(lines)}) + "\n")
    with tempfile.TemporaryDirectory() as folder:
        return game.request("tournament-report", file=_written(folder, lines), anchor=anchor)


# What ``tune`` takes for the games of the tasks as well as for the comparison of choices and the final match.
_OF_GAMES = (
    "depth", "nodes", "opening_plies", "max_plies", "position", "at", "opening", "moves", "with", "steps", "memory",
)


def _seeds(seed: int, count: int) -> list[int]:
    """The seeds of tasks. They are hashes, so that neighbouring seeds give other games."""
    return np.random.SeedSequence(seed).generate_state(count, np.uint64).tolist()


def _dataset(options: dict, game: Game) -> str:
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "positions.jsonl")
        game.request("dataset", output=path, **options)
        with open(path, encoding="utf-8") as file:
            return file.read()


def tune(
    game: Game,
    params: str | list[str] | None = None,
    *,
    games: int = 400,
    tasks: int | None = None,
    seed: int = 1,
    **options: Any,
) -> Reply:
    """Tunes the parameters of an evaluation: tasks play the games, and this process fits the parameters.

    The options are those of ``alphorn.tune``. ``every`` and ``settle`` choose the positions of the games; ``depth``,
    ``nodes``, ``opening_plies``, ``max_plies``, the start position and the rules are also those of the final match.
    Each task has a seed of its own, made of ``seed`` and the number of the task. So the result depends on ``tasks``
    (default: as many as the cluster has processors) and ``seed``. Different tasks may play the same opening.

    Raises ``Error`` as ``alphorn.tune`` does.
    """
    names = [params] if isinstance(params, str) else params
    playing = {key: options.pop(key) for key in ("every", "settle") if key in options}
    playing.update((key, options[key]) for key in _OF_GAMES if key in options)
    counts = _shares(games, tasks or _workers(), 2)
    asked = [
        {"params": names, "games": count, "jobs": 1, **playing, "seed": of_task}
        for count, of_task in zip(counts, _seeds(seed, len(counts)))
    ]
    _workers()
    texts = _together([_call.remote("_dataset", game, (one,)) for one in asked])
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "positions.jsonl")
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(texts)
        return alphorn.tune(game, names, data=path, seed=seed, **options)


def _counted(depth: int, game: Game, rows: list[bytes], weights: list[int]) -> list[int]:
    total = [0] * depth
    for row, weight in zip(rows, weights):
        for ply, paths in enumerate(game.position(row).perft(depth)):
            total[ply] += weight * paths
    return total


def perft(position: Position, depth: int, *, split: int = 2, tasks: int | None = None) -> list[int]:
    """The number of lines of each length from 1 to ``depth`` plies.

    The positions after ``split`` plies are divided among tasks; equal positions are counted once. Raises
    ``Error`` if the rules fail.
    """
    game, frontier, counts = position.game, {bytes(position): 1}, []
    for _ in range(min(split, depth)):
        rows = list(frontier)
        after = pa.record_batch(game.successors(rows, labels=False))
        frontier, weights = {}, [frontier[row] for row in rows]
        for row, found in zip(after.column("row").to_pylist(), after.column("position").to_pylist()):
            frontier[found] = frontier.get(found, 0) + weights[row]
        counts.append(sum(frontier.values()))
    rest = depth - len(counts)
    if rest == 0 or not frontier:
        return counts + [0] * rest
    rows = list(frontier)
    # More tasks than processors, because the positions are not equally hard.
    parts = min(len(rows), 4 * (tasks or _workers()))
    _workers()
    tasks_ = [
        _call.remote("_counted", game, (rest, rows[at::parts], [frontier[row] for row in rows[at::parts]]))
        for at in range(parts)
    ]
    return counts + [sum(column) for column in zip(*_together(tasks_))]


def solve(
    start: Game | Position,
    *,
    all: bool = False,
    save: str | os.PathLike[str] | None = None,
    partitions: int | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
) -> Reply:
    """Solves every position that can be reached, by breadth-first generation and retrograde analysis.

    ``start`` is a game or a position; with ``all``, every position of position/1 is a first position. The
    values are those of ``alphorn solve``, and ``save`` writes them to the same kind of file. Positions are
    divided by a hash into ``partitions`` (default: four for each processor). All data lies in files below the
    folder ``checkpoint``, which every machine must reach; a solution that was interrupted goes on from there.
    Without it, a temporary folder of this machine serves, which suits a cluster on one machine.

    The reply has ``positions``, ``edges``, ``levels`` (of the generation), ``longest`` (the plies of the
    longest win; None without a win), ``max``, ``min`` and ``draw`` (how many positions each result has),
    ``saved``, and for one first position ``value``, ``outcome`` and ``plies``.

    Raises ``Error`` if the rules fail, and ``ValueError`` for games with chance moves or that end in numbers:
    ``Game.solve`` solves these.
    """
    game = start.game if isinstance(start, Position) else start
    if game.has_chance:
        raise ValueError(
            "the game has chance moves, and alphorn.ray.solve knows only wins, losses and draws: "
            "use Game.solve, which computes averages on one machine"
        )
    workers = _workers()
    partitions = partitions or 4 * workers
    folder = os.fspath(checkpoint) if checkpoint is not None else tempfile.mkdtemp(prefix="alphorn-solve-")
    store = Store(folder, lasting=checkpoint is not None)
    try:
        kind = "all" if all else bytes(start if isinstance(start, Position) else start.initial()).hex()
        told = {"format": 2, "game": f"{hash(game)}", "start": kind, "partitions": partitions}
        if store.once("begin", lambda: told) != told:
            raise ValueError("the checkpoint belongs to another game, start or version, or to other partitions")
        begun = store.once("roots", lambda: retrograde.begin(store, start, all, partitions))
        if begun["roots"] == 0:
            raise ValueError("position/1 has no answer, so there is nothing to solve")
        shared = ray.put(game)
        levels, edges = _generate(store, shared, partitions)
        rounds = _decide(store, levels, partitions)
        return _finish(store, game, (begun["home"], save), (levels, edges, rounds, partitions))
    finally:
        if checkpoint is None:
            shutil.rmtree(folder, ignore_errors=True)


def _generate(store: Store, game: ray.ObjectRef, partitions: int) -> tuple[int, int]:
    """Generates level after level. Returns the number of levels and of edges."""
    level = edges = 0
    while True:
        found = _together([_call.remote("level", game, (store, level, home, partitions)) for home in range(partitions)])
        store.drop(f"edges/{level}")
        if not any(one["new"] for one in found):
            return level, edges
        edges += sum(one["edges"] for one in found)
        level += 1


def _decide(store: Store, levels: int, partitions: int) -> int:
    """Decides round after round. Returns the number of the last round."""
    homes = range(partitions)
    _together([_call.remote("index", None, (store, home, levels)) for home in homes])
    for name in ("edges", "before", "nodes"):
        store.drop(name)
    turn = 0
    while True:
        found = _together([_call.remote("decide", None, (store, turn, home, partitions)) for home in homes])
        if turn > 0:
            store.drop(f"state/{turn - 1}")
            store.drop(f"sent/{turn - 1}")
        if not any(one["decided"] for one in found):
            return turn
        turn += 1


def _finish(store: Store, game: Game, asked: tuple[int | None, Any], sizes: tuple[int, int, int, int]) -> Reply:
    (root, save), (levels, edges, turn, partitions) = asked, sizes
    reply = Reply(positions=0, edges=edges, levels=levels, longest=None, max=0, min=0, draw=0, saved=None)
    # The last values that are saved complete the file, so partitions without positions do not count.
    homes = [home for home in range(partitions) if len(store.table(f"mover/{home}"))]
    for home in homes:
        value = store.load(f"state/{turn}/{home}")["value"]
        mover = store.load(f"mover/{home}")["mover"]
        won = value[(np.sign(value) == mover) & (mover != 0)]
        if len(won):
            reply["longest"] = max(reply["longest"] or 0, int(np.abs(won).max()) - 1)
        reply["positions"] += len(value)
        for key, sign in (("max", 1), ("min", -1), ("draw", 0)):
            reply[key] += int((np.sign(value) == sign).sum())
        if root == home:
            _tell_root(reply, int(value[0]))
        if save is not None:
            rows = pa.concat_tables([store.table(f"new/{level}/{home}") for level in range(levels)])
            saved = _alphorn._save_values(game, os.fspath(save), rows, pa.array(value), home == homes[-1])
            reply["saved"] = (reply["saved"] or 0) + saved
    return reply


def _tell_root(reply: Reply, value: int) -> None:
    plies = abs(value) - 1
    reply["outcome"] = "max" if value > 0 else "min" if value < 0 else "draw"
    reply["value"] = 1_000_000 - plies if value > 0 else plies - 1_000_000 if value < 0 else 0
    reply["plies"] = plies if value else None


__all__ = ["Error", "match", "perft", "solve", "tournament", "tune"]
