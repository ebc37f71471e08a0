// Owns: the licence texts of the packages inside a bundle: their licences ask that the text travels with the code.
// Leaves to others: bundling (esbuild.mjs), which hands over what went in.
import fs from "node:fs";
import path from "node:path";

/** Directory of the package that a bundled file belongs to; null for our own files. */
function packageDirectory(input) {
  const match = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input);
  return match === null ? null : match[1];
}

/**
 * One section for each package among `inputs` (paths as in esbuild's metafile), sorted by name. A package without a licence
 * text is an error: it must not ship before somebody has looked.
 */
export function thirdPartyNotices(inputs) {
  const directories = [...new Set(inputs.map(packageDirectory).filter((directory) => directory !== null))].sort();
  const sections = directories.map((directory) => {
    const { name, version, license } = JSON.parse(fs.readFileSync(path.join(directory, "package.json"), "utf8"));
    const file = fs.readdirSync(directory).find((candidate) => /^(?:licen[cs]e|copying)(?:\.\w+)?$/i.test(candidate));
    if (file === undefined) throw new Error(`${name} has no licence text.`);
    return `${name} ${version} (${license})\n\n${fs.readFileSync(path.join(directory, file), "utf8").trim()}\n`;
  });
  if (sections.length === 0) return "Run State contains no code of other packages.\n";
  return `Run State contains code of these packages.\n\n${sections.join(`\n${"-".repeat(79)}\n\n`)}`;
}
