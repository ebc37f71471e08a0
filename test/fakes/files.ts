// Owns: a FilePort around another one that records calls, injects faults before or after the n-th call, makes short reads and
// writes, stops at a gate between steps, and can die like a killed process. A read-only spy for "inspection never writes".
// Leaves to others: what a test asserts.
import type { FilePort, FileStat, OpenFile, ReadPort } from "../../src/core/storage/filePort.js";

/** Port members, and those of an open file with the prefix `file.`. */
export type Operation = Exclude<keyof FilePort, symbol> | `file.${keyof OpenFile}`;

export const mutatingOperations: readonly Operation[] = [
  "createExclusive", "link", "rename", "unlink", "mkdir", "rmdir", "syncDirectory", "file.write", "file.sync", "file.close",
];

export interface Call {
  readonly operation: Operation;
  /** Path, or `from` of a two-name step, or the path under which an open file was opened. */
  readonly path: string;
  readonly to: string | null;
  /** Counts all calls from 0. */
  readonly index: number;
}

export interface Fault {
  /** Default: any operation. */
  readonly operation?: Operation;
  /** Only calls that this accepts count. */
  readonly where?: (call: Call) => boolean;
  /** The how-manieth matching call, from 0. */
  readonly at: number;
  /** An errno, or "crash": this and every later call throw `Crash`, as for a process that is no more. */
  readonly code: string;
  /** Default "before": the step is not done. "after": it is done, and still answers with the error. */
  readonly when?: "before" | "after";
  /** Default false: only that one call; true: that call and all matching ones after it. */
  readonly forGood?: boolean;
}

/** What a killed process "throws". No errno: code that cleans up after kernel answers must let it pass. */
export class Crash extends Error {
  override readonly name = "Crash";
}

export function errnoError(code: string, operation: string, path: string): NodeJS.ErrnoException {
  // As from the kernel: without a stack, which would cost more than the whole step.
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  const error = Object.assign(new Error(`${code}: injected, ${operation} '${path}'`), { code, syscall: operation, path });
  Error.stackTraceLimit = limit;
  return error;
}

export interface FakeFilesOptions {
  readonly faults?: readonly Fault[];
  /** Most bytes that one read gives / one write takes. */
  readonly shortRead?: number;
  readonly shortWrite?: number;
  /** Runs before each step (its call is given); awaiting here is a gate. */
  readonly before?: (call: Call) => Promise<void> | void;
  readonly after?: (call: Call) => Promise<void> | void;
}

export interface FakeFiles {
  readonly port: FilePort;
  readonly calls: readonly Call[];
  /** How often an injected fault was hit. */
  readonly faultsHit: () => number;
  /** Open files that were never closed (a crash closes all). */
  readonly openFiles: () => readonly string[];
  /** Opens or closes the faults: false lets every call through again. */
  arm(isArmed: boolean): void;
}

