"""OpenSpiel plays games of rules: ``import alphorn.openspiel`` registers the game ``alphorn``.

>>> import pyspiel, alphorn.openspiel
>>> game = pyspiel.load_game("alphorn(file=games/nim.pl)")

Parameters of the game: ``file``, a file of rules or the name of a game that comes with Alphorn; ``params``,
such as ``width:8;height:8`` (a game string cannot contain ``=`` there); ``actions``, the greatest number of
legal moves; ``max_length``, the number of plies after which a game is a draw. Player 0 is MAX. An action is the
number of a move among the legal moves of the rules, from 0; ``action_to_string`` gives its label. The observation
tensor comes from the position's term: see ``docs/python.md``.

A game that declares that a repetition is a draw ends at the first repetition.
"""

from __future__ import annotations

import os
import re
from typing import Any

import numpy as np
import pyspiel

import alphorn
from alphorn import Game, Move, Position
from alphorn._spaces import Spaces, draws_repetitions, payoff_of

MAX_LENGTH = 1000
"""The plies after which a game is a draw, unless the parameter ``max_length`` is given."""


def _game_type(has_chance: bool) -> pyspiel.GameType:
    modes = pyspiel.GameType.ChanceMode
    return pyspiel.GameType(
        short_name="alphorn",
        long_name="A game of Prolog rules",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=modes.EXPLICIT_STOCHASTIC if has_chance else modes.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"file": "tictactoe", "params": "", "actions": 0, "max_length": MAX_LENGTH},
    )


def load_rules(file: str, params: str = "") -> Game:
    """The rules of the parameters ``file`` and ``params`` of a game string."""
    changed = dict(re.split("[:=]", part, maxsplit=1) for part in params.split(";") if part)
    if not os.path.exists(file) and file in alphorn.examples():
        return alphorn.example(file, params=changed)
    return alphorn.load(file, params=changed)


class Settings:
    """What the states of a game share. OpenSpiel clones a state by a deep copy, which leaves this alone."""

    def __init__(self, rules: Game, actions: int | None, max_length: int) -> None:
        self.rules, self.max_length = rules, max_length
        self.spaces = Spaces(rules, actions)
        self.initial = rules.initial()
        self.counts_repetitions = draws_repetitions(rules)

    def __deepcopy__(self, memo: dict) -> "Settings":
        return self


class AlphornGame(pyspiel.Game):
    """A game of rules as an OpenSpiel game. ``rules`` is the ``alphorn.Game``."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        params = params or {}
        self.rules = load_rules(params.get("file", "tictactoe"), params.get("params", ""))
        max_length = params.get("max_length", MAX_LENGTH)
        if max_length < 1 or params.get("actions", 0) < 0:
            raise ValueError("max_length is a number from 1, and actions a number from 0")
        self.settings = Settings(self.rules, params.get("actions") or None, max_length)
        spaces = self.settings.spaces
        info = pyspiel.GameInfo(
            num_distinct_actions=spaces.actions,
            max_chance_outcomes=spaces.outcomes,
            num_players=2,
            min_utility=-spaces.payoff,
            max_utility=spaces.payoff,
            utility_sum=0.0,
            max_game_length=max_length,
        )
        super().__init__(_game_type(self.rules.has_chance), info, params)

    def new_initial_state(self, state: Any = None) -> "AlphornState":
        """The first position. ``state`` may be another one to begin at: a ``Position`` of this game, or its text.

        Raises ``Error`` or ``ValueError`` if it is none.
        """
        if isinstance(state, str):
            state = self.rules.parse(state)
        elif state is not None and (not isinstance(state, Position) or state.game != self.rules):
            raise ValueError("a state begins at a position of its own game, or at the text of one")
        return AlphornState(self, state)

    def max_chance_nodes_in_history(self) -> int:
        """The greatest number of chance moves in a game."""
        return self.settings.max_length if self.rules.has_chance else 0

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        """The observer of the position's term."""
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return TermObserver(self.settings.spaces)
        from open_spiel.python.observation import IIGObserverForPublicInfoGame

        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class AlphornState(pyspiel.State):
    """A position with the moves before it. ``position`` is the ``alphorn.Position``."""

    def __init__(self, game: AlphornGame, position: Position | None = None) -> None:
        super().__init__(game)
        self._settings = game.settings
        self.position = position or game.settings.initial
        self._plies = 0
        # The positions before this one, if a repetition is a draw.
        self._before: tuple[Position, ...] | None = () if game.settings.counts_repetitions else None
        self._repeated = False

    def current_player(self) -> int:
        """0 for MAX, 1 for MIN, or the number of chance or of the end."""
        if self.is_terminal():
            return pyspiel.PlayerId.TERMINAL
        to_move = self.position.to_move
        return pyspiel.PlayerId.CHANCE if to_move == "chance" else 0 if to_move == "max" else 1

    def _moves(self) -> list[Move]:
        """The legal moves. OpenSpiel has room for a number that was fixed with the game, and checks nothing."""
        moves, spaces = self.position.moves(), self._settings.spaces
        if self.position.to_move == "chance":
            if len(moves) > spaces.outcomes:
                raise ValueError(f"a position has {len(moves)} chance outcomes; the game has room for {spaces.outcomes}")
        elif len(moves) > spaces.actions:
            raise ValueError(f"a position has {len(moves)} moves: load the game with actions={2 * len(moves)}")
        return moves

    def _move(self, action: int) -> Move:
        moves = self._moves()
        if not 0 <= action < len(moves):
            raise ValueError(f"there is no action {action}: the position has {len(moves)} moves, numbered from 0")
        return moves[action]

    def _legal_actions(self, player: int) -> list[int]:
        return list(range(len(self._moves())))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The outcomes of a chance position, with probabilities."""
        weights = [move.weight for move in self._moves()]
        total = sum(weights)
        return [(number, weight / total) for number, weight in enumerate(weights)]

    def _apply_action(self, action: int) -> None:
        following = self._move(action).next
        if self._before is not None:
            self._before += (self.position,)
        self.position = following
        self._plies += 1
        self._repeated = self._before is not None and self.position in self._before

    def _action_to_string(self, player: int, action: int) -> str:
        return self._move(action).label

    def is_terminal(self) -> bool:
        """Whether the game is over, by the rules, a repetition or the number of plies."""
        return self._repeated or self._plies >= self._settings.max_length or self.position.is_terminal

    def returns(self) -> list[float]:
        """The payoffs of both players."""
        if self._repeated or not self.position.is_terminal:
            return [0.0, 0.0]
        value = payoff_of(self.position)
        return [value, -value]

    def __str__(self) -> str:
        return self.position.text


class TermObserver:
    """Observations made of the position's term."""

    def __init__(self, spaces: Spaces) -> None:
        self._spaces = spaces
        self.tensor = np.zeros(spaces.size, np.float32)
        self.dict = {"term": self.tensor}

    def set_from(self, state: AlphornState, player: int) -> None:
        """Fills ``tensor`` with the observation of a state."""
        self._spaces.encode(state.position, self.tensor)

    def string_from(self, state: AlphornState, player: int) -> str:
        """The position as text."""
        return state.position.text


pyspiel.register_game(_game_type(True), AlphornGame)
