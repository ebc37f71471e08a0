// Owns: real processes in the states that a lock's owner can be in: alive, alive in another time zone, dead, a zombie.
// Leaves to others: the locks that name them (makeDemo.ts).
import fs from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { startNode, startProgram, type ProcessGroup } from "../tools/processGroup.mjs";

const ownerScript = fileURLToPath(new URL("./owner.mjs", import.meta.url));
const zombieTimeoutMs = 10_000;

/** One process of the demo. `stop` ends what keeps it in its state. */
export interface DemoProcess {
  readonly pid: number;
  /** TZ of its environment; null when it has the one of this process. */
  readonly timeZone: string | null;
  stop(): Promise<void>;
}

async function firstLine(group: ProcessGroup): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    group.child.stdout?.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      const end = text.indexOf("\n");
      if (end >= 0) resolve(text.slice(0, end));
    });
    void group.exited.then(({ code }) => reject(new Error(`A process of the demo ended at once (exit code ${code}).`)));
  });
}

function pidOf(group: ProcessGroup): number {
  const { pid } = group.child;
  if (pid === undefined) throw new Error("A process of the demo could not be started.");
  return pid;
}

/** A live process that holds `openFiles` open. It ends with this process. */
export async function startOwner(options: { readonly openFiles?: readonly string[]; readonly timeZone?: string } = {}): Promise<DemoProcess> {
  const env = options.timeZone === undefined ? {} : { TZ: options.timeZone };
  const group = startNode([ownerScript, ...(options.openFiles ?? [])], { env, stdout: "pipe" });
  await firstLine(group);
  return { pid: pidOf(group), timeZone: options.timeZone ?? null, stop: () => group.stop() };
}

function isZombie(pid: number): boolean {
  const stat = fs.readFileSync(`/proc/${pid}/stat`, "utf8");
  return stat.slice(stat.lastIndexOf(")") + 2).startsWith("Z");
}

/**
 * Starts a child, then becomes `cat`, which knows nothing of a child and never collects it. The child ends only once that
 * has happened: a shell might still collect it.
 */
const zombieScript = `(until read name < /proc/$$/comm; [ "$name" = cat ]; do :; done) & echo $!; exec cat`;

/** A process that has ended and that its parent does not collect (Linux). The parent ends with this process, because its stdin does. */
export async function startZombie(): Promise<DemoProcess> {
  const group = startProgram("/bin/sh", ["-c", zombieScript], { stdout: "pipe" });
  const pid = Number(await firstLine(group));
  const deadline = performance.now() + zombieTimeoutMs;
  while (!isZombie(pid)) {
    if (performance.now() > deadline) throw new Error(`Process ${pid} did not become a zombie.`);
    await delay(5);
  }
  return { pid, timeZone: null, stop: () => group.stop() };
}
