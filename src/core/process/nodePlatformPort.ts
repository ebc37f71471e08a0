// Owns: the real platform behind PlatformPort.
// Leaves to others: everything that judges its answers.
import { execFile } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import type { CommandRequest, CommandResult, PlatformPort } from "./platformPort.js";
import { errnoOf } from "./platformPort.js";

/** Taken once: records of this process carry it, and they must agree for the life of the process. */
const hostnameAtStart = os.hostname() || "localhost";

// One buffer for all: the reads are synchronous, so no two of them overlap.
let buffer = Buffer.allocUnsafe(16_384);

/** Not readFileSync: files of /proc have size 0, and two calls of the kernel less each make 1,000 owners a third cheaper. */
function readText(path: string, maxBytes: number): string {
  const descriptor = fs.openSync(path, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK);
  try {
    let length = 0;
    for (;;) {
      if (length === buffer.length) buffer = Buffer.concat([buffer, Buffer.allocUnsafe(buffer.length)]);
      const count = fs.readSync(descriptor, buffer, length, buffer.length - length, null);
      if (count === 0) return buffer.toString("latin1", 0, length);
      length += count;
      if (length > maxBytes) throw Object.assign(new Error(`${path} is larger than ${maxBytes} bytes`), { code: "EFBIG" });
    }
  } finally {
    fs.closeSync(descriptor);
  }
}

function probe(pid: number): string {
  // An absent pid is an everyday answer: the stack of its exception would cost several times the call, a thousand times a scan.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    process.kill(pid, 0);
    return "ok";
  } catch (error) {
    return errnoOf(error);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function execute(request: CommandRequest): Promise<CommandResult> {
  return new Promise((resolve) => {
    const options = {
      env: { ...request.environment },
      timeout: request.timeoutMs,
      maxBuffer: request.maxBytes,
      killSignal: "SIGKILL",
      encoding: "utf8",
      windowsHide: true,
      shell: false,
    } as const;
    execFile(request.file, request.args, options, (error, stdout) => {
      if (error === null) resolve({ kind: "exited", status: 0, stdout });
      else if (error.code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER") resolve({ kind: "failed", code: "overflow" });
      else if (typeof error.code === "string") resolve({ kind: "failed", code: error.code });
      else if (typeof error.code === "number") resolve({ kind: "exited", status: error.code, stdout });
      // No code and no status: it was killed, by our own time limit or by somebody else.
      else resolve({ kind: "failed", code: error.killed === true ? "timeout" : "signal" });
    });
  });
}

export const nodePlatformPort: PlatformPort = {
  platform: process.platform,
  ownPid: process.pid,
  execPath: process.execPath,
  hostname: hostnameAtStart,
  variable: (name) => process.env[name],
  probe,
  readText,
  readLink: (path) => fs.readlinkSync(path),
  list: (path) => fs.readdirSync(path),
  fileKey: (path) => {
    const { dev, ino } = fs.statSync(path, { bigint: true });
    return { device: dev, inode: ino };
  },
  deviceOf: async (path) => (await fs.promises.stat(path, { bigint: true })).dev,
  filesystemType: async (path) => (await fs.promises.statfs(path)).type,
  // The native form also resolves a mapped drive of Windows to the share that it stands for.
  realPath: (path) =>
    new Promise((resolve, reject) => {
      fs.realpath.native(path, (error, resolved) => {
        if (error === null) resolve(resolved);
        else reject(error);
      });
    }),
  execute,
};
