"""Plays three games, each between two engines that `alphorn ugi` starts.

The script knows the protocol and no game: a third engine says who moves and when the game is over.
"""

import subprocess
import sys

GAMES = ["games/nim.pl", "games/connect_four.pl", "games/checkers.pl"]


class Engine:
    """An engine that speaks UGI."""

    def __init__(self, program, game):
        pipe = subprocess.PIPE
        self.process = subprocess.Popen([program, "ugi", game], stdin=pipe, stdout=pipe, text=True, bufsize=1)
        self.ask("ugi", "ugiok")
        self.ask("isready", "readyok")
        self.send("uginewgame")

    def send(self, line):
        self.process.stdin.write(line + "\n")

    def ask(self, line, first):
        """Sends a line and returns the rest of the answer that begins with a word."""
        self.send(line)
        for answer in self.process.stdout:
            words = answer.split()
            if words[0] == first:
                return words[1:]
            if words[:2] == ["info", "string"]:
                raise RuntimeError(f"{line}: {answer}")
        raise RuntimeError(f"{line}: the engine ended")

    def quit(self):
        self.send("quit")
        if self.process.wait(timeout=10) != 0:
            raise RuntimeError("the engine ended with an error")


def play(program, game):
    """Plays a game and returns its result and its moves."""
    players = [Engine(program, game), Engine(program, game)]
    judge = Engine(program, game)
    moves = []
    while True:
        position = "position startpos" + (" moves " + " ".join(moves) if moves else "")
        judge.send(position)
        over = judge.ask("query gameover", "response") == ["true"]
        result = judge.ask("query result", "response")[0]
        if over != (result != "none"):
            raise RuntimeError(f"over: {over}, but the result is {result}")
        if over or len(moves) >= 200:
            break
        first = judge.ask("query p1turn", "response") == ["true"]
        player = players[0 if first else 1]
        player.send(position)
        limit = "nodes 300" if first else "p1time 500 p2time 500 p1inc 10 p2inc 10"
        moves += player.ask("go " + limit, "bestmove")
    for engine in [*players, judge]:
        engine.quit()
    return result, moves


for game in GAMES:
    result, moves = play(sys.argv[1], game)
    print(f"{game}: {result}, {len(moves)} plies", flush=True)
