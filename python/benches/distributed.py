"""Measures the figures of docs/python.md about Ray: solutions on one process, and with one and two workers.

``target/python/venv/bin/python python/benches/distributed.py`` prints for each game the seconds and the CPU seconds.
The CPU seconds of Ray are those of this process and of the workers, without Ray's own processes.
"""

import os
import resource
import tempfile
import time
from typing import Callable

import ray

import alphorn
import alphorn.ray

GAMES = {"connect_four": {"width": 5, "height": 4}, "krk": {}}
"""The games with their parameters."""

TICKS = os.sysconf("SC_CLK_TCK")


def workers() -> float:
    """The CPU seconds of the workers so far."""
    used = 0
    for process in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{process}/cmdline", encoding="utf-8") as file:
                is_worker = file.read().startswith("ray::")
            with open(f"/proc/{process}/stat", encoding="utf-8") as file:
                used += sum(map(int, file.read().rsplit(")", 1)[1].split()[11:13])) if is_worker else 0
        except OSError:
            continue
    return used / TICKS


def measured(work: Callable[[str], alphorn.Reply]) -> str:
    """Solves once, with a file for the values."""
    own = lambda: sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
    with tempfile.TemporaryDirectory() as folder:
        begun, used = time.perf_counter(), own() + workers()
        found = work(os.path.join(folder, "values"))
        return f"{found.positions:,} positions, {time.perf_counter() - begun:.1f} s, CPU {own() + workers() - used:.1f} s"


def main() -> None:
    """Measures every game."""
    for name, params in GAMES.items():
        game = alphorn.example(name, params=params)
        everything = game.name.startswith("krk")
        alone = lambda file: game.solve(save=file, method="retrograde", all=everything, memory="8G")
        print(name, "local:", measured(alone), flush=True)
        for count in (1, 2):
            ray.init(num_cpus=count, log_to_driver=False, include_dashboard=False, object_store_memory=200 << 20)
            alphorn.ray.perft(alphorn.example("nim").initial(), 4, tasks=count)
            solve = lambda file: alphorn.ray.solve(game, save=file, all=everything, partitions=8)
            print(name, f"{count} workers:", measured(solve), flush=True)
            ray.shutdown()


if __name__ == "__main__":
    main()
