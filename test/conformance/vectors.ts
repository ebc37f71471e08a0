// Owns: finding the conformance data and remembering what was consumed, so that a file or category that no test reads fails.
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const fixtures = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../fixtures");

/** Other data of the same form can be tried: see README. */
export const vectorsRoot = path.resolve(process.env["RUN_STATE_VECTORS"] ?? path.join(fixtures, "vectors"));
export const rundirsRoot = path.resolve(process.env["RUN_STATE_RUNDIRS"] ?? path.join(fixtures, "rundirs"));

export interface VectorCase {
  readonly name: string;
  readonly category: string;
}

const consumed = new Map<string, Set<string>>();
const consumedRundirs = new Set<string>();

interface VectorFile<Case> {
  readonly cases: readonly Case[];
  /** Tables beside the cases (`contexts`, `chains`, `plans`); empty when the file is a bare array. */
  readonly tables: Readonly<Record<string, unknown>>;
}

function readVectorFile<Case>(file: string): VectorFile<Case> {
  const parsed = JSON.parse(fs.readFileSync(path.join(vectorsRoot, file), "utf8")) as Case[] | { cases: Case[] };
  if (Array.isArray(parsed)) return { cases: parsed, tables: {} };
  const { cases, ...tables } = parsed;
  return { cases, tables };
}

/** Every case of a file. The caller promises a test for each: all categories count as consumed. An absent file gives no case. */
export function consumeVectors<Case extends VectorCase>(file: string): VectorFile<Case> {
  if (!fs.existsSync(path.join(vectorsRoot, file))) return { cases: [], tables: {} };
  const content = readVectorFile<Case>(file);
  const categories = consumed.get(file) ?? new Set<string>();
  for (const { category } of content.cases) categories.add(category);
  consumed.set(file, categories);
  return content;
}

/** Names of the run directories of one system; each counts as consumed. */
export function consumeRundirs(system: string): readonly string[] {
  consumedRundirs.add(system);
  const directory = path.join(rundirsRoot, system);
  return fs.existsSync(directory) ? fs.readdirSync(directory).sort() : [];
}

/** What no test reads: `file` or `file: category`. */
export function unconsumed(): readonly string[] {
  const missing: string[] = [];
  for (const entry of fs.readdirSync(vectorsRoot, { recursive: true, encoding: "utf8" }).sort()) {
    if (!entry.endsWith(".json")) continue;
    const file = entry.split(path.sep).join("/");
    const seen = consumed.get(file);
    if (seen === undefined) missing.push(file);
    else for (const { category } of readVectorFile<VectorCase>(file).cases) if (!seen.has(category)) missing.push(`${file}: ${category}`);
  }
  for (const system of fs.readdirSync(rundirsRoot)) if (!consumedRundirs.has(system)) missing.push(`rundirs/${system}`);
  return missing;
}
