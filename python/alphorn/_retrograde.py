"""The tasks of a distributed solution: breadth-first generation and retrograde analysis of partitions.

A position belongs to the partition that the hash of its bytes gives, and has a number there. A level is the
positions at one distance from the first positions; a round decides the wins and losses of one distance from the
end. Every task reads files of the round before and writes files that no other task writes. Positions stay bytes
in Arrow arrays; the functions of ``_alphorn`` go through them.

Files, each with one table for each partition that reads it or with one table:

==================  ====================================================================================
``edges/L/H``       the edges from partition H to level L: ``source`` (a number in H), ``position``
``new/L/H``         the positions of level L in H, in the order of their numbers: ``position``
``before/L/H``      the edges to positions in H: ``to``, ``home`` and ``source`` of the predecessor
``nodes/L/H``       the positions of level L in H: ``mover``, ``end``, ``left`` (distinct successors)
``index/H``         all edges to positions in H, sorted by ``to``: ``home``, ``source``
``first/H``         the place in ``index/H`` of the first edge to each position, and the number of edges
``state/T/H``       after round T: ``value`` and ``left`` (successors that are not decided)
``sent/T/H``        the predecessors of positions that round T decided: ``number``, ``winner``
==================  ====================================================================================
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from alphorn import Game, Position, _alphorn
from alphorn._store import Store

ROWS = 50_000
"""The positions that a task gives to the rules at once."""


def begin(store: Store, start: Game | Position, all: bool, partitions: int) -> dict[str, Any]:
    """Writes the first positions. The result has their number, and the only one's partition."""
    position = start if isinstance(start, Position) else None if all else start.initial()
    game = start if position is None or isinstance(start, Game) else start.game
    batch = None if position is None else game.batch([position])
    roots = [pa.record_batch(part) for part in _alphorn._roots(game, batch, partitions)]
    store.tables("roots", [[part] for part in roots])
    lengths = [len(part) for part in roots]
    return {"roots": sum(lengths), "home": lengths.index(1) if sum(lengths) == 1 else None}


def level(store: Store, game: Game, number: int, home: int, partitions: int) -> dict[str, Any]:
    """Gives numbers to the new positions of a partition, reverses the edges to them, and generates the successors
    of the new positions."""

    def work() -> dict[str, Any]:
        known = [store.table(f"new/{before}/{home}") for before in range(number)]
        known = pa.concat_tables([pa.Table.from_batches([_nothing()]), *known])
        if number == 0:
            fresh = store.table("roots", home, partitions)
        else:
            fresh = _collect(store, known, (number, home, partitions))
        store.tables(f"new/{number}/{home}", [fresh.to_batches() or [_nothing()]])
        edges = _expand(store, game, fresh.column("position"), (number, home, partitions), len(known))
        return {"new": len(fresh), "edges": edges}

    return store.once(f"level-{number}-{home}", work)


def _nothing() -> pa.RecordBatch:
    schema = pa.schema([pa.field("position", pa.binary(), nullable=False)])
    return pa.RecordBatch.from_arrays([pa.array([], pa.binary())], schema=schema)


def _collect(store: Store, known: pa.Table, where: tuple[int, int, int]) -> pa.Table:
    number, home, partitions = where
    parts = [store.table(f"edges/{number}/{other}", home, partitions) for other in range(partitions)]
    edges = pa.concat_tables(parts)
    numbers, fresh = _alphorn._number(known, edges.select(["position"]))
    store.arrays(
        f"before/{number}/{home}",
        to=pa.record_batch(numbers).column("number").to_numpy(),
        home=np.repeat(np.arange(partitions, dtype=np.uint16), [len(part) for part in parts]),
        source=edges.column("source").to_numpy(),
    )
    return pa.table(fresh)


def _expand(store: Store, game: Game, positions: pa.ChunkedArray, where: tuple[int, int, int], first: int) -> int:
    number, home, partitions = where
    nodes: list[Any] = []
    edges: list[list[Any]] = [[] for _ in range(partitions)]
    for start in range(0, max(1, len(positions)), ROWS):
        found = _alphorn._expand(game, positions.slice(start, ROWS), partitions, first + start)
        if found is None:
            raise ValueError(
                "a game ends in a number, and alphorn.ray.solve knows only wins, losses and draws: "
                "use Game.solve, which solves such games on one machine"
            )
        nodes.append(found[0])
        for parts, part in zip(edges, found[1]):
            parts.append(pa.record_batch(part))
    store.tables(f"nodes/{number}/{home}", [nodes])
    store.tables(f"edges/{number + 1}/{home}", edges)
    return sum(len(batch) for parts in edges for batch in parts)


