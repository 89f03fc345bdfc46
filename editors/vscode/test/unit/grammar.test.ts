// Colours the shipped files with the grammar: every clause must end where the grammar ends it.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { test } from "node:test";
import { loadWASM, OnigScanner, OnigString } from "vscode-oniguruma";
import { INITIAL, type IGrammar, parseRawGrammar, Registry } from "vscode-textmate";

// The tests run in editors/vscode.
const ROOT = join(process.cwd(), "../..");
const load = createRequire(join(process.cwd(), "package.json"));

async function grammar(): Promise<IGrammar> {
  await loadWASM(readFileSync(load.resolve("vscode-oniguruma/release/onig.wasm")));
  const registry = new Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new OnigScanner(patterns),
      createOnigString: (text) => new OnigString(text),
    }),
    loadGrammar: async () => {
      const file = "syntaxes/alphorn.tmLanguage.json";
      return parseRawGrammar(readFileSync(file, "utf8"), file);
    },
  });
  const found = await registry.loadGrammar("source.alphorn");
  assert.ok(found);
  return found;
}

interface Word {
  text: string;
  scopes: string[];
  line: number;
}

function words(colours: IGrammar, text: string): { words: Word[]; depth: number } {
  let stack = INITIAL;
  const found: Word[] = [];
  text.split(/\r?\n/).forEach((line, number) => {
    const read = colours.tokenizeLine(line, stack);
    assert.ok(!read.stoppedEarly);
    stack = read.ruleStack;
    for (const token of read.tokens) {
      found.push({ text: line.slice(token.startIndex, token.endIndex), scopes: token.scopes, line: number + 1 });
    }
  });
  return { words: found, depth: stack.depth };
}

test("the shipped files are coloured to their ends, without errors", async () => {
  const colours = await grammar();
  const folders = ["games", "lib", "templates", "tests/right"];
  const files = folders.flatMap((folder) => readdirSync(join(ROOT, folder)).map((name) => join(ROOT, folder, name)));
  const rules = files.filter((file) => file.endsWith(".pl"));
  assert.ok(rules.length > 60, `${rules.length} files`);
  for (const file of rules) {
    const { words: all, depth } = words(colours, readFileSync(file, "utf8"));
    const name = basename(file);
    assert.equal(depth, 1, `${name} ends inside of a text, a comment or a directive`);
    const wrong = all.filter((word) => word.scopes.some((scope) => scope.startsWith("invalid")));
    assert.deepEqual(wrong, [], name);
    const has = (word: Word | undefined, scope: string): boolean => word?.scopes.some((s) => s.startsWith(scope)) ?? false;
    const plain = all.filter((word) => !has(word, "comment") && word.text.trim() !== "");
    // A clause begins after a full stop, and nowhere else in the first column.
    assert.ok(has(plain.at(-1), "punctuation.terminator"), `${name} ends with a full stop`);
    plain.forEach((word, at) => {
      const before = plain[at - 1];
      if (has(word, "entity.name.function.game") || has(word, "keyword.operator.directive")) {
        assert.ok(before === undefined || has(before, "punctuation.terminator"), `${name}:${word.line}: ${word.text}`);
      }
    });
  }
});

test("library words, game predicates and parameters have their colours", async () => {
  const colours = await grammar();
  const { words: all } = words(colours, readFileSync(join(ROOT, "games/othello.pl"), "utf8"));
  const scope = (text: string, wanted: string): boolean =>
    all.some((word) => word.text === text && word.scopes.some((found) => found.startsWith(wanted)));
  for (const [text, wanted] of [
    ["initial", "entity.name.function.game"],
    ["findall", "support.function.library"],
    ["size", "variable.parameter"],
    ["perft", "support.function.claim"],
    ["place", "entity.name.function"],
    ["Board", "variable.other"],
    ["*->", "keyword.control.flow"],
    ["is", "keyword.operator.word"],
  ] as const) {
    assert.ok(scope(text, wanted), `${text} is no ${wanted}`);
  }
});
