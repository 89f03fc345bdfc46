// What rules write never becomes part of the page: labels, atoms, show lines, messages.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, open, serve, until } from "./harness.mjs";
import { folder } from "./write.mjs";

const BAD = `<script>window.hacked=1</script><img src=x onerror="window.hacked=2">`;
const HOSTILE = `:- use_module(library(alphorn)).
:- param(size, 3, 1..9, "${BAD.replaceAll('"', '\\"')}").
initial(pos(max, '${BAD}', 3)).
max_to_move(pos(max, _, _)).
move(pos(max, A, N), '${BAD}', pos(min, A, M)) :- N > 0, M is N - 1.
move(pos(min, A, N), '"><svg onload=window.hacked=3>', pos(max, A, M)) :- N > 0, M is N - 1.
static_eval(pos(_, _, N), N).
show(pos(_, A, _), [A, "<b>bold</b>", "${BAD.replaceAll('"', '\\"')}"]).
`;

export const tests = {
  async "script in labels, atoms and show lines does not run"({ page: make, keep }) {
    const path = join(folder(), "hostile.pl");
    writeFileSync(path, HOSTILE);
    const server = keep(await serve(path));
    const page = await make();
    await open(page, server.url);
    await until(async () => (await page.$$(".move-list .move")).length === 1, "one move");
    assert((await page.textContent(".move-list")).includes("<script>"), "the label is shown as text");
    assert((await page.textContent(".board-panel")).includes("<b>bold</b>"), "the picture is shown as text");
    await page.locator(".move-list .move").first().click();
    await page.waitForSelector(".game-moves li");
    for (const tab of ["why", "tree", "tune", "goals", "analysis"]) {
      await page.click(`#tab-${tab}`);
      if (tab === "why") {
        await page.getByRole("button", { name: /The value that the rules/ }).click();
        await page.waitForSelector(".proof, .problem, .answer");
      }
      if (tab === "tree") {
        await page.getByRole("button", { name: "Search tree" }).click();
        await page.waitForSelector(".node");
      }
      if (tab === "goals") {
        await page.getByLabel("Goal", { exact: true }).fill("initial(P), write(P)");
        await page.keyboard.press("Enter");
        await page.waitForSelector(".entry table");
      }
    }
    await page.hover(".move-list .move");
    assert((await page.evaluate(() => window.hacked)) === undefined, "nothing ran");
    assert((await page.$$("main img, main script, main b b")).length === 0, "no element was made of a text");
  },

  async "the page allows no script but its own"({ page: make, keep }) {
    const server = keep(await serve(null));
    const page = await make();
    await open(page, server.url);
    const ran = await page.evaluate(async () => {
      const script = document.createElement("script");
      script.textContent = "window.inline = 1";
      document.body.append(script);
      const image = document.createElement("div");
      image.setAttribute("onclick", "window.inline = 2");
      document.body.append(image);
      image.click();
      const refused = await fetch("http://localhost:9/").then(() => false, () => true);
      return { inline: window.inline ?? null, refused };
    });
    page.problems.length = 0;
    assert(ran.inline === null, "inline scripts do not run");
    assert(ran.refused, "other addresses are refused");
  },
};
