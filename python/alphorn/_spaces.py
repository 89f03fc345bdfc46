"""Numbers for learning algorithms: actions, and observations made of a position's term.

Random games show what positions of a game look like. Every *slot* of a term, a place that holds an atom or a
number, gives one number for each atom that was seen there (1 if the atom stands there), and one for numbers.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any, Iterator

import numpy as np

from alphorn import Game, Position

GAMES = 64
"""Random games that show the positions of a game."""

MAX_PLIES = 1000
"""A random game is given up after this number of plies."""

Path = tuple[int, ...]


def slots(term: Any) -> Iterator[tuple[Path, Any]]:
    """The slots of a term: their paths, and what they hold.

    A path has the number of an argument or of a list item for each level. The name of a compound term is its
    part 0. A list has its length in an own slot, with the path of the list and -1.
    """
    stack: list[tuple[Path, Any]] = [((), term)]
    while stack:
        path, part = stack.pop()
        if isinstance(part, (tuple, list)):
            if isinstance(part, list):
                yield (*path, -1), len(part)
            stack.extend(((*path, at), item) for at, item in enumerate(part))
        else:
            yield path, part


def is_number(part: Any) -> bool:
    """Whether a slot holds a number."""
    return isinstance(part, (int, float))


@dataclass
class Seen:
    """What a slot held."""

    atoms: set[str] = field(default_factory=set)
    least: float = np.inf
    greatest: float = -np.inf

    @property
    def varies(self) -> bool:
        """Whether the slot held different things."""
        return len(self.atoms) + (self.greatest >= self.least) + (self.greatest > self.least) > 1


class Spaces:
    """The sizes of a game's actions and observations.

    ``actions`` is the number of actions: an action is the number of a move among the legal moves, from 0.
    ``outcomes`` is the number of chance outcomes, ``plies`` the length of the longest random game, and
    ``payoff`` the greatest absolute value of a finished game. All are measured with random games; ``actions``,
    ``outcomes`` and ``payoff`` leave room for twice as much. ``size`` is the length of an observation.
    """

    def __init__(self, game: Game, actions: int | None = None, seed: int = 1, games: int = GAMES) -> None:
        seen: dict[Path, Seen] = {}
        widest = outcomes = plies = 0
        payoff = 1.0
        rng = random.Random(seed)
        openings = game.openings()
        for number in range(games):
            position, ply = openings[number % len(openings)], 0
            while True:
                for path, part in slots(position.term):
                    self._note(seen.setdefault(path, Seen()), part)
                moves = position.moves()
                if not moves:
                    payoff = max(payoff, abs(payoff_of(position)))
                    break
                if position.to_move == "chance":
                    outcomes = max(outcomes, len(moves))
                else:
                    widest = max(widest, len(moves))
                if ply == MAX_PLIES:
                    break
                position, ply = rng.choice(moves).next, ply + 1
            plies = max(plies, ply)
        self.actions = actions or 2 * widest
        self.outcomes = 2 * outcomes
        self.plies = plies
        low, high = game.value_range or (-payoff, payoff)
        self.payoff = max(abs(low), abs(high), 1.0) if game.value_range else (payoff if payoff == 1.0 else 2 * payoff)
        self._places: dict[tuple[Path, Any], int] = {}
        self._scales: dict[Path, tuple[int, float, float]] = {}
        for path in sorted(path for path, found in seen.items() if found.varies):
            found = seen[path]
            for atom in sorted(found.atoms):
                self._places[path, atom] = self.size
            if found.greatest >= found.least:
                self._scales[path] = (self.size, found.least, found.greatest)

    @property
    def size(self) -> int:
        """The length of an observation."""
        return len(self._places) + len(self._scales)

    @staticmethod
    def _note(found: Seen, part: Any) -> None:
        if is_number(part):
            found.least, found.greatest = min(found.least, part), max(found.greatest, part)
        else:
            found.atoms.add(str(part))

    def encode(self, position: Position, out: np.ndarray | None = None) -> np.ndarray:
        """The observation of a position: float32, shape (size,). Numbers lie from 0 to 1: the least and the
        greatest number seen in a slot; others are cut. What no random game has shown is left out."""
        out = np.zeros(self.size, np.float32) if out is None else out
        out[:] = 0
        for path, part in slots(position.term):
            if is_number(part):
                scale = self._scales.get(path)
                if scale is not None:
                    place, least, greatest = scale
                    out[place] = min(max((part - least) / (greatest - least or 1.0), 0.0), 1.0)
            else:
                place = self._places.get((path, str(part)))
                if place is not None:
                    out[place] = 1
        return out


def draws_repetitions(game: Game) -> bool:
    """Whether a game can repeat a position, which is then a draw."""
    return game.repetition_is_draw and not game.is_acyclic


def payoff_of(position: Position) -> float:
    """What a finished game is worth for MAX: 1 for a win, -1 for a loss, or its number."""
    result = position.result
    if isinstance(result, str):
        return {"max": 1.0, "min": -1.0, "draw": 0.0}[result]
    return float(result or 0.0)
