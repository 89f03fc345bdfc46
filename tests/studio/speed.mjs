// Times that a person feels, measured in the browser. The limits are those of the issue, with room for a busy machine.

import { assert, open, quiet, serve, until } from "./harness.mjs";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { copyOf, folder } from "./write.mjs";

const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
/** ALPHORN_STUDIO_LIMITS=strict holds the times of a quiet machine. */
const ROOM = process.env.ALPHORN_STUDIO_LIMITS === "strict" ? 1 : 6;

const WIDE = `initial(pos(max, 0)).
max_to_move(pos(max, _)).
move(pos(P, N), go(K), pos(O, M)) :- other(P, O), between(1, 46, K), M is N * 46 + K.
static_eval(pos(_, N), V) :- V is N mod 7.
other(max, min).
other(min, max).
acyclic.
`;

function longRules() {
  const lines = [
    "initial(pos(x, 0)).",
    "max_to_move(pos(x, _)).",
    "move(pos(x, N), go(K), pos(o, M)) :- N < 9, step(K), M is N + K.",
    "move(pos(o, N), go(K), pos(x, M)) :- N < 9, step(K), M is N + K.",
    "static_eval(pos(_, N), V) :- ( weight(N, Worth) -> V = Worth ; V = 0 ).",
    "step(1). step(2).",
  ];
  while (lines.length < 1000) {
    const n = lines.length;
    lines.push(n % 4 === 3 ? `% weight ${n} of a long table` : `weight(${n}, Value) :- Value is ${n} * 2 - ${n % 7}.`);
  }
  return `${lines.join("\n")}\n`;
}

/** Rules of about 1,000 lines in long clauses, with other letters in the comments and with some mistakes. */
function longClauses(mistakes) {
  const lines = [
    ":- use_module(library(lists)).",
    "% Ein Weg über Felder – jede Vorschrift für sich.",
    "initial(state(max, [0, 0, 0, 0], 12)).",
    "max_to_move(state(max, _, _)).",
    "other(max, min).",
    "other(min, max).",
    "move(state(P, Board, Left), Label, state(Q, Next, Rest)) :-",
    "    Left > 0, other(P, Q), rule(_, Board, Label, Next), Rest is Left - 1.",
    "static_eval(state(_, Board, _), V) :- sum_list(Board, V).",
  ];
  for (let n = 1; lines.length < 1000; n += 1) {
    const wrong = n % 2 === 0 && n / 2 <= mistakes ? n % 6 : 1;
    lines.push(`% Vorschrift ${n}: „äöü“`, `rule(${n}, [A, B, C, D], put(${n}), Next) :-`, `    check_${n}(A, B),`);
    lines.push(`    (   C >= ${n % 3}`, `    ->  E is D + 1, Next = [A, B, C, E]`);
    lines.push(`    ;   ${wrong === 0 ? "appendd([A, B], [C, D], Next)" : wrong === 2 ? "Nxet = [D, C, B, A]" : "append([A, B], [C, D], Next)"}`, "    ).");
    lines.push(`check_${n}(A, B) :- A + B =< ${n}, member(A, [1, 2, ${wrong === 4 ? "3)" : "3]"}${wrong === 4 ? "." : ")."}`);
  }
  return `${lines.join("\n")}\n`;
}

/** Types and removes a letter in the first line, and measures until the page shows the answer. */
async function keystrokes({ page: make, keep, note }, text, mistakes) {
  const path = join(folder(), "long.pl");
  writeFileSync(path, text);
  const server = keep(await serve(path));
  const page = await make();
  await open(page, server.url, { board: mistakes === 0 });
  await until(async () => Number(await page.getAttribute("html", "data-checked")) > 0, "the text is checked");
  const found = await page.textContent(".problems summary");
  const errors = Number(found.match(/(\d+) errors?/)?.[1] ?? 0);
  assert(errors >= mistakes / 2 && (mistakes > 0 || errors === 0), `${mistakes} mistakes: ${found}`);
  if (mistakes === 0) await quiet(page);
  await page.click(".cm-content");
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("End");
  const times = [];
  for (let i = 0; i < 9; i += 1) {
    // The page listens before the key is pressed.
    await page.evaluate(() => {
      const checks = () => Number(document.documentElement.dataset.checked);
      const before = checks();
      window.typed = new Promise((done) => {
        let start = 0;
        document.addEventListener("keydown", () => (start = performance.now()), { once: true, capture: true });
        const look = new MutationObserver(() => {
          if (start > 0 && checks() > before) {
            look.disconnect();
            requestAnimationFrame(() => done(performance.now() - start));
          }
        });
        look.observe(document.documentElement, { attributes: true });
      });
    });
    await page.keyboard.press(i % 2 === 0 ? "x" : "Backspace");
    times.push(await page.evaluate(() => window.typed));
    await page.waitForTimeout(400);
  }
  note(`keystroke to diagnostics: ${median(times).toFixed(0)} ms (median of ${times.length}), ${Math.max(...times).toFixed(0)} ms at most`);
  assert(median(times) <= 50 * ROOM, `${median(times)} ms`);
}

