// Owns: asking about the disk below ten thousand directories once for each device instead of once for each directory.
// Leaves to others: the answer (process/).
import type { ProcessObserver } from "../process/processInspector.js";
import type { DirectoryReading } from "./readDirectory.js";

/**
 * The same observer, except that directories on one device share the question: kind of file system and namespace are facts of the
 * device. Good for one scan: the devices are those that the readings saw.
 */
export function withSharedEnvironments(observer: ProcessObserver, readings: readonly DirectoryReading[]): ProcessObserver {
  const sampleOfDevice = new Map<number, string>();
  const sampleOf = new Map<string, string>();
  for (const { path, stamp } of readings) {
    if (stamp === null) continue;
    const sample = sampleOfDevice.get(stamp.device) ?? path;
    sampleOfDevice.set(stamp.device, sample);
    sampleOf.set(path, sample);
  }
  return {
    platform: observer.platform,
    current: () => observer.current(),
    inspect: (pid) => observer.inspect(pid),
    startInstant: (pid) => observer.startInstant(pid),
    whoHasOpen: (file) => observer.whoHasOpen(file),
    environment: (directory, pid) => observer.environment(sampleOf.get(directory) ?? directory, pid),
    forget: () => observer.forget(),
  };
}