/** Wraps `inner` (usually nodeFilePort on a temporary directory). */
export function fakeFiles(inner: FilePort, options: FakeFilesOptions = {}): FakeFiles {
  const calls: Call[] = [];
  const counts = new Map<Fault, number>();
  const open = new Map<OpenFile, string>();
  let isDead = false;
  let isArmed = true;
  let hits = 0;

  const faultFor = (call: Call): Fault | null => {
    if (!isArmed) return null;
    let found: Fault | null = null;
    for (const fault of options.faults ?? []) {
      if (fault.operation !== undefined && fault.operation !== call.operation) continue;
      if (fault.where !== undefined && !fault.where(call)) continue;
      const count = counts.get(fault) ?? 0;
      counts.set(fault, count + 1);
      if (count === fault.at || (fault.forGood === true && count > fault.at)) found ??= fault;
    }
    return found;
  };

  const errorOf = (fault: Fault, call: Call): Error => {
    if (fault.code !== "crash") return errnoError(fault.code, call.operation, call.path);
    isDead = true;
    return new Crash(`killed at ${call.operation} ${call.path}`);
  };

  const step = async <T>(operation: Operation, path: string, to: string | null, run: () => Promise<T>, undo?: (result: T) => Promise<void>): Promise<T> => {
    if (isDead) throw new Crash("the process is gone");
    const call: Call = { operation, path, to, index: calls.length };
    calls.push(call);
    const fault = faultFor(call);
    await options.before?.(call);
    if (fault !== null) hits += 1;
    if (fault !== null && fault.when !== "after") throw errorOf(fault, call);
    if (fault !== null) {
      // Also a step that fails by itself answers with the fault. The caller never gets the result, so what it holds (a
      // descriptor) is given back here.
      const result = await run().then((value) => ({ value }), () => null);
      if (result !== null) await undo?.(result.value);
      throw errorOf(fault, call);
    }
    const result = await run();
    await options.after?.(call);
    return result;
  };

  const wrapOpen = (file: OpenFile, path: string): OpenFile => {
    const wrapped: OpenFile = {
      stat: () => step("file.stat", path, null, () => file.stat()),
      read: (position, length) => step("file.read", path, null, () => file.read(position, Math.min(length, options.shortRead ?? length))),
      write: (bytes, position) => step("file.write", path, null, () => file.write(bytes.subarray(0, options.shortWrite ?? bytes.byteLength), position)),
      sync: () => step("file.sync", path, null, () => file.sync()),
      close: async () => {
        // A descriptor is free after close(2) whatever it answers.
        if (open.delete(wrapped)) await file.close();
        await step("file.close", path, null, () => Promise.resolve());
      },
    };
    open.set(wrapped, path);
    return wrapped;
  };

  const port: FilePort = {
    lstat: (path) => step("lstat", path, null, () => inner.lstat(path)),
    openRead: async (path) => wrapOpen(await step("openRead", path, null, () => inner.openRead(path), (file) => file.close()), path),
    readdir: (path) => step("readdir", path, null, () => inner.readdir(path)),
    readlink: (path) => step("readlink", path, null, () => inner.readlink(path)),
    realpath: (path) => step("realpath", path, null, () => inner.realpath(path)),
    createExclusive: async (path, mode) =>
      wrapOpen(await step("createExclusive", path, null, () => inner.createExclusive(path, mode), (file) => file.close()), path),
    link: (from, to) => step("link", from, to, () => inner.link(from, to)),
    rename: (from, to) => step("rename", from, to, () => inner.rename(from, to)),
    unlink: (path) => step("unlink", path, null, () => inner.unlink(path)),
    mkdir: (path, mode) => step("mkdir", path, null, () => inner.mkdir(path, mode)),
    rmdir: (path) => step("rmdir", path, null, () => inner.rmdir(path)),
    syncDirectory: (path) => step("syncDirectory", path, null, () => inner.syncDirectory(path)),
  };

  return {
    port,
    calls,
    faultsHit: () => hits,
    openFiles: () => [...open.values()],
    arm: (value) => (isArmed = value),
  };
}

/** A port for inspection under test: reading works, the first attempt to change anything throws (no errno: nothing may swallow it). */
export function readOnlySpy(inner: ReadPort): { readonly port: FilePort; readonly attempts: readonly string[] } {
  const attempts: string[] = [];
  const refuse = (operation: string) => (path: string): Promise<never> => {
    attempts.push(`${operation} ${path}`);
    return Promise.reject(new Error(`inspection tried to write: ${operation} ${path}`));
  };
  const wrapOpen = (file: OpenFile, path: string): OpenFile => ({
    stat: (): Promise<FileStat> => file.stat(),
    read: (position, length) => file.read(position, length),
    close: () => file.close(),
    write: () => refuse("write")(path),
    sync: () => refuse("sync")(path),
  });
  return {
    attempts,
    port: {
      lstat: (path) => inner.lstat(path),
      openRead: async (path) => wrapOpen(await inner.openRead(path), path),
      readdir: (path) => inner.readdir(path),
      readlink: (path) => inner.readlink(path),
      realpath: (path) => inner.realpath(path),
      createExclusive: refuse("createExclusive"),
      link: refuse("link"),
      rename: refuse("rename"),
      unlink: refuse("unlink"),
      mkdir: refuse("mkdir"),
      rmdir: refuse("rmdir"),
      syncDirectory: refuse("syncDirectory"),
    },
  };
}
