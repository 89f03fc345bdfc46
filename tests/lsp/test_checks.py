"""Diagnostics, code actions, hints, code lenses and commands: what needs the rules to be checked or run."""

import asyncio

import pytest
from conftest import GAMES, ROOT, check
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from test_texts import ODD, SMALL


def seen(editor, name, diagnostics):
    """The diagnostics of the server as those of the command line: code, level, text of the place."""
    levels = {1: "error", 2: "warning", 3: "note"}
    return sorted((one.code, levels[one.severity], editor.slice(name, one.range)) for one in diagnostics)


def wanted(path, *options):
    data = path.read_bytes()
    found = []
    for one in check(path, *options):
        here = [place for place in one["places"] if place["file"] == str(path)]
        text = data[here[0]["start"] : here[0]["end"]].decode() if here else ""
        found.append((one["code"], one["level"], text))
    return sorted(found)


async def test_diagnostics_equal_those_of_the_command_line(editor):
    text = ODD + "odd(X) :- 'größe'(X, Y), findal(Z, q(Z), 🎲).\r\nnever('漢').\r\n"
    editor.open("odd.pl", text)
    found = await editor.diagnostics("odd.pl")
    assert seen(editor, "odd.pl", found) == wanted(editor.folder / "odd.pl") and found


@pytest.mark.parametrize("folder", ["problems", "broken"])
async def test_diagnostics_of_broken_files(editor, folder):
    files = sorted((ROOT / "tests" / folder).rglob("*.pl"))[:: 12 if folder == "problems" else 4]
    assert len(files) > 5
    for number, path in enumerate(files):
        try:
            text = path.read_bytes().decode("utf-8")
        except UnicodeDecodeError:
            continue
        if text.startswith("\ufeff") or "include" in text or "module" in text or "overlay" in text:
            continue
        name = f"file{number}/{path.name}"
        editor.open(name, text)
        found = await editor.diagnostics(name)
        assert seen(editor, name, found) == wanted(editor.folder / name), path
        editor.close(name)


async def test_diagnostics_follow_the_typing(editor):
    editor.open("a.pl", SMALL)
    assert await editor.diagnostics("a.pl") == []
    editor.change("a.pl", "between(1", "betwen(1")
    found = await editor.diagnostics("a.pl")
    assert [one.code for one in found] == ["A0201"]
    assert editor.slice("a.pl", found[0].range) == "betwen"
    assert "did you mean between/3?" in found[0].message
    editor.change("a.pl", "betwen(1", "between(1")
    assert await editor.diagnostics("a.pl") == []


async def test_incremental_changes_count_in_the_unit(editor):
    editor.open("odd.pl", ODD)
    for old, new in [("🎲é漢', 3", "漢🎲', 3"), ("漢字'),\t", "🂡'),\t"), ("größer'(N, _)", "größer'(N, '🎲')")]:
        editor.change("odd.pl", old, new)
    editor.write("odd.pl", editor.texts["odd.pl"])
    found = await editor.diagnostics("odd.pl")
    assert seen(editor, "odd.pl", found) == wanted(editor.folder / "odd.pl")


async def test_quick_typing_ends_in_the_diagnostics_of_the_last_text(editor):
    editor.open("nim.pl", (GAMES / "nim.pl").read_text())
    for i in range(40):
        editor.change("nim.pl", "acyclic.", "acyclic." + " " * (i % 3))
    editor.change("nim.pl", "sum_list(", "sum_lst(")
    found = await editor.diagnostics("nim.pl")
    assert "A0201" in [one.code for one in found]


