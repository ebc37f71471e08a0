// Owns: running one operation over and over, each time with another fault at another of its file steps.
// Leaves to others: the operation, and what must hold afterwards.
import assert from "node:assert/strict";
import type { QuarantineOptions } from "../../../src/core/quarantine/session.js";
import { Crash, fakeFiles, mutatingOperations, type Call, type FakeFiles, type Fault } from "../../fakes/files.js";
import type { World } from "./world.js";

/** Errno list of issue 8. */
export const allCodes = ["ENOENT", "EEXIST", "EACCES", "EPERM", "EBUSY", "ENOSPC", "EIO", "EMFILE", "EROFS", "ESTALE", "EXDEV", "ENOTSUP"];

/** A world before the operation, and the operation. `world` is copied for each run. */
export interface Subject<Prepared, Result> {
  readonly world: World;
  readonly prepared: Prepared;
  /** Who does it. Default: the world's first instance. */
  readonly who?: (world: World) => QuarantineOptions;
  run(prepared: Prepared, options: QuarantineOptions): Promise<Result>;
}

interface Started<Result> {
  readonly world: World;
  readonly fake: FakeFiles;
  readonly done: Promise<Result>;
}

function start<Prepared, Result>(subject: Subject<Prepared, Result>, faults: readonly Fault[]): Started<Result> {
  const world = subject.world.copy();
  const fake = fakeFiles(world.disk.port, { faults });
  const options = (subject.who ?? ((at) => at.options()))(world);
  return { world, fake, done: subject.run(subject.prepared, { ...options, port: fake.port }) };
}

/** The steps of an undisturbed run. */
export async function callsOf<Prepared, Result>(subject: Subject<Prepared, Result>): Promise<readonly Call[]> {
  const { fake, done } = start(subject, []);
  await done;
  assert.ok(fake.calls.length > 10);
  return fake.calls;
}

export interface FaultedRun<Result> {
  readonly world: World;
  readonly fake: FakeFiles;
  readonly fault: Fault;
  readonly result: Result;
  /** For messages. */
  readonly name: string;
}

function nameOf(fault: Fault, calls: readonly Call[]): string {
  const call = calls[fault.at];
  return `${fault.code} ${fault.when ?? "before"}${fault.forGood === true ? " for good" : ""} at ${fault.at} ${call?.operation ?? ""} ${call?.path ?? ""}`;
}

/**
 * Every step × errno × once or for good × before or after. A fault for good hits all later steps of the same kind on any path, or
 * all later steps of any kind when `kind` is "all".
 */
export async function* everyFault<Prepared, Result>(subject: Subject<Prepared, Result>, codes: readonly string[] = allCodes): AsyncGenerator<FaultedRun<Result>> {
  const calls = await callsOf(subject);
  for (const call of calls) {
    for (const code of codes) {
      // Before or after makes no difference to a step that changes nothing.
      for (const when of mutatingOperations.includes(call.operation) ? (["before", "after"] as const) : (["before"] as const)) {
        for (const forGood of [false, true]) {
          const from = call.index;
          const fault: Fault = { where: (seen) => seen.index >= from && (seen.index === from || seen.operation === call.operation), at: 0, code, when, forGood };
          const { world, fake, done } = start(subject, [fault]);
          const name = nameOf({ ...fault, at: from }, calls);
          const result = await done.catch((error: unknown) => {
            throw new Error(`thrown by ${name}: ${error instanceof Error ? (error.stack ?? "") : String(error)}`);
          });
          assert.ok(fake.faultsHit() > 0, name);
          assert.deepEqual(fake.openFiles(), [], name);
          fake.arm(false);
          yield { world, fake, fault, result, name };
        }
      }
    }
  }
}

export interface CrashedRun {
  readonly world: World;
  readonly name: string;
}

/** The process dies before or after every step. */
export async function* everyCrash<Prepared, Result>(subject: Subject<Prepared, Result>): AsyncGenerator<CrashedRun> {
  const calls = await callsOf(subject);
  for (const call of calls) {
    for (const when of ["before", "after"] as const) {
      const fault: Fault = { at: call.index, code: "crash", when };
      const { world, done } = start(subject, [fault]);
      await assert.rejects(done, Crash, nameOf(fault, calls));
      yield { world, name: nameOf(fault, calls) };
    }
  }
}
