"""The Python examples of the documentation run, with the output that they show.

Blocks with the tag ``python`` are sessions; one page is one session, in the root folder of the project. ``...``
in an output stands for any text.
"""

import ast
import doctest
import importlib
import inspect
import os
import re

import alphorn
import pytest
from conftest import ROOT

PAGES = ["docs/python.md", "python/README.md"]
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@pytest.mark.parametrize("page", PAGES)
def test_a_page_runs(page, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    os.symlink(ROOT / "games", "games")
    text = (ROOT / page).read_text(encoding="utf-8")
    names: dict = {}
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(optionflags=FLAGS, verbose=False)
    for block in re.finditer(r"^```python\n(.*?)^```$", text, re.M | re.S):
        line = text[: block.start(1)].count("\n")
        test = parser.get_doctest(block.group(1), names, page, page, line)
        test.globs = names
        said: list[str] = []
        runner.run(test, out=said.append, clear_globs=False)
        assert not said, "".join(said)


@pytest.mark.parametrize("module", ["alphorn", "alphorn.openspiel"])
def test_the_examples_of_a_module_run(module, monkeypatch):
    monkeypatch.chdir(ROOT)
    found = doctest.testmod(importlib.import_module(module), optionflags=FLAGS)
    assert found.failed == 0 and found.attempted > 0


def test_the_help_of_a_method_is_that_of_its_stub():
    stub = ast.parse((ROOT / "python/alphorn/_alphorn.pyi").read_text(encoding="utf-8"))
    methods = [
        (kind.name, method.name, ast.get_docstring(method))
        for kind in stub.body
        if isinstance(kind, ast.ClassDef)
        for method in kind.body
        if isinstance(method, ast.FunctionDef) and not method.name.startswith("__")
    ]
    compared = 0
    for kind, name, said in methods:
        if said is not None:
            found = inspect.getdoc(getattr(getattr(alphorn._alphorn, kind), name))
            assert found == said.replace("``", "`"), f"{kind}.{name}"
            compared += 1
    assert compared > 40
