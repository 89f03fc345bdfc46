"""What all tests share: the games, random positions, and a process of the command line."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

import alphorn

ROOT = Path(__file__).resolve().parents[2]
LONG = bool(os.environ.get("ALPHORN_PYTHON_LONG"))
"""Whether to run the long tests: more random games, more random calls."""

NIM = """
:- use_module(library(alphorn)).
:- param(heap, 4, 1..20, "matches at first").
initial(pile(max, N)) :- param(heap, N).
max_to_move(pile(max, _)).
move(pile(P, N), take(K), pile(Q, M)) :- member(K, [1, 2]), N >= K, M is N - K, other(P, Q).
other(max, min).
other(min, max).
outcome(pile(P, 0), win(Q)) :- other(P, Q).
acyclic.
"""


@pytest.fixture
def nim() -> alphorn.Game:
    """A small game with labels and a parameter."""
    return alphorn.loads(NIM, name="nim.pl")


@pytest.fixture
def tictactoe() -> alphorn.Game:
    """A game without labels."""
    return alphorn.example("tictactoe")


def random_line(game: alphorn.Game, rng: random.Random, plies: int = 60) -> list[alphorn.Position]:
    """The positions of a random game."""
    line = [rng.choice(game.openings())]
    while len(line) <= plies and (moves := line[-1].moves()):
        line.append(rng.choice(moves).next)
    return line


class CommandLine:
    """A process of ``alphorn repl --json``."""

    def __init__(self, *files: str) -> None:
        command = [sys.executable, "-m", "alphorn", "repl", "--json", *files]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT)

    def ask(self, request: str, **fields: object) -> dict:
        """The reply to a request."""
        self._process.stdin.write(json.dumps({"request": request, **fields}) + "\n")
        self._process.stdin.flush()
        while True:
            reply = json.loads(self._process.stdout.readline())
            if "event" not in reply:
                return reply

    def close(self) -> None:
        """Ends the process."""
        self._process.stdin.close()
        assert self._process.wait(60) == 0
        self._process.stdout.close()
