// axe-core on each panel, dark and light, wide and phone.

import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { assert, open, serve, until } from "./harness.mjs";
import { copyOf } from "./write.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

async function check(page, where) {
  // The colours of disabled buttons and the previous tab fade for a moment; the check looks at the settled page.
  await page.waitForTimeout(80);
  const found = await page.evaluate(
    async ({ axe }) => {
      // The page allows no other script, so axe runs as a function of the test.
      if (!window.axe) new Function(axe)();
      const result = await window.axe.run(document, { resultTypes: ["violations"] });
      return result.violations.map((v) => `${v.id} (${v.impact}): ${v.nodes.slice(0, 3).map((n) => `${n.target.join(" ")} ${n.failureSummary?.split("\n")[1] ?? ""}`).join(" | ")}`);
    },
    { axe },
  );
  assert(found.length === 0, `${where}: ${found.join("\n      ")}`);
}

async function visit(make, server, scheme, viewport) {
  // axe is put into the page by the test; the page's own policy would refuse it.
  const page = await make({ colorScheme: scheme, viewport, bypassCSP: true });
  await open(page, server.url, { board: viewport.width > 900 });
  const where = `${scheme} ${viewport.width}`;
  const tabs = viewport.width > 900 ? ["analysis", "why", "tree", "tune", "goals"] : ["rules", "board", "analysis", "why", "tree", "tune", "goals"];
  for (const tab of tabs) {
    await page.click(`#tab-${tab}`);
    if (tab === "analysis") await until(() => page.$(".line-row"), "lines");
    if (tab === "board" || (viewport.width > 900 && tab === "analysis")) {
      await page.locator(".move-list .move").first().click();
      await until(() => page.$(".game-moves li"), "a move");
    }
    if (tab === "why") {
      await page.getByRole("button", { name: /The value that the rules/ }).click();
      await page.waitForSelector(".proof");
    }
    if (tab === "tree") {
      await page.getByRole("button", { name: "Search tree" }).click();
      await page.waitForSelector(".node");
      await page.getByRole("button", { name: "Next cutoff" }).click();
      await page.waitForSelector(".cut-reason");
    }
    if (tab === "goals") {
      await page.getByLabel("Goal", { exact: true }).fill("member(X, [1,2])");
      await page.keyboard.press("Enter");
      await page.waitForSelector(".entry table");
    }
    await check(page, `${where} ${tab}`);
  }
  await page.getByRole("button", { name: /Games/ }).click();
  await page.waitForSelector(".drop .item");
  await check(page, `${where} games`);
}

const WIDE = { width: 1400, height: 900 };
const PHONE = { width: 390, height: 844 };

export const tests = Object.fromEntries(
  [
    ["light", WIDE],
    ["dark", WIDE],
    ["light", PHONE],
    ["dark", PHONE],
  ].map(([scheme, viewport]) => [
    `accessible: ${scheme}, ${viewport.width} pixels`,
    async ({ page: make, keep }) => {
      const server = keep(await serve(copyOf("breakthrough")));
      await visit(make, server, scheme, viewport);
    },
  ]),
);
