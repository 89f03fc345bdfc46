#!/usr/bin/env python3
"""Prints for which crates the tests, the program and the Python package ask for different features, and how many
parts each build compiles that none before it has compiled. Compiles nothing."""

import hashlib
import json
import os
import subprocess

BUILDS = {
    "tests": ["test", "--no-run"],
    "program": ["build"],
    "package": ["build", "--package", "alphorn-python"],
}


def units(command: list[str]) -> list[dict]:
    """The parts that a command of cargo compiles."""
    # The option is not stable, so cargo must be told that this is no accident.
    asked = ["cargo", *command, "--release", "--locked", "--unit-graph", "-Zunstable-options"]
    found = subprocess.run(asked, env={**os.environ, "RUSTC_BOOTSTRAP": "1"}, check=True, stdout=subprocess.PIPE)
    return json.loads(found.stdout)["units"]


def digests(graph: list[dict]) -> list[str]:
    """For each part, a hash of all that its result depends on."""
    known: dict[int, str] = {}

    def digest(number: int) -> str:
        if number not in known:
            own = {key: value for key, value in graph[number].items() if key != "dependencies"}
            below = sorted(digest(one["index"]) for one in graph[number]["dependencies"])
            known[number] = hashlib.sha256(json.dumps([own, below], sort_keys=True).encode()).hexdigest()
        return known[number]

    return [digest(number) for number in range(len(graph))]


def main() -> None:
    """Compares the builds."""
    graphs = {name: units(command) for name, command in BUILDS.items()}
    features: dict[str, dict[str, set]] = {}
    for name, graph in graphs.items():
        for unit in graph:
            if unit["target"]["kind"] != ["custom-build"]:
                crate = f"{unit['pkg_id'].rsplit('/', 1)[-1]}, opt-level {unit['profile']['opt_level']}"
                features.setdefault(crate, {}).setdefault(name, set()).update(unit["features"])
    for crate, found in sorted(features.items()):
        if len({frozenset(one) for one in found.values()}) > 1:
            everything = set().union(*found.values())
            print(crate, {name: f"without {sorted(everything - one)}" for name, one in found.items()})
    compiled: set[str] = set()
    for name, graph in graphs.items():
        found = set(digests(graph))
        print(f"{name}: {len(found)} parts, {len(found - compiled)} of them new")
        compiled |= found


main()
