"""Errors are exceptions with diagnostics, and are drawn as the command line draws them."""

import pickle
import subprocess
import sys

import pytest
from conftest import NIM, ROOT

import alphorn
from alphorn import Error

BROKEN = """
initial(left(max, 5)).
moves(left(max, N), L) :- findal(left(min, M), (between(1, 3, K), M is N - K), L).
max_to_move(left(max, _)).
static_eval(left(_, _), 0).
other(X, Y) :- X is Z + 1.
"""


def test_a_broken_file_raises_all_diagnostics(tmp_path):
    file = tmp_path / "broken.pl"
    file.write_text(BROKEN)
    with pytest.raises(Error) as raised:
        alphorn.load(file)
    error = raised.value
    first = next(diagnostic for diagnostic in error.diagnostics if diagnostic.level == "error")
    assert (error.code, error.message, error.help) == ("A0201", "findal/3 is not defined", "did you mean findall/3?")
    assert first.span == (BROKEN.index("findal"), BROKEN.index("findal") + 6)
    assert (first.places[0].file, first.places[0].line, first.places[0].column) == (str(file), 3, 27)
    assert first.edits[0].text == "findall"
    assert len(error.diagnostics) > 1
    assert "did you mean findall/3?" in str(error)


def test_the_drawing_is_that_of_the_command_line(tmp_path):
    file = tmp_path / "broken.pl"
    file.write_text(BROKEN)
    code = "import sys, alphorn\ntry: alphorn.load(sys.argv[1])\nexcept alphorn.Error as e: print(e, file=sys.stderr)"
    ours = subprocess.run([sys.executable, "-c", code, file], capture_output=True, text=True)
    theirs = subprocess.run([sys.executable, "-m", "alphorn", "value", file], capture_output=True, text=True)
    drawing, counts = theirs.stderr.strip().rsplit("\n", 1)
    assert ours.stderr.strip() == drawing.strip() and counts == "2 errors, 2 warnings"


def test_errors_can_be_pickled():
    with pytest.raises(Error) as raised:
        alphorn.loads("initial(")
    copy = pickle.loads(pickle.dumps(raised.value))
    assert str(copy) == str(raised.value) and copy.diagnostics == raised.value.diagnostics


def test_a_missing_file_and_a_missing_game_suggest_names():
    with pytest.raises(Error, match="did you mean"):
        alphorn.load(ROOT / "games" / "othelo.pl")
    with pytest.raises(Error):
        alphorn.example("othelo")
    with pytest.raises(Error):
        alphorn.load(ROOT / "games")


def test_rules_that_are_no_game_say_what_is_missing():
    with pytest.raises(Error):
        alphorn.loads("p(1).")
    with pytest.raises(Error):
        alphorn.loads("")


def test_warnings_about_rules_are_issued():
    with pytest.warns(alphorn.RulesWarning, match="A0"):
        alphorn.loads(NIM + "\nunused(X, Y) :- other(X, _).\n")


def test_wrong_parameters_are_refused():
    with pytest.raises(Error, match="hepa"):
        alphorn.loads(NIM, params={"hepa": 4})
    with pytest.raises(Error):
        alphorn.loads(NIM, params={"heap": 400})


@pytest.mark.parametrize("label", ["take(9)", "", "  ", "take(1) take(1)", "take(", "\0", "x" * 100_000, "'"])
def test_a_wrong_label_is_explained(nim, label):
    with pytest.raises(Error) as raised:
        nim.initial().play(label)
    assert raised.value.diagnostics and raised.value.code.startswith("A0")


@pytest.mark.parametrize("label", [1, None, 2.5, b"take(1)", ["take(1)"]])
def test_what_is_no_label_is_a_type_error(nim, label):
    with pytest.raises(TypeError, match="label"):
        nim.initial().play(label)


def test_faulty_rules_raise_with_their_place():
    game = alphorn.loads(
        """
        initial(n(3)).
        max_to_move(_).
        move(n(N), down, n(M)) :- N > 0, M is N - 1, check(M).
        check(M) :- M > 1.
        check(1) :- atom_length(_, _).
        terminal(n(0)).
        outcome(_, draw).
        """,
        name="faulty.pl",
    )
    position = game.initial().play("down")
    for use in (position.moves, position.value, lambda: game.successors(game.batch([position]))):
        with pytest.raises(Error) as raised:
            use()
        assert raised.value.diagnostics[0].places[0].file == "faulty.pl"
    assert game.initial().play("down") == position, "the game stays usable"


def test_budgets_are_errors():
    rules = NIM.replace("other(max, min).", "other(max, min) :- loop(0).\nloop(N) :- M is N + 1, loop(M).")
    with pytest.raises(Error, match="steps"):
        alphorn.loads(rules, steps=10_000).initial().moves()


def test_a_game_of_numbers_has_a_number_as_result():
    game = alphorn.loads(
        """
        initial(n(2, 0)).
        max_to_move(n(2, _)).
        move(n(N, S), K, n(M, T)) :- N > 0, member(K, [1, 5]), M is N - 1, T is S + K.
        terminal(n(0, _)).
        outcome(n(0, S), score(S)).
        value_range(0, 10).
        """
    )
    over = game.initial().play("5", "1")
    assert (over.result, over.winner, over.eval(), game.value_range) == (6.0, "max", 6.0, (0.0, 10.0))
    assert game.initial().value().value == 6
