// Runs all tests in one browser, one after the other, and prints a line for each.

import { Browser } from "./harness.mjs";

const files = ["write.mjs", "play.mjs", "cards.mjs", "search.mjs", "file.mjs", "safety.mjs", "access.mjs", "speed.mjs", "games.mjs"];
const words = process.argv.slice(2);
let passed = 0;
let failed = 0;
const browser = await Browser.launch();
const begun = Date.now();

async function run(name, test) {
  const opened = [];
  const servers = [];
  const tools = {
    page: async (options) => {
      const page = await browser.page(options);
      opened.push(page);
      return page;
    },
    keep: (server) => {
      servers.push(server);
      return server;
    },
    note: (text) => console.log(`      ${text}`),
  };
  const start = Date.now();
  try {
    await test(tools);
    const problems = opened.flatMap((page) => page.problems);
    if (problems.length > 0) throw new Error(problems.join("; "));
    passed += 1;
    console.log(`ok    ${name} (${((Date.now() - start) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failed += 1;
    console.log(`FAIL  ${name}: ${error.stack}`);
    if (process.env.SHOTS && opened[0]) await opened[0].screenshot({ path: `${process.env.SHOTS}/${name.replace(/\W+/g, "-")}.png` }).catch(() => {});
  }
  for (const page of opened) await page.context().close().catch(() => {});
  for (const server of servers) await server.stop().catch(() => {});
}

for (const file of files) {
  const { tests } = await import(`./${file}`);
  for (const [name, test] of Object.entries(tests)) {
    if (words.length === 0 || words.some((word) => name.includes(word))) await run(name, test);
  }
}
await browser.close();
console.log(`${passed} passed, ${failed} failed (${((Date.now() - begun) / 1000).toFixed(0)} s)`);
process.exit(failed > 0 ? 1 : 0);
