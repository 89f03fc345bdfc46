"""Types of the compiled part of the package."""

from typing import Any, Callable, Iterable, Iterator, Literal, Mapping

from alphorn._requests import Answers, Iterations, Reply, Tree, Value

Term = str | int | float | list["Term"] | tuple["str | Term", ...]
"""A term: an atom is a str, a list a list, a compound term a tuple of its name and its arguments."""

Label = str | "Move"

class Game:
    """The rules of a game. A game does not change, and threads may share it.

    Games are equal if their rules, overlays and parameters are. A pickled game contains its rules.
    """

    @property
    def name(self) -> str:
        """The name: the first file or text that was loaded."""
    @property
    def params(self) -> dict[str, str]:
        """The parameters of the game and their values, as Prolog text."""
    @property
    def has_chance(self) -> bool:
        """Whether the game has chance moves, such as dice."""
    @property
    def is_acyclic(self) -> bool:
        """Whether the rules declare that no position occurs twice in a game."""
    @property
    def repetition_is_draw(self) -> bool:
        """Whether the rules declare that a repeated position is a draw.

        A Position does not know the positions before it, so the caller counts them.
        """
    @property
    def value_range(self) -> tuple[float, float] | None:
        """The least and the greatest number that value_range/2 declares; None without a declaration."""
    def initial(self, opening: int = 1) -> Position:
        """The first position: that of opening number ``opening``, counted from 1.

        Raises Error if there is no such opening or the rules fail.
        """
    def openings(self) -> list[Position]:
        """All openings, at least one. Raises Error if the rules fail."""
    def position(self, term: Term | bytes | Position) -> Position:
        """The position of a term, or of the bytes that ``bytes(position)`` gives.

        Raises TypeError if the object is no term, and Error if the bytes are no position or the position
        belongs to another game. Issues a RulesWarning if no position of the game has this shape.
        """
    def parse(self, text: str) -> Position:
        """The position that a Prolog text describes, such as ``"pos(max, [1, 2])"``.

        Raises Error if the text is no ground term. Issues a RulesWarning as ``position`` does.
        """
    def read(self, text: str) -> Position:
        """The position in the game's own notation, such as a FEN in chess.

        Raises Error if the game has no read_position/2, or cannot read the text.
        """
    def solve(
        self, *, all: bool = False, save: str | None = None, proof: str | None = None, method: str | None = None,
        time: float | None = None, accuracy: float | None = None, memory: int | str | None = None, **options: Any,
    ) -> Reply:
        """Proves the value of the first position. See ``alphorn solve`` for the options.

        ``all`` solves every position of position/1. ``save`` is the file for all values, ``proof`` the file
        for a proof. ``method`` is auto, retrograde, pns, alphabeta or iteration. ``time`` is in seconds.
        The reply has ``value`` (for MAX), ``outcome``, ``plies``, ``best``, ``pv``, ``positions`` and others.

        Raises Error if the method cannot solve the game, memory is used up, or a file cannot be written.
        """
    def saved_values(self, path: str) -> Batch:
        """The values in a file that ``solve(save=path)`` or ``alphorn solve --save`` wrote for this game.

        One row for each position: ``position`` (binary), ``value`` (float64, for MAX), ``plies`` (uint64: to
        the end of a win or a number; null without one). Raises Error if the file is none of this game.
        """
    def match(
        self, a: str | Mapping[str, Any], b: str | Mapping[str, Any], *,
        on_game: Callable[[Reply], object] | None = None, games: int | str | list[int | str] | None = None,
        sprt: str | None = None, seed: int | None = None, jobs: int | None = None, **options: Any,
    ) -> Reply:
        """Plays a match between two settings, such as ``{"depth": 4}`` or ``"--nodes 1000"``.

        ``games`` is an even number, the file of a record, or both. ``on_game`` receives each game. The reply
        has ``wins``, ``draws`` and ``losses`` of ``a``, ``score`` (a share of the points from 0 to 1),
        ``elo`` with ``elo_low`` and ``elo_high``, and others.

        Raises Error if a setting is wrong or the rules fail.
        """
    def tournament(
        self, sides: Mapping[str, Any] | list[Any], *, on_game: Callable[[Reply], object] | None = None,
        games: int | str | None = None, **options: Any,
    ) -> Reply:
        """Plays a tournament between sides: a dict from names to settings. The reply has their ratings."""
    def query(self, goal: str, *, limit: int | None = None, text: bool = False, **options: Any) -> Answers:
        """The answers to a goal: an iterator of dicts from the names of variables to terms.

        ``limit`` is the greatest number of answers. With ``text``, the values are Prolog text.
        Raises Error while iterating if the goal raises an error or uses up its budget.
        """
    def tree(
        self, *, depth: int = 3, algorithm: str | None = None, max_nodes: int = 2000, whole: bool = False,
        **options: Any,
    ) -> Tree:
        """Records the tree of a search from the first position. A notebook shows the tree as a picture.

        ``depth`` is in plies. ``max_nodes`` positions are kept. ``whole`` adds moves that were cut off.
        """
    def request(self, name: str, *, on_event: Callable[[Reply], object] | None = None, **options: Any) -> Reply:
        """Sends any request of the protocol, such as ``"stats"``, ``"test"`` or ``"check"``."""
    def batch(self, positions: Iterable[Position]) -> Batch:
        """The positions as a batch of n rows with the column ``position`` (binary)."""
    def positions(self, batch: Any) -> list[Position]:
        """The n positions of a batch. Raises Error if a row is no position."""
    def canonical(self, batch: Any, *, threads: int | None = None) -> Batch:
        """The representatives of n positions, up to the symmetries that the rules declare: n rows with the
        column ``position`` (binary). Raises Error if a row is no position or the rules fail."""
    def successors(
        self, batch: Any, *, labels: bool = True, canonical: bool = False, threads: int | None = None
    ) -> Batch:
        """The positions after every legal move, and after every chance outcome, of n positions.

        One row for each move, in the order of the rows of ``batch`` and then of the rules. Columns: ``row``
        (uint64: the row of ``batch``, from 0), ``label`` (string; only with ``labels``), ``position``
        (binary), ``weight`` (uint64: of a chance outcome, otherwise null). Finished games give no rows.
        With ``canonical``, the positions are representatives: see ``canonical``.

        ``threads``: the greatest number of threads (default: all cores).
        Raises Error if a row is no position or the rules fail.
        """
    def evaluate(self, batch: Any, *, threads: int | None = None) -> Batch:
        """Who moves, the evaluation and the winner of n positions: n rows.

        Columns: ``to_move`` (string: max, min or chance; null if the game is over), ``eval`` (float64: as
        Position.eval), ``winner`` (string: max, min or draw; null if the game is not over), ``points``
        (float64: the number in which the game ended; null if it is not over, or ended in a win or a draw).
        """
    def playouts(self, batch: Any, n: int = 100, seed: int = 1, *, threads: int | None = None) -> Batch:
        """The mean of ``n`` random games from each position: one row for each position.

        Columns: ``games``, ``wins``, ``losses``, ``unfinished`` (uint64: games, and how many MAX won, MIN
        won, and were given up), ``mean`` (float64: the mean value for MAX, a win is worth 1 and a loss -1
        if the rules give no range), ``standard_error``, ``mean_plies`` (float64). Equal positions get equal
        numbers: those of ``alphorn value --algorithm playouts --games n --seed seed``.
        """
    def _warnings(self) -> str: ...
    def _begin(self, request: str, position: Position | None) -> Run: ...

