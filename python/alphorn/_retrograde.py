"""The tasks of a distributed solution: breadth-first generation and retrograde analysis of partitions.

A position belongs to the partition that the hash of its bytes gives, and has a number there. A level is the
positions at one distance from the first positions; a round decides the wins and losses of one distance from the
end. Every task reads files of the round before and writes files that no other task writes.
"""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np
import pyarrow as pa

from alphorn import Game
from alphorn._store import Store

ROWS = 20_000
"""The positions that a task gives to the rules at once."""


def partition_of(position: bytes, partitions: int) -> int:
    """The partition of a position."""
    return zlib.crc32(position) % partitions


def divide(positions: pa.ChunkedArray | pa.Array, partitions: int) -> np.ndarray:
    """The partition of each position."""
    return np.fromiter((partition_of(row.as_py(), partitions) for row in positions), np.int64, len(positions))


def begin(store: Store, roots: pa.Array, partitions: int) -> None:
    """Writes the first positions as edges from nowhere, so that level 0 is collected as any other."""
    homes = divide(roots, partitions)
    for home in range(partitions):
        found = roots.filter(pa.array(homes == home))
        table = pa.table({"source": pa.array(np.full(len(found), -1), pa.int64()), "position": found})
        store.table(f"edges/0/{home}-{home}.arrow", table)
        for other in range(partitions):
            if other != home:
                store.table(f"edges/0/{other}-{home}.arrow", table.slice(0, 0))


def collect(store: Store, level: int, home: int, partitions: int) -> dict[str, int]:
    """Gives numbers to the new positions of a partition, and reverses the edges to them."""

    def work() -> dict[str, int]:
        known: dict[bytes, int] = {}
        for before in range(level):
            for row in store.read(f"new/{before}/{home}.arrow").column("position"):
                known[row.as_py()] = len(known)
        first, fresh = len(known), []
        to, source_home, source = [], [], []
        for other in range(partitions):
            table = store.read(f"edges/{level}/{other}-{home}.arrow")
            numbers = np.empty(len(table), np.int64)
            for at, row in enumerate(table.column("position")):
                position = row.as_py()
                number = known.setdefault(position, len(known))
                if number == first + len(fresh):
                    fresh.append(position)
                numbers[at] = number
            to.append(numbers)
            source.append(table.column("source").to_numpy())
            source_home.append(np.full(len(table), other, np.int32))
        edges = {"to": np.concatenate(to), "home": np.concatenate(source_home), "source": np.concatenate(source)}
        real = edges["source"] >= 0
        store.arrays(f"before/{level}/{home}.npz", **{name: column[real] for name, column in edges.items()})
        store.table(f"new/{level}/{home}.arrow", pa.table({"position": pa.array(fresh, pa.binary())}))
        return {"new": len(fresh), "first": first}

    return store.once(f"collect-{level}-{home}", work)


def expand(store: Store, game: Game, level: int, home: int, partitions: int, first: int) -> dict[str, Any]:
    """Generates the successors of a partition's positions of one level."""

    def work() -> dict[str, Any]:
        positions = store.read(f"new/{level}/{home}.arrow").column("position").combine_chunks()
        movers, ends, counts = [], [], []
        parts: list[list[pa.Table]] = [[] for _ in range(partitions)]
        for start in range(0, len(positions), ROWS):
            rows = positions.slice(start, ROWS)
            about = pa.record_batch(game.evaluate(rows, threads=1))
            turns, winners = about.column("to_move"), about.column("winner")
            if "chance" in turns.unique().to_pylist():
                return {"refused": "the game has chance moves"}
            points = [number for number in about.column("points").to_pylist() if number]
            if points:
                return {"refused": "the game ends in numbers"}
            movers.append(signs(turns))
            ends.append(signs(winners))
            after = pa.table(pa.record_batch(game.successors(rows, labels=False, canonical=True, threads=1)))
            after = after.select(["row", "position"]).group_by(["row", "position"], use_threads=False).aggregate([])
            source = after.column("row").to_numpy().astype(np.int64)
            counts.append(np.bincount(source, minlength=len(rows)).astype(np.int32))
            edges = pa.table({"source": pa.array(source + start + first), "position": after.column("position")})
            homes = divide(edges.column("position"), partitions)
            for other in range(partitions):
                parts[other].append(edges.filter(pa.array(homes == other)))
        empty = pa.table({"source": pa.array([], pa.int64()), "position": pa.array([], pa.binary())})
        for other, tables in enumerate(parts):
            store.table(f"edges/{level + 1}/{home}-{other}.arrow", pa.concat_tables([empty, *tables]))
        join = lambda columns, kind: np.concatenate([np.zeros(0, kind), *columns]).astype(kind)
        store.arrays(
            f"nodes/{level}/{home}.npz",
            mover=join(movers, np.int8), end=join(ends, np.int8), left=join(counts, np.int32),
        )
        return {"edges": int(sum(len(table) for tables in parts for table in tables))}

    return store.once(f"expand-{level}-{home}", work)


