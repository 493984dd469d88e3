/** Puts the modules of the page and of D3 into one file, beside the licences of what is in it. */

import { build } from "esbuild";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const folder = process.argv[2] ?? join(here, "..", "bundle");
const top = join(here, "..", "..", "..", "..", "node_modules");

await build({
  entryPoints: [join(here, "main.js")],
  outfile: join(folder, "page.js"),
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  charset: "ascii",
  legalComments: "none",
});

const licences = ["d3-hierarchy", "d3-path", "d3-shape"].map((name) => {
  const { version } = JSON.parse(readFileSync(join(top, name, "package.json"), "utf8"));
  return `${name} ${version}\n\n${readFileSync(join(top, name, "LICENSE"), "utf8")}`;
});
writeFileSync(join(folder, "LICENCES.txt"), `page.js holds parts of these:\n\n${licences.join("\n\n")}`);
