// Every game that comes with Alphorn: the board is drawn, a square is clicked, and random clicks play a whole game.

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { ROOT, assert, ply, quiet, serve, until } from "./harness.mjs";
import { playRandomly } from "./write.mjs";

const GAMES = readdirSync(join(ROOT, "games")).filter((name) => name.endsWith(".pl")).map((name) => name.slice(0, -3));
/** Games without squares: numbers or trees, whose moves are only in the list. */
const WITHOUT_SQUARES = new Set(["bratko", "horizon", "pi_tree", "pig"]);

let server = null;

export const tests = Object.fromEntries(
  GAMES.map((game) => [
    `game: ${game}`,
    async ({ page: make, keep, note }) => {
      server ??= await serve(null);
      if (game === GAMES.at(-1)) keep(server);
      const page = await make();
      await page.goto(`${server.url}#game=${game}`);
      await page.waitForSelector(".board-panel[data-ply]", { timeout: 20_000 });
      await quiet(page);
      await page.waitForSelector("svg.board, .text-board");
      const squares = await page.$$eval(".cell", (cells) => cells.length);
      const drawn = await page.$$eval(".board-panel .piece, .board-panel .cell, .board-panel .line", (shapes) => shapes.filter((shape) => shape.getBoundingClientRect().width > 0).length);
      if (WITHOUT_SQUARES.has(game)) assert(drawn > 0 || (await page.textContent(".text-board, .board-text")).trim() !== "", "the position is shown");
      else {
        assert(squares > 3, `${squares} squares are drawn`);
        await until(() => page.$(".cell.target"), "a square can be clicked");
        const before = await ply(page);
        for (let i = 0; i < 2 && (await ply(page)) === before && (await page.$(".cell.target")); i += 1) {
          await page.locator(".cell.target").first().click();
          await page.waitForTimeout(60);
          if (await page.$(".ask button")) await page.locator(".ask button").first().click();
        }
        await until(async () => (await ply(page)) > before, "a clicked move is made");
      }
      // A double may end a short game with the move that was clicked above.
      const clicked = await ply(page);
      const end = await playRandomly(page, 400, 7, 3000);
      note(`${end.plies} plies${end.over ? ", to the end" : ""}, ${end.clicks} clicks on squares, ${end.listed} in the list`);
      assert(end.over || end.plies >= 12, `the game goes on: ${JSON.stringify(end)}`);
      if (!WITHOUT_SQUARES.has(game) && end.plies > clicked) assert(end.clicks > end.listed, `most moves are made by squares: ${JSON.stringify(end)}`);
    },
  ]),
);
