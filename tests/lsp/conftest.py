"""An editor for the tests: it opens files, types, and computes positions without the server's code."""

import asyncio
import json
import os
import pathlib
import subprocess

import pytest
import pytest_lsp
from lsprotocol import types
from pygls.protocol import default_converter
from pytest_lsp import ClientServerConfig, LanguageClient
from pytest_lsp.client import DEFAULT_CLIENT_FEATURES, register_lsp_features

PROGRAM = os.environ["ALPHORN"]
ROOT = pathlib.Path(__file__).resolve().parents[2]
GAMES = ROOT / "games"


def units(text, encoding):
    """The length of a text in the units of columns."""
    return len(text.encode("utf-8")) if encoding == "utf-8" else len(text.encode("utf-16-le")) // 2


def position(text, index, encoding):
    """The position of a character of a text."""
    before = text[:index].replace("\r\n", "\n ").replace("\r", "\n")
    line = before.count("\n")
    start = before.rfind("\n") + 1
    # A replaced line break keeps its length, so the column is that of the text itself.
    rest = text[:index][start:]
    if rest.startswith("\n"):
        rest = rest[1:]
    return types.Position(line=line, character=units(rest, encoding))


def index_of(text, place, encoding):
    """The character at a position, the inverse of `position`."""
    starts = [0]
    i = 0
    while i < len(text):
        if text[i] == "\r" and text[i + 1 : i + 2] == "\n":
            i += 1
        if text[i] in "\r\n":
            starts.append(i + 1)
        i += 1
    at = starts[place.line]
    left = place.character
    while left > 0:
        left -= units(text[at], encoding)
        at += 1
    assert left == 0, "a position lies inside a character"
    return at


class Editor:
    """A client with open files."""

    def __init__(self, client, folder, encoding):
        self.client = client
        self.folder = folder
        self.encoding = encoding
        self.texts = {}
        self.versions = {}

    def uri(self, name):
        return (self.folder / name).as_uri()

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8"))
        return path

    def open(self, name, text, save=True):
        """Opens a file. A `‸` in the text is the cursor, which is returned as a position."""
        cursor = text.find("‸")
        text = text.replace("‸", "", 1)
        if save:
            self.write(name, text)
        uri = self.uri(name)
        self.texts[name], self.versions[name] = text, 1
        item = types.TextDocumentItem(uri=uri, language_id="prolog", version=1, text=text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(text_document=item))
        return position(text, cursor, self.encoding) if cursor >= 0 else None

    def place(self, name, needle, nth=0, end=False):
        """The position of the n-th occurrence of a text."""
        text, at = self.texts[name], -1
        for _ in range(nth + 1):
            at = text.index(needle, at + 1)
        return position(text, at + (len(needle) if end else 0), self.encoding)

    def range(self, name, needle, nth=0):
        return types.Range(start=self.place(name, needle, nth), end=self.place(name, needle, nth, True))

    def slice(self, name, found):
        """The text in a range."""
        text = self.texts[name]
        start = index_of(text, found.start, self.encoding)
        return text[start : index_of(text, found.end, self.encoding)]

    def change(self, name, needle, new, nth=0):
        """Replaces a part of the text, incrementally."""
        found = self.range(name, needle, nth)
        text = self.texts[name]
        at = index_of(text, found.start, self.encoding)
        self.texts[name] = text[:at] + new + text[at + len(needle) :]
        self.versions[name] += 1
        self.client.text_document_did_change(
            types.DidChangeTextDocumentParams(
                text_document=types.VersionedTextDocumentIdentifier(uri=self.uri(name), version=self.versions[name]),
                content_changes=[types.TextDocumentContentChangePartial(range=found, text=new)],
            )
        )

    def close(self, name):
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(text_document=self.document(name)))

    def apply(self, name, edits):
        """The text of a file after edits of the protocol."""
        text = self.texts[name]
        spans = [
            (index_of(text, e.range.start, self.encoding), index_of(text, e.range.end, self.encoding), e.new_text)
            for e in edits
        ]
        for start, end, new in sorted(spans, reverse=True):
            text = text[:start] + new + text[end:]
        return text

    def document(self, name):
        return types.TextDocumentIdentifier(uri=self.uri(name))

    def at(self, name, place):
        return {"text_document": self.document(name), "position": place}

    async def diagnostics(self, name, version=None, timeout=60):
        """The diagnostics of a version of a file, by default of the last one."""
        wanted = self.versions.get(name) if version is None else version
        for _ in range(int(timeout * 50)):
            found = self.client.published.get(self.uri(name))
            if found is not None and found.version == wanted:
                return list(found.diagnostics)
            await asyncio.sleep(0.02)
        raise AssertionError(f"no diagnostics of version {wanted} of {name}")

    async def hover(self, name, place):
        found = await self.client.text_document_hover_async(types.HoverParams(**self.at(name, place)))
        return found and found.contents.value

    async def complete(self, name, place):
        found = await self.client.text_document_completion_async(types.CompletionParams(**self.at(name, place)))
        return {item.label: item for item in reversed(found.items)}

    async def command(self, name, command, *args):
        params = types.ExecuteCommandParams(command=f"alphorn.server.{command}", arguments=[self.uri(name), *args])
        return await self.client.workspace_execute_command_async(params)


