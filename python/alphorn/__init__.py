"""Two-player games written as Prolog rules.

>>> import alphorn
>>> game = alphorn.example("tictactoe")
>>> game.initial().value().outcome
'draw'
"""

from __future__ import annotations

import atexit as _atexit
import json as _json
import os as _os
import warnings as _warnings
from typing import Any, Iterable, Mapping

from alphorn._alphorn import Batch, Game, Move, Position, __version__, after_fork, at_exit, examples
from alphorn._alphorn import _example_text, _load
from alphorn._errors import Diagnostic, Edit, Error, Place, RulesWarning, diagnostics as _diagnostics
from alphorn._requests import Answers, Iterations, Reply, Tree, Value, tune
from alphorn._terms import String, Var

__all__ = [
    "Answers", "Batch", "Diagnostic", "Edit", "Error", "Game", "Iterations", "Move", "Place", "Position", "Reply",
    "RulesWarning", "String", "Tree", "Value", "Var", "__version__", "example", "examples", "load", "loads", "tune",
]

_Path = "str | _os.PathLike[str]"

# Worker threads do not survive a fork, and must not wait for an interpreter that has ended.
if hasattr(_os, "register_at_fork"):
    _os.register_at_fork(after_in_child=after_fork)
_atexit.register(at_exit)
del after_fork, at_exit


def _opened(
    files: list[str],
    texts: list[tuple[str, str]],
    params: Mapping[str, Any] | None,
    overlays: Iterable[_Path],
    steps: int | None,
    memory: int | None,
) -> Game:
    given = [(name, value if isinstance(value, str) else _json.dumps(value)) for name, value in (params or {}).items()]
    paths = [overlays] if isinstance(overlays, (str, _os.PathLike)) else overlays
    game = _load(files, texts, [_os.fsdecode(path) for path in paths], given, steps, memory)
    for diagnostic in _diagnostics(game._warnings()):
        if diagnostic.level == "warning":
            _warnings.warn(str(diagnostic), RulesWarning, stacklevel=3)
    return game


def load(
    path: _Path,
    *more: _Path,
    params: Mapping[str, Any] | None = None,
    overlays: Iterable[_Path] = (),
    steps: int | None = None,
    memory: int | None = None,
) -> Game:
    """Loads a game from files of rules, the main file first.

    ``params`` changes parameters of the game, such as ``{"size": 8}``. ``overlays`` are files whose
    predicates replace those of the game. ``steps`` bounds one question to the rules (default: 10,000,000
    steps; 0: no bound), ``memory`` one evaluation, in bytes (default: 1 GiB).

    Raises ``Error`` with all diagnostics if a file cannot be read, or the rules have errors. Issues a
    ``RulesWarning`` for each warning about the rules.
    """
    return _opened([_os.fsdecode(name) for name in (path, *more)], [], params, overlays, steps, memory)


def loads(
    text: str,
    *,
    name: str = "text",
    params: Mapping[str, Any] | None = None,
    overlays: Iterable[_Path] = (),
    steps: int | None = None,
    memory: int | None = None,
) -> Game:
    """Loads a game from a text. ``name`` is the name of the text in diagnostics; see ``load``."""
    return _opened([], [(name, text)], params, overlays, steps, memory)


def example(name: str, *, params: Mapping[str, Any] | None = None, overlays: Iterable[_Path] = ()) -> Game:
    """Loads a game that comes with Alphorn; ``examples()`` lists their names.

    Raises ``Error`` if there is no such game.
    """
    text = _example_text(name)
    if text is None:
        return load(name)  # The error suggests a name.
    return _opened([], [(f"{name}.pl", text)], params, overlays, None, None)
