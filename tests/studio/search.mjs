// The analysis streams and stops; the tree shows cutoffs; sliders change values; matches show a score.

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { assert, open, ply, quiet, serve, until } from "./harness.mjs";
import { copyOf, folder } from "./write.mjs";

/** A game of stones on hexagons, in which a player may rest: the board stays as it is. */
const RESTING = `initial(h(b, [])).
max_to_move(h(b, _)).
move(h(P, S), at(C), h(O, [C-P|S])) :- other(P, O), member(C, [1,2,3,4,5,6,7]), \\+ member(C-_, S).
move(h(P, S), rest, h(O, S)) :- other(P, O), S = [_|_].
other(b, w).
other(w, b).
terminal(h(_, S)) :- length(S, 5).
static_eval(h(_, S), V) :- findall(C, member(C-b, S), L), sum_list(L, V).
show(h(_, S), [A, B, C]) :- row(" ", [1,2], S, A), row("", [3,4,5], S, B), row(" ", [6,7], S, C).
row(Indent, Cells, S, Line) :-
    findall(T, (member(C, Cells), ( member(C-P, S) -> T = P ; T = '.' )), Ts),
    atomic_list_concat(Ts, ' ', Text), atomic_list_concat([Indent, Text], Line).
`;

const depthShown = async (page) => Number((await page.textContent(".figures b").catch(() => "0")) ?? 0);

