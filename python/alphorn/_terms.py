"""The terms that Python has no type for."""

from __future__ import annotations


class String(str):
    """A Prolog string. A plain ``str`` is an atom."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"String({str.__repr__(self)})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, String) and str.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(("String", str(self)))


class Var(str):
    """An unbound variable in the answer to a goal. Equal names in one answer are one variable."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"Var({str.__repr__(self)})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Var) and str.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(("Var", str(self)))
