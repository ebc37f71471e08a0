// Owns: running every measurement in one process and printing one table. Figures are for people: nothing here fails a build.
// Leaves to others: the measurements.
import os from "node:os";
import { measureEventChain } from "./eventChain.js";
import { measureLocks } from "./locks.js";
import { atMost, ms, reported, times, type Figure } from "./measure.js";
import { measureOwners } from "./owners.js";
import { measureScan } from "./scan.js";
import { measureValidation } from "./validate.js";

async function validation(): Promise<readonly Figure[]> {
  const { bytes, baselineMs, validateMs, ratio } = await Promise.resolve(measureValidation());
  return [
    atMost(`validate a ${Math.round(bytes / 1_024).toLocaleString("en")} KiB request / parse + canonicalize + SHA-256`, ratio, 3, times),
    reported("the same, absolute", `${ms(validateMs)} / ${ms(baselineMs)}`),
  ];
}

async function eventChain(): Promise<readonly Figure[]> {
  const { events, ratio, verifyMs } = await Promise.resolve(measureEventChain());
  return [
    atMost(`verify a chain of ${events.toLocaleString("en")} events / parse + hash its bytes once`, ratio, 2, times),
    reported("the same, absolute", ms(verifyMs)),
  ];
}

const sections: readonly (() => Promise<readonly Figure[]>)[] = [() => measureScan(1_000), () => measureScan(10_000), measureOwners, measureLocks, eventChain, validation];

console.log(`${os.cpus()[0]?.model ?? "unknown processor"}, ${os.cpus().length} cores, Node ${process.version}, ${os.platform()} ${os.release()}`);
console.log("| what | measured | goal | reached |");
console.log("|---|---|---|---|");
for (const section of sections) {
  for (const { what, value, goal, isReached } of await section()) console.log(`| ${what} | ${value} | ${goal ?? "–"} | ${isReached === null ? "–" : isReached ? "yes" : "**no**"} |`);
}