export const tests = {
  async "a search streams, and stops"({ page: make, keep }) {
    const server = keep(await serve(copyOf("chess")));
    const page = await make();
    await open(page, server.url);
    await page.locator('.options input[title="0: no limit"]').fill("0");
    await page.keyboard.press("Tab");
    const depths = new Set();
    await until(async () => depths.add(await depthShown(page)) && depths.size >= 3, "several depths are seen", 25_000);
    assert((await page.$$(".line-row")).length === 3, "three lines");
    await page.hover(".pv button");
    await page.waitForSelector(".is-preview");
    await page.mouse.move(5, 5);
    await until(async () => !(await page.$(".is-preview")), "the preview goes away");
    assert(await page.$(".running"), "the search still runs");
    const start = Date.now();
    await page.getByRole("button", { name: "Stop" }).click();
    await until(async () => !(await page.$(".running")), "the search has stopped");
    assert(Date.now() - start < 3000, `stopping takes ${Date.now() - start} ms`);
    await page.locator(".pv button").nth(1).click();
    await until(async () => (await ply(page)) === 2, "a click into a line makes its moves");
  },

  async "values stand on the moves, and the graph marks a lost game"({ page: make, keep }) {
    const server = keep(await serve(copyOf("tictactoe")));
    const page = await make();
    await open(page, server.url);
    await page.getByLabel("Every move").check();
    await until(async () => (await page.$$(".move .value")).length === 9, "each of the nine moves has a value", 15_000);
    // x in the corner, o beside the corner: the second move loses.
    await page.locator(".move-list .move").nth(0).click();
    await until(async () => (await ply(page)) === 1 && (await page.textContent(".sure")) === "exact", "the first move is valued", 15_000);
    await page.locator(".move-list .move").nth(0).click();
    await until(async () => (await ply(page)) === 2, "the second move");
    await page.getByRole("button", { name: "Value the game" }).click();
    await until(async () => (await page.textContent(".game-moves")).includes("??"), "the losing move is marked", 20_000);
    await page.waitForSelector(".graph .point.marked");
  },

  async "a cutoff in the tree says its reason"({ page: make, keep }) {
    const server = keep(await serve(copyOf("hexapawn")));
    const page = await make();
    await open(page, server.url);
    await quiet(page);
    await page.click("#tab-tree");
    await page.getByRole("button", { name: "Search tree" }).click();
    await page.waitForSelector(".node");
    await page.getByRole("button", { name: "Next cutoff" }).click();
    await page.waitForSelector(".cut-reason");
    const reason = await page.textContent(".cut-reason");
    assert(/Cutoff because .*alpha/.test(reason) && reason.includes("Not searched"), `the reason: ${reason}`);
    await page.waitForSelector(".node.now .cut");
    await page.locator(".details svg.board").waitFor();
    await page.getByRole("button", { name: "Step forward" }).click();
    await page.locator(".virtual").focus();
    await page.keyboard.press("Home");
    assert((await page.textContent(".node.now .label")) === "root", "Home goes to the root");
    // A step that is still loading may open the root again, so the key is pressed until it stays closed.
    await until(async () => {
        await page.keyboard.press("ArrowLeft");
        return (await page.$$(".node")).length === 1;
    }, "Left closes the root");
    await page.getByRole("button", { name: "Compare algorithms" }).click();
    await until(async () => (await page.$$eval(".compared td:nth-child(2)", (cells) => cells.map((cell) => cell.textContent))).every((text) => /^[\d,]+$/.test(text)), "all algorithms are counted");
    const counts = await page.$$eval(".compared td:nth-child(2)", (cells) => cells.map((cell) => Number(cell.textContent.replaceAll(",", ""))));
    assert(counts[0] > counts[3], `minimax visits more than alpha-beta: ${counts}`);
    const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "SVG" }).click()]);
    assert(file.suggestedFilename() === "tree.svg", "the tree is saved as a picture");
  },

  async "the tree counts the nodes that are kept, and advice can be turned off"({ page: make, keep }) {
    const server = keep(await serve(copyOf("connect_four")));
    const page = await make();
    await open(page, server.url);
    await quiet(page);
    await page.click("#tab-tree");
    await page.locator(".tree-panel").getByLabel("Keep").selectOption("1000");
    const build = async () => {
      await page.getByRole("button", { name: "Search tree" }).click();
      await until(async () => (await page.$(".step output")) && !(await page.$(".tree-panel [role=status]")), "the tree is there", 20_000);
      return Number((await page.textContent(".tree-panel .figures")).match(/([\d,]+) nodes visited/)[1].replaceAll(",", ""));
    };
    const advised = await build();
    const kept = Number((await page.textContent(".step output")).match(/of ([\d,]+)/)[1].replaceAll(",", ""));
    await page.getByLabel("All, in search order").check();
    await page.locator(".virtual").focus();
    await page.keyboard.press("End");
    await until(async () => (await page.textContent(".node.now .label").catch(() => null)) !== null, "the last step is a node");
    assert((await page.textContent(".details")).includes(`Step ${kept}:`), "the last step is the last node that is kept");
    await page.locator(".tree-panel").getByLabel("Advice").uncheck();
    const plain = await build();
    assert(advised < plain, `advice saves nodes: ${advised} and ${plain}`);
    await page.getByRole("button", { name: "Compare algorithms" }).click();
    const column = (n) => page.$$eval(`.compared td:nth-child(${n})`, (cells) => cells.map((cell) => cell.textContent));
    await until(async () => (await column(3)).every((text) => /^[\d,]+$/.test(text)), "all counts are there", 30_000);
    const numbers = async (n) => (await column(n)).map((text) => Number(text.replaceAll(",", "")));
    const [visited, without] = [await numbers(2), await numbers(3)];
    assert(visited[3] === advised && without[3] === plain, `alpha-beta has the counts of the trees: ${visited} and ${without}`);
    assert(visited[0] === without[0], "minimax visits all nodes in each order");
  },

  async "values come from a solved file, until the rules change"({ page: make, keep }) {
    const path = copyOf("hexapawn");
    const table = join(dirname(path), "hexapawn.solved");
    execFileSync(process.env.ALPHORN, ["solve", path, "--save", table]);
    const server = keep(await serve(path, { args: ["--table", table] }));
    const page = await make();
    await open(page, server.url);
    await page.getByLabel("Every move").check();
    await until(async () => (await page.textContent(".figures")).includes("from the solved file"), "the value is looked up");
    const moves = (await page.$$(".move-list .move")).length;
    await until(async () => (await page.$$(".move .value")).length === moves, "every move has a value");
    assert((await page.textContent(".sure")) === "exact", "the value is exact");
    writeFileSync(path, `${readFileSync(path, "utf8")}\nmore(1).\n`);
    await until(async () => (await page.textContent('[aria-label="Analysis"].panel')).includes("The solved file is not used"), "the page says that the file is of other rules");
    await until(async () => (await page.textContent(".sure")) === "exact", "a search finds the value");
  },

  async "a move that leaves the board as it is shows the threat"({ page: make, keep }) {
    const path = join(folder(), "resting.pl");
    writeFileSync(path, RESTING);
    const server = keep(await serve(path));
    const page = await make();
    await open(page, server.url);
    await until(async () => (await page.$$(".cell")).length === 7, "seven hexagons");
    assert((await page.getByRole("button", { name: "Threat" }).count()) === 0, "no pass at first");
    await page.locator(".cell.target").first().click();
    await page.getByRole("button", { name: "Threat" }).click();
    await until(async () => /After a pass: .*at\(/.test(await page.textContent('[aria-label="Analysis"].panel')), "the threat is a move");
  },

  async "a slider changes the value, and the page says what changed"({ page: make, keep }) {
    const server = keep(await serve(copyOf("breakthrough")));
    const page = await make();
    await open(page, server.url);
    await page.getByLabel("Depth").first().fill("4");
    await page.keyboard.press("Tab");
    await until(async () => (await page.textContent(".figures")).includes("depth 4") && !(await page.$(".running")), "the search to depth 4 is done", 20_000);
    const before = await page.textContent(".big-value");
    await page.click("#tab-tune");
    await page.locator("#param-step").focus();
    for (let i = 0; i < 6; i += 1) await page.keyboard.press("ArrowRight");
    await page.waitForSelector(".changes");
    await until(async () => (await page.textContent(".new-value")) !== before && (await page.textContent(".new-value")) !== "–", `another value than ${before}`, 15_000);
    await page.getByRole("button", { name: "Values of the file" }).click();
    await until(async () => (await page.textContent(".new-value").catch(() => null)) === before, "the file's values give the old value", 15_000);
  },

  async "a match of two settings shows its score while it runs"({ page: make, keep }) {
    const server = keep(await serve(copyOf("breakthrough")));
    const page = await make();
    await open(page, server.url);
    await quiet(page);
    await page.click("#tab-tune");
    await page.locator('input[aria-label="man, number"]').fill("40");
    await page.keyboard.press("Tab");
    await page.getByLabel("Nodes a move").fill("20");
    await page.getByRole("button", { name: "Play the match" }).click();
    await page.waitForSelector(".curve-box", { timeout: 20_000 });
    assert(/A has [\d.]+% of \d+ games/.test(await page.textContent(".score")), await page.textContent(".score"));
    if (await page.getByRole("button", { name: "Stop" }).isVisible()) await page.getByRole("button", { name: "Stop" }).click();
    await until(async () => (await page.textContent(".score")).match(/finished|stopped/), "the match ends", 15_000);
  },
};