async def test_a_long_file_keeps_its_diagnostics_while_it_is_checked(editor):
    filler = "".join(f"% 🎲\nfact{n}([a, b, c], X) :- X = f({n}).\n" for n in range(2_500))
    text = SMALL + filler + "static_eval(right(_, _), 0).\nlate(X) :- membr(X, [a]).\n"
    editor.open("long.pl", text)
    first = seen(editor, "long.pl", await editor.diagnostics("long.pl"))
    assert ("A0311", "warning", "right(_, _)") in first and ("A0201", "error", "membr") in first

    async def published():
        """What is published for the last version: early, and at the end."""
        for _ in range(3_000):
            now = [one for one in editor.client.history if one.version == editor.versions["long.pl"]]
            if len(now) == 2:
                return [seen(editor, "long.pl", one.diagnostics) for one in now]
            await asyncio.sleep(0.02)
        raise AssertionError(f"published {len(now)} times")

    for old, new in [("fact7(", "\n\nfact7("), ("X = f(9)", "X = f(漢)"), ("fact8([a", "fact8([漢")]:
        editor.change("long.pl", old, new)
        assert await published() == [first, first]
    editor.change("long.pl", "X = f(5).", "betwen(1, 5, X).")
    early, last = await published()
    assert early == last == sorted([*first, ("A0201", "error", "betwen")])
    editor.change("long.pl", "membr", "member")
    early, last = await published()
    assert ("A0201", "error", "membr") not in early and ("A0311", "warning", "right(_, _)") in early
    assert early == last


async def test_related_places(editor):
    editor.open("a.pl", SMALL.replace(":- expect(perft(1) = 3).", ':- param(heap, 6, 1..9, "again").'))
    found = await editor.diagnostics("a.pl")
    related = [one for one in found if one.related_information]
    assert related and editor.slice("a.pl", related[0].related_information[0].location.range).startswith("param(heap, 5")


async def actions(editor, name, diagnostic, only=None):
    params = types.CodeActionParams(
        text_document=editor.document(name),
        range=diagnostic.range,
        context=types.CodeActionContext(diagnostics=[diagnostic], only=only),
    )
    return list(await editor.client.text_document_code_action_async(params))


async def test_code_actions_fix(editor):
    right = ODD + "p('🎲漢', X) :-\tmember(X, ['🎲']).\r\n"
    editor.open("odd.pl", right.replace("member", "membr"))
    broken = [one for one in await editor.diagnostics("odd.pl") if one.code == "A0201"]
    found = await actions(editor, "odd.pl", broken[0], [types.CodeActionKind.QuickFix])
    assert "member" in found[0].title and list(found[0].diagnostics) == [broken[0]]
    fixed = editor.apply("odd.pl", found[0].edit.changes[editor.uri("odd.pl")])
    assert fixed == right


# Files that need other files are left out.
ALONE = ("overlay", "include", "module", "ensure_loaded", "consult")
# Files of `broken` come first: most fixes are there, and a new problem file leaves them in their parts.
BROKEN = [path for folder in ("broken", "problems") for path in sorted((ROOT / "tests" / folder).rglob("*.pl"))]
PARTS = 5


async def fixes(editor, names):
    """The code actions of open files: name, diagnostics of the file, the diagnostic, title, text after the fix."""
    found = []
    for name in names:
        diagnostics = await editor.diagnostics(name)
        for diagnostic in diagnostics:
            for action in await actions(editor, name, diagnostic, [types.CodeActionKind.QuickFix]):
                edits = action.edit.changes.get(editor.uri(name))
                if list(action.diagnostics or []) == [diagnostic] and edits and len(action.edit.changes) == 1:
                    found.append((name, diagnostics, diagnostic, action.title, editor.apply(name, edits)))
    return found


