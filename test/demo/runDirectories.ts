// Owns: real run directories for the demo and the tests: copies of the fixtures, with back what git cannot keep.
// Leaves to others: locks and their owners (makeDemo.ts).
import fs from "node:fs";
import path from "node:path";
import { repositoryRoot } from "../tools/processGroup.mjs";

const fixtures = path.join(repositoryRoot, "test/fixtures/rundirs/lattice");

/** Directories that the runtime makes for a managed run and that are empty between two uses. */
const oftenEmpty = ["leases", "supervisor/controllers"];

function onlyRun(fixture: string): { readonly name: string; readonly source: string } {
  const runs = path.join(fixtures, fixture, ".lattice/runs");
  const [name, ...others] = fs.readdirSync(runs);
  if (name === undefined || others.length > 0) throw new Error(`The fixture ${fixture} does not hold exactly one run.`);
  return { name, source: path.join(runs, name) };
}

/** Bytes of the lifecycle lock of a fixture. */
export function readFixtureLock(fixture: string): Uint8Array {
  return fs.readFileSync(path.join(onlyRun(fixture).source, ".lifecycle.lock"));
}

/**
 * Copies the one run of a fixture into a project. Restores the symlink that the fixture lost (`request.json`, where its target
 * `request.real.json` lies beside it) and the empty directories of a managed run.
 * @returns the absolute path of the copied run directory.
 */
export function copyRunDirectory(fixture: string, projectDirectory: string): string {
  const { name, source } = onlyRun(fixture);
  const target = path.join(projectDirectory, ".lattice/runs", name);
  fs.cpSync(source, target, { recursive: true, errorOnExist: true, force: false });
  const registry = path.join(fixtures, fixture, ".lattice/runtime");
  if (fs.existsSync(registry)) fs.cpSync(registry, path.join(projectDirectory, ".lattice/runtime"), { recursive: true });
  if (fs.existsSync(path.join(target, "request.real.json"))) {
    fs.rmSync(path.join(target, "request.json"));
    fs.symlinkSync("request.real.json", path.join(target, "request.json"));
  }
  if (fs.existsSync(path.join(target, "control-events.json"))) {
    for (const directory of oftenEmpty) fs.mkdirSync(path.join(target, directory), { recursive: true });
  }
  return target;
}
