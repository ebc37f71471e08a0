// Owns: how long a chain of ten thousand events takes to verify, against reading its bytes once (issue 3).
// Leaves to others: running it and printing (main.ts).
import { createHash } from "node:crypto";
import { selfDigest } from "../../src/core/artifact/canonical.js";
import { verifyRunEventChain } from "../../src/core/systems/lattice/events/verifyRunEventChain.js";

/** Events as a managed run writes them, about 850 bytes each in the file. */
function makeChain(count: number): object[] {
  const events: object[] = [];
  const digest = (text: string): string => createHash("sha256").update(text).digest("hex");
  let previous: string | null = null;
  for (let sequence = 0; sequence < count; sequence += 1) {
    const todo = `T${sequence % 7}`;
    const worktree = `/home/dev/project/.lattice/runs/run-bench/worktrees/wt-${sequence}/tree`;
    const body = {
      schema: "lattice.run_event.v1",
      run_id: "run-bench",
      sequence,
      previous_digest: previous,
      kind: sequence === 0 ? "run_initialized" : sequence % 3 === 0 ? "checkpoint_observed" : "executor_dispatched",
      actor: "lattice-runtime",
      plan_epoch: 1,
      subject: { kind: "todo", ref: todo },
      payload:
        sequence % 3 === 0
          ? {
              checkpoint_digest: digest(`checkpoint ${sequence}`),
              diff: {
                schema: "lattice.checkpoint_diff.v2",
                base_sha: digest(todo).slice(0, 40),
                entries: ["alpha", "beta", "gamma"].map((name) => ({ path: `src/${name}.mjs`, change: "modified", content_digest: digest(name + String(sequence)) })),
              },
            }
          : {
              executor_handle: `scripted-${sequence}`,
              worktree_id: `scripted-wt-${sequence}`,
              packet_digest: digest(`packet ${sequence}`),
              context_content_digest: digest(`context ${sequence}`),
              write_lease_digest: digest(`lease ${sequence}`),
              direct_os_observation_binding: { process_pid: 32058, process_group_id: 32058, process_children: [], worktree_path: worktree },
            },
      recorded_at: new Date(1_780_000_000_000 + sequence * 250).toISOString(),
    };
    previous = selfDigest(body, "event_digest");
    events.push({ ...body, event_digest: previous });
  }
  return events;
}

export interface EventChainMeasurement {
  readonly events: number;
  readonly bytes: number;
  /** Milliseconds of processor time, best of the rounds: a busy machine has little influence. */
  readonly parseAndHashMs: number;
  readonly verifyMs: number;
  /** verifyMs / parseAndHashMs; the bar is 2. */
  readonly ratio: number;
}

function processorTime(run: () => void): number {
  const start = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** Takes both measurements alternately. */
export function measureEventChain(options: { readonly events?: number; readonly rounds?: number } = {}): EventChainMeasurement {
  const { events = 10_000, rounds = 15 } = options;
  const bytes = Buffer.from(`${JSON.stringify(makeChain(events), null, 1)}\n`);
  let parseAndHashMs = Infinity;
  let verifyMs = Infinity;
  let parsed: unknown;
  for (let round = 0; round < rounds; round += 1) {
    const read = processorTime(() => {
      parsed = JSON.parse(bytes.toString("utf8"));
      createHash("sha256").update(bytes).digest("hex");
    });
    const verified = processorTime(() => {
      if (verifyRunEventChain(parsed).standing === "invalid") throw new Error("The chain of the benchmark is not valid.");
    });
    parseAndHashMs = Math.min(parseAndHashMs, read);
    verifyMs = Math.min(verifyMs, verified);
  }
  return { events, bytes: bytes.length, parseAndHashMs, verifyMs, ratio: verifyMs / parseAndHashMs };
}