@pytest.mark.parametrize("part", range(PARTS))
async def test_every_code_action_of_broken_files_removes_its_diagnostic(editor, part):
    if (part % 2 == 0) != (editor.encoding == "utf-8"):
        pytest.skip("each part runs with one of the encodings")
    names = []
    for number, path in list(enumerate(BROKEN))[part::PARTS]:
        text = path.read_bytes().decode("utf-8", errors="replace")
        if "\ufffd" in text or text.startswith("\ufeff") or any(word in text for word in ALONE):
            continue
        names.append(f"file{number}/{path.name}")
        editor.open(names[-1], text)
    # All files are open at once, so that the pause before each check passes for all of them.
    tried = await fixes(editor, names)
    for number, (name, *_, text) in enumerate(tried):
        editor.open(f"fixed{number}/{name}", text)
    for number, (name, before, diagnostic, title, _) in enumerate(tried):
        after = await editor.diagnostics(f"fixed{number}/{name}")
        errors = [sum(one.severity == 1 for one in found) for found in (before, after)]
        same = [
            sum((one.code, one.message) == (diagnostic.code, diagnostic.message) for one in found)
            for found in (before, after)
        ]
        assert errors[1] <= errors[0], (name, title, [one.message for one in after])
        assert same[1] < same[0], (name, title)
    assert len(tried) > 5


async def test_a_misspelt_variable_has_two_fixes(editor):
    text = SMALL + "\nagain(Player, N) :- other(Plaier, _), N > 0, left(N, Player).\nleft(_, _).\n"
    editor.open("a.pl", text)
    found = [one for one in await editor.diagnostics("a.pl") if one.code == "A0301"]
    offered = await actions(editor, "a.pl", found[0], [types.CodeActionKind.QuickFix])
    assert [one.title for one in offered] == ["Change Plaier to Player", "Write _Plaier"]
    fixed = [editor.apply("a.pl", one.edit.changes[editor.uri("a.pl")]) for one in offered]
    assert fixed == [text.replace("Plaier", "Player"), text.replace("Plaier", "_Plaier")]


async def test_fix_all(editor):
    text = SMALL.replace("between(1", "betwen(1").replace("other(Player, Winner)", "oter(Player, Winner)")
    editor.open("a.pl", text)
    found = await editor.diagnostics("a.pl")
    all_fixes = await actions(editor, "a.pl", found[0], ["source.fixAll"])
    fixed = editor.apply("a.pl", all_fixes[0].edit.changes[editor.uri("a.pl")])
    assert "between(1" in fixed and "other(Player, Winner)" in fixed


async def test_an_overlay_names_its_game(editor):
    editor.write("game.pl", SMALL)
    editor.open("fast.pl", "% overlay of game.pl\n% 🎲\nother(max, min).\nother(min, X) :- X = maxx, strange(X).\n")
    found = await editor.diagnostics("fast.pl")
    path = editor.folder / "fast.pl"
    with_game = [one for one in check(editor.folder / "game.pl", "--with", str(path))]
    here = [one for one in with_game if any(place["file"] == str(path) for place in one["places"])]
    assert sorted(one.code for one in found) == sorted(one["code"] for one in here)
    assert "A0201" in [one.code for one in found]


async def test_an_overlay_calls_the_predicates_of_its_game(editor):
    editor.write("game.pl", SMALL)
    editor.open("fast.pl", "% overlay of game.pl\nterminal(left(P, 0)) :- other(P, _).\n")
    assert await editor.diagnostics("fast.pl") == []
    assert "Opponent plays" in await editor.hover("fast.pl", editor.place("fast.pl", "other"))


async def test_an_overlay_is_found_by_its_project(editor):
    editor.write("game.pl", SMALL)
    editor.write("nim.pl", (GAMES / "nim.pl").read_text())
    editor.open("game_fast.pl", "terminal(left(P, 0)) :- other(P, _), take_none(P).\ntake_none(max).\ntake_none(min).\n")
    codes = [one.code for one in await editor.diagnostics("game_fast.pl")]
    assert "A0301" not in codes and "A0201" not in codes, codes


