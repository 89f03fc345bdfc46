// Tests of the modules that do not depend on VS Code.
import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { isRules, looksLikeRules } from "../../src/association";
import { addressIn, depthOf, failure, newArgs, templates, treeArgs, wrongName } from "../../src/commands";
import { isPicture, page } from "../../src/picture";
import { findProgram, missingMessage, run, surroundings, type Surroundings } from "../../src/program";

const GAME = "initial(a).\nmax_to_move(a).\nmoves(a, [b]).\n";
const PERL = "#!/usr/bin/perl\nuse strict;\nmy @moves = moves($initial);\n";
const PROLOG = ":- use_module(library(lists)).\nappend3(A, B, C, D) :- append(A, B, X), append(X, C, D).\n";

test("rules are told from other files *.pl", () => {
  for (const rules of [
    GAME,
    "\uFEFF" + GAME.replaceAll("\n", "\r\n"),
    "% an overlay\n:- use_module( library( alphorn ) ).\n",
    "% Alphorn overlay of othello.pl\nstatic_eval(_, 0).\n",
    "%! Overlay of othello.pl: corners first\nstatic_eval(_, 0).\n",
    "initial (a).\nmin_to_move(b).\nmove(a, go, b).\n",
  ]) {
    assert.ok(looksLikeRules(rules), rules);
  }
  for (const other of [PERL, PROLOG, "", "% nothing\n", "% initial(a). max_to_move(a). moves(a, []).\n", "initial(a).\n"]) {
    assert.ok(!looksLikeRules(other), other);
  }
});

test("the setting decides, and other languages stay", () => {
  assert.ok(isRules("games", "/games/nim.pl", "perl", GAME));
  assert.ok(isRules("games", "C:\\GAMES\\NIM.PL", "prolog", GAME));
  assert.ok(!isRules("games", "/x.pl", "perl", PERL));
  assert.ok(isRules("all", "/x.pl", "perl", PROLOG));
  assert.ok(!isRules("none", "/x.pl", "perl", GAME));
  assert.ok(!isRules("games", "/x.pro", "prolog", GAME));
  assert.ok(!isRules("all", "/x.pl", "alphorn", GAME));
  assert.ok(!isRules("all", "/x.pl", "javascript", GAME));
});

test("the program is that of the setting, of PATH or of Cargo", () => {
  const around = (...files: string[]): Surroundings => ({
    path: "/usr/bin:/opt/bin:", home: "/home/ada", folder: "/work", endings: [""], runs: (file) => files.includes(file),
  });
  const cargo = "/home/ada/.cargo/bin/alphorn";
  assert.equal(findProgram("", around("/opt/bin/alphorn", cargo)), "/opt/bin/alphorn");
  assert.equal(findProgram("", around(cargo)), cargo);
  assert.equal(findProgram("", around()), undefined);
  assert.equal(findProgram("~/bin/alphorn", around("/home/ada/bin/alphorn")), "/home/ada/bin/alphorn");
  assert.equal(findProgram("target/release/alphorn", around("/work/target/release/alphorn")), "/work/target/release/alphorn");
  assert.equal(findProgram("alphorn-2", around("/usr/bin/alphorn-2")), "/usr/bin/alphorn-2");
  // A wrong setting is an error, although there is another program.
  assert.equal(findProgram("/nowhere/alphorn", around(cargo)), undefined);
  assert.match(missingMessage(" "), /not in PATH.*alphorn\.path/);
  assert.match(missingMessage("/nowhere/alphorn"), /\/nowhere\/alphorn.*alphorn\.path/);
});

test("only files that can be run are programs", () => {
  const folder = mkdtempSync(join(tmpdir(), "alphorn-"));
  const file = join(folder, "alphorn");
  writeFileSync(file, "#!/bin/sh\n");
  chmodSync(file, 0o644);
  assert.equal(findProgram(file, surroundings(undefined)), undefined);
  chmodSync(file, 0o755);
  assert.equal(findProgram(file, surroundings(undefined)), file);
  assert.equal(findProgram(folder, surroundings(undefined)), undefined);
});

