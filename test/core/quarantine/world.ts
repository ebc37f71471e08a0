// Owns: a lattice store in memory with one stale lock, a process table, a clock that only moves when told; the steps of the
// runtime's own protocol as an opponent; the question "are all bytes still there?".
// Leaves to others: what a test asserts.
import assert from "node:assert/strict";
import { basename, dirname, join } from "node:path";
import type { ClaimSnapshot } from "../../../src/core/claims/claim.js";
import type { Clock, Random } from "../../../src/core/ports.js";
import { listQuarantine } from "../../../src/core/quarantine/listQuarantine.js";
import { planQuarantine } from "../../../src/core/quarantine/planQuarantine.js";
import type { QuarantineEntry, QuarantinePlan } from "../../../src/core/quarantine/quarantineEntry.js";
import type { QuarantineOptions } from "../../../src/core/quarantine/session.js";
import { settleFrozen } from "../../../src/core/quarantine/settleFrozen.js";
import type { FilePort } from "../../../src/core/storage/filePort.js";
import { inspectLifecycleLock } from "../../../src/core/systems/lattice/inspectLifecycleLock.js";
import { FakeProcesses, identityOf } from "../../fakes/processes.js";
import { lockOf } from "../lattice/lockFixture.js";
import { memoryDisk, type Disk, type MemoryDisk } from "./memoryDisk.js";

export class StillClock implements Clock {
  readonly slept: number[] = [];
  duringSleep: (ms: number) => void | Promise<void> = () => {};
  constructor(public time = Date.UTC(2026, 11, 2)) {}
  now(): number {
    return this.time;
  }
  monotonic(): number {
    return this.time;
  }
  async sleep(ms: number): Promise<void> {
    this.slept.push(ms);
    this.time += ms;
    await this.duringSleep(ms);
  }
}

let instances = 0;

/** Ids in a row that no other instance of any world gets: the guard remembers its tokens for the life of the process. */
function countingRandom(): Random {
  const instance = (instances += 1);
  let count = 0;
  return { uuid: () => `${String(instance).padStart(8, "0")}-0000-4000-8000-${String((count += 1)).padStart(12, "0")}` };
}

export const stalePid = 4242;
export const livePid = 5151;
export const store = "/w/.lattice";
export const run = `${store}/runs/run-a`;
export const place = `${run}/.lifecycle.lock`;
export const quarantine = `${store}/quarantine`;
export const group = `${quarantine}/run-a`;

export const staleLock = text(lockOf({ pid: stalePid, requestId: "stale" }).bytes);
export const liveLock = text(lockOf({ pid: livePid, requestId: "fresh" }).bytes);
export const thirdLock = text(lockOf({ pid: livePid, requestId: "third" }).bytes);

function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

export async function putFile(port: FilePort, path: string, content: string): Promise<void> {
  const file = await port.createExclusive(path, 0o600);
  await file.write(new TextEncoder().encode(content), 0);
  await file.close();
}

export async function readText(port: FilePort, path: string): Promise<string | null> {
  try {
    const file = await port.openRead(path);
    return text(await file.read(0, 1_000_000));
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, "ENOENT");
    return null;
  }
}

export class World<D extends Disk = MemoryDisk> {
  readonly observer = new FakeProcesses().setAbsent(stalePid).setLive(livePid);
  readonly clock = new StillClock();
  readonly random = countingRandom();

  constructor(readonly disk: D) {}

  static async withStaleLock(): Promise<World> {
    return await worldOn(memoryDisk(Date.UTC(2026, 11, 1)));
  }

  /** The same state again; making it once and copying it is what lets a sweep take seconds. */
  copy(this: World): World {
    const world = new World(this.disk.copy());
    world.clock.time = this.clock.time;
    return world;
  }

  /** What one instance of ours is given. `port`: usually a fake around the disk's. */
  options(more: QuarantineOptions = {}): QuarantineOptions {
    const { observer, clock, random } = this;
    return { port: this.disk.port, observer, clock, random, user: "ada", hostname: "host-a", toolVersion: "9.9.9", platform: "linux", drainMs: 1_000, ...more };
  }

  /** A second instance: another process on the same host, its own ids. */
  other(more: QuarantineOptions = {}): QuarantineOptions {
    const observer = new FakeProcesses().setAbsent(stalePid).setLive(livePid).setLive(1000);
    observer.self = identityOf(2000);
    return this.options({ observer, random: countingRandom(), ...more });
  }

  /** A new instance after all earlier ones died: their pids are gone. */
  afterCrash(more: QuarantineOptions = {}): QuarantineOptions {
    const observer = new FakeProcesses().setAbsent(stalePid).setLive(livePid);
    observer.self = identityOf((instances += 1) + 10_000);
    return this.options({ observer, random: countingRandom(), ...more });
  }

  inspect(path = place): Promise<ClaimSnapshot> {
    return inspectLifecycleLock(path, { port: this.disk.port, observer: this.observer, clock: this.clock });
  }

  async plan(): Promise<QuarantinePlan> {
    return await planQuarantine(await this.inspect(), this.options());
  }

  read(path: string): Promise<string | null> {
    return readText(this.disk.port, path);
  }

  list(): Promise<readonly QuarantineEntry[]> {
    return listQuarantine("/w", this.options());
  }

  /** How many names each content has: one of them lost would show as a missing key. */
  contents(): ReadonlyMap<string, readonly string[]> {
    const found = new Map<string, string[]>();
    for (const [path, content] of this.disk.snapshot()) if (content !== null) found.set(content, [...(found.get(content) ?? []), path]);
    return found;
  }

  pathsOf(content: string): readonly string[] {
    return this.contents().get(content) ?? [];
  }
}

/** A store with one run and its stale lock. */
export async function worldOn<D extends Disk>(disk: D): Promise<World<D>> {
  for (const path of ["/w", store, `${store}/runs`, run]) await disk.port.mkdir(path, 0o700);
  await putFile(disk.port, place, staleLock);
  return new World(disk);
}

/** Settles everything that the list offers to settle, as a person would; then nothing unfinished may be left. */
export async function settleAll(options: QuarantineOptions): Promise<readonly QuarantineEntry[]> {
  for (const entry of await listQuarantine("/w", options)) {
    if (entry.kind !== "frozen" && entry.kind !== "intended") continue;
    const settled = await settleFrozen(entry, options);
    assert.ok(settled.kind === "settled" || settled.kind === "conflict" || settled.reason === "nothing-to-settle", `${entry.kind}: ${JSON.stringify(settled)}`);
  }
  const rest = await listQuarantine("/w", options);
  const unfinished = rest.filter((entry) => entry.kind === "frozen" || entry.kind === "intended");
  assert.deepEqual(unfinished.map((entry) => `${entry.kind} ${entry.name}`), []);
  for (const entry of rest) assert.ok(entry.kind !== "unreadable" || entry.reason === "temporary-file", JSON.stringify(entry));
  return rest;
}

/** The runtime's own recovery (spec/lattice.md 4.3), from its rename on: what it does after having judged. */
export async function runtimeRename(port: FilePort): Promise<string | null> {
  const aside = join(dirname(place), `.${basename(place)}.777.f00d.stale`);
  try {
    await port.rename(place, aside);
    return aside;
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, "ENOENT");
    return null;
  }
}

/** Its second half: re-read, then delete (also when the link count is wrong: weakness W4). */
export async function runtimeDelete(port: FilePort, aside: string | null): Promise<void> {
  if (aside !== null) await port.unlink(aside);
}