def check(path, *options):
    """The diagnostics of the command line: code, severity, start and end of each, in bytes."""
    done = subprocess.run([PROGRAM, "check", "--json", str(path), *options], capture_output=True, text=True)
    return json.loads(done.stdout)["files"][0]["problems"]


class Client(LanguageClient):
    """A client that keeps what the server publishes and shows."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.published = {}
        self.history = []
        self.answers = []
        self.asked = []
        self.refreshed = 0


def published(client: Client, params: types.PublishDiagnosticsParams):
    client.published[params.uri] = params
    client.history.append(params)


def asked(client: Client, params: types.ShowMessageRequestParams):
    client.asked.append(params)
    title = client.answers.pop(0) if client.answers else None
    return types.MessageActionItem(title=title) if title else None


def refreshed(client: Client, *_):
    client.refreshed += 1


def make_client():
    client = Client(converter_factory=default_converter)
    own = {
        types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS: published,
        types.WINDOW_SHOW_MESSAGE_REQUEST: asked,
        types.WORKSPACE_INLAY_HINT_REFRESH: refreshed,
    }
    register_lsp_features(client, {**DEFAULT_CLIENT_FEATURES, **own})
    return client


CONFIG = ClientServerConfig(
    server_command=[PROGRAM, "lsp", "--stdio"],
    client_factory=make_client,
    server_env={**os.environ, "XDG_CACHE_HOME": str(ROOT / "target" / "lsp-tests" / "cache")},
)


def parameters(encoding, folder, options=None):
    encodings = ["utf-8", "utf-16"] if encoding == "utf-8" else ["utf-16"]
    item = types.ClientCompletionItemOptions(snippet_support=True)
    return types.InitializeParams(
        capabilities=types.ClientCapabilities(
            general=types.GeneralClientCapabilities(position_encodings=encodings),
            text_document=types.TextDocumentClientCapabilities(
                completion=types.CompletionClientCapabilities(completion_item=item)
            ),
            workspace=types.WorkspaceClientCapabilities(
                inlay_hint=types.InlayHintWorkspaceClientCapabilities(refresh_support=True)
            ),
            window=types.WindowClientCapabilities(work_done_progress=True),
        ),
        root_uri=folder.as_uri(),
        workspace_folders=[types.WorkspaceFolder(uri=folder.as_uri(), name="folder")],
        initialization_options=options,
    )


@pytest_lsp.fixture(config=CONFIG, params=["utf-8", "utf-16"])
async def connected(request, lsp_client: LanguageClient):
    folder = request.getfixturevalue("tmp_path")
    found = await lsp_client.initialize_session(parameters(request.param, folder))
    lsp_client.chosen = found.capabilities
    lsp_client.unit = request.param
    yield
    await lsp_client.shutdown_session()


@pytest.fixture
def editor(connected, tmp_path):
    return Editor(connected, tmp_path, connected.unit)
