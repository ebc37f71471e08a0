// Owns: running several actors on one disk, one file step at a time, in an order that the test chooses.
// Leaves to others: the actors.
import type { FilePort } from "../../../src/core/storage/filePort.js";
import { fakeFiles } from "../../fakes/files.js";

/** A small generator of its own, so that a seed in a failure message is all one needs to see it again. */
export function seeded(seed: number): (below: number) => number {
  let state = (seed * 2_654_435_761) >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 4_294_967_296) * below);
  };
}

/** Every step of every actor waits until `choose` picks it. Resolves with the actors' results, in their order. */
export async function interleave<Results extends readonly unknown[]>(
  port: FilePort,
  actors: { readonly [Index in keyof Results]: (port: FilePort) => Promise<Results[Index]> },
  choose: (below: number) => number,
): Promise<Results> {
  const waiting = new Map<number, () => void>();
  let running = actors.length;
  const results = actors.map(async (actor, index) => {
    // Once all have finished, what they have returned works without a gate.
    const gated = fakeFiles(port, { before: () => (running === 0 ? undefined : new Promise((resolve) => waiting.set(index, resolve))) });
    try {
      return await actor(gated.port);
    } finally {
      running -= 1;
    }
  });
  while (running > 0) {
    // All else is done within this turn of the loop; whoever is left waits at a gate.
    await new Promise(setImmediate);
    const ready = [...waiting.keys()].sort();
    const chosen = ready[choose(ready.length)];
    if (chosen === undefined) continue;
    const go = waiting.get(chosen);
    waiting.delete(chosen);
    go?.();
  }
  return (await Promise.all(results)) as unknown as Results;
}
