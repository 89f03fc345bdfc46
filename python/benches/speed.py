"""Measures the figures of docs/python.md: calls, playouts and OpenSpiel's games.

``target/python/venv/bin/python python/benches/speed.py`` prints them. Each figure is the best of several runs,
because other programs only slow a run down.
"""

import random
import time
import timeit
from typing import Callable

import alphorn

RUNS = 7


def best(work: Callable[[], float]) -> float:
    """The greatest result of several runs."""
    return max(work() for _ in range(RUNS))


def calls(name: str, position: alphorn.Position) -> None:
    """The time of one ``play`` and one ``moves``, and of the rules alone."""
    rng = random.Random(1)
    line = [position]
    while len(line) < 6 and line[-1].moves():
        line.append(rng.choice(line[-1].moves()).next)
    moves = [move for position in line for move in position.moves()]

    def both() -> float:
        begun = time.perf_counter()
        for move in moves * 50:
            move.position.play(move).moves()
        return 1 / ((time.perf_counter() - begun) / len(moves) / 50)

    # A batch asks the same rules the same questions, without a Python object for a position.
    rows = position.game.batch([move.next for move in moves for _ in range(50)])

    def rules() -> float:
        begun = time.perf_counter()
        position.game.successors(rows, labels=False, threads=1)
        return 1 / ((time.perf_counter() - begun) / len(rows))

    ours, theirs = 1e6 / best(both), 1e6 / best(rules)
    print(f"{name}: play + moves {ours:.2f} us; a row of successors {theirs:.2f} us")


def playouts(name: str, position: alphorn.Position, games: int) -> None:
    """Playouts a second by a batch, and by a search of the library on one thread."""
    batch = position.game.batch([position] * 4)

    def batched() -> float:
        begun = time.perf_counter()
        position.game.playouts(batch, games, seed=1, threads=1)
        return 4 * games / (time.perf_counter() - begun)

    def searched() -> float:
        return position.value(algorithm="playouts", games=4 * games, seed=1, threads=1).sample.games_per_second

    # One after the other, so that both have the same neighbours.
    pairs = [(batched(), searched()) for _ in range(RUNS)]
    ours, theirs = (max(column) for column in zip(*pairs))
    print(f"{name}: playouts a second: batch {ours:,.0f}, search {theirs:,.0f}, ratio {ours / theirs:.2f}")


def openspiel(name: str, theirs: str, ours: str) -> None:
    """Random games a second through the API of OpenSpiel."""
    import pyspiel

    import alphorn.openspiel  # noqa: F401

    def played(game) -> float:
        rng, begun, games = random.Random(1), time.perf_counter(), 0
        while time.perf_counter() - begun < 0.5:
            state = game.new_initial_state()
            while not state.is_terminal():
                state.apply_action(rng.choice(state.legal_actions()))
            games += 1
        return games / (time.perf_counter() - begun)

    found = [best(lambda: played(pyspiel.load_game(text))) for text in (theirs, ours)]
    print(f"{name}: games a second through OpenSpiel: C++ {found[0]:,.0f}, rules {found[1]:,.0f}")


def main() -> None:
    """Prints all figures."""
    start = alphorn.example("tictactoe").initial()
    cached = min(timeit.repeat(start.moves, number=10_000, repeat=RUNS)) / 10_000
    print(f"tictactoe: moves of a position that was asked before {1e6 * cached:.2f} us")
    for name in ("tictactoe", "connect_four", "breakthrough"):
        calls(name, alphorn.example(name).initial())
    for name, games in (("tictactoe", 5000), ("connect_four", 1000), ("breakthrough", 100)):
        playouts(name, alphorn.example(name).initial(), games)
    openspiel("tictactoe", "tic_tac_toe", "alphorn(file=tictactoe)")
    openspiel("connect_four", "connect_four", "alphorn(file=connect_four)")
    openspiel("breakthrough", "breakthrough", "alphorn(file=breakthrough,params=width:8;height:8)")


if __name__ == "__main__":
    main()