async def test_unsaved_text_of_an_included_file(editor):
    editor.open("part.pl", "other(max, min).\nother(min, max).\n")
    editor.open("a.pl", SMALL.replace("other(max, min).\nother(min, max).\n", "") + ":- include(part).\n")
    assert await editor.diagnostics("a.pl") == []
    editor.change("part.pl", "other(min, max).", "othr(min, max).")
    editor.change("part.pl", "other(max, min).", "othr(max, min).")
    for _ in range(500):
        found = editor.client.published[editor.uri("a.pl")].diagnostics
        if found:
            break
        await asyncio.sleep(0.02)
    assert "A0201" in [one.code for one in found]


async def test_closing_a_file_removes_its_diagnostics(editor):
    editor.open("a.pl", "p :- q.\n")
    assert await editor.diagnostics("a.pl")
    editor.close("a.pl")
    for _ in range(250):
        if not editor.client.published[editor.uri("a.pl")].diagnostics:
            break
        await asyncio.sleep(0.02)
    assert not editor.client.published[editor.uri("a.pl")].diagnostics


async def test_a_text_that_was_never_saved(editor):
    item = types.TextDocumentItem(uri="untitled:Untitled-1", language_id="prolog", version=1, text="p :- q.\n")
    editor.client.text_document_did_open(types.DidOpenTextDocumentParams(text_document=item))
    for _ in range(500):
        if "untitled:Untitled-1" in editor.client.published:
            break
        await asyncio.sleep(0.02)
    assert editor.client.published["untitled:Untitled-1"].diagnostics


async def hints(editor, name):
    whole = types.Range(start=types.Position(line=0, character=0), end=types.Position(line=9999, character=0))
    params = types.InlayHintParams(text_document=editor.document(name), range=whole)
    for _ in range(1000):
        found = await editor.client.text_document_inlay_hint_async(params)
        if found:
            return found
        await asyncio.sleep(0.02)
    raise AssertionError("no hints")


async def test_hints_of_expectations(editor):
    text = SMALL.replace("perft(1) = 3", "perft(1) = 4")
    editor.open("a.pl", "% 🎲\r\n" + text)
    found = await hints(editor, "a.pl")
    labels = [one.label for one in found]
    assert labels[0].startswith("✗") and "3" in labels[0] and labels[1] == "✓ holds"
    assert found[0].position == editor.place("a.pl", "perft(1) = 4", end=True)
    assert editor.client.refreshed > 0


async def test_hints_of_cost(editor):
    text = SMALL.replace(":- expect(perft(1) = 3).\n:- expect(value = win(max)).\n", "")
    chosen = "( N > 0 -> Goal = other(Player, Other) ; Goal = fail ), call(Goal), between"
    text = text.replace("other(Player, Other), between", chosen)
    editor.open("a.pl", text)
    found = await hints(editor, "a.pl")
    assert any(one.label.startswith("general: ") for one in found)


async def lenses(editor, name):
    return await editor.client.text_document_code_lens_async(
        types.CodeLensParams(text_document=editor.document(name))
    )


async def test_code_lenses(editor):
    editor.open("odd.pl", SMALL)
    found = await lenses(editor, "odd.pl")
    assert [one.command.title for one in found] == ["test 2 expectations", "test", "test", "value", "perft", "play"]
    assert editor.slice("odd.pl", found[1].range) == "perft(1) = 3"
    assert editor.slice("odd.pl", found[3].range) == "initial"


async def test_the_value_command(editor):
    editor.open("a.pl", SMALL)
    found = await editor.command("a.pl", "value")
    assert found["ok"] and "MAX wins" in found["message"] and found["data"]["exact"]
    assert any("MAX wins" in one.message for one in editor.client.messages)


async def test_the_value_command_uses_the_text_in_the_editor(editor):
    editor.open("a.pl", SMALL)
    editor.change("a.pl", "heap, 5,", "heap, 4,")
    found = await editor.command("a.pl", "value", {"depth": 9})
    assert "MIN wins" in found["message"]


async def test_the_perft_command(editor):
    editor.open("a.pl", SMALL)
    found = await editor.command("a.pl", "perft", {"depth": 2})
    assert found["message"] == "perft(1) = 3\nperft(2) = 8"


