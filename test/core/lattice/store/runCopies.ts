// Owns: copies of captured runs on the real disk, and ways to damage them, for the tests of the store.
// Leaves to others: what a test asserts.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { canonicalizeArtifact, selfDigest } from "../../../../src/core/artifact/canonical.js";
import { inspectRun, type InspectRunOptions } from "../../../../src/core/systems/lattice/store/inspectRun.js";
import type { RunDetail } from "../../../../src/core/systems/lattice/store/runDetail.js";
import { fixtureRun, type JsonObject } from "../artifacts/documents.js";

/** One run in a `.lattice/runs` of its own. */
export class RunCopy {
  readonly root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "run-state-store-")));
  readonly directory: string;

  constructor(fixture: string) {
    const source = fixtureRun(fixture);
    this.directory = path.join(this.root, ".lattice", "runs", path.basename(source));
    fs.cpSync(source, this.directory, { recursive: true });
  }

  at(file: string): string {
    return path.join(this.directory, file);
  }

  read(file: string): JsonObject {
    return JSON.parse(fs.readFileSync(this.at(file), "utf8")) as JsonObject;
  }

  list(file: string): JsonObject[] {
    return JSON.parse(fs.readFileSync(this.at(file), "utf8")) as JsonObject[];
  }

  /** As the runtime writes most files. */
  write(file: string, value: unknown): void {
    fs.mkdirSync(path.dirname(this.at(file)), { recursive: true });
    fs.writeFileSync(this.at(file), `${JSON.stringify(value, null, 1)}\n`);
  }

  /** As the runtime writes files whose bytes matter. */
  writeCanonical(file: string, value: unknown): void {
    fs.mkdirSync(path.dirname(this.at(file)), { recursive: true });
    fs.writeFileSync(this.at(file), `${canonicalizeArtifact(value)}\n`);
  }

  /** Changes a sealed canonical document and gives it the right digest again, as a forger would. */
  forge(file: string, field: string, changes: JsonObject): void {
    const document = { ...this.read(file), ...changes };
    this.writeCanonical(file, { ...document, [field]: selfDigest(document, field) });
  }

  remove(file: string): void {
    fs.rmSync(this.at(file), { recursive: true });
  }

  async inspect(options: InspectRunOptions = {}): Promise<RunDetail> {
    return await inspectRun(this.directory, options);
  }

  /** Codes of the problems, worst first, without mere information. */
  async problems(): Promise<string[]> {
    return (await this.inspect()).problems.filter(({ severity }) => severity !== "info").map(({ code }) => code);
  }

  dispose(): void {
    fs.rmSync(this.root, { recursive: true, force: true });
  }
}

/** Gives copies to tests and removes them after each. */
export function runCopies(): (fixture: string) => RunCopy {
  const copies: RunCopy[] = [];
  afterEach(() => {
    for (const copy of copies.splice(0)) copy.dispose();
  });
  return (fixture) => {
    const copy = new RunCopy(fixture);
    copies.push(copy);
    return copy;
  };
}
