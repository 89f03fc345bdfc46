// Bundles the extension and its unit tests. `--production` bundles the extension alone, without source maps.
import { build } from "esbuild";
import { readdirSync } from "node:fs";

const production = process.argv.includes("--production");
const common = { bundle: true, platform: "node", format: "cjs", target: "node20", logLevel: "warning" };
await build({
  ...common,
  entryPoints: ["src/extension.ts"],
  outfile: "out/extension.js",
  external: ["vscode"],
  minify: production,
  sourcemap: !production,
});
if (!production) {
  const tests = readdirSync("test/unit").filter((name) => name.endsWith(".test.ts"));
  await build({
    ...common,
    entryPoints: tests.map((name) => `test/unit/${name}`),
    outdir: "out/test",
    packages: "external",
  });
}
