import assert from "node:assert/strict";
import { cimArguments, readBootId, readCim } from "../../../src/core/process/cimTable.js";
import { isLocalDarwinPath, isLocalLinuxType, isLocalWindowsPath } from "../../../src/core/process/filesystemTypes.js";
import { isRepresentablePid } from "../../../src/core/process/pid.js";
import { psArguments, readPs } from "../../../src/core/process/psTable.js";

const exited = (stdout: string, status = 0) => ({ kind: "exited", status, stdout }) as const;
const row = (pid: number | "", path = "/usr/local/bin/node", state = "S"): string => `${pid} Fri Jan  2 03:04:05 2026     ${state}    ${path}\n`;

describe("ps for many processes", () => {
  it("is asked for each column by an option of its own, with the pid when there are several", () => {
    assert.deepEqual(psArguments([7]), ["-p", "7", "-o", "lstart=", "-o", "stat=", "-o", "comm="]);
    assert.deepEqual(psArguments([7, 8]), ["-p", "7,8", "-o", "pid=", "-o", "lstart=", "-o", "stat=", "-o", "comm="]);
  });

  it("gives every pid its own row, and those without one as gone", () => {
    const answers = readPs([7, 8, 9], exited(`    ${row(7)}    ${row(9, "node", "Z+")}`));
    assert.deepEqual(answers.get(7), { kind: "row", startSeconds: 1_767_323_045, isZombie: false, executable: "/usr/local/bin/node" });
    assert.deepEqual(answers.get(8), { kind: "gone" });
    assert.deepEqual(answers.get(9), { kind: "row", startSeconds: 1_767_323_045, isZombie: true, executable: null });
  });

  it("says nothing of a pid without a row when some row could not be read, was twice there, or was not asked for", () => {
    const failed = { kind: "failed", diagnostic: "ps_unparsable" };
    assert.deepEqual(readPs([7, 8], exited(`${row(7)}garbage\n`)).get(8), failed);
    assert.deepEqual(readPs([7, 8], exited(row(7) + row(6))).get(8), failed);
    assert.deepEqual(readPs([7, 8], exited(row(7) + row(7) + row(8))).get(7), failed);
    assert.equal(readPs([7, 8], exited(`${row(7)}garbage\n`)).get(7)?.kind, "row");
  });

  it("knows nothing after any other status or a status with rows", () => {
    assert.deepEqual(readPs([7, 8], exited("", 1)).get(7), { kind: "gone" });
    assert.deepEqual(readPs([7, 8], exited(row(7), 1)).get(7), { kind: "failed", diagnostic: "ps_failed" });
    assert.deepEqual(readPs([7], exited("", 2)).get(7), { kind: "failed", diagnostic: "ps_failed" });
    assert.deepEqual(readPs([7, 8], { kind: "failed", code: "timeout" }).get(8), { kind: "failed", diagnostic: "ps_timeout" });
  });
});

describe("CIM for many processes", () => {
  const json = (pid: number, created: unknown = "133801234567890000", executable: unknown = "C:\\x.exe"): string => `${JSON.stringify({ p: pid, c: created, e: executable })}\r\n`;

  it("is one script without double quotes, filtered for a few and listing all for many", () => {
    const few = cimArguments([7, 8]).at(-1) ?? "";
    assert.ok(few.includes("-Filter 'ProcessId=7 OR ProcessId=8'"), few);
    const many = cimArguments(Array.from({ length: 1000 }, (_, index) => index + 1)).at(-1) ?? "";
    assert.ok(!many.includes("-Filter") && many.includes("998,999,1000"));
    for (const script of [few, many]) assert.ok(!script.includes('"') && script.length < 30_000);
  });

  it("gives every pid its own line, and those without one as gone", () => {
    const answers = readCim([7, 8], exited(json(7)));
    assert.deepEqual(answers.get(7), { kind: "row", created: "133801234567890000", executable: "C:\\x.exe" });
    assert.deepEqual(answers.get(8), { kind: "gone" });
    assert.deepEqual(readCim([7, 8], exited("", 3)).get(7), { kind: "gone" });
  });

  it("says nothing when the answer is not whole, not one of those asked for, or of another form", () => {
    const failed = { kind: "failed", diagnostic: "cim_unparsable" };
    for (const stdout of ["", "null\r\n", "[]\r\n", '{"p":"7","c":"1","e":null}\r\n', json(9), json(7) + json(7), '{"p":7,"c":"1"\r\n']) {
      assert.deepEqual(readCim([7], exited(stdout)).get(7), failed, stdout);
    }
    for (const created of [null, 133, "0", "-1", "1.5", "/Date(1)/", "12345678901234567890"]) assert.deepEqual(readCim([7], exited(json(7, created))).get(7), failed, String(created));
    assert.deepEqual(readCim([7, 8], exited(json(7) + json(9))).get(8), failed);
    assert.deepEqual(readCim([7], exited("x", 3)).get(7), { kind: "failed", diagnostic: "cim_failed" });
  });

  it("takes an executable only from a drive", () => {
    for (const path of [null, "\\\\srv\\x.exe", "x.exe", 5]) {
      const answer = readCim([7], exited(json(7, "1", path))).get(7);
      assert.deepEqual(answer, { kind: "row", created: "1", executable: null }, String(path));
    }
  });

  it("reads the boot counter of the registry as hexadecimal", () => {
    assert.equal(readBootId(exited("\r\nHKEY_LOCAL_MACHINE\\X\r\n    BootId    REG_DWORD    0x1f\r\n\r\n")), 31);
    for (const text of ["", "    BootId    REG_SZ    31\r\n", "    BootId    REG_DWORD    31\r\n"]) assert.equal(readBootId(exited(text)), null, text);
    assert.equal(readBootId(exited("    BootId    REG_DWORD    0x1f\r\n", 1)), null);
    assert.equal(readBootId({ kind: "failed", code: "ENOENT" }), null);
  });
});

