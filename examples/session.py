"""A whole game over the protocol of Alphorn (docs/protocol.md), with the standard library of Python alone.

Run it with the program's path: python3 examples/session.py target/release/alphorn
With -v after the path, it also prints every line that it sends (>) and gets (<).
"""

import json
import subprocess
import sys

GAME = """:- use_module(library(alphorn)).
:- param(bonus, 0, 0..5, "coins that MIN has at first").

% A row of coins. Each player takes the coin at the left end or at the right end.
initial(row(max, [3, 9, 1, 2, 7, 5], purses(0, B))) :- param(bonus, B).
max_to_move(row(max, _, _)).
move(row(P, [C|Cs], W), left(C), row(Q, Cs, V)) :- other(P, Q), pay(P, C, W, V).
move(row(P, Cs, W), right(C), row(Q, Rest, V)) :-
    apend(Rest, [C], Cs), Rest \\= [], other(P, Q), pay(P, C, W, V).
pay(max, C, purses(A, B), purses(A1, B)) :- A1 is A + C.
pay(min, C, purses(A, B), purses(A, B1)) :- B1 is B + C.
terminal(row(_, [], _)).
outcome(row(_, [], purses(A, B)), score(N)) :- N is A - B.
static_eval(row(_, _, purses(A, B)), N) :- N is A - B.
acyclic.
other(max, min).
other(min, max).
"""


class Alphorn:
    """A running `alphorn repl --json`."""

    def __init__(self, program, verbose):
        pipes = dict(stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")
        self.process = subprocess.Popen([program, "repl", "--json"], **pipes)
        self.verbose = verbose
        self.sent = 0

    def send(self, request, **fields):
        """Sends a request, and returns its id."""
        self.sent += 1
        line = json.dumps({"id": self.sent, "request": request, **fields})
        if self.verbose:
            print(">", line)
        print(line, file=self.process.stdin, flush=True)
        return self.sent

    def lines(self, id):
        """The lines for one request: its events, and then its answer. Lines for other requests are skipped."""
        for line in self.process.stdout:
            if self.verbose:
                print("<", line, end="")
            found = json.loads(line)
            if found["id"] == id:
                yield found
                if "event" not in found:
                    return

    def ask(self, request, **fields):
        """Sends a request, and returns its answer: a reply or an error."""
        *events, answer = self.lines(self.send(request, **fields))
        return answer


def corrected(text, edits):
    """A text after its edits, whose offsets count bytes of UTF-8."""
    data = text.encode()
    for edit in sorted(edits, key=lambda edit: edit["start"], reverse=True):
        data = data[: edit["start"]] + edit["text"].encode() + data[edit["end"] :]
    return data.decode()


def main(program, verbose):
    alphorn = Alphorn(program, verbose)
    # The rules have a mistake. The error brings its correction.
    refused = alphorn.ask("load", texts=[{"name": "coins.pl", "text": GAME}])
    print("error:", refused["error"]["message"], "-", refused["error"]["help"])
    text = corrected(GAME, refused["error"]["edits"])
    game = alphorn.ask("load", texts=[{"name": "coins.pl", "text": text}], terms=True, legal=True)["game"]
    print("start:", game["position"], "legal:", [move["label"] for move in game["moves"]])
    # The value, with an event for each depth.
    for line in alphorn.lines(alphorn.send("value", threads=1)):
        print("depth", line["depth"], "value", line["value"], line.get("event", "reply"))
    # A position may be a term. A parameter is changed for one request.
    position = {"functor": "row", "args": ["min", [4, 1, 6], {"functor": "purses", "args": [0, 0]}]}
    print("solved:", alphorn.ask("solve", position=position)["value"])
    print("with a bonus:", alphorn.ask("value", params={"bonus": 5}, threads=1)["value"])
    print("why not:", alphorn.ask("whynot", goal="left(9)")["failing"]["reason"])
    # The game: the first move by its label, one move back, and then the program for both sides.
    alphorn.ask("move", move="left(3)")
    game = alphorn.ask("undo")
    while game["outcome"] is None:
        gone = alphorn.ask("go", depth=6, threads=1)
        game = gone["game"]
    print("played:", *game["played"], "- the outcome is", game["outcome"])
    # A match of two depths. Each game is an event.
    for line in alphorn.lines(alphorn.send("match", a={"depth": 1}, b={"depth": 6}, games=4, opening_plies=1)):
        print("game", line["game"], line["outcome"]) if "event" in line else print("match: B wins", line["losses"])
    # A long search, stopped after its first depth.
    chess = alphorn.ask("example", name="chess")["text"]
    alphorn.ask("load", texts=[{"name": "chess.pl", "text": chess}])
    search = alphorn.send("value")
    for line in alphorn.lines(search):
        if line.get("depth") == 1 and "event" in line:
            alphorn.send("cancel", cancel=search)
    print("stopped:", line["stopped"], "with a move:", line["best"] is not None)
    alphorn.process.stdin.close()
    list(alphorn.lines(None))  # The answer to the cancel may come last.
    return alphorn.process.wait()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], "-v" in sys.argv[2:]))
