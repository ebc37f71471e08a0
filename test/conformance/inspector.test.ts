import assert from "node:assert/strict";
import { createProcessInspector } from "../../src/core/process/createProcessInspector.js";
import type { CommandRequest, CommandResult } from "../../src/core/process/platformPort.js";
import type { ProcessIdentity, ProcessInspection } from "../../src/core/process/processInspector.js";
import { FakePlatform, type VirtualEntry } from "../fakes/platform.js";
import { consumeVectors, type VectorCase } from "./vectors.js";

type Expected = { kind: "live"; identity: ProcessIdentity } | { kind: "absent"; why?: string } | { kind: "unknown"; diagnostic: string };

interface InspectorCase extends VectorCase {
  readonly pid: number;
  readonly kill_0: string;
  readonly hostname: string;
  readonly expected: Expected;
}

interface LinuxCase extends InspectorCase {
  readonly virtual_fs: Readonly<Record<string, VirtualEntry>>;
  readonly boot_id: string | null;
}

/** What a command said, or why it said nothing. */
type Said = { readonly status: number; readonly stdout: string } | { readonly error: string };

interface OtherCase extends InspectorCase {
  readonly platform: "darwin" | "win32";
  readonly ps?: Said;
  readonly cim?: Said;
  readonly boot: string | number | null;
}

function platformOf(vector: InspectorCase): FakePlatform {
  const platform = new FakePlatform();
  platform.hostname = vector.hostname;
  platform.defaultProbe = vector.kill_0;
  return platform;
}

/** The vectors do not say why a process is absent: without such a member that of ours is left out. */
function comparable(actual: ProcessInspection, expected: Expected): unknown {
  if (actual.kind === "absent" && expected.kind === "absent" && expected.why === undefined) return { kind: "absent" };
  return actual;
}

async function check(platform: FakePlatform, vector: InspectorCase): Promise<void> {
  const actual = await createProcessInspector({ port: platform }).inspect(vector.pid);
  assert.deepEqual(comparable(actual, vector.expected), vector.expected);
}

function resultOf(said: Said | undefined): CommandResult {
  if (said === undefined) return { kind: "failed", code: "ENOENT" };
  return "error" in said ? { kind: "failed", code: said.error } : { kind: "exited", ...said };
}

function bootResult(request: CommandRequest, boot: string | number | null): CommandResult {
  if (boot === null) return { kind: "exited", status: 1, stdout: "" };
  if (typeof boot === "string") return { kind: "exited", status: 0, stdout: `${boot}\n` };
  return { kind: "exited", status: 0, stdout: `\r\n${request.args[1] ?? ""}\r\n    BootId    REG_DWORD    0x${boot.toString(16)}\r\n\r\n` };
}

describe("vectors pi-amq/inspector-linux.json", () => {
  for (const vector of consumeVectors<LinuxCase>("pi-amq/inspector-linux.json").cases) {
    it(`${vector.category}: ${vector.name}`, async () => {
      const platform = platformOf(vector);
      for (const [path, entry] of Object.entries(vector.virtual_fs)) platform.files.set(path, entry);
      if (vector.boot_id !== null) platform.files.set("/proc/sys/kernel/random/boot_id", `${vector.boot_id}\n`);
      await check(platform, vector);
      assert.deepEqual(platform.commands, []);
      if (vector.pid < 1 || vector.pid > 2 ** 31 - 1) assert.ok(!platform.accesses.some((access) => access.startsWith("probe")));
    });
  }
});

describe("vectors pi-amq/inspector-other.json", () => {
  for (const vector of consumeVectors<OtherCase>("pi-amq/inspector-other.json").cases) {
    it(`${vector.category}: ${vector.name}`, async () => {
      const platform = platformOf(vector);
      platform.platform = vector.platform;
      platform.command = (request) => (/ps$|powershell\.exe$/.test(request.file) ? resultOf(vector.ps ?? vector.cim) : bootResult(request, vector.boot));
      await check(platform, vector);
      assert.ok(platform.commands.every(({ file }) => file.startsWith("/") || /^[A-Z]:\\/.test(file)));
      assert.ok(platform.commands.every((request) => request.timeoutMs === 3000 && request.maxBytes === 65_536));
      assert.ok(platform.commands.every(({ environment }) => environment["LC_ALL"] === "C" && environment["TZ"] === "UTC"));
    });
  }
});
