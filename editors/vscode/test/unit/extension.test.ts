// Loads the bundled extension with a stand-in for VS Code: it starts, has its commands, and says what is missing.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import Module from "node:module";
import { join } from "node:path";
import { test } from "node:test";

const BUNDLE = join(process.cwd(), "out/extension.js");
const MANIFEST = JSON.parse(readFileSync("package.json", "utf8"));

interface Seen {
  commands: Map<string, () => Promise<void>>;
  errors: string[];
  languages: [string, string][];
  open: (document: object) => Promise<void>;
}

/** Something that can be called, constructed and asked for any property. */
function anything(): unknown {
  const target = function () {} as object;
  return new Proxy(target, {
    get: (_, name) => (name === Symbol.toPrimitive ? () => "" : name === "prototype" ? {} : anything()),
    apply: () => anything(),
    construct: () => ({}),
  });
}

function standIn(settings: Record<string, string>, documents: object[], seen: Seen): object {
  const channel = { append: () => undefined, appendLine: () => undefined, show: () => undefined, dispose: () => undefined };
  const nothing = { dispose: () => undefined };
  const known: Record<string, object> = {
    window: {
      createOutputChannel: () => channel,
      showErrorMessage: async (text: string) => void seen.errors.push(text),
      showInformationMessage: async (text: string) => void seen.errors.push(text),
      activeTextEditor: undefined,
    },
    workspace: {
      isTrusted: true,
      textDocuments: documents,
      getConfiguration: () => ({ get: (name: string, otherwise: unknown) => settings[name] ?? otherwise }),
      onDidOpenTextDocument: (hear: (document: object) => Promise<void>) => {
        seen.open = hear;
        return nothing;
      },
      onDidChangeConfiguration: () => nothing,
      onDidGrantWorkspaceTrust: () => nothing,
    },
    commands: {
      registerCommand: (name: string, does: () => Promise<void>) => {
        seen.commands.set(name, does);
        return nothing;
      },
    },
    languages: {
      setTextDocumentLanguage: async (document: { uri: { path: string } }, language: string) =>
        void seen.languages.push([document.uri.path, language]),
    },
  };
  return new Proxy(known, { get: (_, name) => known[String(name)] ?? anything() });
}

test("the bundle starts, registers its commands and tells that the program is missing", async () => {
  const seen: Seen = { commands: new Map(), errors: [], languages: [], open: async () => undefined };
  const document = (path: string, text: string, languageId = "perl"): object => ({
    uri: { scheme: "file", path }, languageId, getText: () => text,
  });
  const documents = [
    document("/w/nim.pl", ":- use_module(library(alphorn)).\n"),
    document("/w/script.pl", "use strict;\n"),
  ];
  const vscode = standIn({ path: "/nowhere/alphorn" }, documents, seen);
  const loader = Module as unknown as { _load: (name: string, ...rest: unknown[]) => unknown };
  const load = loader._load;
  loader._load = (name, ...rest) => (name === "vscode" ? vscode : load(name, ...rest));
  try {
    const extension = require(BUNDLE) as { activate: (context: object) => Promise<void>; deactivate: () => Promise<void> };
    await extension.activate({ subscriptions: [] });
    assert.deepEqual(seen.errors, [], "a folder of other files is left in peace");
    // VS Code opens a document again whose language was changed.
    await seen.open(document("/w/nim.pl", "", "alphorn"));
    await seen.open(document("/w/pig.pl", "", "alphorn"));
    await seen.commands.get("alphorn.value")?.();
    await extension.deactivate();
  } finally {
    loader._load = load;
  }
  const declared = MANIFEST.contributes.commands.map((command: { command: string }) => command.command);
  assert.deepEqual([...seen.commands.keys()].sort(), declared.sort());
  assert.deepEqual(seen.languages, [["/w/nim.pl", "alphorn"]]);
  assert.equal(seen.errors.length, 2, "a missing program is told once");
  assert.match(seen.errors[0] ?? "", /There is no program \/nowhere\/alphorn/);
  assert.match(seen.errors[1] ?? "", /Open a file of rules first/);
});

test("every file that the manifest names exists, and menus name declared commands", () => {
  const { commands, menus, languages, grammars, snippets } = MANIFEST.contributes;
  const declared = commands.map((command: { command: string }) => command.command);
  for (const item of Object.values(menus).flat() as { command: string }[]) {
    assert.ok(declared.includes(item.command), item.command);
  }
  for (const file of [languages[0].configuration, grammars[0].path, snippets[0].path]) {
    JSON.parse(readFileSync(file, "utf8"));
  }
  const written = JSON.parse(readFileSync(snippets[0].path, "utf8"));
  const prefixes = Object.values(written).flatMap((snippet) => (snippet as { prefix: string[] }).prefix);
  for (const name of ["initial", "move", "moves", "terminal", "outcome", "static_eval", "chance", "show", "param", "expect"]) {
    assert.ok(prefixes.includes(name), name);
  }
});
