import assert from "node:assert/strict";
import type { FilePort } from "../../../src/core/storage/filePort.js";
import { errnoOf } from "../../../src/core/storage/errno.js";
import { WorkflowLeaseFenceError } from "../../../src/core/systems/pi-amq/leaseResults.js";
import { Crash, fakeFiles, mutatingOperations, type Fault } from "../../fakes/files.js";
import { identityOf } from "../../fakes/processes.js";
import { MemoryWorld, sessionPath, supervisor } from "./memoryWorld.js";

const own = 100;
const next = 200;
const gone = 300;

interface Flow {
  readonly name: string;
  readonly prepare: (world: MemoryWorld) => Promise<unknown>;
  readonly run: (world: MemoryWorld, port: FilePort, prepared: never) => Promise<unknown>;
  /** What must hold afterwards, once the disk works again and, after a crash, the process is gone. */
  readonly settle: (world: MemoryWorld, died: boolean, prepared: never, result: unknown) => Promise<void>;
}

type Acquired = { readonly kind: string; readonly owner: { readonly generation: string; readonly pid: number } };

/** Another process takes the supervisor lease, or finds it held by whoever was told that he has it. */
async function requireUsable(world: MemoryWorld, died: boolean, result: unknown): Promise<void> {
  const taken = (await world.manager(next).acquireSupervisor()) as Acquired;
  const wasTold = (result as Acquired | null)?.kind === "acquired";
  if (!died && wasTold) {
    assert.equal(taken.kind, "held");
    assert.equal(taken.owner.generation, (result as Acquired).owner.generation);
    return;
  }
  assert.equal(taken.kind, "acquired", JSON.stringify(taken));
}

const ids = { runId: "r", workerId: "w", attemptId: "a", workerAttemptGeneration: "wag", sessionPath };

const flows: readonly Flow[] = [
  {
    name: "acquiring over a stale lease and a stale guard",
    prepare: async (world) => {
      world.processes.setAbsent(gone);
      await world.writeOwner(supervisor, world.owner(supervisor, gone));
      await world.writeGuard(supervisor, gone);
    },
    run: (world, port) => world.manager(own, port).acquireSupervisor(),
    settle: async (world, died, _prepared, result) => {
      await requireUsable(world, died, result);
      assert.equal(world.where(`lease-${gone}`).length, 1, "the stale lease is somewhere, once");
      assert.equal(world.where(`guard-${gone}`).length, 1, "the stale guard is somewhere, once");
    },
  },
  {
    name: "releasing",
    prepare: async (world) => ((await world.manager(own).acquireSupervisor()) as Acquired).owner.generation,
    run: (world, port, generation) => world.manager(own, port).releaseSupervisor(generation),
    settle: async (world, died, generation: string, result) => {
      const isReleased = (result as { kind?: string } | null)?.kind === "released";
      // Whoever was not told may simply try again.
      if (!died && !isReleased) assert.ok(["released", "not-owner"].includes((await world.manager(own).releaseSupervisor(generation)).kind));
      await requireUsable(world, true, null);
    },
  },
  {
    name: "leasing a worker session",
    prepare: async (world) => ((await world.manager(own).acquireSupervisor()) as Acquired).owner.generation,
    run: (world, port, supervisorGeneration: never) => {
      return world.manager(own, port).acquireWorkerSession({ ...ids, supervisorGeneration, processIdentity: identityOf(own) });
    },
    settle: async (world, died, supervisorGeneration: string, result) => {
      const wasTold = (result as Acquired | null)?.kind === "acquired";
      if (died) {
        await requireUsable(world, true, null);
        return;
      }
      const again = await world.manager(own).reserveWorkerSession({ ...ids, supervisorGeneration });
      assert.equal(again.kind, wasTold ? "held" : "acquired", JSON.stringify(again));
    },
  },
  {
    name: "activating a reservation",
    prepare: async (world) => {
      const supervisorGeneration = ((await world.manager(own).acquireSupervisor()) as Acquired).owner.generation;
      const { generation } = ((await world.manager(own).reserveWorkerSession({ ...ids, supervisorGeneration })) as Acquired).owner;
      return { sessionPath, supervisorGeneration, generation, workerAttemptGeneration: "wag", processIdentity: identityOf(next) };
    },
    run: (world, port, input) => world.manager(own, port).activateWorkerSession(input),
    settle: async (world, died, input: { generation: string; supervisorGeneration: string }, result) => {
      const inspected = await world.manager(next).inspectWorkerSession(sessionPath);
      assert.ok(inspected.kind === "owned", JSON.stringify(inspected));
      assert.equal(inspected.owner.generation, input.generation);
      if (result !== null) assert.equal(inspected.owner.stage, "active");
      if (died) await requireUsable(world, true, null);
    },
  },
];

const codes = ["EIO", "ENOSPC", "EACCES", "crash"];

function containsCrash(error: unknown): boolean {
  return error instanceof Crash || (error instanceof AggregateError && error.errors.some(containsCrash));
}

/** One run of the flow with one fault, on its own copy of the prepared world. */
async function playWith(flow: Flow, world: MemoryWorld, prepared: never, fault: Fault): Promise<void> {
  const trial = world.copy();
  const fake = fakeFiles(trial.disk.port, { faults: [fault] });
  const name = (): string => `${fault.code} ${fault.when ?? ""} at ${JSON.stringify(fake.calls[fault.at])}`;
  let result: unknown = null;
  try {
    result = await flow.run(trial, fake.port, prepared);
  } catch (error) {
    const isAnswer = containsCrash(error) || errnoOf(error) !== null || WorkflowLeaseFenceError.is(error) || error instanceof AggregateError;
    assert.ok(isAnswer, `${name()}: ${String(error)}`);
  }
  assert.ok(fake.faultsHit() > 0, name());
  const died = fault.code === "crash";
  // A killed process closes nothing itself.
  if (!died) assert.deepEqual(fake.openFiles(), [], name());
  if (died) trial.processes.setAbsent(own);
  // Whatever was left is old by the time that somebody comes.
  trial.clock.advance(60_000);
  try {
    await flow.settle(trial, died, prepared, died ? null : result);
  } catch (error) {
    throw new Error(`${name()}: ${error instanceof Error ? (error.stack ?? "") : String(error)}`);
  }
}

describe("the lease manager with a fault at every file step", () => {
  for (const flow of flows) {
    it(`loses nothing and leaves nothing that blocks: ${flow.name}`, async () => {
      const world = new MemoryWorld();
      const prepared = (await flow.prepare(world)) as never;
      const undisturbed = world.copy();
      const { port, calls } = fakeFiles(undisturbed.disk.port);
      await flow.run(undisturbed, port, prepared);
      assert.ok(calls.length > 20);
      for (const { index, operation } of calls) {
        for (const code of codes) {
          // Before or after makes no difference to a step that changes nothing.
          const whens = mutatingOperations.includes(operation) ? (["before", "after"] as const) : (["before"] as const);
          for (const when of whens) await playWith(flow, world, prepared, { at: index, code, when });
        }
      }
    });
  }
});
