import assert from "node:assert/strict";
import fc from "fast-check";
import {
  isEndedState,
  parseBootId,
  parseBootTime,
  parseDescriptorInfo,
  parseExecutable,
  parseInnermostPid,
  parseOverlayMounts,
  parsePidNamespace,
  parseProcStat,
  parseThreadGroup,
  parseUsers,
  parseVariable,
  processesOf,
} from "../../../src/core/process/procText.js";
import { statText } from "../../fakes/platform.js";

describe("texts of /proc", () => {
  it("stat ends the command name at the last parenthesis, whatever the name holds", () => {
    const name = fc.string({ unit: "binary", maxLength: 64 }).filter((text) => !text.includes("\0"));
    fc.assert(
      fc.property(name, fc.integer({ min: 1, max: 2 ** 31 - 1 }), fc.bigInt({ min: 0n, max: 2n ** 63n }), (text, pid, ticks) => {
        const parsed = parseProcStat(statText(pid, { name: text, ticks: String(ticks), state: "D" }), pid);
        assert.deepEqual(parsed, { state: "D", startTicks: String(ticks), isKernelThread: false });
      }),
    );
  });

  it("stat is refused whenever it is cut anywhere before the end of field 22", () => {
    const text = statText(4242, { ticks: "12345" });
    const end = text.indexOf("12345") + "12345".length;
    for (let length = 0; length <= end; length++) assert.equal(parseProcStat(text.slice(0, length), 4242), null, text.slice(0, length));
    assert.notEqual(parseProcStat(text.slice(0, end + 1), 4242), null);
  });

  it("stat is refused when it is another process's, or its start or state is no such thing", () => {
    assert.equal(parseProcStat(statText(4242), 424), null);
    assert.equal(parseProcStat(statText(42420), 4242), null);
    for (const ticks of ["abc", "-1", "1.5", "", "0x10"]) assert.equal(parseProcStat(statText(4242, { ticks }), 4242), null, ticks);
    for (const state of ["", "SS", "1"]) assert.equal(parseProcStat(statText(4242, { state }), 4242), null, state);
  });

  it("stat gives the start without leading zeros and tells kernel threads", () => {
    assert.equal(parseProcStat(statText(4242, { ticks: "000" }), 4242)?.startTicks, "0");
    assert.equal(parseProcStat(statText(4242, { ticks: "0018446744073709551615" }), 4242)?.startTicks, "18446744073709551615");
    assert.equal(parseProcStat(statText(2, { flags: 2_129_984 }), 2)?.isKernelThread, true);
  });

  it("only Z and X have ended", () => {
    assert.deepEqual(["Z", "X", "x"].map(isEndedState), [true, true, true]);
    assert.deepEqual(["R", "S", "D", "T", "t", "I", "W", "K", "P"].filter(isEndedState), []);
  });

  it("status gives thread group, users and the innermost pid of a child namespace only", () => {
    const status = "Name:\tx\nTgid:\t4200\nPid:\t4242\nUid:\t1000\t1001\t1002\t1003\nNSpid:\t4242\t17\t1\n";
    assert.equal(parseThreadGroup(status), 4200);
    assert.deepEqual(parseUsers(status), [1000, 1001, 1002, 1003]);
    assert.equal(parseInnermostPid(status), 1);
    assert.equal(parseInnermostPid("NSpid:\t4242\n"), null);
    assert.equal(parseThreadGroup("Name:\tTgid:\t7\n"), null);
    assert.equal(parseThreadGroup("Tgid:\tabc\n"), null);
  });

  it("boot time and boot id are taken whole or not at all", () => {
    assert.equal(parseBootTime("cpu 1\nbtime 1796116756\nprocesses 9\n"), 1_796_116_756);
    assert.equal(parseBootTime("cpu 1\nbtime x\n"), null);
    assert.equal(parseBootId("a3fe1902-8cc4-4348-b7a9-badd2b3a3f03\n"), "a3fe1902-8cc4-4348-b7a9-badd2b3a3f03");
    for (const text of ["", "\n", "a3fe1902-8cc4-4348-b7a9", "a3fe1902-8cc4-4348-b7a9-badd2b3a3f03\nx"]) assert.equal(parseBootId(text), null, text);
  });

  it("an executable loses the kernel's mark of deletion once and must be a path", () => {
    assert.equal(parseExecutable("/usr/bin/node"), "/usr/bin/node");
    assert.equal(parseExecutable("/usr/bin/node (deleted)"), "/usr/bin/node");
    assert.equal(parseExecutable("/usr/bin/node (deleted) (deleted)"), "/usr/bin/node (deleted)");
    for (const link of ["", " (deleted)", "(unreachable)/usr/bin/node"]) assert.equal(parseExecutable(link), null, link);
  });

  it("a variable is the first of its name, and no other name's ending", () => {
    assert.equal(parseVariable("A=1\0TZ=Asia/Tokyo\0TZ=UTC\0", "TZ"), "Asia/Tokyo");
    assert.equal(parseVariable("XTZ=1\0TZX=2\0TZ", "TZ"), null);
    assert.equal(parseVariable("TZ=\0", "TZ"), "");
    assert.equal(parseVariable("", "TZ"), null);
    assert.equal(parseVariable("TZ=a=b\0", "TZ"), "a=b");
  });

  it("descriptor facts and overlays come from whole lines", () => {
    assert.deepEqual(parseDescriptorInfo("pos:\t0\nflags:\t0100000\nmnt_id:\t24\nino:\t3\n"), { mount: "24", inode: "3" });
    assert.deepEqual(parseDescriptorInfo("pos:\t0\nmnt_id:\t24\n"), { mount: "24", inode: null });
    assert.deepEqual(parseDescriptorInfo(""), { mount: null, inode: null });
    const mounts = "24 1 0:22 / / rw - overlay overlay rw,lowerdir=/a\n25 24 8:1 / /data rw shared:1 - ext4 /dev/sda1 rw\n26 24 0:9 / /x\\040-\\040overlay rw - tmpfs t rw\n";
    assert.deepEqual([...parseOverlayMounts(mounts)], ["24"]);
  });

  it("a pid namespace is the initial one by its fixed number only", () => {
    assert.equal(parsePidNamespace("pid:[4026531836]"), "initial");
    assert.equal(parsePidNamespace("pid:[4026532201]"), "nested");
    for (const link of ["", "pid:[x]", "mnt:[4026531836]", "pid:[4026531836]x"]) assert.equal(parsePidNamespace(link), "unknown", link);
  });

  it("processes are the names that are positive decimal numbers", () => {
    assert.deepEqual(processesOf(["1", "self", "42", "042", "0", "1a", "sys"]), [1, 42]);
  });
});