class Position:
    """A position of a game. It does not change; it is hashable, and can be pickled.

    Positions are equal if their terms and their games are. A position does not know how it came about.
    """

    @property
    def game(self) -> Game:
        """The game of the position."""
    @property
    def to_move(self) -> Literal["max", "min", "chance"] | None:
        """Who moves; None if the game is over. Raises Error if the rules fail."""
    @property
    def is_terminal(self) -> bool:
        """Whether the game is over. Raises Error if the rules fail."""
    @property
    def result(self) -> Literal["max", "min", "draw"] | float | None:
        """How the game ended: the winner, "draw", or a number for MAX if the game ends in numbers.

        None if the game is not over. Raises Error if the rules fail.
        """
    @property
    def winner(self) -> Literal["max", "min", "draw"] | None:
        """Who has won; None if the game is not over. Raises Error if the rules fail."""
    @property
    def text(self) -> str:
        """The position as Prolog text."""
    @property
    def notation(self) -> str:
        """The position in the notation of the game (FEN in chess), or as Prolog text if it has none."""
    @property
    def term(self) -> Term:
        """The position as Python objects."""
    def eval(self) -> float:
        """The evaluation for MAX, without a search: the number of static_eval/2, or 0 without it.

        A finished game that MAX has won is worth 1000000, a lost one -1000000; in a game with chance
        moves, they are worth the ends of the payoff range.
        """
    def moves(self) -> list[Move]:
        """The legal moves, in the order of the rules; in a chance position its outcomes with weights.

        Empty if the game is over. Raises Error if the rules fail.
        """
    def play(self, mv: Label, *more: Label) -> Position:
        """The position after one or more moves: labels, or Move objects of the positions.

        Raises Error if a move is not legal, and TypeError if it is no label and no Move.
        """
    def value(
        self, *, depth: int | None = None, time: float | None = None, nodes: int | None = None,
        algorithm: str | None = None, threads: int | None = None, lines: int | None = None,
        on_iteration: Callable[[Reply], object] | None = None, hash: int | None = None, seed: int | None = None,
        advice: str | None = None, heuristic: bool | None = None, games: int | None = None,
        table: str | None = None, **options: Any,
    ) -> Value:
        """Computes the minimax value, the best move and the principal variation.

        ``depth`` is in plies (default: to the end of the game), ``time`` in seconds, ``nodes`` a number of
        positions, ``hash`` the table's size in megabytes. ``lines`` is the number of best moves.
        ``on_iteration`` receives each finished depth; its exception stops the search.

        The reply has ``value`` (for MAX: a win in N plies is 1000000 - N), ``outcome`` ("max", "min",
        "draw" or None), ``exact``, ``best`` (a label), ``pv`` (labels), ``depth``, ``nodes``, ``seconds``,
        and ``lines`` if more than one is asked for.

        Raises Error if the rules fail or a line of play is endless; KeyboardInterrupt at Ctrl-C.
        """
    def iterations(self, **options: Any) -> Iterations:
        """Computes the value in the background: an iterator over the finished depths.

        The options are those of ``value``. ``result`` of the iterator is the value.
        """
    def solve(self, **options: Any) -> Reply:
        """Proves the value of this position; the options are those of Game.solve, without ``all``."""
    def tree(self, **options: Any) -> Tree:
        """Records the tree of a search from this position; the options are those of Game.tree."""
    def perft(self, depth: int) -> list[int]:
        """The number of lines of each length from 1 to ``depth`` plies."""
    def query(self, goal: str, *, limit: int | None = None, text: bool = False, **options: Any) -> Answers:
        """The answers to a goal, in which position_now/1 gives this position; see Game.query."""
    def request(self, name: str, *, on_event: Callable[[Reply], object] | None = None, **options: Any) -> Reply:
        """Sends any request of the protocol about this position, such as ``"explain"`` or ``"advise"``."""
    def __bytes__(self) -> bytes:
        """The binary form of the position, as batches have it."""
    def __hash__(self) -> int: ...
    def __eq__(self, other: object) -> bool: ...