test("a program runs with its output, its status and its errors", async () => {
  const script = "process.stdin.on('data', (d) => process.stdout.write(d)).on('end', () => { console.error('no'); process.exit(3); })";
  const parts: string[] = [];
  const ran = await run(process.execPath, ["-e", script], { input: "größe 🎲", hear: (part) => parts.push(part) });
  assert.deepEqual(ran, { status: 3, out: "größe 🎲", err: "no\n" });
  assert.deepEqual(parts.sort(), ["größe 🎲", "no\n"].sort());
  await assert.rejects(run("/nowhere/alphorn", []));
});

test("a program is interrupted, and prints what it has found", async () => {
  const script = "process.on('SIGINT', () => { console.log('so far'); process.exit(130); }); console.log('go'); setInterval(() => 0, 1000)";
  const stop = new AbortController();
  const hear = (part: string): void => {
    if (part.includes("go")) {
      stop.abort();
    }
  };
  const ran = await run(process.execPath, ["-e", script], { signal: stop.signal, hear });
  assert.deepEqual([ran.status, ran.out], [130, "go\nso far\n"]);
});

test("templates are read, and their names make commands", () => {
  const printed = '{"schema":2,"templates":[{"board":"hex","moves":"step","about":"the cells sink"}]}';
  const rows = templates(printed);
  assert.deepEqual(rows, [{ board: "hex", moves: "step", about: "the cells sink" }]);
  assert.deepEqual(newArgs("pebbles", rows[0]!), ["new", "pebbles", "--board", "hex", "--moves", "step"]);
  assert.throws(() => templates('{"schema":2}'), /update alphorn/);
  assert.equal(wrongName("pebbles_2"), undefined);
  for (const name of ["", "Pebbles", "../pebbles", "pebbles.pl", "2pebbles", "-x"]) {
    assert.notEqual(wrongName(name), undefined, name);
  }
});

test("depths are numbers in their range", () => {
  assert.equal(depthOf(" 7 ", 20), 7);
  for (const typed of ["", "0", "21", "-1", "3.5", "seven", "1e1"]) {
    assert.equal(depthOf(typed, 20), undefined, typed);
  }
});

test("the address of Studio is found in what it prints", () => {
  const address = "http://127.0.0.1:43171/?token=ab12";
  assert.equal(addressIn(`${address}\n`), address);
  assert.equal(addressIn(`open ${address}, then play`), address);
  assert.equal(addressIn("A0620\n\n  × cannot read x.pl"), undefined);
});

test("a failure is told in one line", () => {
  assert.equal(failure("A0620\n\n  × cannot read x.pl: there is no such file\n  help: y\n", 2), "cannot read x.pl: there is no such file");
  assert.equal(failure("error: unrecognized subcommand 'serve'\n", 2), "error: unrecognized subcommand 'serve'");
  assert.equal(failure("", undefined), "alphorn ended with status unknown");
});

test("a picture becomes a page in which no script runs", () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><text>größe</text><script>alert(1)</script></svg>';
  assert.ok(isPicture(svg) && isPicture(`<?xml version="1.0"?>\n${svg}`));
  assert.ok(!isPicture("A0620 <svg>") && !isPicture(""));
  const made = page('Tree of <b>"x"', svg);
  assert.ok(!made.includes("alert(1)") && !made.includes("<b>"), "the texts are escaped");
  assert.match(made, /default-src 'none'; img-src data:/);
  const source = /base64,([^"]+)"/.exec(made)?.[1] ?? "";
  assert.equal(Buffer.from(source, "base64").toString("utf8"), svg);
  assert.deepEqual(treeArgs("x.pl", 3, "dark").slice(-4), ["--format", "svg", "--theme", "dark"]);
});
