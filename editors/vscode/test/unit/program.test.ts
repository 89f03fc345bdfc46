// Runs the built program with the command lines of the extension, if the program is built.
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { looksLikeRules } from "../../src/association";
import { failure, listArgs, newArgs, perftArgs, templates, testArgs, treeArgs, valueArgs } from "../../src/commands";
import { isPicture } from "../../src/picture";
import { run } from "../../src/program";

const PROGRAM = join(process.cwd(), "../../target/release/alphorn");
const skip = existsSync(PROGRAM) ? false : "target/release/alphorn is not built";

test("each template makes a game that the commands accept", { skip }, async () => {
  const cwd = mkdtempSync(join(tmpdir(), "alphorn-"));
  const listed = templates((await run(PROGRAM, listArgs())).out);
  assert.ok(listed.length >= 10, `${listed.length} templates`);
  for (const [number, template] of listed.entries()) {
    const name = `game_${number}`;
    const made = await run(PROGRAM, newArgs(name, template), { cwd });
    assert.deepEqual([made.status, made.err], [0, ""], JSON.stringify(template));
    assert.ok(looksLikeRules(readFileSync(join(cwd, `${name}.pl`), "utf8")), name);
  }
  const file = "game_0.pl";
  const counted = await run(PROGRAM, perftArgs(file, 2), { cwd });
  assert.match(counted.out, /^ +1 +\d+\n +2 +[\d,]+\n$/);
  assert.match((await run(PROGRAM, testArgs(file), { cwd })).out, /passed\n$/);
  const drawn = await run(PROGRAM, treeArgs(file, 2, "dark"), { cwd });
  assert.ok(drawn.status === 0 && isPicture(drawn.out), drawn.err);
  const again = await run(PROGRAM, newArgs("game_0", listed[0]!), { cwd });
  assert.deepEqual([again.status, failure(again.err, again.status)], [2, "game_0.pl exists, so Alphorn does not overwrite it"]);
});

test("a stopped value says what was found", { skip }, async () => {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), 1000);
  const ran = await run(PROGRAM, valueArgs(join(process.cwd(), "../../games/chess.pl")), { signal: stop.signal });
  clearTimeout(timer);
  assert.equal(ran.status, 130);
  assert.match(ran.out, /^value /m);
});
