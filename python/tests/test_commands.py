"""Python gives the moves, values and results of the command line, for every game that comes with Alphorn."""

import random

import pytest
from conftest import LONG, ROOT, CommandLine, random_line

import alphorn

POSITIONS = 40 if LONG else 6


@pytest.mark.parametrize("name", alphorn.examples())
def test_a_game_is_that_of_the_command_line(name):
    game = alphorn.example(name)
    assert game == alphorn.load(ROOT / "games" / f"{name}.pl")
    rng = random.Random(name)
    line = [position for _ in range(4) for position in random_line(game, rng, 80)]
    ends = [position for position in line if position.is_terminal][:3]
    command = CommandLine(f"games/{name}.pl")
    for position in [game.initial(), *rng.sample(line, min(POSITIONS, len(line))), *ends]:
        compare(command, position)
    command.close()


def compare(command: CommandLine, position: alphorn.Position) -> None:
    shown = command.ask("moves", position=position.text)
    assert "error" not in shown, shown
    moves = [(move["move"] if "move" in move else move["label"], move["next"]) for move in shown["moves"]]
    assert [(move.label, move.next.notation) for move in position.moves()] == moves
    assert [move.weight for move in position.moves()] == [move.get("weight") for move in shown["moves"]]
    assert (position.to_move, position.winner) == (shown["turn"], shown["outcome"])
    picture = shown["picture"]
    assert str(position) == (position.text if picture is None else "\n".join(picture))
    value = command.ask("value", position=position.text, depth=1, threads=1)
    found = position.value(depth=1, threads=1)
    for key in ("value", "exact", "best", "pv", "nodes", "outcome"):
        assert found[key] == value[key], key
    at_once = command.ask("value", position=position.text, depth=0, threads=1)
    if at_once["value"] is not None and position.is_terminal:
        assert position.eval() == pytest.approx(at_once["value"])
    for move in position.moves()[:3]:
        assert position.play(move.label) == move.next