class Move:
    """A legal move of a position, or a chance outcome."""

    @property
    def label(self) -> str:
        """The label in the notation of the game; without labels, the position after the move as text."""
    @property
    def next(self) -> Position:
        """The position after the move."""
    @property
    def position(self) -> Position:
        """The position before the move."""
    @property
    def weight(self) -> int | None:
        """The weight of a chance outcome, from 1; None for a move of a player."""
    @property
    def term(self) -> Term:
        """The label as Python objects, such as ``("take", 1, 2)``."""
    def __hash__(self) -> int: ...
    def __eq__(self, other: object) -> bool: ...

class Batch:
    """Columns of equal length in the memory format Arrow, with the Arrow PyCapsule interface.

    ``pyarrow.record_batch(batch)``, ``polars.DataFrame(batch)`` and DuckDB take it as it is.
    """

    @property
    def column_names(self) -> list[str]:
        """The names of the columns."""
    def __len__(self) -> int: ...
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

class Run:
    """A running request: an iterator over its events, each a JSON text."""

    @property
    def reply(self) -> str | None: ...
    def __iter__(self) -> Iterator[str]: ...
    def __next__(self) -> str: ...
    def stop(self) -> None: ...
    def close(self) -> None: ...

__version__: str

def examples() -> list[str]:
    """The names of the games that come with Alphorn."""

def after_fork() -> None: ...
def at_exit() -> None: ...
def _load(
    files: list[str], texts: list[tuple[str, str]], overlays: list[str], params: list[tuple[str, str]],
    steps: int | None, memory: int | None,
) -> Game: ...
def _save_values(game: Game, path: str, batch: Any, plies: Any, whole: bool) -> int: ...
def _roots(game: Game, batch: Any | None, partitions: int) -> list[Batch]: ...
def _number(known: Any, met: Any) -> tuple[Batch, Batch]: ...
def _expand(game: Game, batch: Any, partitions: int, first: int) -> tuple[Batch, list[Batch]] | None: ...
def _example_text(name: str) -> str | None: ...
def _terms(game: Game, texts: list[str]) -> list[Term]: ...
def _main(arguments: list[str]) -> None: ...
