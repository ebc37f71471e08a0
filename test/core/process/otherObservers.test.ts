import assert from "node:assert/strict";
import { createProcessInspector } from "../../../src/core/process/createProcessInspector.js";
import type { CommandRequest } from "../../../src/core/process/platformPort.js";
import { FakePlatform, linkTo } from "../../fakes/platform.js";

const bootSession = "0A1B2C3D-4E5F-4A6B-8C7D-0E1F2A3B4C5D";
const pids = Array.from({ length: 1000 }, (_, index) => index + 2);

/** Answers like ps for every pid of the command line that is in `running`, unless that exceeds the limit of the output. */
function darwin(running: ReadonlySet<number>, path = "/usr/local/bin/node"): FakePlatform {
  const platform = new FakePlatform();
  platform.platform = "darwin";
  for (const pid of running) platform.probes.set(pid, "ok");
  platform.command = (request) => {
    if (request.file === "/usr/sbin/sysctl") return { kind: "exited", status: 0, stdout: `${bootSession}\n` };
    if (request.file === "/sbin/mount") return { kind: "exited", status: 0, stdout: "/dev/disk3s1s1 on / (apfs, sealed, local, read-only, journaled)\n" };
    const asked = (request.args[1] ?? "").split(",").map(Number);
    const column = (pid: number): string => (asked.length > 1 ? `${pid} ` : "");
    const stdout = asked.filter((pid) => running.has(pid)).map((pid) => `${column(pid)}Fri Jan  2 03:04:05 2026     S    ${path}\n`).join("");
    if (stdout.length > request.maxBytes) return { kind: "failed", code: "overflow" };
    return { kind: "exited", status: stdout === "" ? 1 : 0, stdout };
  };
  return platform;
}

const commandsNamed = (platform: FakePlatform, name: string): readonly CommandRequest[] => platform.commands.filter(({ file }) => file.endsWith(name));

describe("macOS observer", () => {
  it("starts one ps for all processes of a refresh and asks the boot session once in its life", async () => {
    const platform = darwin(new Set(pids.slice(0, 500)));
    const observer = createProcessInspector({ port: platform });
    for (let refresh = 0; refresh < 2; refresh++) {
      const answers = await Promise.all(pids.map((pid) => observer.inspect(pid)));
      assert.equal(answers.filter(({ kind }) => kind === "live").length, 500);
      assert.equal(answers.filter(({ kind }) => kind === "absent").length, 500);
      observer.forget();
    }
    assert.equal(commandsNamed(platform, "/bin/ps").length, 2);
    assert.equal(commandsNamed(platform, "sysctl").length, 1);
  });

  it("starts no ps when the kernel denies every process", async () => {
    const platform = darwin(new Set());
    await Promise.all(pids.map((pid) => createProcessInspector({ port: platform }).inspect(pid)));
    assert.deepEqual(platform.commands, []);
  });

  it("halves the question when the answer is too large, and still answers everyone", async () => {
    const platform = darwin(new Set(pids), `/Applications/${"x".repeat(100)}`);
    const observer = createProcessInspector({ port: platform });
    const answers = await Promise.all(pids.map((pid) => observer.inspect(pid)));
    assert.ok(answers.every(({ kind }) => kind === "live"));
    assert.ok(commandsNamed(platform, "/bin/ps").length <= 7);
  });

  it("says absent of a process that ends between probe and ps, and unknown of one that ps does not show", async () => {
    const platform = darwin(new Set());
    platform.probes.set(50, "ok").set(51, "ok");
    platform.beforeAccess = (access) => {
      if (access === "execute /bin/ps") platform.probes.set(50, "ESRCH");
    };
    const observer = createProcessInspector({ port: platform });
    assert.deepEqual(await Promise.all([observer.inspect(50), observer.inspect(51)]), [
      { kind: "absent", why: "no-such-process" },
      { kind: "unknown", diagnostic: "ps_no_row" },
    ]);
  });

  it("gives the start as an instant without the owner's zone, and the place without a pid namespace", async () => {
    const platform = darwin(new Set([50]));
    platform.files.set("/etc/localtime", linkTo("/var/db/timezone/zoneinfo/Asia/Tokyo"));
    const observer = createProcessInspector({ port: platform });
    assert.deepEqual(await observer.startInstant(50), { epochSeconds: 1_767_323_045, ownerTimeZone: null, environmentReadable: false, systemTimeZone: "Asia/Tokyo" });
    assert.deepEqual(await observer.environment("/Users/dev", 50), { localFilesystem: true, pidNamespace: "not_applicable", exclusiveToThisNamespace: false, nsPidMatch: false });
    assert.equal((await observer.whoHasOpen({ device: "1", inode: "2" })).kind, "unknown");
  });

  it("does not call a directory local when mount fails or the path cannot be resolved", async () => {
    const platform = darwin(new Set());
    platform.command = () => ({ kind: "failed", code: "timeout" });
    assert.equal((await createProcessInspector({ port: platform }).environment("/Users/dev", 1)).localFilesystem, false);
  });

  it("is current() exactly as it inspects itself", async () => {
    const platform = darwin(new Set([999_999]));
    const observer = createProcessInspector({ port: platform });
    const current = await observer.current();
    assert.deepEqual(await observer.inspect(platform.ownPid), { kind: "live", identity: current });
    assert.equal(current.executable, platform.execPath);
  });
});

