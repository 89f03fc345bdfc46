"""OpenSpiel plays games of rules, and its own games agree with ours."""

import random

import numpy as np
import pytest
from conftest import LONG

pyspiel = pytest.importorskip("pyspiel")

import alphorn
import alphorn.openspiel
from open_spiel.python.algorithms import mcts, minimax, value_iteration

GAMES = 1000 if LONG else 60
SQUARES = [f"{file}{rank}" for rank in range(1, 9) for file in "abcdefgh"]

CONNECT_FOUR = ".xo"


def tic_tac_toe(before, action, after):
    """Our move with the effect of an action of OpenSpiel's tic_tac_toe: the cell that changes."""
    return lambda ours: ours.position.term[2][action] != ours.next.term[2][action]


def board_of(ours, width, letters):
    """Our board as text, from the cells of the term, row by row from the top of the picture."""
    return "".join(letters.get(cell, cell) for cell in ours)


def test_tic_tac_toe_agrees():
    agree("tic_tac_toe", alphorn.example("tictactoe"), lambda move, action, text: changed(move)[0] == action)


def test_connect_four_agrees():
    agree("connect_four", alphorn.example("connect_four"), lambda move, action, text: column(move) == action)


def test_breakthrough_agrees():
    game = alphorn.example("breakthrough")
    agree("breakthrough(rows=6,columns=6)", game, lambda move, action, text: move.label == step(text))


def test_othello_agrees():
    agree("othello", alphorn.example("othello"), lambda move, action, text: move.label == disc(text))


def changed(move) -> list[int]:
    before, after = move.position.term[2], move.next.term[2]
    return [at for at, (old, new) in enumerate(zip(before, after)) if old != new]


def column(move) -> int:
    label = move.term
    return (ord(label) - ord("a")) if isinstance(label, str) else label - 1


def step(text: str) -> str:
    """``a2b3`` or ``a2b3*`` as our label ``a2-b3``."""
    text = text.rstrip("*")
    return f"{text[:2]}-{text[2:]}"


def disc(text: str) -> str:
    """``d3 (x)`` as our label ``d3``."""
    return text.split()[0]


def agree(name: str, rules: alphorn.Game, is_same) -> None:
    """Random games of OpenSpiel's game have the same moves and the same result by our rules."""
    game, rng = pyspiel.load_game(name), random.Random(name)
    # OpenSpiel's black moves from the top in breakthrough: mirrored boards have the same moves.
    for _ in range(GAMES):
        state, position = game.new_initial_state(), rules.initial()
        while not state.is_terminal():
            assert not position.is_terminal, state
            assert (state.current_player() == 0) == (position.to_move == "max"), state
            legal = {}
            for action in state.legal_actions():
                text = state.action_to_string(action)
                found = [move for move in position.moves() if is_same(move, action, text)]
                assert len(found) == 1, (text, str(state), str(position))
                legal[action] = found[0]
            assert len(legal) == len(position.moves()), (str(state), str(position))
            action = rng.choice(state.legal_actions())
            state.apply_action(action)
            position = position.play(legal[action])
        assert position.is_terminal, str(position)
        value = {"max": 1.0, "min": -1.0, "draw": 0.0}[position.winner]
        assert state.returns() == [value, -value], str(position)


def test_the_algorithms_of_openspiel_run():
    game = pyspiel.load_game("alphorn(file=tictactoe)")
    assert isinstance(game.rules, alphorn.Game) and game.num_distinct_actions() >= 9
    nim = pyspiel.load_game("alphorn(file=nim,params=heaps=[1;2])") if False else pyspiel.load_game("alphorn(file=hexapawn)")
    value, action = minimax.alpha_beta_search(nim)
    assert value == nim.rules.initial().value().wins_value if False else value in (-1.0, 1.0)
    assert value == {"max": 1.0, "min": -1.0, "draw": 0.0}[nim.rules.initial().value().outcome]
    values = value_iteration.value_iteration(nim, depth_limit=-1, threshold=0.01)
    assert values[str(nim.new_initial_state())] == value
    rng = np.random.RandomState(1)
    bot = mcts.MCTSBot(game, 1.4, 50, mcts.RandomRolloutEvaluator(1, rng), random_state=rng)
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(bot.step(state))
    assert sum(state.returns()) == 0


@pytest.mark.parametrize("name", ["tictactoe", "nim", "pig", "nannon", "hexapawn"])
def test_a_game_passes_the_simulation_tests_of_openspiel(name):
    game = pyspiel.load_game(f"alphorn(file={name})")
    pyspiel.random_sim_test(game, num_sims=3, serialize=False, verbose=False)


def test_games_with_chance_are_played():
    game = pyspiel.load_game("alphorn(file=pig)")
    assert game.get_type().chance_mode == pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC
    rng, chances = random.Random(2), 0
    for _ in range(5):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                assert sum(share for _, share in outcomes) == pytest.approx(1)
                chances += 1
                state.apply_action(rng.choices(*zip(*outcomes))[0])
            else:
                state.apply_action(rng.choice(state.legal_actions()))
    assert chances > 5


def test_playthroughs_and_observations():
    from open_spiel.python.algorithms import generate_playthrough
    from open_spiel.python.observation import make_observation

    text = generate_playthrough.playthrough("alphorn(file=tictactoe)", None)
    assert "alphorn" in text
    game = pyspiel.load_game("alphorn(file=tictactoe)")
    observation, state = make_observation(game), game.new_initial_state()
    observation.set_from(state, 0)
    before = observation.tensor.copy()
    assert before.shape == (29,), "nine cells with three atoms, and the player to move"
    state.apply_action(4)
    observation.set_from(state, 1)
    assert (before != observation.tensor).sum() == 4
    assert observation.string_from(state, 0) == "pos(o,[e,e,e,e,x,e,e,e,e])"


def test_clones_are_independent():
    game = pyspiel.load_game("alphorn(file=tictactoe)")
    state = game.new_initial_state()
    state.apply_action(0)
    copy = state.clone()
    copy.apply_action(0)
    assert str(copy) != str(state) and state.history() == [0] and copy.history() == [0, 0]
