// Owns: children that never outlive us. Each is the first of its own process group; all groups end on exit, on a signal,
// and (through dieWithParent.mjs) even when this process is killed by SIGKILL. No dependencies: set-up runs before npm ci.
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { performance } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const preload = new URL("./dieWithParent.mjs", import.meta.url).href;
const isWindows = process.platform === "win32";
const living = new Set();
const cleanups = new Set();
let ending = false;

function signalGroup(child, signal) {
  try {
    if (isWindows) child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // Gone already.
  }
}

function isGroupAlive(child) {
  if (isWindows) return child.exitCode === null && child.signalCode === null;
  try {
    process.kill(-child.pid, 0);
    return true;
  } catch {
    return false;
  }
}

function start(file, args, options) {
  armSignals();
  const env = { ...process.env, ...options.env };
  delete env.RUN_STATE_GROUP_LEADER;
  for (const name of options.withoutEnv ?? []) delete env[name];
  const child = spawn(file, args, {
    cwd: options.cwd,
    env,
    detached: !isWindows,
    stdio: ["pipe", options.stdout ?? "inherit", options.stderr ?? "inherit"],
  });
  child.stdin.on("error", () => {});
  const group = { child, hasExited: false, exited: undefined, stop: undefined };
  let stopping;
  group.exited = new Promise((resolve) => {
    const done = (code, signal, error) => {
      if (group.hasExited) return;
      group.hasExited = true;
      living.delete(group);
      // Whom a process left behind when it ended by itself is nobody's any more. One that is being stopped gets its grace.
      if (stopping === undefined) signalGroup(child, "SIGKILL");
      resolve({ code: code ?? (signal ? 128 + (constants.signals[signal] ?? 0) : 127), signal: signal ?? null, error: error ?? null });
    };
    child.once("error", (error) => done(null, null, error));
    child.once("exit", (code, signal) => done(code, signal, null));
  });
  group.stop = (graceMs = 6000) =>
    (stopping ??= (async () => {
      if (group.hasExited) return;
      const deadline = performance.now() + graceMs;
      signalGroup(child, "SIGTERM");
      // The first process may end before the others have cleaned up (mocha's launcher does).
      while (isGroupAlive(child) && performance.now() < deadline) await delay(20);
      signalGroup(child, "SIGKILL");
      await group.exited;
    })());
  living.add(group);
  return group;
}

/** Starts a node process (script and arguments) as the first of its own group. */
export function startNode(args, options = {}) {
  return start(process.execPath, ["--import", preload, ...args], options);
}

/** Starts any other program as the first of its own group; it ends with us, except after a SIGKILL to us. */
export function startProgram(file, args, options = {}) {
  return start(file, args, options);
}

/** Runs `cleanup` once before this process ends; after its groups have ended when that goes through endProcess. Gives a function that takes it back. */
export function onEnd(cleanup) {
  armSignals();
  cleanups.add(cleanup);
  return () => cleanups.delete(cleanup);
}

async function endEverything() {
  await Promise.all([...living].map((group) => group.stop()));
  for (const cleanup of [...cleanups].reverse()) {
    cleanups.delete(cleanup);
    try {
      await cleanup();
    } catch (error) {
      console.error(error);
    }
  }
}

/** Whether this process is on its way out: the exits of its groups are then its own doing. */
export function isEnding() {
  return ending;
}

/** Ends all groups, runs the clean-ups, ends this process. */
export async function endProcess(code) {
  if (ending) return;
  ending = true;
  await endEverything();
  process.exit(code);
}

let areSignalsArmed = false;

/** Whoever has groups or clean-ups ends in good order: groups, clean-ups, then exit code 128 + n. */
function armSignals() {
  if (areSignalsArmed) return;
  areSignalsArmed = true;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => void endProcess(128 + constants.signals[signal]));
}

/**
 * For the main programs: signals end this process in good order from its first moment, and so does the disappearance of
 * whoever started it (npm killed by SIGKILL tells nobody).
 */
export function endOnSignals() {
  armSignals();
  // A reader that went away (`npm test | head`) must not turn the clean-up into a crash.
  process.stdout.on("error", () => {});
  process.stderr.on("error", () => {});
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) void endProcess(128 + constants.signals.SIGHUP);
  }, 1000).unref();
}

process.once("exit", () => {
  for (const group of living) if (group.child.pid !== undefined) signalGroup(group.child, "SIGKILL");
  // Whoever leaves without endProcess still gets those clean-ups that need no waiting.
  for (const cleanup of cleanups) {
    try {
      void cleanup();
    } catch {
      // Best effort on the way out.
    }
  }
});

export const repositoryRoot = fileURLToPath(new URL("../..", import.meta.url)).replace(/[\\/]$/, "");
