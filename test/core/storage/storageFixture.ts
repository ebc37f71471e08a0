// Owns: a temporary directory for each test of the storage steps, and ports that fail in it.
// Leaves to others: what a test asserts.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { errnoOf } from "../../../src/core/storage/errno.js";
import { nodeFilePort } from "../../../src/core/storage/nodeFilePort.js";
import { fakeFiles, type FakeFiles, type FakeFilesOptions, type Fault } from "../../fakes/files.js";

export const bytes = new TextEncoder().encode("content\n");

let root = "";

/** Makes a fresh directory before each test of the `describe` that calls it, and removes it afterwards. */
export function inTemporaryDirectory(): void {
  beforeEach(() => {
    root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "run-state-storage-")));
  });
  afterEach(() => fs.rmSync(root, { recursive: true, force: true }));
}

export const at = (name: string): string => path.join(root, name);
export const text = (name: string): string => fs.readFileSync(at(name), "utf8");
export const names = (): readonly string[] => fs.readdirSync(root).sort();
export const faulty = (...faults: readonly Fault[]): FakeFiles => fakeFiles(nodeFilePort, { faults });
export const withOptions = (options: FakeFilesOptions): FakeFiles => fakeFiles(nodeFilePort, options);

export async function codeOf(running: Promise<unknown>): Promise<string> {
  try {
    await running;
  } catch (error) {
    return errnoOf(error) ?? String(error);
  }
  return "none";
}
