// Owns: the demo workspace: two projects with real run directories whose locks are in every state that a person can meet.
// Leaves to others: the processes (demoProcesses.ts), the run directories (runDirectories.ts), opening VS Code on it (serve.ts).
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { writeStartText } from "../../src/core/process/lstart.js";
import { onEnd } from "../tools/processGroup.mjs";
import type { DemoCase, DemoClaim } from "./demoCases.js";
import { startOwner, startZombie, type DemoProcess } from "./demoProcesses.js";
import { lockBytes, startText, type LockOwner } from "./lockBytes.js";
import { copyRunDirectory, readFixtureLock } from "./runDirectories.js";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** No whole number of quarter hours: a time zone cannot explain it. */
const otherStartSeconds = -(3 * 86_400 + 7 * 60 + 31);

export interface Demo {
  /** The .code-workspace file that opens both projects. */
  readonly workspace: string;
  readonly projects: { readonly checkout: string; readonly nightly: string };
  /** The zombie is missing where there is none (only Linux is certain to show one). */
  readonly claims: ReadonlyMap<DemoCase, DemoClaim>;
  readonly processes: readonly DemoProcess[];
  /** Ends the processes; the directory stays with whoever named it. */
  stop(): Promise<void>;
}

class DemoBuilder {
  readonly claims = new Map<DemoCase, DemoClaim>();
  readonly processes: DemoProcess[] = [];

  async start(starting: Promise<DemoProcess>): Promise<DemoProcess> {
    const started = await starting;
    this.processes.push(started);
    return started;
  }

  /** Writes a lock file as old as what it says. */
  place(name: DemoCase, run: string, content: Uint8Array, options: { readonly ageMs: number; readonly pid?: number; readonly fileName?: string }): string {
    const lock = path.join(run, options.fileName ?? ".lifecycle.lock");
    fs.rmSync(lock, { force: true });
    fs.writeFileSync(lock, content, { mode: 0o600 });
    const time = new Date(Date.now() - options.ageMs);
    fs.utimesSync(lock, time, time);
    this.claims.set(name, { project: path.resolve(run, "../../.."), run, lock, pid: options.pid ?? null });
    return lock;
  }

  /** A whole lock of `owner`, taken `ageMs` ago. */
  placeLock(name: DemoCase, run: string, owner: LockOwner, operation: string, ageMs: number): void {
    const bytes = lockBytes(owner, { operation, requestId: `${path.basename(run)}-r1`, acquiredAt: Date.now() - ageMs });
    this.place(name, run, bytes, { ageMs, pid: owner.pid });
  }

  async stop(): Promise<void> {
    await Promise.all(this.processes.map((process) => process.stop()));
  }
}

async function ownerNow(process: DemoProcess, shiftSeconds = 0): Promise<LockOwner> {
  return { pid: process.pid, started: await startText(process.pid, shiftSeconds) };
}

/** Somebody who owned a lock and died without releasing it. */
async function deadOwner(): Promise<LockOwner> {
  const process = await startOwner();
  const owner = await ownerNow(process);
  await process.stop();
  return owner;
}

async function fillCheckout(demo: DemoBuilder, project: string): Promise<void> {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone === "Asia/Tokyo" ? "America/Los_Angeles" : "Asia/Tokyo";
  const [dead, owner, stranger, elsewhere] = await Promise.all([deadOwner(), demo.start(startOwner()), demo.start(startOwner()), demo.start(startOwner({ timeZone: zone }))]);

  demo.placeLock("stale", copyRunDirectory("lock-stale-dead-owner", project), dead, "recompile", 3 * hourMs);
  demo.placeLock("live", copyRunDirectory("running-epoch1", project), await ownerNow(owner), "activate", 0);
  demo.placeLock("reusedPid", copyRunDirectory("activated-0.50", project), await ownerNow(stranger, otherStartSeconds), "hold", 3 * dayMs);
  demo.placeLock("liveOtherZone", copyRunDirectory("lib-seam-split-050-2-running", project), await ownerNow(elsewhere), "conflict", 0);

  const foreign = { pid: 4312, started: writeStartText(Math.floor((Date.now() - 6 * hourMs) / 1000)), platform: process.platform === "darwin" ? "linux" : "darwin" };
  demo.placeLock("remote", copyRunDirectory("lib-serial-050-4-held", project), foreign, "hold", 5 * hourMs);

  const undead = copyRunDirectory("lib-serial-012-2-running", project);
  if (process.platform === "linux") {
    const zombie = await demo.start(startZombie());
    // The start of an ended process cannot be asked for any more: that it has ended decides, whatever it says.
    demo.placeLock("zombie", undead, { pid: zombie.pid, started: await startText(owner.pid) }, "close", 0);
  }
  demo.place("empty", copyRunDirectory("lib-seam-split-012-4-held", project), new Uint8Array(), { ageMs: 2 * dayMs });

  // Healthy, and a file that somebody left where only runs belong.
  copyRunDirectory("abandoned-0.12", project);
  fs.writeFileSync(path.join(project, ".lattice/runs/notes.txt"), "Ask about the held run before Friday.\n");
}

