"""PettingZoo plays games of rules: ``alphorn.pettingzoo.env(game)`` is an ``AECEnv``.

The agents are ``"max"`` and ``"min"``. An action is the number of a move among the legal moves, from 0; the mask
of legal actions is in the observation and in the info. Chance moves are drawn by the environment.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from alphorn import Game
from alphorn._spaces import MAX_PLIES, Spaces, draws_repetitions, payoff_of


def env(game: Game, **options: Any) -> AECEnv:
    """A game as an environment whose illegal actions end the game, as PettingZoo's own games do.

    The options are those of ``AlphornEnv``.
    """
    made: AECEnv = AlphornEnv(game, **options)
    made = wrappers.TerminateIllegalWrapper(made, illegal_reward=-1)
    made = wrappers.AssertOutOfBoundsWrapper(made)
    return wrappers.OrderEnforcingWrapper(made)


class AlphornEnv(AECEnv):
    """A game of rules as a PettingZoo environment.

    ``actions`` is the greatest number of legal moves; without it, random games measure it. A game of more than
    ``max_plies`` plies is truncated. ``render_mode`` is None, ``"ansi"`` or ``"human"``.

    An observation is a dict: ``observation`` (float32, shape (n,), from 0 to 1: see ``docs/python.md``) and
    ``action_mask`` (int8, shape (actions,)). The reward at the end is 1 for a win, -1 for a loss, or the number
    of the game; before the end it is 0.
    """

    metadata = {"render_modes": ["ansi", "human"], "name": "alphorn_v0", "is_parallelizable": False}

    def __init__(
        self, game: Game, *, actions: int | None = None, max_plies: int = MAX_PLIES, render_mode: str | None = None
    ) -> None:
        super().__init__()
        self.game, self.render_mode, self._max_plies = game, render_mode, max_plies
        self._spaces = Spaces(game, actions)
        self._random = random.Random()
        self._counts = draws_repetitions(game)
        self.possible_agents = ["max", "min"]
        actions = self._spaces.actions
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}
        observed = spaces.Dict({
            "observation": spaces.Box(0, 1, (self._spaces.size,), np.float32),
            "action_mask": spaces.Box(0, 1, (actions,), np.int8),
        })
        self.observation_spaces = {agent: observed for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space:
        """The space of observations of an agent."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space:
        """The space of actions of an agent."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict | None = None) -> None:
        """Starts a game. ``options={"opening": n}`` chooses an opening, from 1."""
        if seed is not None:
            self._random.seed(seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self.position = self.game.initial((options or {}).get("opening", 1))
        self._plies, self._before = 0, set()
        self.agent_selection = "max"
        self._settle()

    def _enter(self, position: Any) -> None:
        if self._counts:
            self._before.add(self.position)
        self.position = position
        self._plies += 1

    def _settle(self) -> None:
        """Draws chance moves, and finds who moves, or the rewards at the end."""
        while True:
            repeated = self._counts and self.position in self._before
            if repeated or self.position.is_terminal:
                value = 0.0 if repeated else payoff_of(self.position)
                self.rewards = {"max": value, "min": -value}
                self.terminations = dict.fromkeys(self.agents, True)
                break
            if self._plies >= self._max_plies:
                self.truncations = dict.fromkeys(self.agents, True)
                break
            if self.position.to_move != "chance":
                self.agent_selection = self.position.to_move
                break
            moves = self.position.moves()
            self._enter(self._random.choices(moves, [move.weight for move in moves])[0].next)
        self.infos = {agent: {"action_mask": self._mask(agent)} for agent in self.agents}

    def _mask(self, agent: str) -> np.ndarray:
        mask = np.zeros(self._spaces.actions, np.int8)
        over = any(self.terminations.values()) or any(self.truncations.values())
        if not over and self.position.to_move == agent:
            legal = len(self.position.moves())
            if legal > len(mask):
                raise ValueError(f"a position has {legal} moves: make the environment with actions={2 * legal}")
            mask[:legal] = 1
        return mask

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """The observation of an agent."""
        return {"observation": self._spaces.encode(self.position), "action_mask": self._mask(agent)}

    def step(self, action: int | None) -> None:
        """Makes the move of the selected agent."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0
        self.rewards = dict.fromkeys(self.agents, 0.0)
        moves = self.position.moves()
        if action is None or not 0 <= action < len(moves):
            raise ValueError(f"action {action} is not legal: there are {len(moves)} moves")
        self._enter(moves[action].next)
        self._settle()
        self._accumulate_rewards()
        if self.terminations[agent] or self.truncations[agent]:
            self.agent_selection = "min" if agent == "max" else "max"
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """The picture of the position: as text, or printed."""
        if self.render_mode == "ansi":
            return str(self.position)
        if self.render_mode == "human":
            print(self.position, end="\n\n")
        return None

    def close(self) -> None:
        """Ends the environment."""