describe("file systems", () => {
  it("of one machine are known by their number, also when it comes signed; all others are shared", () => {
    for (const type of [0xef53, 0x58465342, 0x9123683e, 0x9123683e | 0, 0x01021994, 0x794c7630, 0x2fc12fc1]) assert.ok(isLocalLinuxType(type), type.toString(16));
    const shared = { nfs: 0x6969, smb: 0x517b, smb2: 0xfe534d42, cifs: 0xff534d42, v9fs: 0x01021997, fuse: 0x65735546, vboxsf: 0x786f4256, ceph: 0x00c36400, gfs2: 0x01161970, ocfs2: 0x7461636f, afs: 0x5346414f, none: 0 };
    for (const [name, type] of Object.entries(shared)) assert.ok(!isLocalLinuxType(type), name);
  });

  it("of macOS are local when the innermost mount says so", () => {
    const mounts = [
      "/dev/disk3s1s1 on / (apfs, sealed, local, read-only, journaled)",
      "devfs on /dev (devfs, local, nobrowse)",
      "/dev/disk3s5 on /System/Volumes/Data (apfs, local, journaled, nobrowse, protect)",
      "//dev@server/share on /Volumes/Shared (smbfs, nodev, nosuid, mounted by dev)",
      "/dev/disk5s1 on /Volumes/Shared Disk (1) (apfs, local, nodev)",
      "server:/x on /Users/dev/nfs (nfs, nodev, nosuid)",
      "",
    ].join("\n");
    for (const path of ["/Users/dev/work", "/System/Volumes/Data/x", "/Volumes/Shared Disk (1)/x", "/Volumes/SharedOther"]) assert.ok(isLocalDarwinPath(mounts, path), path);
    for (const path of ["/Volumes/Shared", "/Volumes/Shared/x", "/Users/dev/nfs/y", "/dev/x"]) assert.ok(!isLocalDarwinPath(mounts, path), path);
    assert.ok(!isLocalDarwinPath(`${mounts}\nnonsense`, "/Users/dev/work"));
    assert.ok(!isLocalDarwinPath("", "/"));
  });

  it("of Windows are local on a drive, not behind a share, of WSL neither", () => {
    for (const path of ["C:\\work", "\\\\?\\D:\\work"]) assert.ok(isLocalWindowsPath(path), path);
    for (const path of ["\\\\server\\share", "\\\\wsl$\\Debian\\home", "\\\\wsl.localhost\\Debian", "\\\\?\\UNC\\server\\share", "C:work"]) assert.ok(!isLocalWindowsPath(path), path);
  });
});

describe("pids", () => {
  it("reach the kernel between 1 and 2^31 - 1 only", () => {
    for (const pid of [1, 4242, 2_147_483_647]) assert.ok(isRepresentablePid(pid), String(pid));
    for (const pid of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2_147_483_648]) assert.ok(!isRepresentablePid(pid), String(pid));
  });
});
