#!/usr/bin/env python3
"""Measures how long the language server takes to answer in a file of 10,000 lines.

    tests/lsp/large.py [PROGRAM] [LINES]

It measures two files of different styles. For each request it opens the file again and measures the first
answer. Then it types one character before each request, and prints the median and the longest of several
answers. An answer is there when its last byte is; reading its JSON is the work of the client. The last rows are the
times from a typed character to its first diagnostics, and to all of them. The column cpu is the median of the time
that the server computes for an answer; it is also right on a busy machine. The script needs only Python and Linux.
"""

import json
import pathlib
import queue
import statistics
import subprocess
import sys
import tempfile
import threading
import time

GRAMMAR_HEAD = """/* A game in another style: long clauses, grammar rules, tabs,
   comments of several lines, words in other letters. */
:- use_module(library(alphorn)).
:- op(700, xfx, ===>).
:- param(size, 5, 1..9, "größe 🎲").

initial(heap(max, N)) :- param(size, N).
max_to_move(heap(max, _)).
move(heap(P, N), take(K), heap(O, M)) :- other(P, O), between(1, 2, K), K =< N, M is N - K.
terminal(heap(_, 0)).
outcome(heap(P, 0), win(W)) :- other(P, W).
acyclic.
other(max, min).\tother(min, max).

"""

# Seconds until the script gives up.
LONGEST_WAIT = 60
# Of a long text, some diagnostics may come before the others: no more come after this number of seconds.
QUIET = 3

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


def rule(number):
    """Rules of several goals, facts and comments."""
    return (
        f"%! rule_{number}(+List, -Sum)  Sum is the sum of what pick_{number}/2 picks.\n"
        f"rule_{number}(List, Sum) :-\n"
        f"    findall(X, (member(X, List), pick_{number}(X, small), X > {number}), Found),\n"
        f"    ( Found == [] -> Sum = 0 ; sum_list(Found, Sum) ).\n"
        + "".join(f"pick_{number}({n}, {'small' if n % 2 else 'large'}).\n" for n in range(5))
        + "\n"
    )


def grammar(n):
    """Grammar rules, a long clause, a table, and facts with aligned comments."""
    step = "\tstep{n}(S, {k}, X{k}), ( X{k} ===> {k} -> Y{k} = [X{k}|_] ; X{k} > 3 -> Y{k} = [] ; Y{k} = none ),\n"
    return (
        f"/* ----- part {n} -----\n * words of the 'language' é\n */\n"
        f"phrase{n}(s(A, B)) --> subject{n}(A), [x{n}, '漢字'], {{ A =\\= B, B > {n} }}, object{n}(B), !.\n"
        f"subject{n}(A) -->\n\t[a, b],\t\t% two words\n\t( [c]\t\t% or three\n\t; \"text\" ), {{ A = {n} }}.\n"
        f"object{n}(B) --> \\+ [z], call(shift{n}, B).\nshift{n}(B, S, S) :- B > 0.\n\n"
        f"long{n}(S, Count) :-\n"
        + "".join(step.format(n=n, k=k) for k in range(12))
        + "\tfindall(Z-W, (member(Z, [Y0, Y1, Y2]), member(W, [Y3, Y4]), Z \\== W), All),\n\tlength(All, Count).\n"
        f"step{n}(S, K, X) :- arg(K, S, X), X ===> K.   % aligned\n"
        f"step{n}(_, K, K).                              % otherwise\n"
        f"table{n}([\n    1,  2,  3,\n   10, 20, 30 ]).\n\n"
    )


def generated(lines, head, part, tail=""):
    """A game of this number of lines."""
    parts = [head]
    count = head.count("\n")
    while count < lines:
        parts.append(part(len(parts)))
        count += parts[-1].count("\n")
    return "".join(parts) + tail