export const tests = {
  async "speed: from keystroke to diagnostics in 1,000 lines"(tools) {
    await keystrokes(tools, longRules(), 0);
  },

  async "speed: from keystroke to diagnostics in 1,000 lines of long clauses"(tools) {
    await keystrokes(tools, longClauses(0), 0);
  },

  async "speed: from keystroke to diagnostics in 1,000 lines with 50 mistakes"(tools) {
    await keystrokes(tools, longClauses(50), 50);
  },

  async "speed: from click to drawn board"({ page: make, keep, note }) {
    const server = keep(await serve(copyOf("othello")));
    const page = await make();
    await open(page, server.url);
    await quiet(page);
    const times = await page.evaluate(async () => {
      const times = [];
      for (let i = 0; i < 15; i += 1) {
        const cell = document.querySelector(".cell.target");
        if (!cell) break;
        const panel = document.querySelector(".board-panel");
        const before = panel.dataset.ply;
        const start = performance.now();
        const drawn = new Promise((done) => {
          const look = new MutationObserver(() => {
            if (panel.dataset.ply !== before) {
              look.disconnect();
              requestAnimationFrame(() => setTimeout(() => done(performance.now() - start), 0));
            }
          });
          look.observe(panel, { attributes: true });
        });
        cell.dispatchEvent(new MouseEvent("click", { bubbles: true }));
        times.push(await drawn);
        await new Promise((done) => setTimeout(done, 30));
      }
      return times;
    });
    note(`click to drawn board: ${median(times).toFixed(0)} ms (median of ${times.length}), ${Math.max(...times).toFixed(0)} ms at most`);
    assert(times.length >= 10, "ten moves are made");
    assert(median(times) <= 50 * ROOM, `${median(times)} ms`);
  },

  async "speed: a tree of 100,000 nodes scrolls"({ page: make, keep, note }) {
    // 46 moves in each position: 99,499 nodes in three plies.
    const path = join(folder(), "wide.pl");
    writeFileSync(path, WIDE);
    const server = keep(await serve(path));
    const page = await make();
    await open(page, server.url);
    await quiet(page);
    await page.click("#tab-tree");
    await page.locator(".tree-panel").getByLabel("Depth").fill("3");
    await page.keyboard.press("Tab");
    await page.locator(".tree-panel").getByLabel("Algorithm").selectOption("minimax");
    await page.locator(".tree-panel").getByLabel("Keep").selectOption("100000");
    await page.getByRole("button", { name: "Search tree" }).click();
    await page.waitForSelector(".node", { timeout: 60_000 });
    const total = Number((await page.textContent(".step output")).match(/of ([\d,]+)/)[1].replaceAll(",", ""));
    assert(total >= 90_000, `the tree has ${total} nodes`);
    await page.getByLabel("All, in search order").check();
    await until(async () => (await page.$$(".node:not(.waiting)")).length > 5, "nodes are shown");
    const frames = await page.evaluate(async () => {
      const list = document.querySelector(".virtual");
      const gaps = [];
      let last = performance.now();
      for (let i = 0; i < 120; i += 1) {
        list.scrollTop = i < 60 ? i * 700 : ((i - 60) / 60) * (list.scrollHeight - list.clientHeight);
        await new Promise((done) => requestAnimationFrame(done));
        const now = performance.now();
        gaps.push(now - last);
        last = now;
      }
      list.scrollTop = list.scrollHeight;
      return gaps;
    });
    await until(async () => (await page.$$eval(".node", (nodes) => nodes.length > 5 && nodes.every((node) => !node.classList.contains("waiting")))), "the last nodes are shown");
    note(`scrolling ${total.toLocaleString("en")} nodes: ${median(frames).toFixed(0)} ms a frame, ${Math.max(...frames).toFixed(0)} ms at most`);
    assert(median(frames) <= 40 * ROOM && Math.max(...frames) <= 200 * ROOM, `${Math.max(...frames)} ms`);
    assert((await page.$$(".slot")).length < 120, "only the visible rows exist");
  },
};