async def test_the_test_command(editor):
    editor.open("a.pl", SMALL.replace("win(max)).", "draw).", 1))
    found = await editor.command("a.pl", "test", 0)
    assert found["ok"] and found["message"] == "perft(1) = 3: ✓ holds"
    found = await editor.command("a.pl", "test")
    assert not found["ok"] and "1 expectation holds" in found["message"] and "✗" in found["message"]


async def test_the_play_command(editor):
    editor.open("a.pl", SMALL)
    editor.client.answers = ["take(1)", "Undo", "Alphorn moves", "Stop"]
    found = await editor.command("a.pl", "play")
    assert found["ok"] and "stopped" in found["message"]
    first, second, *_ = editor.client.asked
    assert [one.title for one in first.actions] == ["take(1)", "take(2)", "take(3)", "Alphorn moves", "Stop"]
    assert "left(max,5)" in first.message and "MAX to move" in first.message
    assert len(editor.client.asked) == 4


async def test_a_game_to_its_end(editor):
    editor.open("a.pl", SMALL)
    editor.client.answers = ["Alphorn moves"] * 9
    found = await editor.command("a.pl", "play")
    assert "has won" in found["message"]


async def test_the_request_command(editor):
    editor.open("a.pl", SMALL)
    found = await editor.command("a.pl", "request", {"request": "query", "goal": "other(max, X)"})
    assert found["data"]["reply"] == "query"
    found = await editor.command("a.pl", "request", {"request": "nonsense"})
    assert not found["ok"]


async def test_a_command_on_broken_rules_explains(editor):
    editor.open("a.pl", SMALL.replace("between(1", "betwen(1"))
    found = await editor.command("a.pl", "value")
    assert not found["ok"] and "betwen/3 is not defined" in found["message"]


async def test_unknown_commands_and_methods_are_errors(editor):
    editor.open("a.pl", SMALL)
    with pytest.raises(JsonRpcException, match="no command"):
        await editor.command("a.pl", "nonsense")
    with pytest.raises(JsonRpcException, match="no method"):
        await editor.client.protocol.send_request_async("textDocument/nonsense", {})


async def test_a_change_stops_a_command(editor):
    editor.open("chess.pl", (GAMES / "chess.pl").read_text())
    running = asyncio.ensure_future(editor.command("chess.pl", "value", {"time": 300}))
    await asyncio.sleep(0.5)
    editor.change("chess.pl", "% ", "%  ")
    with pytest.raises(JsonRpcException, match="the text changed"):
        await asyncio.wait_for(running, 60)


async def test_help_while_a_command_and_a_check_run(editor):
    editor.open("chess.pl", (GAMES / "chess.pl").read_text())
    running = asyncio.ensure_future(editor.command("chess.pl", "value", {"time": 300}))
    await asyncio.sleep(0.5)
    text = await asyncio.wait_for(editor.hover("chess.pl", editor.place("chess.pl", "initial(")), 5)
    assert "the openings" in text
    assert not running.done()
    editor.close("chess.pl")
    with pytest.raises(JsonRpcException):
        await asyncio.wait_for(running, 60)


async def test_settings(editor):
    editor.client.workspace_did_change_configuration(
        types.DidChangeConfigurationParams(settings={"alphorn": {"lenses": False, "perft_depth": 1}})
    )
    editor.open("a.pl", SMALL)
    assert not await lenses(editor, "a.pl")
    found = await editor.command("a.pl", "perft")
    assert found["message"] == "perft(1) = 3"


async def test_templates_and_games_have_no_errors(editor):
    for path in sorted(GAMES.glob("*.pl"))[:: 7]:
        editor.open(path.name, path.read_text())
        found = await editor.diagnostics(path.name)
        assert [one for one in found if one.severity == 1] == [], path
        editor.close(path.name)
