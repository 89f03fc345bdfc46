"""Editors with the settings of docs/editors.md: diagnostics arrive, and the server formats and describes.

Each test needs its editor (Debian: `apt-get install neovim emacs-nox elpa-eglot`) and is skipped without it.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess

import pytest
from conftest import GAMES, PROGRAM, ROOT

PAGE = (ROOT / "docs" / "editors.md").read_text()

# othello.pl with a misspelt goal in a clause that is not formatted.
BROKEN = (GAMES / "othello.pl").read_text() + "\nlate( Pos ):-\n  membr(Pos,[a,b]) .\n"

NEOVIM = """
local function attached() return #vim.lsp.buf_get_clients(0) > 0 end
assert(vim.wait(20000, attached, 20), "no client")
assert(vim.wait(20000, function() return #vim.diagnostic.get(0) > 0 end, 20), "no diagnostics")
local codes = {}
for _, one in ipairs(vim.diagnostic.get(0)) do table.insert(codes, one.code) end
vim.api.nvim_win_set_cursor(0, {vim.fn.search("^late"), 0})
local params = vim.lsp.util.make_position_params(0, "utf-16")
local found = vim.lsp.buf_request_sync(0, "textDocument/hover", params, 20000)
local _, hover = next(found)
local omni = vim.bo.omnifunc
if vim.lsp.buf.format then vim.lsp.buf.format({ timeout_ms = 20000 }) else vim.lsp.buf.formatting_sync(nil, 20000) end
local lines = vim.api.nvim_buf_get_lines(0, 0, -1, true)
local answer = { codes = codes, omni = omni, hover = hover.result.contents.value, text = table.concat(lines, "\\n") .. "\\n" }
vim.fn.writefile({ vim.fn.json_encode(answer) }, vim.env.ANSWER)
vim.cmd("qall!")
"""

EMACS = """
(require 'eglot)
(find-file (getenv "GAME"))
(run-hooks 'post-command-hook)
(defun wait-for (what test)
  (let ((end (+ (float-time) 20)))
    (while (not (funcall test))
      (when (> (float-time) end) (error "no %s" what))
      (accept-process-output nil 0.05))))
(wait-for "server" #'eglot-current-server)
(wait-for "diagnostics" (lambda () (flymake-start) (flymake-diagnostics)))
(let* ((codes (mapcar #'flymake-diagnostic-text (flymake-diagnostics)))
       (hover (progn (goto-char (point-min)) (re-search-forward "^late")
                     (jsonrpc-request (eglot-current-server) :textDocument/hover
                                      (eglot--TextDocumentPositionParams))))
       (hover (plist-get (plist-get hover :contents) :value)))
  (eglot-format-buffer)
  (let ((text (buffer-string)))
    (with-temp-file (getenv "ANSWER")
      (insert (json-encode (list (cons 'codes (vconcat codes)) (cons 'hover hover) (cons 'text text)))))))
"""


def settings(title, number=0):
    """The n-th block of settings in a section of the page."""
    section = PAGE.split(f"\n### {title}\n")[1].split("\n### ")[0]
    return re.findall(r"```text\n(.*?)```", section, re.S)[number]


def run(folder, command):
    """Runs an editor on the game, and returns what it has seen."""
    game, answer = folder / "othello.pl", folder / "answer.json"
    game.write_text(BROKEN)
    path = f"{pathlib.Path(PROGRAM).parent}{os.pathsep}{os.environ['PATH']}"
    home = {name: str(folder) for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME")}
    environment = {**os.environ, **home, "PATH": path, "GAME": str(game), "ANSWER": str(answer)}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120)
    assert answer.exists(), done.stdout + done.stderr
    return json.loads(answer.read_text())


def judge(found):
    formatted = subprocess.run([PROGRAM, "fmt", "-"], input=BROKEN, capture_output=True, text=True, check=True)
    assert found["text"] == formatted.stdout and "\nlate(Pos) :-\n" in found["text"]
    assert "late(" in found["hover"]
    return found["codes"]


@pytest.mark.skipif(not shutil.which("nvim"), reason="Neovim is not installed")
def test_neovim_with_the_settings_of_the_page(tmp_path):
    version = subprocess.run(["nvim", "--version"], capture_output=True, text=True, check=True).stdout
    release = tuple(int(number) for number in re.search(r"v(\d+)\.(\d+)", version).groups())
    (tmp_path / "init.lua").write_text(settings("Neovim", 0 if release >= (0, 11) else 1))
    (tmp_path / "look.lua").write_text(NEOVIM)
    found = run(tmp_path, ["nvim", "--headless", "-u", "init.lua", "othello.pl", "-c", "luafile look.lua"])
    assert "A0201" in judge(found)
    assert found["omni"] == "v:lua.vim.lsp.omnifunc"


@pytest.mark.skipif(not shutil.which("emacs"), reason="Emacs is not installed")
def test_emacs_with_the_settings_of_the_page(tmp_path):
    (tmp_path / "init.el").write_text(settings("Emacs"))
    (tmp_path / "look.el").write_text(EMACS)
    if subprocess.run(["emacs", "--batch", "--eval", "(require 'eglot)"], capture_output=True).returncode:
        pytest.skip("Eglot is not installed")
    found = run(tmp_path, ["emacs", "--batch", "-l", "init.el", "-l", "look.el"])
    assert any("membr/2 is not defined" in text for text in judge(found))
