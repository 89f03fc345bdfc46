// The file: saved, changed outside, conflicts, a server that is killed and started again.

import { readFileSync, writeFileSync } from "node:fs";
import { assert, editorText, open, serve, sleep, until, write } from "./harness.mjs";
import { copyOf } from "./write.mjs";

const MORE = "\n% a comment by the page\n";

export const tests = {
  async "save, change outside, reload, and ask about a conflict"({ page: make, keep }) {
    const path = copyOf("tictactoe");
    const server = keep(await serve(path));
    const page = await make();
    await open(page, server.url);
    const first = readFileSync(path, "utf8");
    assert((await editorText(page)) === first, "the editor shows the file");
    await write(page, first + MORE);
    await page.waitForSelector(".dirty");
    await page.keyboard.press("Control+s");
    await until(() => readFileSync(path, "utf8") === first + MORE, "the file is saved");
    await until(async () => !(await page.$(".dirty")), "nothing is unsaved");
    writeFileSync(path, `% from outside\n${first}`);
    await until(async () => (await editorText(page)).startsWith("% from outside"), "the change outside is loaded");
    await write(page, `${first}% mine\n`);
    writeFileSync(path, `% theirs\n${first}`);
    await page.waitForSelector("[role=alertdialog]");
    assert((await editorText(page)).endsWith("% mine\n"), "the page's text is not lost");
    await page.keyboard.press("Control+s");
    await sleep(300);
    assert(readFileSync(path, "utf8").startsWith("% theirs"), "saving does not overwrite a change outside");
    await page.getByRole("button", { name: /^Keep mine/ }).click();
    await until(() => readFileSync(path, "utf8") === `${first}% mine\n`, "mine is written when a person says so");
    await write(page, `${first}% mine again\n`);
    writeFileSync(path, `% theirs again\n${first}`);
    await page.getByRole("button", { name: "Take the file's text" }).click();
    await until(async () => (await editorText(page)).startsWith("% theirs again"), "theirs is taken when a person says so");
  },

  async "an unsaved text survives a reload"({ page: make, keep }) {
    const path = copyOf("tictactoe");
    const server = keep(await serve(path));
    const page = await make();
    await open(page, server.url);
    const first = readFileSync(path, "utf8");
    await write(page, first + MORE);
    await sleep(200);
    await page.reload();
    await page.waitForSelector(".cm-content");
    await until(async () => (await editorText(page)).endsWith(MORE), "the text is back");
    assert(readFileSync(path, "utf8") === first, "the file is as it was");
  },

  async "the server is killed and started again, and no text is lost"({ page: make, keep }) {
    const path = copyOf("tictactoe");
    const server = await serve(path);
    const page = await make();
    await open(page, server.url);
    const first = readFileSync(path, "utf8");
    await write(page, first + MORE);
    await sleep(100);
    await server.stop("SIGKILL");
    await page.waitForSelector(".notice.bad");
    await page.click(".cm-content");
    await page.keyboard.press("Control+End");
    await page.keyboard.type("% written while the server was away");
    await sleep(200);
    await page.keyboard.press("Control+s");
    await sleep(100);
    assert(readFileSync(path, "utf8") === first, "nothing was saved without a server");
    const again = keep(await serve(path, { port: server.port }));
    if (new URL(again.url).searchParams.get("token") !== new URL(server.url).searchParams.get("token")) {
      await until(async () => (await page.textContent(".notice.bad")).includes("new address"), "the page says that there is a new address");
    }
    await page.goto(again.url);
    await page.waitForSelector(".board-panel[data-ply]");
    assert((await editorText(page)).endsWith("% written while the server was away"), "the text is there");
    await page.click(".cm-content");
    await page.keyboard.press("Control+s");
    await until(() => readFileSync(path, "utf8").endsWith("% written while the server was away"), "it can be saved now");
  },

  async "two tabs do not disturb each other"({ page: make, keep }) {
    const server = keep(await serve(copyOf("tictactoe")));
    const [one, two] = [await make(), await make()];
    await open(one, server.url);
    await open(two, server.url);
    await one.locator(".move-list .move").first().click();
    await until(async () => (await one.$eval(".board-panel", (panel) => panel.dataset.ply)) === "1", "a move in the first tab");
    assert((await two.$eval(".board-panel", (panel) => panel.dataset.ply)) === "0", "the second tab stays");
    await two.locator(".move-list .move").nth(4).click();
    await until(async () => (await two.$eval(".board-panel", (panel) => panel.dataset.ply)) === "1", "a move in the second tab");
  },

  async "a link to a game wins over an older text, which can be brought back"({ page: make, keep }) {
    const server = keep(await serve(null));
    const page = await make();
    await open(page, server.url);
    const mine = `% my own rules\n${await editorText(page)}`;
    await write(page, mine);
    await sleep(200);
    const other = await page.context().newPage();
    await other.goto(`${server.url}#game=nim&m=take(1,2)`);
    await other.waitForSelector('.board-panel[data-ply="1"]');
    assert((await editorText(other)).includes("take("), "the link shows its game and its move");
    await other.getByRole("button", { name: "Bring it back" }).click();
    await until(async () => (await editorText(other)) === mine, "the older text is back");
    await other.waitForSelector(".dirty");
    // The same name: the link shows the game that comes with Alphorn, and a reload of the first tab its own text.
    const third = await page.context().newPage();
    await third.goto(`${server.url}#game=othello`);
    await third.waitForSelector(".board-panel[data-ply]");
    assert(!(await editorText(third)).includes("my own rules"), "a link to othello shows othello");
    await third.getByRole("button", { name: /Games/ }).click();
    await third.getByRole("button", { name: /put aside: % my own rules/ }).click();
    await until(async () => (await editorText(third)) === mine, "the list of games has the text too");
    await page.reload();
    await page.waitForSelector(".board-panel[data-ply]");
    assert((await editorText(page)) === mine, "a reload shows the text of the tab");
    assert((await page.$(".notice")) === null, "and asks nothing");
  },

  async "a link to a game opens the game although the server has a file"({ page: make, keep }) {
    const path = copyOf("tictactoe");
    const first = readFileSync(path, "utf8");
    const server = keep(await serve(path));
    const page = await make();
    await open(page, server.url);
    await write(page, first + MORE);
    await sleep(200);
    await page.evaluate(() => (location.hash = "#game=nim&m=take(1,2)"));
    await page.waitForSelector('.board-panel[data-ply="1"]');
    assert((await page.textContent(".file")).startsWith("nim.pl"), "nim is open");
    await page.goto(server.url);
    await page.waitForSelector(".board-panel[data-ply]");
    await until(async () => (await editorText(page)) === first + MORE, "the text of the file is kept");
    assert(readFileSync(path, "utf8") === first, "the file is as it was");
  },

  async "without a file an example opens, and is kept and downloaded"({ page: make, keep }) {
    const server = keep(await serve(null));
    const page = await make();
    await open(page, server.url);
    await page.getByRole("button", { name: /Games/ }).click();
    await page.getByRole("button", { name: /^nim/ }).click();
    await until(async () => (await page.textContent(".file")).startsWith("nim.pl"), "nim is open");
    await until(async () => (await editorText(page)).includes("take("), "its rules are in the editor");
    const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Download" }).click()]);
    assert(file.suggestedFilename() === "nim.pl", "the rules are downloaded");
  },
};
