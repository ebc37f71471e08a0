// Owns: gathering, through the process observer, what the verdict about a lifecycle lock depends on.
// Leaves to others: the verdict (judgeLifecycleLock.ts), reading the lock (inspectLifecycleLock.ts).
import type { ProcessObserver } from "../../process/processInspector.js";
import { ownTimeZone } from "../../process/timeZone.js";
import type { LifecycleLockFacts } from "./judgeLifecycleLock.js";
import type { LifecycleLock } from "./lifecycleLockRecord.js";

/**
 * Asks everything at once, so that the observer can answer many locks together. Writes nothing.
 * @param directory where the lock lies.
 */
export async function gatherLifecycleLockFacts(
  observer: ProcessObserver,
  lock: LifecycleLock,
  directory: string,
  observerTimeZone: string = ownTimeZone(),
): Promise<LifecycleLockFacts> {
  const pid = lock.owner_pid;
  const [inspection, start, environment] = await Promise.all([observer.inspect(pid), observer.startInstant(pid), observer.environment(directory, pid)]);
  return { platform: observer.platform, inspection, start, observerTimeZone, environment };
}
