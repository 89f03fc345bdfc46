// The board: undo and redo, sides, the keyboard, links, and several ways to ask why not.

import { assert, open, ply, quiet, serve, until } from "./harness.mjs";
import { copyOf } from "./write.mjs";

export const tests = {
  async "moves by square, undo, redo, jump, flip, new game"({ page: make, keep }) {
    const server = keep(await serve(copyOf("hexapawn")));
    const page = await make();
    await open(page, server.url);
    await quiet(page);
    await page.click('[data-square="a1"]');
    await page.click('[data-square="a2"]');
    await until(async () => (await ply(page)) === 1, "a1 to a2 is made");
    await page.locator(".cell.target").first().click();
    await page.locator(".cell.target").first().click();
    await until(async () => (await ply(page)) === 2, "the answer is made");
    await page.locator(".status").click();
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    assert((await ply(page)) === 0, "two moves back");
    await page.keyboard.press("End");
    assert((await ply(page)) === 2, "all moves again");
    await page.locator(".game-moves button").first().click();
    assert((await ply(page)) === 1, "a click in the list of moves goes there");
    const left = () => page.$eval('[data-square="a1"]', (cell) => cell.getBoundingClientRect().left);
    const before = await left();
    await page.locator(".status").click();
    await page.keyboard.press("f");
    await until(async () => (await left()) !== before, "the board is turned");
    await page.keyboard.press("n");
    await until(async () => (await ply(page)) === 0, "a new game");
    assert((await page.$$(".game-moves li")).length === 0, "the moves are gone");
  },

  async "a board of squares is played with the keyboard alone"({ page: make, keep }) {
    const server = keep(await serve(copyOf("othello")));
    const page = await make();
    await open(page, server.url);
    await page.locator('.cell[tabindex="0"]').focus();
    for (const key of ["ArrowRight", "ArrowRight", "ArrowRight", "ArrowDown", "ArrowDown"]) await page.keyboard.press(key);
    const label = await page.evaluate(() => document.activeElement.getAttribute("aria-label"));
    assert(label.startsWith("d3"), `the arrows lead to d3: ${label}`);
    assert(label.includes("can move"), `the label says that a move is possible: ${label}`);
    await page.keyboard.press("Enter");
    await until(async () => (await ply(page)) === 1, "Enter makes the move");
  },

  async "the program plays one side"({ page: make, keep }) {
    const server = keep(await serve(copyOf("tictactoe")));
    const page = await make();
    await open(page, server.url);
    await quiet(page);
    await page.locator(".players input[type=number]").fill("0.2");
    await page.keyboard.press("Tab");
    await page.locator(".players select").nth(1).selectOption("program");
    await page.locator(".move-list .move").first().click();
    await until(async () => (await ply(page)) === 2, "the program answers");
    // A move under the mouse is shown in advance.
    await page.mouse.move(0, 0);
    await until(async () => (await page.textContent(".status strong")) === "MAX to move", "the person moves again");
  },

  async "a link shows the same position and parameters"({ page: make, keep }) {
    const server = keep(await serve(copyOf("nim")));
    const page = await make();
    await open(page, server.url);
    await quiet(page);
    await page.locator(".move-list .move").nth(3).click();
    await until(async () => (await ply(page)) === 1, "a move is made");
    await until(() => page.url().includes("m="), "the address has the move");
    const other = await make();
    await open(other, page.url());
    await until(async () => (await ply(other)) === 1, "the link makes the move");
    assert((await other.textContent(".board-panel .game-moves")) === (await page.textContent(".board-panel .game-moves")), "the same moves");
    await page.goto(`${server.url}#m=nonsense&p.none=3`);
    await page.reload();
    await page.waitForSelector(".board-panel");
  },

  async "an illegal square says why not, and marks the clause"({ page: make, keep }) {
    const server = keep(await serve(copyOf("othello")));
    const page = await make();
    await open(page, server.url);
    await quiet(page);
    await page.click('[data-square="a1"]');
    await page.getByRole("button", { name: "Why not?" }).first().click();
    await page.waitForSelector(".smallest, .failure");
    await page.waitForSelector(".why-mark");
    assert((await page.textContent(".answer h2")) === "Why not a1?", "the question names the square");
  },

  async "a value is explained by the clauses that make it"({ page: make, keep }) {
    const server = keep(await serve(copyOf("breakthrough")));
    const page = await make();
    await open(page, server.url);
    await until(async () => Number(await page.textContent(".figures b")) >= 3, "the search is three plies deep", 20_000);
    await page.click(".line-row .value");
    await page.waitForSelector(".answer .proof", { timeout: 15_000 });
    assert((await page.$$(".why-mark")).length > 2, "clauses are marked in the rules");
    await page.locator(".answer .where").first().click();
    // The place is shown in the next frame.
    await until(() => page.evaluate(() => document.activeElement.classList.contains("cm-content")), "a click on the place goes to the rules");
  },

  async "goals: answers as a table, an error, history, a trace"({ page: make, keep }) {
    const server = keep(await serve(copyOf("nim")));
    const page = await make();
    await open(page, server.url);
    await quiet(page);
    await page.click("#tab-goals");
    const goal = page.getByLabel("Goal", { exact: true });
    await goal.fill("member(X, [a,b]), Y = f(X)");
    await goal.press("Enter");
    await page.waitForSelector(".entry table");
    assert((await page.$$(".entry tbody tr")).length === 2, "two answers");
    await goal.fill("X is foo + 1");
    await goal.press("Enter");
    await page.waitForSelector(".entry .problem.error");
    await goal.press("ArrowUp");
    assert((await goal.inputValue()) === "X is foo + 1", "the history brings the goal back");
    await goal.fill("member(X, [a,b])");
    await page.getByRole("button", { name: "Trace" }).click();
    await page.waitForSelector(".port-exit");
  },
};
