"""Ctrl-C, threads, forks and the end of the interpreter: an exception or a clean end, never a crash."""

import os
import signal
import subprocess
import sys
import time

import pytest

START = "import alphorn, os, sys, threading, time, signal\ngame = alphorn.example('chess')\nstart = game.initial()\n"


def run(code: str, *, timeout: float = 60) -> subprocess.CompletedProcess:
    """Runs Python code in a process of its own."""
    command = [sys.executable, "-X", "faulthandler", "-c", START + code]
    return subprocess.run(command, capture_output=True, text=True, timeout=timeout)


INTERRUPTED = """
ENDLESS = "initial(0). max_to_move(_). moves(X, [X]) :- loop(0). loop(-1). loop(N) :- M is N + 1, loop(M). outcome(_, draw)."
def later():
    time.sleep(1)
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=later).start()
begun = time.time()
try:
    {call}
except KeyboardInterrupt:
    print("interrupted", time.time() - begun < 4)
print(start.value(depth=1).depth)
"""


@pytest.mark.parametrize(
    "call",
    [
        "start.value()",
        "list(start.iterations())",
        "game.solve()",
        "game.match('--depth 3', '--depth 3', games=1000)",
        "list(alphorn.loads(ENDLESS, steps=0).query('repeat, fail'))",
        "game.playouts(game.batch([start] * 1000), 1000)",
        "start.perft(20)",
        "alphorn.loads(ENDLESS, steps=0).initial().moves()",
    ],
)
def test_ctrl_c_interrupts(call):
    done = run(INTERRUPTED.format(call=call))
    assert done.stdout.splitlines() == ["interrupted True", "1"], done.stderr


def test_a_forked_process_plays_on():
    done = run(
        """
start.value(depth=2)
pid = os.fork()
if pid == 0:
    ok = start.play("e2e4").value(depth=2).depth == 2 and len(start.moves()) == 20
    os._exit(0 if ok else 1)
print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), start.value(depth=2).depth)
"""
    )
    assert done.stdout == "0 2\n", done.stderr


def test_a_process_forked_during_a_search_gets_an_error():
    done = run(
        """
search = start.iterations()
next(search)
pid = os.fork()
if pid == 0:
    for use in (start.moves, lambda: start.value(depth=1), lambda: next(search), search.stop, lambda: start.play("e2e4")):
        try:
            use()
        except alphorn.Error as error:
            assert "forked" in str(error)
    os._exit(7)
print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
search.stop()
print(search.result.stopped)
"""
    )
    assert done.stdout == "7\nTrue\n", done.stderr


def test_multiprocessing_forks_are_clean():
    code = """
import multiprocessing
def count(position): return len(position.moves())
if __name__ == "__main__":
    for method in ("fork", "spawn"):
        with multiprocessing.get_context(method).Pool(2) as pool:
            print(pool.map(count, [start] * 4) if method == "fork" else pool.map(len, [start.text] * 1))
"""
    done = run(code)
    assert done.stdout.splitlines()[0] == "[20, 20, 20, 20]", done.stderr


@pytest.mark.parametrize("daemon", [True, False])
def test_the_interpreter_ends_during_a_search(daemon):
    limit = "" if daemon else "time=1.5"
    begun = time.time()
    done = run(
        f"""
threading.Thread(target=lambda: start.value({limit}), daemon={daemon}).start()
running = start.iterations()
next(running)
time.sleep(0.3)
print("end")
"""
    )
    assert (done.returncode, done.stdout) == (0, "end\n"), done.stderr
    assert "Fatal" not in done.stderr and "panicked" not in done.stderr and time.time() - begun < 20


def test_the_interpreter_ends_during_many_short_calls():
    done = run(
        """
def play():
    while True:
        game.playouts(game.batch([start]), 1)
        start.play("e2e4").moves()
for _ in range(4):
    threading.Thread(target=play, daemon=True).start()
time.sleep(0.5)
print("end")
"""
    )
    assert (done.returncode, done.stdout) == (0, "end\n"), done.stderr
    assert "Fatal" not in done.stderr and "panicked" not in done.stderr


def test_a_signal_ends_a_process_in_a_search():
    process = subprocess.Popen([sys.executable, "-c", START + "print(1, flush=True)\nstart.value()"], stdout=subprocess.PIPE)
    process.stdout.readline()
    time.sleep(0.5)
    process.terminate()
    assert process.wait(20) == -signal.SIGTERM


def test_the_program_is_that_of_the_command_line(tmp_path):
    program = os.path.join(os.path.dirname(sys.executable), "alphorn")
    called = lambda *words: subprocess.run([program, *words], capture_output=True, text=True, cwd=tmp_path)
    assert called("--version").stdout.startswith("alphorn ")
    (tmp_path / "nim.pl").write_text(called("example", "nim").stdout)
    assert called("value", "nim.pl", "--depth", "3", "--threads", "1").returncode == 0
    assert called("query", "nim.pl", "fail").returncode == 1
    wrong = called("valeu", "nim.pl", "--json")
    assert wrong.returncode == 2 and wrong.stdout.startswith("{")


def test_the_program_is_interrupted_with_its_result(tmp_path):
    program = os.path.join(os.path.dirname(sys.executable), "alphorn")
    rules = subprocess.run([program, "example", "chess"], capture_output=True, text=True).stdout
    (tmp_path / "chess.pl").write_text(rules)
    command = [program, "value", "chess.pl", "--json"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=tmp_path)
    time.sleep(2)
    process.send_signal(signal.SIGINT)
    assert '"stopped":true' in process.communicate(timeout=20)[0]
    assert process.returncode == 130


def test_a_closed_pipe_ends_the_program():
    program = os.path.join(os.path.dirname(sys.executable), "alphorn")
    done = subprocess.run(f"{program} example chess | head -n 1", shell=True, capture_output=True, text=True)
    assert done.returncode == 0 and "Traceback" not in done.stderr and "panicked" not in done.stderr
