import assert from "node:assert/strict";
import { createProcessInspector } from "../../../src/core/process/createProcessInspector.js";
import type { ObservationEnvironment } from "../../../src/core/process/processInspector.js";
import { FakePlatform, linkTo } from "../../fakes/platform.js";

const directory = "/home/dev/work";
const nested = "pid:[4026532201]";

function platformWith(more: { readonly namespace?: string; readonly type?: number; readonly device?: bigint } = {}): FakePlatform {
  const { namespace = "pid:[4026531836]", type = 0xef53, device = 1n } = more;
  const platform = new FakePlatform();
  platform.files.set("/proc/self/ns/pid", linkTo(namespace));
  platform.devices.set(directory, device);
  platform.filesystemTypes.set(directory, type);
  return platform;
}

function environment(platform: FakePlatform, pid = 4242): Promise<ObservationEnvironment> {
  return createProcessInspector({ port: platform }).environment(directory, pid);
}

describe("environment on Linux", () => {
  it("is local, in the initial namespace", async () => {
    assert.deepEqual(await environment(platformWith()), { localFilesystem: true, pidNamespace: "initial", exclusiveToThisNamespace: false, nsPidMatch: false });
  });

  it("is not local on a network, on an unknown type, and where the kernel does not tell", async () => {
    for (const type of [0x6969, 0x01021997, 0x65735546, 0x12345]) assert.equal((await environment(platformWith({ type }))).localFilesystem, false);
    for (const table of ["devices", "filesystemTypes"] as const) {
      const platform = platformWith();
      platform[table].delete(directory);
      assert.equal((await environment(platform)).localFilesystem, false);
    }
  });

  it("does not depend on the fate of another directory of the same disk", async () => {
    const platform = platformWith();
    platform.devices.set("/home/dev/gone", 1n);
    const observer = createProcessInspector({ port: platform });
    const [here, gone] = await Promise.all([observer.environment(directory, 2), observer.environment("/home/dev/gone", 2)]);
    assert.deepEqual([here.localFilesystem, gone.localFilesystem], [true, false]);
  });

  it("is exclusive to a nested namespace on the device of its root only", async () => {
    const own = await environment(platformWith({ namespace: nested }));
    assert.deepEqual([own.pidNamespace, own.exclusiveToThisNamespace], ["nested", true]);
    const shared = await environment(platformWith({ namespace: nested, device: 2n }));
    assert.deepEqual([shared.pidNamespace, shared.exclusiveToThisNamespace], ["nested", false]);
    assert.equal((await environment(platformWith({ namespace: "pid:[4026531836]" }))).exclusiveToThisNamespace, false);
  });

  it("finds a pid that lives in a child namespace, by its innermost number", async () => {
    const platform = platformWith().addProcess(900, { nsPids: [900, 50, 7] });
    assert.equal((await environment(platform, 7)).nsPidMatch, true);
    assert.equal((await environment(platform, 50)).nsPidMatch, false);
    assert.equal((await environment(platform, 900)).nsPidMatch, false);
  });

  it("looks at the processes of the machine once for 1,000 owners, and never where nothing follows from it", async () => {
    const platform = platformWith().addProcess(900, { nsPids: [900, 7] });
    const observer = createProcessInspector({ port: platform });
    await Promise.all(Array.from({ length: 1000 }, (_, index) => observer.environment(directory, index + 2)));
    assert.equal(platform.accesses.filter((access) => access === "readText /proc/900/status").length, 1);
    assert.equal(platform.accesses.filter((access) => access.startsWith("filesystemType")).length, 1);
    const shared = platformWith({ namespace: nested, device: 2n }).addProcess(900);
    await environment(shared);
    assert.ok(!shared.accesses.includes("list /proc"));
  });

  it("is of an unknown namespace where /proc hides processes, cannot be listed, or is another namespace's", async () => {
    const changes: readonly ((platform: FakePlatform) => void)[] = [
      (platform) => platform.files.delete("/proc/1/status"),
      (platform) => platform.files.set("/proc/1/status", { error: "EPERM" }),
      (platform) => platform.addProcess(900).files.set("/proc/900/status", { error: "EACCES" }),
      (platform) => platform.files.set("/proc", { error: "EACCES" }),
      (platform) => platform.files.set("/proc/self", linkTo("5")),
      (platform) => platform.files.delete("/proc/self/ns/pid"),
      (platform) => platform.files.set("/proc/self/ns/pid", linkTo("pid:x")),
    ];
    for (const [index, change] of changes.entries()) {
      const platform = platformWith();
      change(platform);
      assert.equal((await environment(platform)).pidNamespace, "unknown", `change ${index}`);
    }
  });

  it("does not mind a process that ends while all are looked at", async () => {
    const platform = platformWith().addProcess(900);
    platform.files.delete("/proc/900/status");
    assert.equal((await environment(platform)).pidNamespace, "initial");
  });
});

const file = { device: "8", inode: "77" };

/** A process with open descriptors: number to path, and the file behind it. */
function addOpen(platform: FakePlatform, pid: number, descriptors: Readonly<Record<string, { readonly link: string; readonly device?: bigint; readonly inode?: bigint; readonly info?: string }>>, uid = 1000): FakePlatform {
  platform.addProcess(pid, { uid });
  platform.files.set(`/proc/${pid}/fd`, { list: Object.keys(descriptors) });
  for (const [number, { link, device = 8n, inode = 5n, info = `mnt_id:\t24\nino:\t${inode}\n` }] of Object.entries(descriptors)) {
    platform.files.set(`/proc/${pid}/fd/${number}`, linkTo(link));
    platform.files.set(`/proc/${pid}/fdinfo/${number}`, info);
    platform.fileKeys.set(`/proc/${pid}/fd/${number}`, { device, inode });
  }
  return platform;
}

