"""The exception of the package, with its diagnostics."""

from __future__ import annotations

import json
from dataclasses import dataclass


@dataclass(frozen=True)
class Place:
    """A place in a text of rules.

    ``line`` and ``column`` count from 1, the column in characters. ``start`` and ``end`` are byte offsets
    from 0; ``end`` is exclusive. ``label`` says what is wrong there; it may be empty.
    """

    file: str
    line: int
    column: int
    start: int
    end: int
    label: str


@dataclass(frozen=True)
class Edit:
    """A change of a text that fixes a mistake: ``text`` replaces the bytes from ``start`` to ``end``."""

    file: str
    start: int
    end: int
    text: str


@dataclass(frozen=True)
class Diagnostic:
    """A mistake: what is wrong, where, and what to do.

    ``code`` is a stable code such as ``"A0201"``; ``alphorn explain A0201`` explains it. ``level`` is
    ``"error"``, ``"warning"`` or ``"note"``. ``help`` is None if there is no suggestion. ``places`` has the
    place of the mistake first, then the places of its causes. ``edits`` fix the mistake together.
    """

    code: str
    level: str
    message: str
    help: str | None
    places: tuple[Place, ...]
    edits: tuple[Edit, ...]

    @property
    def span(self) -> tuple[int, int] | None:
        """The byte offsets of the mistake in its text; None if the mistake is not in a text."""
        return (self.places[0].start, self.places[0].end) if self.places else None

    def __str__(self) -> str:
        place = f"{self.places[0].file}:{self.places[0].line}:{self.places[0].column}: " if self.places else ""
        help = f"\n  help: {self.help}" if self.help else ""
        return f"{place}{self.code}: {self.message}{help}"


def diagnostics(text: str) -> list[Diagnostic]:
    """The diagnostics of a JSON text."""

    def one(fields: dict) -> Diagnostic:
        places = tuple(Place(**place) for place in fields.pop("places"))
        edits = tuple(Edit(**edit) for edit in fields.pop("edits"))
        return Diagnostic(places=places, edits=edits, **fields)

    return [one(fields) for fields in json.loads(text)]


class Error(Exception):
    """Rules or a call contain an error.

    The text is the drawing of the command line. ``diagnostics`` has all errors and warnings, as
    ``Diagnostic`` objects; ``code``, ``message`` and ``help`` are those of the first error. ``reply`` is the
    result of ``solve`` if only its file could not be written, and otherwise None.
    """

    reply: dict | None = None

    def __init__(self, text: str, diagnostics_json: str = "[]") -> None:
        super().__init__(text, diagnostics_json)
        self.diagnostics: list[Diagnostic] = diagnostics(diagnostics_json)

    def _first(self) -> Diagnostic | None:
        errors = [diagnostic for diagnostic in self.diagnostics if diagnostic.level == "error"]
        return (errors or self.diagnostics or [None])[0]

    @property
    def code(self) -> str | None:
        """The code of the first error."""
        first = self._first()
        return first.code if first else None

    @property
    def message(self) -> str:
        """The message of the first error."""
        first = self._first()
        return first.message if first else str(self)

    @property
    def help(self) -> str | None:
        """The help of the first error."""
        first = self._first()
        return first.help if first else None

    def __str__(self) -> str:
        return self.args[0]


class RulesWarning(UserWarning):
    """Rules or a call are odd, but usable."""