class Client:
    """The least client: it sends a request and waits for its answer."""

    def __init__(self, program):
        self.server = subprocess.Popen([program, "lsp", "--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.number, self.received = 0, 0.0
        self.messages = queue.Queue()
        threading.Thread(target=self.listen, daemon=True).start()

    def send(self, method, params, number=None):
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        if number is not None:
            message["id"] = number
        data = json.dumps(message).encode()
        self.server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
        self.server.stdin.flush()

    def listen(self):
        """Takes the messages of the server, with their times, to its end."""
        while header := self.server.stdout.readline():
            length = 0
            while header := header.strip():
                name, value = header.split(b":")
                if name.lower() == b"content-length":
                    length = int(value)
                header = self.server.stdout.readline()
            self.messages.put((time.monotonic(), self.server.stdout.read(length)))

    def read(self, timeout=LONGEST_WAIT):
        self.received, data = self.messages.get(timeout=timeout)
        return json.loads(data)

    def ask(self, method, params):
        self.number += 1
        self.send(method, params, self.number)
        while True:
            message = self.read()
            if "method" in message and "id" in message:
                self.send_result(message["id"])
            elif message.get("id") == self.number:
                return message.get("result")

    def published(self, uri, version, is_all):
        """Waits for the first diagnostics of a version of a file, or until there are no more. Returns their time."""
        found = None
        while True:
            try:
                message = self.read(LONGEST_WAIT if found is None else QUIET)
            except queue.Empty:
                if found is None:
                    raise
                return found
            if "method" in message and "id" in message:
                self.send_result(message["id"])
            params = message.get("params") or {}
            published = message.get("method") == "textDocument/publishDiagnostics"
            if published and (params["uri"], params.get("version")) == (uri, version):
                found = self.received
                if not is_all:
                    return found

    def send_result(self, number):
        data = json.dumps({"jsonrpc": "2.0", "id": number, "result": None}).encode()
        self.server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
        self.server.stdin.flush()


def computed(client, name):
    """The milliseconds that the server has computed. Checks count only for diagnostics."""
    total, others = 0, {"diagnostics": ["check"], "all diagnostics": []}.get(name, ["check", "read"])
    for task in pathlib.Path(f"/proc/{client.server.pid}/task").iterdir():
        if (task / "comm").read_text().strip() not in others:
            total += int((task / "schedstat").read_text().split()[0])
    return total / 1e6


class File:
    """A file that is open in an editor."""

    def __init__(self, client, text, words):
        self.client, self.text = client, text
        self.uri, self.version = (pathlib.Path(tempfile.mkdtemp()) / "large.pl").as_uri(), 0
        lines = text.split("\n")
        middle = next(n for n in range(len(lines) // 2, len(lines)) if lines[n].startswith(words[0]))
        self.place = {"line": middle, "character": lines[middle].index(words[1]) + 2}
        self.end = {"line": len(lines), "character": 0}
        self.typed, self.result = False, None

    def open(self):
        if self.version:
            self.client.send("textDocument/didClose", {"textDocument": {"uri": self.uri}})
        self.version, self.typed = self.version + 1, False
        document = {"uri": self.uri, "languageId": "prolog", "version": self.version, "text": self.text}
        self.client.send("textDocument/didOpen", {"textDocument": document})

    def type(self):
        """Types a blank at the beginning of a line, or removes it."""
        self.version = self.version + 1
        odd = int(self.typed)
        self.typed = not self.typed
        start = {"line": 8, "character": 0}
        end = {"line": 8, "character": odd}
        document = {"uri": self.uri, "version": self.version}
        change = {"range": {"start": start, "end": end}, "text": "" if odd else " "}
        self.client.send("textDocument/didChange", {"textDocument": document, "contentChanges": [change]})

    def ask(self, name, params):
        """Asks a request, and returns the milliseconds until its answer."""
        begun = time.monotonic()
        if name.endswith("diagnostics"):
            return (self.client.published(self.uri, self.version, name.startswith("all")) - begun) * 1000
        if name == "semanticTokens/full/delta":
            params = {"previousResultId": self.result or ""}
        found = self.client.ask(f"textDocument/{name}", {"textDocument": {"uri": self.uri}, **params})
        taken = (self.client.received - begun) * 1000
        if name.startswith("semanticTokens/full"):
            self.result = found["resultId"]
        return taken


def measure(client, style, text, words):
    file = File(client, text, words)
    at = {"position": file.place}
    after = {"line": file.place["line"] + 60, "character": 0}
    requests = {
        "hover": at,
        "completion": at,
        "signatureHelp": at,
        "definition": at,
        "references": {**at, "context": {"includeDeclaration": True}},
        "documentHighlight": at,
        "prepareRename": at,
        "documentSymbol": {},
        "foldingRange": {},
        "semanticTokens/full": {},
        "semanticTokens/full/delta": {},
        "semanticTokens/range": {"range": {"start": file.place, "end": after}},
        "codeLens": {},
        "codeAction": {"range": {"start": file.place, "end": file.place}, "context": {"diagnostics": []}},
        "inlayHint": {"range": {"start": {"line": 0, "character": 0}, "end": file.end}},
        "formatting": {"options": {"tabSize": 4, "insertSpaces": True}},
        "diagnostics": {},
        "all diagnostics": {},
    }
    print(f"{style}: {text.count(chr(10)):,} lines, {len(text.encode()):,} bytes")
    print(f"{'request':26}{'first':>8}{'median':>8}{'longest':>9}{'cpu':>8}  ms")
    for name, params in requests.items():
        file.open()
        first, taken, work = file.ask(name, params), [], []
        for _ in range(7):
            begun = computed(client, name)
            file.type()
            taken.append(file.ask(name, params))
            work.append(computed(client, name) - begun)
        median, cpu = statistics.median(taken), statistics.median(work)
        print(f"{name:26}{first:8.1f}{median:8.1f}{max(taken):9.1f}{cpu:8.1f}")


def main():
    program = sys.argv[1] if len(sys.argv) > 1 else "target/release/alphorn"
    lines = int(sys.argv[2]) if len(sys.argv) > 2 else 10_000
    client = Client(program)
    client.ask("initialize", {"capabilities": {}, "rootUri": None, "processId": None})
    client.send("initialized", {})
    measure(client, "rules and facts", generated(lines, HEAD, rule), ("    findall", "pick_"))
    text = generated(lines, GRAMMAR_HEAD, grammar, "A ===> B :- A =:= B.\n")
    measure(client, "grammar and long clauses", text, ("\tstep", "step"))
    client.ask("shutdown", None)
    client.send("exit", None)


if __name__ == "__main__":
    main()