function openPlatform(): FakePlatform {
  const platform = new FakePlatform();
  platform.files.set("/proc/1/fd", { list: [] });
  platform.files.set("/proc/self/status", "Uid:\t1000\t1000\t1000\t1000\n");
  return platform;
}

const whoHasOpen = (platform: FakePlatform) => createProcessInspector({ port: platform }).whoHasOpen(file);

describe("who has a file open on Linux", () => {
  it("is everyone with a descriptor of that device and inode, whatever its name", async () => {
    const platform = openPlatform();
    addOpen(platform, 50, { "0": { link: "/dev/null" }, "3": { link: "/home/dev/x (deleted)", inode: 77n } });
    addOpen(platform, 51, { "9": { link: "/elsewhere", inode: 77n } });
    addOpen(platform, 52, { "9": { link: "/other-disk", inode: 77n, device: 9n } });
    assert.deepEqual(await whoHasOpen(platform), { kind: "open", pids: [50, 51] });
  });

  it("is nobody when every descriptor of every process was seen", async () => {
    assert.deepEqual(await whoHasOpen(addOpen(openPlatform(), 50, { "0": { link: "/dev/null" } })), { kind: "not-open" });
  });

  it("never asks a file system about a file whose inode is another, so that a dead server cannot block the editor", async () => {
    const platform = addOpen(openPlatform(), 50, { "3": { link: "/nfs/x" }, "4": { link: "socket:[77]", inode: 77n }, "5": { link: "/old-kernel", inode: 77n, info: "pos:\t0\n" } });
    assert.deepEqual(await whoHasOpen(platform), { kind: "open", pids: [50] });
    assert.deepEqual(platform.accesses.filter((access) => access.startsWith("fileKey")), ["fileKey /proc/50/fd/5"]);
  });

  it("asks about every file on an overlay, where the kernel's inode may be another one's", async () => {
    const platform = addOpen(openPlatform(), 50, { "3": { link: "/x", inode: 77n, info: "mnt_id:\t24\nino:\t5\n" } });
    platform.files.set("/proc/self/mountinfo", "24 1 0:22 / / rw - overlay overlay rw\n");
    assert.deepEqual(await whoHasOpen(platform), { kind: "open", pids: [50] });
  });

  it("is unknown when some process could not be looked into, and says whether it was one of ours", async () => {
    const refuse = (uid: number): FakePlatform => {
      const platform = openPlatform().addProcess(60, { uid });
      platform.files.set("/proc/60/fd", { error: "EACCES" });
      return platform;
    };
    assert.deepEqual(await whoHasOpen(refuse(0)), { kind: "unknown", diagnostic: "fd_unreadable_of_other_users" });
    assert.deepEqual(await whoHasOpen(refuse(1000)), { kind: "unknown", diagnostic: "fd_unreadable" });
    assert.deepEqual(await whoHasOpen(addOpen(refuse(0), 50, { "3": { link: "/x", inode: 77n } })), { kind: "open", pids: [50] });
    const link = addOpen(openPlatform(), 60, { "3": { link: "/x" } }, 0);
    link.files.set("/proc/60/fd/3", { error: "EACCES" });
    assert.deepEqual(await whoHasOpen(link), { kind: "unknown", diagnostic: "fd_unreadable_of_other_users" });
  });

  it("is not put in doubt by the machine's init, kernel threads, the dead, or what closes meanwhile", async () => {
    const platform = openPlatform();
    platform.files.set("/proc/1/fd", { error: "EACCES" });
    platform.addProcess(2, { flags: 0x00200040, uid: 0 }).files.set("/proc/2/fd", { error: "EACCES" });
    platform.addProcess(70, { state: "Z" }).files.set("/proc/70/fd", { error: "EACCES" });
    platform.addProcess(71); // ends before its descriptors are listed
    addOpen(platform, 72, { "3": { link: "/x" } }).files.delete("/proc/72/fd/3");
    assert.deepEqual(await whoHasOpen(platform), { kind: "not-open" });
  });

  it("is unknown when a dead leader leaves threads that may hold it", async () => {
    const platform = openPlatform().addProcess(70, { state: "Z", tasks: ["70", "71"] });
    platform.files.set("/proc/70/fd", { error: "EACCES" });
    assert.deepEqual(await whoHasOpen(platform), { kind: "unknown", diagnostic: "fd_unreadable" });
  });

  it("is unknown where processes are hidden, and in a container unless the file lies on its own disk", async () => {
    const hidden = openPlatform();
    hidden.files.set("/proc", { list: ["50"] });
    assert.deepEqual(await whoHasOpen(hidden), { kind: "unknown", diagnostic: "proc_hides_processes" });
    const container = openPlatform();
    container.files.set("/proc/self/ns/pid", linkTo(nested));
    assert.deepEqual(await whoHasOpen(container), { kind: "unknown", diagnostic: "pid_namespace_nested" });
    container.devices.set("/", 8n);
    assert.deepEqual(await whoHasOpen(container), { kind: "not-open" });
  });

  it("is found in one pass for all files that are asked about together", async () => {
    const platform = addOpen(openPlatform(), 50, { "3": { link: "/x", inode: 77n } });
    const observer = createProcessInspector({ port: platform });
    const answers = await Promise.all([77, 78, 79].map((inode) => observer.whoHasOpen({ device: "8", inode: String(inode) })));
    assert.deepEqual(answers.map(({ kind }) => kind), ["open", "not-open", "not-open"]);
    assert.equal(platform.accesses.filter((access) => access === "list /proc/50/fd").length, 1);
  });
});
