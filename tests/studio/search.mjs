// The analysis streams and stops; the tree shows cutoffs; sliders change values; matches show a score.

import { assert, open, ply, quiet, serve, until } from "./harness.mjs";
import { copyOf } from "./write.mjs";

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
    await page.keyboard.press("ArrowLeft");
    await until(async () => (await page.$$(".node")).length === 1, "Left closes the root");
    await page.getByRole("button", { name: "Compare algorithms" }).click();
    await until(async () => (await page.$$eval(".compared td:nth-child(2)", (cells) => cells.map((cell) => cell.textContent))).every((text) => /^[\d,]+$/.test(text)), "all algorithms are counted");
    const counts = await page.$$eval(".compared td:nth-child(2)", (cells) => cells.map((cell) => Number(cell.textContent.replaceAll(",", ""))));
    assert(counts[0] > counts[3], `minimax visits more than alpha-beta: ${counts}`);
    const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "SVG" }).click()]);
    assert(file.suggestedFilename() === "tree.svg", "the tree is saved as a picture");
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