async function fillNightly(demo: DemoBuilder, project: string): Promise<void> {
  demo.place("torn", copyRunDirectory("lock-torn", project), readFixtureLock("lock-torn"), { ageMs: 9 * hourMs });

  demo.place("pretty", copyRunDirectory("fresh-0.50", project), readFixtureLock("lock-pretty"), { ageMs: dayMs });

  demo.place("cliLeftover", copyRunDirectory("lib-seam-split-050-7-epoch2-active", project), new Uint8Array(), { ageMs: 6 * hourMs, fileName: ".cli-lifecycle.lock" });

  const lock = demo.place("cliHeld", copyRunDirectory("lib-serial-012-1-fresh", project), new Uint8Array(), { ageMs: 0, fileName: ".cli-lifecycle.lock" });
  await demo.start(startOwner({ openFiles: [lock] }));

  // Its request is a symlink; and what a crashed `run start` leaves behind.
  copyRunDirectory("corrupt-request-symlink", project);
  copyRunDirectory("abandoned-unmanaged", project);
  fs.mkdirSync(path.join(project, ".lattice/runs/.run-nightly.tmp-k3Jx9Q"));
}

/**
 * Fills `directory` (created when missing, else empty) with the demo and starts its live processes. They end with `stop()` and,
 * whatever happens, with this process.
 */
export async function makeDemo(directory: string): Promise<Demo> {
  fs.mkdirSync(directory, { recursive: true });
  // The real path: what VS Code shows, and what a comparison of paths meets.
  const root = fs.realpathSync.native(directory);
  const projects = { checkout: path.join(root, "checkout-service"), nightly: path.join(root, "nightly-batch") };
  const demo = new DemoBuilder();
  // All must have settled before the processes of a failed demo are ended: else one could still be started.
  const filled = await Promise.allSettled([fillCheckout(demo, projects.checkout), fillNightly(demo, projects.nightly)]);
  const failed = filled.find(({ status }) => status === "rejected");
  if (failed !== undefined) {
    await demo.stop();
    throw (failed as PromiseRejectedResult).reason;
  }
  for (const project of Object.values(projects)) fs.writeFileSync(path.join(project, "README.md"), `# ${path.basename(project)}\n\nA project of the Run State demo.\n`);
  const workspace = path.join(root, "run-state-demo.code-workspace");
  const folders = Object.values(projects).map((project) => ({ path: path.basename(project) }));
  fs.writeFileSync(workspace, `${JSON.stringify({ folders }, null, 2)}\n`);
  return { workspace, projects, claims: demo.claims, processes: demo.processes, stop: () => demo.stop() };
}

/** A demo in a temporary directory; `remove()` ends its processes and takes it away, and so does the end of this process. */
export async function makeTemporaryDemo(): Promise<Demo & { remove(): Promise<void> }> {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "run-state-demo-"));
  const removeDirectory = (): void => fs.rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  const takeBack = onEnd(removeDirectory);
  const demo = await makeDemo(directory);
  const remove = async (): Promise<void> => {
    await demo.stop();
    takeBack();
    removeDirectory();
  };
  return { ...demo, remove };
}
