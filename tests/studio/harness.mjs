// A server and a browser for the tests: each test gets a page of its own and what it opened is closed after it.

import { spawn } from "node:child_process";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export function assert(holds, message) {
  if (!holds) throw new Error(message);
}

export const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

/** Waits until `check` gives something true. */
export async function until(check, what, ms = 10_000) {
  const end = Date.now() + ms;
  for (;;) {
    const value = await check();
    if (value) return value;
    if (Date.now() > end) throw new Error(`waited ${ms} ms in vain: ${what}`);
    await sleep(25);
  }
}

export function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

/** ALPHORN_STUDIO_ASSETS: a folder with the page, in place of the page inside the program. */
const ASSETS = process.env.ALPHORN_STUDIO_ASSETS ? ["--assets", process.env.ALPHORN_STUDIO_ASSETS] : [];

/** Starts `alphorn serve`, and waits for the address that it prints. */
export async function serve(file = null, { port = null, args = [] } = {}) {
  port ??= await freePort();
  const child = spawn(process.env.ALPHORN, ["serve", ...(file ? [file] : []), "--port", String(port), ...args, ...ASSETS], { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] });
  let errors = "";
  child.stderr.on("data", (data) => (errors += data));
  const ended = new Promise((resolve) => child.on("exit", resolve));
  const url = await Promise.race([
    new Promise((resolve) => createInterface({ input: child.stdout }).on("line", (line) => line.startsWith("http") && resolve(line.trim()))),
    ended.then((status) => {
      throw new Error(`alphorn serve ended with status ${status}: ${errors}`);
    }),
  ]);
  return {
    url,
    port,
    child,
    async stop(signal = "SIGTERM") {
      child.kill(signal);
      const late = setTimeout(() => child.kill("SIGKILL"), 3000);
      await ended;
      clearTimeout(late);
    },
  };
}

export class Browser {
  static async launch() {
    const made = new Browser();
    // Playwright makes a fresh profile for each launch, and another for each context.
    made.browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: FLAGS });
    return made;
  }

  /** A page in a fresh profile. Errors of the page, and requests to other hosts, fail the test at its end. */
  async page(options = {}) {
    const context = await this.browser.newContext({ viewport: { width: 1400, height: 900 }, acceptDownloads: true, ...options });
    const page = await context.newPage();
    page.problems = [];
    page.on("pageerror", (error) => page.problems.push(`error in the page: ${error.message}`));
    page.on("console", (message) => {
      if (message.type() === "error" && !/Failed to load resource|WebSocket connection/.test(message.text())) page.problems.push(`console: ${message.text()}`);
    });
    page.on("request", (request) => {
      const host = new URL(request.url()).hostname;
      if (!["127.0.0.1", "localhost", ""].includes(host)) page.problems.push(`a request to ${host}`);
    });
    return page;
  }

  async close() {
    await this.browser.close();
  }
}

// What a person does on the page.

export async function open(page, url, { board = true } = {}) {
  await page.goto(url);
  await page.waitForSelector(".cm-content", { state: "attached" });
  if (board) await page.waitForSelector(".board-panel[data-ply]");
}

/** Replaces the text in the editor by typing over it, as a paste does. */
export async function write(page, text) {
  await page.click(".cm-content");
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(text);
}

export const editorText = (page) => page.evaluate(() => document.querySelector(".cm-content").cmTile?.view?.state.doc.toString() ?? document.querySelector(".cm-content").cmView.view.state.doc.toString());

export const ply = (page) => page.$eval(".board-panel", (panel) => Number(panel.dataset.ply ?? -1));

export async function quiet(page) {
  const analysis = page.getByRole("switch", { name: "Analysis" });
  if (await analysis.isChecked()) await analysis.uncheck();
}
