// A game is written from nothing, with mistakes that a click fixes, and played to its end.

import { copyFileSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { assert, editorText, open, ply, quiet, serve, until, write } from "./harness.mjs";

/** Three in a row on three squares by three, with two mistakes: `findal` and `oter`. */
export const WITH_MISTAKES = `% Three in a row: x and o put a stone on an empty square in turn.
initial(pos(x, b(e,e,e,e,e,e,e,e,e))).
max_to_move(pos(x, _)).

move(pos(Player, Board), Square, pos(Other, Next)) :-
    oter(Player, Other),
    nth(I, Square),
    arg(I, Board, e),
    Board =.. [b|Cells],
    put(Cells, I, Player, Changed),
    Next =.. [b|Changed].

put([_|Cells], 1, Stone, [Stone|Cells]) :- !.
put([Cell|Cells], I, Stone, [Cell|Changed]) :- J is I - 1, put(Cells, J, Stone, Changed).

other(x, o).
other(o, x).

nth(1, a3). nth(2, b3). nth(3, c3).
nth(4, a2). nth(5, b2). nth(6, c2).
nth(7, a1). nth(8, b1). nth(9, c1).

terminal(Pos) :- outcome(Pos, _).
outcome(pos(_, Board), win(Winner)) :-
    winner(Stone, Winner),
    row(I, J, K),
    arg(I, Board, Stone), arg(J, Board, Stone), arg(K, Board, Stone), !.
outcome(pos(_, Board), draw) :- findal(I, arg(I, Board, e), []).

winner(x, max).
winner(o, min).
row(1, 2, 3). row(4, 5, 6). row(7, 8, 9). row(1, 4, 7).
row(2, 5, 8). row(3, 6, 9). row(1, 5, 9). row(3, 5, 7).

show(pos(_, Board), Lines) :-
    Board =.. [b|Cells],
    maplist(sign, Cells, [A,B,C,D,E,F,G,H,I]),
    maplist(line, [[3,A,B,C], [2,D,E,F], [1,G,H,I]], Rows),
    append(Rows, ["  a b c"], Lines).
line([N,A,B,C], Line) :- format(atom(Line), "~w ~w ~w ~w", [N,A,B,C]).
sign(e, '.').
sign(x, x).
sign(o, o).
`;

export const CORRECT = WITH_MISTAKES.replace("findal(", "findall(").replace("oter(", "other(");

/** Clicks random squares of legal moves, in the page itself, until the game is over or `plies` moves are made. */
export async function playRandomly(page, plies, seed = 1, ms = 20_000) {
  return page.evaluate(
    async ({ plies, seed, ms }) => {
      let state = seed;
      const random = (n) => {
        state = (state * 1103515245 + 12345) % 2147483648;
        return Math.floor((state / 2147483648) * n);
      };
      const panel = () => document.querySelector(".board-panel");
      const now = () => Number(panel().dataset.ply);
      const pick = (nodes) => nodes[random(nodes.length)];
      const end = performance.now() + ms;
      let clicks = 0;
      let listed = 0;
      const moved = async (before) => {
        for (let i = 0; i < 400 && now() === before; i += 1) await new Promise((done) => setTimeout(done, 5));
        return now() !== before;
      };
      while (now() < plies && panel().dataset.over !== "true" && performance.now() < end) {
        const before = now();
        const targets = [...document.querySelectorAll(".cell.target")];
        const buttons = [...document.querySelectorAll(".move-list .move")];
        const thrown = document.querySelector(".legal summary")?.textContent.includes("outcomes");
        if (buttons.length === 0 || thrown) {
          // Nobody can move: the game ends, or the dice are thrown at this moment, however long that takes.
          if (!(await moved(before))) break;
          continue;
        }
        if (targets.length === 0) {
          pick(buttons).click();
          listed += 1;
        } else {
          for (let step = 0; step < 3 && now() === before; step += 1) {
            const open = [...document.querySelectorAll(".cell.target")];
            if (open.length === 0) break;
            pick(open).dispatchEvent(new MouseEvent("click", { bubbles: true }));
            clicks += 1;
            await new Promise((done) => setTimeout(done, 8));
            const asked = [...document.querySelectorAll(".ask button:not(.quiet)")];
            if (asked.length > 0) {
              pick(asked).click();
              break;
            }
          }
        }
        if (!(await moved(before))) {
          // A press that chose nothing: take a move of the list, so that the game goes on.
          const list = [...document.querySelectorAll(".move-list .move")];
          if (list.length === 0) break;
          pick(list).click();
          listed += 1;
          if (!(await moved(before))) throw new Error(`the move ${list[0]?.textContent} is not made: ${document.querySelector(".message")?.textContent}`);
        }
      }
      return { plies: now(), over: panel().dataset.over === "true", clicks, listed };
    },
    { plies, seed, ms },
  );
}

export function folder() {
  return mkdtempSync(join(tmpdir(), "alphorn-studio-"));
}

export function copyOf(game) {
  const path = join(folder(), `${game}.pl`);
  copyFileSync(join(dirname(fileURLToPath(import.meta.url)), "..", "..", "games", `${game}.pl`), path);
  return path;
}

export const tests = {
  async "write a game with two mistakes, fix them by click, play it to the end"({ page: make, keep }) {
    const path = join(folder(), "row.pl");
    writeFileSync(path, "% nothing yet\n");
    const server = keep(await serve(path));
    const page = await make();
    await open(page, server.url, { board: false });
    await until(() => page.$(".problem.error"), "an empty text has errors");
    await write(page, WITH_MISTAKES);
    await until(async () => (await page.$$(".fix")).length >= 2, "two mistakes have fixes");
    await until(() => page.$(".cm-lintRange-error"), "a mistake is underlined");
    const fixes = async () => page.$$eval(".fix", (buttons) => buttons.map((button) => button.textContent));
    assert((await fixes()).some((text) => text.includes("findall")), `a fix offers findall: ${await fixes()}`);
    await page.locator(".problem:has-text('findal/3') .fix").first().click();
    await until(async () => (await editorText(page)).includes("findall(I"), "the click changes the text");
    await until(async () => (await page.$$(".problem.error")).length === 1, "one mistake is left");
    await page.locator(".problem:has-text('oter/2') .fix").first().click();
    await until(async () => (await editorText(page)) === CORRECT, "both clicks make the text correct");
    await page.waitForSelector("svg.board");
    await until(async () => (await page.$$(".cell")).length === 9, "nine squares");
    await quiet(page);
    for (const square of ["b2", "a1", "a3", "c1", "c3", "b3", "b1"]) {
      const before = await ply(page);
      if (await page.$eval(".board-panel", (panel) => panel.dataset.over === "true")) break;
      await page.click(`[data-square="${square}"]`);
      await until(async () => (await ply(page)) === before + 1, `the click on ${square} makes a move`);
    }
    const end = await playRandomly(page, 9);
    assert(end.over, `the game is over after ${end.plies} moves`);
    await page.keyboard.press("Control+s");
    await page.click(".cm-content");
    await page.keyboard.press("Control+s");
    await until(() => readFileSync(path, "utf8") === CORRECT, "the file is saved");
  },

  async "places in a text with other scripts and emoji are right"({ page: make, keep }) {
    const server = keep(await serve(copyOf("krestiki_noliki")));
    const page = await make();
    await open(page, server.url);
    await write(page, "% Ход 😀 игрока\ninitial(поз(х, '😀')) :- findal(X, member(X, [1]), _).\nmax_to_move(_).\nmoves(_, []).\n");
    await page.waitForSelector(".cm-lintRange-error");
    const marked = await page.$$eval(".cm-lintRange-error", (marks) => marks.map((mark) => mark.textContent));
    assert(marked.includes("findal"), `the mark stands under findal: ${JSON.stringify(marked)}`);
    await page.locator(".fix", { hasText: "findall" }).first().click();
    await until(async () => (await editorText(page)).includes(":- findall(X, member"), "the fix stands at the right place");
  },

  async "completion and hover answer from Alphorn's tables"({ page: make, keep }) {
    const server = keep(await serve(copyOf("nim")));
    const page = await make();
    await open(page, server.url);
    await page.click(".cm-content");
    await page.keyboard.press("Control+End");
    await page.keyboard.type("\nlist(X) :- finda");
    await page.keyboard.press("Control+Space");
    await page.waitForSelector(".cm-tooltip-autocomplete");
    await until(async () => (await page.$$eval(".cm-tooltip-autocomplete li", (items) => items.map((item) => item.textContent))).some((text) => text.includes("findall")), "findall is offered");
    await page.keyboard.press("Escape");
  },
};
