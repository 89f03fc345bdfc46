"""How the server begins and ends: exit, closed pipes, a client that is gone, messages that are none."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from conftest import PROGRAM
from test_texts import SMALL


class Raw:
    """A client without any library."""

    def __init__(self, **options):
        self.process = subprocess.Popen([PROGRAM, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, **options)
        self.last = 0

    def send(self, **message):
        data = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(data), data))
        self.process.stdin.flush()

    def receive(self):
        length = 0
        while (line := self.process.stdout.readline().strip()) != b"":
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        return json.loads(self.process.stdout.read(length))

    def request(self, method, params=None):
        self.last += 1
        self.send(id=self.last, method=method, params=params)
        while (found := self.receive()).get("id") != self.last:
            pass
        return found

    def begin(self, process_id=None):
        found = self.request("initialize", {"processId": process_id, "capabilities": {}})
        self.send(method="initialized", params={})
        return found

    def open(self, text, uri="file:///nowhere/a.pl"):
        item = {"uri": uri, "languageId": "prolog", "version": 1, "text": text}
        self.send(method="textDocument/didOpen", params={"textDocument": item})

    def ended(self, seconds=20):
        return self.process.wait(seconds)


def test_without_encodings_columns_count_in_utf_16():
    raw = Raw()
    assert raw.begin()["result"]["capabilities"]["positionEncoding"] == "utf-16"
    raw.request("shutdown")
    raw.send(method="exit")
    assert raw.ended() == 0


def test_exit_without_shutdown_fails():
    raw = Raw()
    raw.begin()
    raw.send(method="exit")
    assert raw.ended() == 2


def test_the_last_message_is_written_to_its_end():
    for pause in range(40):
        raw = Raw()
        raw.begin()
        # A check is under way when the end comes, and its diagnostics are longer than a pipe takes at once.
        raw.open("".join(f"p{n}(X, Y{n}) :- q{n}(X).\n" for n in range(400)))
        time.sleep(pause * 0.01)
        raw.send(id=9, method="shutdown")
        raw.send(method="exit")
        data, _ = raw.process.communicate(timeout=20)
        while data:
            head, data = data.split(b"\r\n\r\n", 1)
            length = int(head.split(b":")[1])
            assert len(data) >= length, f"a message was cut after {len(data)} of {length} bytes"
            data = data[length:]
        assert raw.process.returncode == 0


def test_requests_after_shutdown_are_refused():
    raw = Raw()
    raw.begin()
    raw.request("shutdown")
    found = raw.request("textDocument/hover", {})
    assert "shutting down" in found["error"]["message"]
    raw.send(method="exit")
    assert raw.ended() == 0


@pytest.mark.parametrize("begun", [False, True])
def test_a_closed_input_ends_the_server(begun):
    raw = Raw()
    if begun:
        raw.begin()
        raw.open(SMALL)
    raw.process.stdin.close()
    assert raw.ended() == 2


def test_a_closed_output_ends_the_server():
    raw = Raw(stderr=subprocess.PIPE)
    raw.begin()
    raw.process.stdout.close()
    try:
        for _ in range(50):
            raw.open(SMALL)
            raw.send(id=1, method="textDocument/hover", params={})
            time.sleep(0.05)
    except BrokenPipeError:
        pass
    try:
        raw.process.stdin.close()
    except BrokenPipeError:
        pass
    assert raw.ended() in (0, 2)
    assert b"panicked" not in raw.process.stderr.read()


def test_the_server_ends_when_the_process_of_the_client_is_gone():
    client = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    raw = Raw()
    raw.begin(client.pid)
    client.stdin.close()
    client.wait()
    assert raw.ended() == 2


@pytest.mark.parametrize("junk", [b"Content-Length: 5\r\n\r\nnope!", b"hello\r\n\r\n", b"Content-Length: 9999999\r\n\r\n{}"])
def test_what_is_no_message_ends_the_server_without_panic(junk):
    raw = Raw(stderr=subprocess.PIPE)
    raw.begin()
    raw.process.stdin.write(junk)
    raw.process.stdin.close()
    assert raw.ended() == 2
    assert b"panicked" not in raw.process.stderr.read()


def test_wrong_parameters_are_errors():
    raw = Raw()
    raw.begin()
    raw.open(SMALL)
    for method in ["hover", "completion", "rename", "references", "codeAction", "inlayHint", "semanticTokens/range"]:
        for params in [{}, {"textDocument": {"uri": "file:///nowhere/a.pl"}}, {"textDocument": 3}, [], None]:
            assert "error" in raw.request(f"textDocument/{method}", params), (method, params)
    raw.send(method="textDocument/didChange", params={"textDocument": 3})
    raw.send(method="textDocument/didOpen", params=None)
    assert "result" in raw.request("workspace/symbol", {"query": ""})
    raw.request("shutdown")
    raw.send(method="exit")
    assert raw.ended() == 0


def test_waiting_requests_can_be_cancelled():
    raw = Raw()
    raw.begin()
    raw.open(SMALL * 300)
    position = {"textDocument": {"uri": "file:///nowhere/a.pl"}, "position": {"line": 5, "character": 1}}
    for number in range(100, 130):
        raw.send(id=number, method="textDocument/completion", params=position)
    for number in range(100, 130):
        raw.send(method="$/cancelRequest", params={"id": number})
    answers = {}
    while len(answers) < 30:
        found = raw.receive()
        if "id" in found and "method" not in found:
            answers[found["id"]] = found.get("error", {}).get("code")
    assert set(answers) == set(range(100, 130))
    assert -32800 in answers.values()
    raw.request("shutdown")
    raw.send(method="exit")
    assert raw.ended() == 0


def test_a_command_can_be_cancelled():
    raw = Raw()
    raw.begin()
    raw.open(SMALL.replace("acyclic.", "").replace("M is N - K", "M is N - K + K * 0").replace("K =< N,", ""))
    raw.send(
        id=500,
        method="workspace/executeCommand",
        params={
            "command": "alphorn.server.perft",
            "arguments": ["file:///nowhere/a.pl", {"depth": 60, "time": 600}],
        },
    )
    time.sleep(0.3)
    raw.send(method="$/cancelRequest", params={"id": 500})
    while (found := raw.receive()).get("id") != 500:
        pass
    assert found["error"]["code"] == -32800
    raw.request("shutdown")
    raw.send(method="exit")
    assert raw.ended() == 0


def test_json_is_refused():
    done = subprocess.run([PROGRAM, "lsp", "--json"], capture_output=True, text=True)
    assert done.returncode == 2 and "Language Server Protocol" in done.stdout


def test_an_interrupt_ends_the_server():
    raw = Raw()
    raw.begin()
    raw.process.send_signal(signal.SIGINT)
    time.sleep(0.2)
    raw.process.send_signal(signal.SIGINT)
    raw.process.stdin.close()
    assert raw.ended() in (2, 130, -signal.SIGINT)
    assert os.path.exists(PROGRAM)
