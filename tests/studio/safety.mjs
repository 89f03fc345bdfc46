// What rules write never becomes part of the page: labels, atoms, show lines, messages.

import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { assert, freePort, open, serve, until } from "./harness.mjs";
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

/** Boards of 4,096 squares after each of 390 moves, whose labels name no square. */
const HUGE = `initial(p(max, 0)).
max_to_move(p(max, _)).
move(p(P, N), go(K), p(O, M)) :- other(P, O), N < 5, between(1, 390, K), M is N + 1.
other(max, min).
other(min, max).
static_eval(_, 0).
acyclic.
show(p(_, N), Lines) :- findall(L, (between(1, 64, _), row(N, L)), Lines).
row(N, L) :- findall(C, (between(1, 64, J), K is (J * 7 + N) mod 3, nth0(K, [x, o, '.'], C)), Cs), atomic_list_concat(Cs, ' ', L).
`;

export const tests = {
  async "a page of another site reaches nothing, even with the token"({ page: make, keep }) {
    const server = keep(await serve(null));
    const own = await make();
    // The browser has the cookie of the page.
    await open(own, server.url);
    const port = await freePort();
    const site = createServer((_, answer) => answer.end("<title>a page of another site</title>"));
    await new Promise((done) => site.listen(port, "127.0.0.1", done));
    try {
      const hostile = await own.context().newPage();
      await hostile.goto(`http://localhost:${port}/`);
      const found = await hostile.evaluate(async (url) => {
        const token = new URL(url).search;
        const base = new URL(url).origin;
        const socket = (address) =>
          new Promise((done) => {
            const opened = new WebSocket(address);
            opened.onopen = () => done("open");
            opened.onerror = () => done("refused");
          });
        const read = (address, options) => fetch(address, options).then((answer) => answer.text().then((text) => `read ${text.length}`), () => "refused");
        const script = (address) =>
          new Promise((done) => {
            const element = document.createElement("script");
            element.src = address;
            element.onload = () => done("loaded");
            element.onerror = () => done("refused");
            document.head.append(element);
          });
        const frame = (address) =>
          new Promise((done) => {
            const element = document.createElement("iframe");
            element.src = address;
            element.onload = () => {
              try {
                done(element.contentDocument ? "readable" : "closed");
              } catch {
                done("closed");
              }
            };
            document.body.append(element);
          });
        return {
          socket: await socket(`${base.replace("http", "ws")}/ws${token}`),
          cookie: await socket(`${base.replace("http", "ws")}/ws`),
          read: await read(`${base}/${token}`),
          credentials: await read(`${base}/app.js`, { credentials: "include" }),
          script: await script(`${base}/app.js`),
          frame: await frame(url),
          save: await read(`${base}/${token}`, { method: "POST", mode: "no-cors", body: "{}" }),
        };
      }, server.url);
      assert(found.socket === "refused" && found.cookie === "refused", `no connection: ${JSON.stringify(found)}`);
      assert(found.read === "refused" && found.credentials === "refused", `nothing is read: ${JSON.stringify(found)}`);
      assert(found.script === "refused" && found.frame === "closed", `nothing is embedded: ${JSON.stringify(found)}`);
      assert(["refused", "read 0"].includes(found.save), `nothing is written: ${JSON.stringify(found)}`);
      await own.getByRole("button", { name: "New", exact: true }).click();
      assert(await own.$(".cell.target"), "the own page still works");
    } finally {
      site.closeAllConnections();
      site.close();
    }
  },

  async "a huge board with many moves is drawn, and the page answers"({ page: make, keep, note }) {
    const path = join(folder(), "huge.pl");
    writeFileSync(path, HUGE);
    const server = keep(await serve(path));
    const page = await make();
    const begun = Date.now();
    await open(page, server.url);
    await until(async () => (await page.$$(".cell")).length === 4096, "all squares are drawn", 20_000);
    await page.locator(".move-list .move").first().click();
    await until(async () => (await page.getAttribute(".board-panel", "data-ply")) === "1", "a move is made", 20_000);
    note(`${Date.now() - begun} ms until the first move`);
  },

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
