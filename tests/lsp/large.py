#!/usr/bin/env python3
"""Measures how long the language server takes to answer in a file of 10,000 lines.

    tests/lsp/large.py [PROGRAM] [LINES]

It types one character before each request, and prints the median and the longest of several answers. The
script needs only Python.
"""

import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

HEAD = """% A game with many rules.
:- use_module(library(alphorn)).
:- param(heap, 5, 1..9, "matches").
:- expect(perft(1) = 3).

initial(left(max, N)) :- param(heap, N).
max_to_move(left(max, _)).
move(left(P, N), take(K), left(O, M)) :- other(P, O), between(1, 3, K), K =< N, M is N - K.
terminal(left(_, 0)).
outcome(left(P, 0), win(W)) :- other(P, W).
acyclic.
other(max, min).
other(min, max).

"""


def generated(lines):
    """A game of this number of lines: rules of several goals, facts and comments."""
    parts = [HEAD]
    count = HEAD.count("\n")
    number = 0
    while count < lines:
        number += 1
        part = (
            f"%! rule_{number}(+List, -Sum)  Sum is the sum of what pick_{number}/2 picks.\n"
            f"rule_{number}(List, Sum) :-\n"
            f"    findall(X, (member(X, List), pick_{number}(X, small), X > {number}), Found),\n"
            f"    ( Found == [] -> Sum = 0 ; sum_list(Found, Sum) ).\n"
            + "".join(f"pick_{number}({n}, {'small' if n % 2 else 'large'}).\n" for n in range(5))
            + "\n"
        )
        parts.append(part)
        count += part.count("\n")
    return "".join(parts)


class Client:
    """The least client: it sends a request and waits for its answer."""

    def __init__(self, program):
        self.server = subprocess.Popen([program, "lsp", "--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.number = 0

    def send(self, method, params, number=None):
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        if number is not None:
            message["id"] = number
        data = json.dumps(message).encode()
        self.server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
        self.server.stdin.flush()

    def read(self):
        length = 0
        while line := self.server.stdout.readline().strip():
            name, value = line.split(b":")
            if name.lower() == b"content-length":
                length = int(value)
        return json.loads(self.server.stdout.read(length))

    def ask(self, method, params):
        self.number += 1
        self.send(method, params, self.number)
        while True:
            message = self.read()
            if "method" in message and "id" in message:
                self.send_result(message["id"])
            elif message.get("id") == self.number:
                return message.get("result")

    def send_result(self, number):
        data = json.dumps({"jsonrpc": "2.0", "id": number, "result": None}).encode()
        self.server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
        self.server.stdin.flush()


def main():
    program = sys.argv[1] if len(sys.argv) > 1 else "target/release/alphorn"
    lines = int(sys.argv[2]) if len(sys.argv) > 2 else 10_000
    text = generated(lines)
    uri = (pathlib.Path(tempfile.mkdtemp()) / "large.pl").as_uri()
    client = Client(program)
    client.ask("initialize", {"capabilities": {}, "rootUri": None, "processId": None})
    client.send("initialized", {})
    document = {"uri": uri, "languageId": "prolog", "version": 1, "text": text}
    client.send("textDocument/didOpen", {"textDocument": document})
    one, version = {"uri": uri}, 1
    middle = text.count("\n") // 2
    while not text.split("\n")[middle].startswith("    findall"):
        middle += 1
    place = {"line": middle, "character": 18}
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": lines, "character": 0}}
    requests = {
        "hover": {"position": place},
        "completion": {"position": place},
        "signatureHelp": {"position": place},
        "definition": {"position": {"line": middle, "character": 42}},
        "references": {
            "position": {"line": middle, "character": 42},
            "context": {"includeDeclaration": True},
        },
        "documentSymbol": {},
        "foldingRange": {},
        "semanticTokens/full": {},
        "semanticTokens/range": {"range": {"start": place, "end": {"line": middle + 60, "character": 0}}},
        "codeLens": {},
        "codeAction": {"range": {"start": place, "end": place}, "context": {"diagnostics": []}},
        "inlayHint": {"range": whole},
        "formatting": {"options": {"tabSize": 4, "insertSpaces": True}},
    }
    print(f"{text.count(chr(10)):,} lines, {len(text):,} bytes", f"{'request':24}{'median':>8}{'longest':>9}  ms", sep="\n")
    for name, params in requests.items():
        taken = []
        for _ in range(7):
            version += 1
            at = {"line": 8 + version % 2, "character": 0}
            end = {"line": 8 + version % 2, "character": 0}
            change = {"range": {"start": at, "end": end}, "text": " "}
            client.send(
                "textDocument/didChange",
                {"textDocument": {"uri": uri, "version": version}, "contentChanges": [change]},
            )
            begun = time.monotonic()
            client.ask(f"textDocument/{name}", {"textDocument": one, **params})
            taken.append((time.monotonic() - begun) * 1000)
        print(f"{name:24}{statistics.median(taken):8.1f}{max(taken):9.1f}")
    client.ask("shutdown", None)
    client.send("exit", None)


if __name__ == "__main__":
    main()
