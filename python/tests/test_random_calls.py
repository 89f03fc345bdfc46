"""Random calls in random order: they never crash, and memory stays flat."""

import os
import pickle
import random
import subprocess
import sys

from conftest import LONG, NIM

CALLS = 300_000 if LONG else 60_000
"""How many calls: what games keep has reached its size after about 15,000."""

LARGEST_GROWTH = 32 << 20
"""How many bytes the process may grow between the middle third of the calls and the last, in the median."""


def resident() -> int:
    """The resident memory of this process, in bytes."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_random_calls_are_safe():
    command = [sys.executable, "-X", "faulthandler", __file__, str(CALLS)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=os.path.dirname(__file__), timeout=3600)
    assert done.returncode == 0, done.stdout + done.stderr
    print(done.stdout)


def main(calls: int) -> None:
    """Makes the calls, and checks that memory is flat."""
    import ctypes
    import gc
    import statistics
    import warnings

    import alphorn

    warnings.simplefilter("ignore")
    trim = getattr(ctypes.CDLL(None), "malloc_trim", lambda _: None)
    rng = random.Random(1)
    games = [alphorn.example(name) for name in ("tictactoe", "pig", "nim", "connect_four", "kalah", "domineering")]
    games.append(alphorn.loads(NIM))
    objects = [game.initial() for game in games]
    junk = [None, 0, -1, 1.5, "x", "", "take(1)", b"\x05\x01\x00", [], (), ("f", 1), object(), 2**70, "\0", games[0]]
    refused = sizes = 0
    samples = []

    def some(kind):
        found = [item for item in objects if isinstance(item, kind)]
        return rng.choice(found) if found and rng.random() < 0.9 else rng.choice(junk)

    def iterate():
        search = some(alphorn.Position).iterations(nodes=200, threads=1)
        next(search, None)
        return search.result if rng.random() < 0.5 else None

    actions = [
        lambda: rng.choice(games).initial(),
        lambda: some(alphorn.Position).moves(),
        lambda: some(alphorn.Position).play(some((alphorn.Move, str))),
        lambda: some(alphorn.Position).play(rng.choice(some(alphorn.Position).moves()).label),
        lambda: some(alphorn.Move).next,
        lambda: (str(some(alphorn.Position)), repr(some(alphorn.Move)), some(alphorn.Position).result),
        lambda: (some(alphorn.Position).winner, some(alphorn.Position).eval(), some(alphorn.Position).to_move),
        lambda: rng.choice(games).position(some(alphorn.Position).term),
        lambda: rng.choice(games).position(rng.choice(junk)),
        lambda: rng.choice(games).parse(some(str)),
        lambda: pickle.loads(pickle.dumps(some((alphorn.Position, alphorn.Move)))),
        lambda: {some(alphorn.Position): 1}.get(some(alphorn.Position)),
        lambda: rng.choice(games).successors(rng.choice(games).batch([some(alphorn.Position)])),
        lambda: rng.choice(games).evaluate([bytes(some(alphorn.Position)), rng.randbytes(rng.randrange(12))]),
        lambda: rng.choice(games).playouts([bytes(some(alphorn.Position))], rng.randrange(3), threads=rng.randrange(3)),
        lambda: some(alphorn.Position).value(nodes=rng.randrange(100), threads=1),
        lambda: some(alphorn.Position).value(nodes=50, **{rng.choice(["depth", "lines", "hash", "seed", "depht"]): some(str)}),
        lambda: list(some(alphorn.Position).query(rng.choice(["member(X, [1, 2])", "X is a + 1", "foo(", "position_now(P)"]))),
        lambda: next(rng.choice(games).query("between(1, inf, N)")),
        lambda: alphorn.loads(NIM + f"extra({rng.randrange(50)}).\n").initial(),
        lambda: alphorn.loads(rng.choice(["", "p(", "initial(1).", NIM[: rng.randrange(len(NIM))]])),
        iterate,
        lambda: some(alphorn.Position).perft(rng.randrange(3)),
        lambda: rng.choice(games).request(rng.choice(["stats", "listing", "undo", "x"]), **{"games": 3}),
        lambda: some(alphorn.Position).tree(depth=1),
    ]
    cheap = actions[:12]
    for number in range(calls):
        action = rng.choice(cheap if rng.random() < 0.8 else actions)
        try:
            made = action()
            for item in made if isinstance(made, list) else [made]:
                if isinstance(item, (alphorn.Position, alphorn.Move)):
                    objects.append(item)
        except (alphorn.Error, TypeError, ValueError, AttributeError, IndexError, OverflowError):
            refused += 1
        if len(objects) > 300:
            objects[:] = rng.sample(objects, 100) + [game.initial() for game in games]
        sizes += 1
        if number % (calls // 30) == 0:
            # What is alive is then the same each time, and what is free is given back.
            objects[:] = [game.initial() for game in games]
            gc.collect()
            trim(0)
            samples.append(resident())
    third = len(samples) // 3
    growth = statistics.median(samples[-third:]) - statistics.median(samples[third : 2 * third])
    megabytes = [sample >> 20 for sample in samples]
    print(f"{sizes} calls, {refused} refused, resident MiB {megabytes}, growth {growth / (1 << 20):.1f} MiB")
    assert growth < LARGEST_GROWTH, megabytes


if __name__ == "__main__":
    main(int(sys.argv[1]))