/** Answers like the script for every pid in `running`. */
function windows(running: ReadonlySet<number>): FakePlatform {
  const platform = new FakePlatform();
  platform.platform = "win32";
  platform.variables.set("SystemRoot", "D:\\Windows");
  for (const pid of running) platform.probes.set(pid, "ok");
  platform.command = (request) => {
    if (request.file.endsWith("reg.exe")) return { kind: "exited", status: 0, stdout: "    BootId    REG_DWORD    0x11\r\n" };
    const asked = /\$wanted=@\{\};([\d,]+)/.exec(request.args.at(-1) ?? "")?.[1]?.split(",").map(Number) ?? [];
    const stdout = asked.filter((pid) => running.has(pid)).map((pid) => `{"p":${pid},"c":"133801234567890000","e":"C:\\\\x.exe"}\r\n`).join("");
    return stdout === "" ? { kind: "exited", status: 3, stdout } : { kind: "exited", status: 0, stdout };
  };
  return platform;
}

describe("Windows observer", () => {
  it("starts one PowerShell for all processes of a refresh, by the path of the system's root", async () => {
    const platform = windows(new Set(pids.slice(0, 400)));
    const observer = createProcessInspector({ port: platform });
    const answers = await Promise.all(pids.map((pid) => observer.inspect(pid)));
    assert.equal(answers.filter(({ kind }) => kind === "live").length, 400);
    assert.equal(answers.filter(({ kind }) => kind === "absent").length, 600);
    assert.deepEqual(commandsNamed(platform, "powershell.exe").map(({ file }) => file), ["D:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe"]);
  });

  it("does not take a system root that is no drive path", async () => {
    const platform = windows(new Set());
    platform.variables.set("SystemRoot", "\\\\evil\\share");
    await createProcessInspector({ port: platform }).inspect(50);
    assert.ok(platform.commands.every(({ file }) => file.startsWith("C:\\Windows\\")));
  });

  it("says absent only when CIM and kernel agree", async () => {
    const platform = windows(new Set([50]));
    platform.probes.set(50, "ESRCH").set(51, "EPERM").set(52, "EINVAL");
    const observer = createProcessInspector({ port: platform });
    assert.deepEqual(await Promise.all([50, 51, 52, 53].map((pid) => observer.inspect(pid))), [
      { kind: "unknown", diagnostic: "cim_and_kill_disagree" },
      { kind: "unknown", diagnostic: "cim_and_kill_disagree" },
      { kind: "unknown", diagnostic: "kill_EINVAL" },
      { kind: "absent", why: "no-such-process" },
    ]);
  });

  it("turns the creation time into an instant and takes a share for not local", async () => {
    const platform = windows(new Set([50]));
    platform.realPaths.set("Z:\\work", "\\\\server\\share\\work");
    const observer = createProcessInspector({ port: platform });
    assert.equal((await observer.startInstant(50))?.epochSeconds, 1_735_649_856);
    assert.equal((await observer.environment("Z:\\work", 50)).localFilesystem, false);
    assert.equal((await observer.environment("C:\\work", 50)).localFilesystem, true);
  });
});

describe("observer of any other platform", () => {
  it("believes the kernel's denial and nothing else", async () => {
    const platform = new FakePlatform();
    platform.platform = "freebsd";
    platform.probes.set(50, "ok");
    const observer = createProcessInspector({ port: platform });
    assert.deepEqual(await observer.inspect(50), { kind: "unknown", diagnostic: "platform_not_supported" });
    assert.deepEqual(await observer.inspect(51), { kind: "absent", why: "no-such-process" });
    assert.deepEqual(await observer.inspect(0), { kind: "unknown", diagnostic: "pid_out_of_range" });
    assert.equal(await observer.startInstant(50), null);
    assert.equal((await observer.environment("/", 50)).pidNamespace, "unknown");
  });
});
