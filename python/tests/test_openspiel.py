"""OpenSpiel plays games of rules, and its own games agree with ours."""

import random

import numpy as np
import pytest
from conftest import LONG

pyspiel = pytest.importorskip("pyspiel")

import alphorn
import alphorn.openspiel
from open_spiel.python.algorithms import mcts, minimax, value_iteration

GAMES = 1000 if LONG else 40


def test_tic_tac_toe_agrees():
    agree("tic_tac_toe", alphorn.example("tictactoe"), lambda move, action, text: changed(move) == [action])


def test_connect_four_agrees():
    agree("connect_four", alphorn.example("connect_four"), lambda move, action, text: move.label == str(action + 1))


def test_breakthrough_agrees():
    rules = alphorn.example("breakthrough", params={"width": 8, "height": 8})
    agree("breakthrough", rules, lambda move, action, text: move.label == step(text, 8))
    rules = alphorn.example("breakthrough")
    agree("breakthrough(rows=6,columns=6)", rules, lambda move, action, text: move.label == step(text, 6))


def test_othello_agrees():
    agree("othello", alphorn.example("othello"), lambda move, action, text: move.label == text)


def changed(move) -> list[int]:
    """The cells that a move of tic-tac-toe changes."""
    before, after = move.position.term[2], move.next.term[2]
    return [at for at, (old, new) in enumerate(zip(before, after)) if old != new]


def step(text: str, rows: int) -> str:
    """``a5b4*`` as our label ``a2-b3``: OpenSpiel's first player moves down from the top, ours up."""
    squares = [f"{file}{rows + 1 - int(rank)}" for file, rank in (text[:2], text[2:4])]
    return "-".join(squares)


def agree(name: str, rules: alphorn.Game, is_same) -> None:
    """Random games of OpenSpiel's game have the same moves and the same result by our rules."""
    game, rng = pyspiel.load_game(name), random.Random(name)
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
    nim = pyspiel.load_game("alphorn(file=nim)")
    value, action = minimax.alpha_beta_search(nim)
    assert value == {"max": 1.0, "min": -1.0}[nim.rules.initial().value().outcome]
    values = value_iteration.value_iteration(nim, depth_limit=-1, threshold=0.01)
    for text, found in list(values.items())[:20]:
        assert found == {"max": 1.0, "min": -1.0}[nim.rules.parse(text).value().outcome], text
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


def test_parameters_change_the_rules():
    game = pyspiel.load_game("alphorn(file=breakthrough,params=width:4;height:5)")
    assert game.rules.params["width"] == "4" and len(game.new_initial_state().legal_actions()) == 10
    assert pyspiel.load_game("alphorn", {"file": "nim", "params": "misere=yes"}).rules.params["misere"] == "yes"


def test_clones_are_independent():
    game = pyspiel.load_game("alphorn(file=tictactoe)")
    state = game.new_initial_state()
    state.apply_action(0)
    copy = state.clone()
    copy.apply_action(0)
    assert str(copy) != str(state) and state.history() == [0] and copy.history() == [0, 0]


def test_more_moves_than_actions_are_an_error():
    """Once OpenSpiel wrote the mask of such a position behind its memory."""
    state = pyspiel.load_game("alphorn(file=connect_four,actions=1)").new_initial_state()
    for asked in (state.legal_actions, state.legal_actions_mask, lambda: state.apply_action(0)):
        with pytest.raises(Exception, match="7 moves: load the game with actions=14"):
            asked()


@pytest.mark.parametrize("action", [-2, 99])
def test_an_action_that_is_none_is_an_error(action):
    state = pyspiel.load_game("alphorn(file=nim)").new_initial_state()
    for asked in (lambda: state.apply_action(action), lambda: state.action_to_string(0, action)):
        with pytest.raises(Exception, match="there is no action"):
            asked()
    assert state.history() == []


def test_a_state_begins_at_a_position_of_its_game():
    game = pyspiel.load_game("alphorn(file=nim)")
    first = game.new_initial_state()
    after = first.position.moves()[0].next
    for given in (after, str(after.text)):
        assert game.new_initial_state(given).position == after
    with pytest.raises(ValueError, match="its own game"):
        game.new_initial_state(alphorn.example("connect_four").initial())
    for wrong in ("alphorn(file=nim,actions=-1)", "alphorn(file=nim,max_length=-1)"):
        with pytest.raises(Exception, match="max_length"):
            pyspiel.load_game(wrong)