def index(store: Store, home: int, levels: int) -> dict[str, int]:
    """Sorts the reversed edges of a partition by their ends, and makes the first state."""

    def work() -> dict[str, int]:
        # The last level has no new positions, but edges to known ones.
        parts = [store.load(f"before/{number}/{home}") for number in range(1, levels + 1)]
        join = lambda name, kind: np.concatenate([np.zeros(0, kind), *(part[name] for part in parts)])
        to = join("to", np.uint32)
        order = np.argsort(to, kind="stable")
        nodes = [store.load(f"nodes/{number}/{home}") for number in range(levels)]
        mover, end, left = (np.concatenate([part[name] for part in nodes]) for name in ("mover", "end", "left"))
        first = np.concatenate([[0], np.cumsum(np.bincount(to, minlength=len(mover)))])
        store.arrays(f"index/{home}", home=join("home", np.uint16)[order], source=join("source", np.uint32)[order])
        store.arrays(f"first/{home}", first=first)
        store.arrays(f"mover/{home}", mover=mover)
        store.arrays(f"state/0/{home}", value=end.astype(np.int32), left=left)
        return {"positions": len(mover)}

    return store.once(f"index-{home}", work)


def decide(store: Store, turn: int, home: int, partitions: int) -> dict[str, int]:
    """Decides the positions of a partition that are won or lost at distance ``turn``, and tells their
    predecessors. A value is the distance plus one; it is negative if MIN wins, and 0 if undecided."""

    def work() -> dict[str, int]:
        state = store.load(f"state/{max(0, turn - 1)}/{home}")
        if turn == 0:
            value = state["value"]
            decided = np.flatnonzero(value)
        else:
            value, left = state["value"].copy(), state["left"].copy()
            decided = _decided(store, (turn, home, partitions), value, left)
            store.arrays(f"state/{turn}/{home}", value=value, left=left)
        tell(store, (turn, home, partitions), decided, np.sign(value[decided]).astype(np.int8))
        return {"decided": len(decided)}

    return store.once(f"decide-{turn}-{home}", work)


def _decided(store: Store, where: tuple[int, int, int], value: np.ndarray, left: np.ndarray) -> np.ndarray:
    """Changes the values of positions that are decided now. Returns these positions."""
    turn, home, partitions = where
    mover = store.load(f"mover/{home}")["mover"]
    sent = [store.load(f"sent/{turn - 1}/{other}", home, partitions) for other in range(partitions)]
    numbers = np.concatenate([part["number"] for part in sent])
    winners = np.concatenate([part["winner"] for part in sent])
    is_open = value[numbers] == 0
    numbers, winners = numbers[is_open], winners[is_open]
    own = mover[numbers] == winners
    won = np.unique(numbers[own])
    value[won] = mover[won] * np.int32(turn + 1)
    lost, losses = np.unique(numbers[~own], return_counts=True)
    left[lost] -= losses.astype(left.dtype)
    lost = lost[(left[lost] == 0) & (value[lost] == 0)]
    value[lost] = -mover[lost] * np.int32(turn + 1)
    return np.concatenate([won, lost])


def tell(store: Store, where: tuple[int, int, int], decided: np.ndarray, winners: np.ndarray) -> None:
    """Writes for every partition which of its positions have a decided successor."""
    turn, home, partitions = where
    edges, first = store.load(f"index/{home}"), store.load(f"first/{home}")["first"]
    starts, lengths = first[decided], first[decided + np.uint32(1)] - first[decided]
    places = np.repeat(starts - np.concatenate([[0], np.cumsum(lengths)[:-1]]), lengths) + np.arange(lengths.sum())
    places = places.astype(np.int64)
    homes, sources, winner = edges["home"][places], edges["source"][places], np.repeat(winners, lengths)
    order = np.argsort(homes, kind="stable")
    ends = np.cumsum(np.bincount(homes, minlength=partitions))
    whole = pa.record_batch({"number": sources[order], "winner": winner[order]})
    parts = [[whole.slice(end - size, size)] for end, size in zip(ends.tolist(), np.diff(ends, prepend=0).tolist())]
    store.tables(f"sent/{turn}/{home}", parts)
