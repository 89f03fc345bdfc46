// Builds the page: `node build.mjs` writes dist/, `node build.mjs --verify` compares dist/ with a fresh build.
// The result has no times and no absolute paths, so the same sources give the same bytes.

import { build } from "esbuild";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
process.chdir(here);

/** The texts of the licences of all packages whose code is in the bundle. */
function licences(inputs) {
  const packages = new Set();
  for (const input of Object.keys(inputs)) {
    const found = /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input);
    if (found) packages.add(found[1]);
  }
  const parts = ["The page of alphorn serve contains code of these packages.\n"];
  for (const name of [...packages].sort()) {
    const folder = join("node_modules", name);
    const about = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    if (!file) throw new Error(`${name} has no file of its licence`);
    const text = readFileSync(join(folder, file), "utf8").replaceAll("\r", "").trim();
    parts.push(`${"-".repeat(72)}\n${name} ${about.version} (${about.license})\n\n${text}\n`);
  }
  return parts.join("\n");
}

async function write(folder) {
  const result = await build({
    entryPoints: { app: "src/main.tsx" },
    outdir: folder,
    bundle: true,
    minify: true,
    format: "esm",
    target: ["es2022"],
    jsx: "automatic",
    jsxImportSource: "preact",
    legalComments: "none",
    metafile: true,
    charset: "utf8",
    logLevel: "warning",
  });
  for (const name of ["index.html", "icon.svg"]) {
    writeFileSync(join(folder, name), readFileSync(join("src", name)));
  }
  writeFileSync(join(folder, "licences.txt"), licences(result.metafile.inputs));
}

function digest(folder) {
  return readdirSync(folder)
    .sort()
    .map((name) => `${name} ${createHash("sha256").update(readFileSync(join(folder, name))).digest("hex")}`)
    .join("\n");
}

if (process.argv.includes("--verify")) {
  const fresh = mkdtempSync(join(tmpdir(), "alphorn-web-"));
  try {
    await write(fresh);
    const [built, kept] = [digest(fresh), existsSync("dist") ? digest("dist") : ""];
    if (built !== kept) {
      console.error(`web/dist differs from a fresh build; run npm run build\n${built}\n--\n${kept}`);
      process.exitCode = 1;
    } else console.log("web/dist is the result of the sources");
  } finally {
    rmSync(fresh, { recursive: true });
  }
} else {
  rmSync("dist", { recursive: true, force: true });
  mkdirSync("dist");
  await write("dist");
}
