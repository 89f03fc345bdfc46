"""Requests of the protocol as functions: they complete the classes ``Game`` and ``Position``."""

from __future__ import annotations

import json
import os
import warnings
from typing import Any, Callable, Iterator

from alphorn import _alphorn
from alphorn._errors import Error, RulesWarning, diagnostics


class Reply(dict):
    """A reply or an event of the protocol: a dict whose keys are attributes too.

    ``docs/schema/`` of Alphorn describes the fields of each reply.
    """

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"the reply has no field {name!r}; its fields are {', '.join(self)}") from None

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{key}={value!r}' for key, value in self.items())})"


class Value(Reply):
    """The value of a position. The stub file lists the fields."""

    __slots__ = ()

    def __repr__(self) -> str:
        kind = "exact" if self["exact"] else "estimate"
        return f"<Value {self['value']} ({kind}), best {self['best']!r}, depth {self['depth']}>"


class Tree(Reply):
    """The tree of a search. A notebook shows it as a picture; ``svg`` is the picture as text."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return self["svg"]

    def __repr__(self) -> str:
        searched = f"{self['algorithm']} to depth {self['depth']}"
        return f"<Tree of {searched}: value {self['value']}, {self['visited']} positions>"


def _text(value: Any) -> Any:
    """A value as JSON has it: a position is its text, a path its name."""
    if isinstance(value, _alphorn.Position):
        return value.text
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, dict):
        return {key: _text(item) for key, item in value.items() if item is not None}
    if isinstance(value, (list, tuple)):
        return [_text(item) for item in value]
    if hasattr(value, "item") and not isinstance(value, (str, bytes)):
        return value.item()
    return value


def _parts(subject: Any) -> tuple[_alphorn.Game, _alphorn.Position | None]:
    if isinstance(subject, _alphorn.Position):
        return subject.game, subject
    return subject, None


def _json(key: str, value: Any) -> str:
    """An option as JSON."""
    try:
        return json.dumps(_text(value), allow_nan=False)
    except RecursionError:
        raise ValueError(f"{key}: the object contains itself, or is too deep") from None
    except (TypeError, ValueError) as error:
        raise type(error)(f"{key}: {error}") from None


def _begin(subject: Any, name: str, options: dict) -> _alphorn.Run:
    game, position = _parts(subject)
    fields = {"request": name, **{key: value for key, value in options.items() if value is not None}}
    text = ", ".join(f"{json.dumps(key)}: {_json(key, value)}" for key, value in fields.items())
    return game._begin(f"{{{text}}}", position)


def warn(text: str) -> None:
    """Issues the diagnostics of a JSON text as Python warnings."""
    for diagnostic in diagnostics(text):
        warnings.warn(str(diagnostic), RulesWarning, stacklevel=3)


def _heard(event: Reply) -> bool:
    """Issues an event that is a warning, and tells whether it was one."""
    if event["event"] == "warnings":
        warn(json.dumps(event["problems"]))
    elif event["event"] == "note":
        warnings.warn(event["text"], RulesWarning, stacklevel=4)
    else:
        return False
    return True


def _finish(run: _alphorn.Run, kind: type, on_event: Callable[[Reply], object] | None) -> Any:
    """The reply at the end of a request. An exception of ``on_event`` stops the request."""
    try:
        for text in run:
            event = json.loads(text, object_hook=Reply)
            if not _heard(event) and on_event is not None:
                on_event(event)
    except BaseException:
        run.close()
        raise
    return _reply(run.reply, kind)


def _reply(text: str, kind: type) -> Any:
    fields = json.loads(text, object_hook=Reply)
    fields.pop("reply", None)
    return kind(fields)


def _only(kind: str, callback: Callable[[Reply], object] | None) -> Callable[[Reply], object] | None:
    if callback is None:
        return None

    def hear(event: Reply) -> None:
        if event["event"] == kind:
            callback(event)

    return hear


def request(subject: Any, name: str, on_event: Callable[[Reply], object] | None = None, **options: Any) -> Reply:
    """Carries out any request of the protocol."""
    return _finish(_begin(subject, name, options), Reply, on_event)


def value(position: Any, on_iteration: Callable[[Reply], object] | None = None, **options: Any) -> Value:
    """Computes the value of a position."""
    return _finish(_begin(position, "value", options), Value, _only("iteration", on_iteration))


class Iterations:
    """The finished depths of a search that runs: an iterator of replies.

    ``result`` waits for the end and is the value. ``stop()`` ends the search, with the result so far.
    """

    def __init__(self, run: _alphorn.Run) -> None:
        self._run = run
        self._value: Value | None = None

    def __iter__(self) -> Iterator[Reply]:
        return self

    def __next__(self) -> Reply:
        for text in self._run:
            event = json.loads(text, object_hook=Reply)
            if not _heard(event) and event["event"] == "iteration":
                return event
        raise StopIteration

    @property
    def result(self) -> Value:
        """The value at the end of the search."""
        if self._value is None:
            self._value = _finish(self._run, Value, None)
        return self._value

    def stop(self) -> None:
        """Ends the search. ``result`` is then the result so far."""
        self._run.stop()

    def __enter__(self) -> "Iterations":
        return self

    def __exit__(self, *_: object) -> None:
        self._run.close()


def iterations(position: Any, **options: Any) -> Iterations:
    """Begins a search and iterates over its depths."""
    return Iterations(_begin(position, "value", options))


def solve(subject: Any, **options: Any) -> Reply:
    """Proves the value of a position, or of all positions."""
    reply = _finish(_begin(subject, "solve", options), Reply, None)
    if reply["unwritten"]:
        # The command line prints the value and then ends with an error; the exception has the value.
        text = json.dumps(reply["unwritten"])
        error = Error("\n".join(map(str, diagnostics(text))), text)
        error.reply = reply
        raise error
    return reply


def perft(position: Any, depth: int) -> list[int]:
    """The number of lines of each length from 1 to ``depth``."""
    return [row["paths"] for row in request(position, "perft", depth=depth)["perft"]]


def play_match(game: Any, a: Any, b: Any, on_game: Callable[[Reply], object] | None = None, **options: Any) -> Reply:
    """Plays a match."""
    return _finish(_begin(game, "match", {"a": a, "b": b, **options}), Reply, _only("game", on_game))


def tournament(game: Any, sides: Any, on_game: Callable[[Reply], object] | None = None, **options: Any) -> Reply:
    """Plays a tournament. ``sides`` is a dict from names to settings, or a list as the protocol has it."""
    if isinstance(sides, dict):
        sides = [{"name": name, "settings": settings} for name, settings in sides.items()]
    return _finish(_begin(game, "tournament", {"side": sides, **options}), Reply, _only("game", on_game))


def tree(subject: Any, **options: Any) -> Tree:
    """Records the tree of a search, with its picture."""
    return _finish(_begin(subject, "tree", {"svg": True, **options}), Tree, None)


def tune(
    game: Any,
    params: str | list[str] | None = None,
    *,
    on_step: Callable[[Reply], object] | None = None,
    **options: Any,
) -> Reply:
    """Tunes the parameters of a game's evaluation.

    ``params`` names parameters, such as ``["man", "king=0..50"]``; without it, all integer parameters that
    only the evaluation uses. ``options`` are those of ``alphorn tune``: ``games``, ``method``, ``depth``,
    ``no_match``, ``seed`` and others. ``on_step`` receives each step of tuning.

    Raises ``Error`` if the game has no such parameters, or the rules fail.
    """
    names = [params] if isinstance(params, str) else params
    return _finish(_begin(game, "tune", {"params": names, **options}), Reply, _only("tune", on_step))


class Answers:
    """The answers to a goal: an iterator of dicts. Each answer is found when it is asked for.

    ``output`` is the text that the goal has written so far.
    """

    def __init__(self, game: _alphorn.Game, run: _alphorn.Run, text: bool) -> None:
        self._game, self._run, self._as_text = game, run, text
        self._done = False
        self.output = ""

    def __iter__(self) -> Iterator[dict]:
        return self

    def __next__(self) -> dict:
        if self._done:
            raise StopIteration
        for line in self._run:
            event = json.loads(line)
            if event["event"] == "answer":
                self.output += event["output"]
                values = event["values"]
                if self._as_text:
                    return values
                return dict(zip(values, _alphorn._terms(self._game, list(values.values()))))
            _heard(Reply(event))
        # Another thread may have taken the last answer, and its end.
        if (reply := self._run.reply) is not None and not self._done:
            self._end(json.loads(reply))
        raise StopIteration

    def _end(self, reply: dict) -> None:
        self._done = True
        self.output += reply["output"]
        if reply["warnings"]:
            warn(json.dumps(reply["warnings"]))

    def close(self) -> None:
        """Ends the search for answers."""
        self._done = True
        self._run.close()


def query(subject: Any, goal: str, *, limit: int | None = None, text: bool = False, **options: Any) -> Answers:
    """The answers to a goal."""
    game, _ = _parts(subject)
    return Answers(game, _begin(subject, "query", {"goal": goal, "limit": limit, **options}), text)
