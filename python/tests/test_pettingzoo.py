"""PettingZoo's own test passes with games of rules."""

import pytest

pytest.importorskip("pettingzoo")

from pettingzoo.test import api_test, seed_test

import alphorn
from alphorn.pettingzoo import AlphornEnv, env


@pytest.mark.parametrize("name", ["tictactoe", "nim", "pig", "othello", "nannon", "chess", "krk"])
def test_the_api_test_passes(name):
    api_test(env(alphorn.example(name)), num_cycles=200, verbose_progress=False)


def test_the_seed_test_passes():
    seed_test(lambda: env(alphorn.example("pig")), num_cycles=30)


def test_rewards_and_masks(tictactoe):
    made = AlphornEnv(tictactoe, render_mode="ansi")
    made.reset(seed=1)
    for action in (0, 2, 0, 2, 0):
        observation, *_ = made.last()
        assert observation["action_mask"].sum() == len(made.position.moves())
        made.step(action)
    assert made.position.winner == "max" and made.render() == str(made.position)
    assert made.rewards == {"max": 1.0, "min": -1.0} and all(made.terminations.values())


def test_long_games_are_truncated():
    made = AlphornEnv(alphorn.example("chess"), max_plies=4)
    made.reset()
    for _ in range(4):
        made.step(0)
    assert all(made.truncations.values()) and not any(made.terminations.values())