def signs(names: pa.Array) -> np.ndarray:
    """1 for max, -1 for min, 0 for other names."""
    found = names.to_numpy(zero_copy_only=False)
    return (found == "max").astype(np.int8) - (found == "min").astype(np.int8)


def index(store: Store, home: int, levels: int) -> dict[str, int]:
    """Sorts the reversed edges of a partition by their ends, and makes the first state."""

    def work() -> dict[str, int]:
        # The last level has no new positions, but edges to known ones.
        parts = [store.load(f"before/{level}/{home}.npz") for level in range(levels + 1)]
        join = lambda name: np.concatenate([part[name] for part in parts])
        to = join("to")
        order = np.argsort(to, kind="stable")
        nodes = [store.load(f"nodes/{level}/{home}.npz") for level in range(levels)]
        mover, end, left = (np.concatenate([part[name] for part in nodes]) for name in ("mover", "end", "left"))
        first = np.searchsorted(to[order], np.arange(len(mover) + 1))
        store.arrays(
            f"index/{home}.npz", first=first, home=join("home")[order], source=join("source")[order], mover=mover
        )
        store.arrays(f"state/0/{home}.npz", value=end.astype(np.int32), left=left)
        return {"positions": len(mover)}

    return store.once(f"index-{home}", work)


def decide(store: Store, turn: int, home: int, partitions: int) -> dict[str, int]:
    """Decides the positions of a partition that are won or lost at distance ``turn``, and tells their
    predecessors. A value is the distance plus one; it is negative if MIN wins, and 0 if undecided."""

    def work() -> dict[str, int]:
        edges = store.load(f"index/{home}.npz")
        mover = edges["mover"]
        if turn == 0:
            state = store.load(f"state/0/{home}.npz")
            value, left = state["value"], state["left"]
            decided = np.flatnonzero(value)
        else:
            state = store.load(f"state/{turn - 1}/{home}.npz")
            value, left = state["value"], state["left"]
            sent = [store.load(f"sent/{turn - 1}/{other}-{home}.npz") for other in range(partitions)]
            numbers = np.concatenate([part["number"] for part in sent])
            winners = np.concatenate([part["winner"] for part in sent])
            open_ones = value[numbers] == 0
            numbers, winners = numbers[open_ones], winners[open_ones]
            own = mover[numbers] == winners
            won = np.unique(numbers[own])
            value[won] = mover[won] * (turn + 1)
            np.subtract.at(left, numbers[~own], 1)
            lost = np.unique(numbers[~own])
            lost = lost[(left[lost] == 0) & (value[lost] == 0)]
            value[lost] = -mover[lost] * (turn + 1)
            decided = np.concatenate([won, lost])
            store.arrays(f"state/{turn}/{home}.npz", value=value, left=left)
        tell(store, edges, (turn, home, partitions), decided, np.sign(value[decided]).astype(np.int8))
        return {"decided": len(decided)}

    return store.once(f"decide-{turn}-{home}", work)


def tell(
    store: Store,
    edges: dict[str, np.ndarray],
    where: tuple[int, int, int],
    decided: np.ndarray,
    winners: np.ndarray,
) -> None:
    """Writes for every partition which of its positions have a decided successor."""
    turn, home, partitions = where
    starts, lengths = edges["first"][decided], np.diff(edges["first"])[decided]
    places = np.repeat(starts - np.concatenate([[0], np.cumsum(lengths)[:-1]]), lengths) + np.arange(lengths.sum())
    places = places.astype(np.int64)
    homes, sources, winner = edges["home"][places], edges["source"][places], np.repeat(winners, lengths)
    for other in range(partitions):
        found = homes == other
        store.arrays(f"sent/{turn}/{home}-{other}.npz", number=sources[found], winner=winner[found])
