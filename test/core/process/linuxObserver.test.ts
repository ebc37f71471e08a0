import assert from "node:assert/strict";
import { createProcessInspector, ProcessInspectorError } from "../../../src/core/process/createProcessInspector.js";
import type { ProcessInspection } from "../../../src/core/process/processInspector.js";
import { errnoError, FakePlatform, linkTo, statText } from "../../fakes/platform.js";

const pid = 4242;

function platformWith(facts: Parameters<FakePlatform["addProcess"]>[1] = {}): FakePlatform {
  return new FakePlatform().addProcess(pid, facts);
}

function inspect(platform: FakePlatform, asked = pid): Promise<ProcessInspection> {
  return createProcessInspector({ port: platform }).inspect(asked);
}

/** Runs something once, before the n-th access that matches. */
function before(platform: FakePlatform, access: string, run: () => void, nth = 1): void {
  let seen = 0;
  platform.beforeAccess = (happening) => {
    if (happening === access && ++seen === nth) run();
  };
}

describe("Linux observer", () => {
  it("reads one process from /proc and starts no other process", async () => {
    const platform = platformWith({ executable: "/opt/node (deleted)" });
    platform.files.set("/proc/sys/kernel/random/boot_id", "a3fe1902-8cc4-4348-b7a9-badd2b3a3f03\n");
    assert.deepEqual(await inspect(platform), {
      kind: "live",
      identity: { pid, processStartIdentity: "linux:starttime:12345", bootIdentity: "linux:boot_id:a3fe1902-8cc4-4348-b7a9-badd2b3a3f03", executable: "/opt/node", hostname: "host-a" },
    });
    assert.deepEqual(platform.commands, []);
  });

  it("takes EPERM for alive", async () => {
    const platform = platformWith();
    platform.probes.set(pid, "EPERM");
    assert.equal((await inspect(platform)).kind, "live");
  });

  it("never lets a pid that cannot be one reach the kernel", async () => {
    const platform = platformWith();
    for (const asked of [0, -1, 2 ** 31, 1.5, Number.NaN]) assert.deepEqual(await inspect(platform, asked), { kind: "unknown", diagnostic: "pid_out_of_range" }, String(asked));
    assert.ok(!platform.accesses.some((access) => access.startsWith("probe")));
  });

  it("says unknown where /proc hides processes of others", async () => {
    const platform = new FakePlatform();
    platform.probes.set(pid, "EPERM");
    assert.deepEqual(await inspect(platform), { kind: "unknown", diagnostic: "stat_ENOENT" });
  });

  it("says unknown where /proc belongs to another pid namespace, except of what the kernel denies", async () => {
    const platform = platformWith();
    platform.files.set("/proc/self", linkTo("31337"));
    assert.deepEqual(await inspect(platform), { kind: "unknown", diagnostic: "proc_of_another_pid_namespace" });
    assert.equal((await inspect(platform, 77)).kind, "absent");
  });

  it("says absent of a process that ends at any moment while it is looked at", async () => {
    const counted = platformWith();
    await inspect(counted);
    const looks = counted.accesses.filter((access) => access.includes(`/${pid}/`));
    assert.equal(looks.length, 4, looks.join());
    for (let end = 0; end < looks.length; end++) {
      const platform = platformWith();
      let seen = 0;
      platform.beforeAccess = (access) => {
        if (access.includes(`/${pid}/`) && seen++ === end) platform.removeProcess(pid);
      };
      assert.deepEqual(await inspect(platform), { kind: "absent", why: "no-such-process" }, looks[end]);
    }
  });

  it("never mixes two processes when the pid passes on at any moment", async () => {
    for (let moment = 0; moment < 5; moment++) {
      const platform = platformWith({ ticks: "100", executable: "/old" });
      let seen = 0;
      platform.beforeAccess = (access) => {
        if (access.includes(String(pid)) && seen++ === moment) platform.addProcess(pid, { ticks: "900", executable: "/new" });
      };
      const inspection = await inspect(platform);
      assert.equal(inspection.kind, "live");
      assert.deepEqual([inspection.identity.processStartIdentity, inspection.identity.executable], ["linux:starttime:900", "/new"], `moment ${moment}`);
    }
  });

  it("says unknown of a pid that passes on each time it is looked at", async () => {
    const platform = platformWith();
    let ticks = 0;
    platform.beforeAccess = (access) => {
      if (access === `readText /proc/${pid}/stat`) platform.files.set(`/proc/${pid}/stat`, statText(pid, { ticks: String(++ticks) }));
    };
    assert.deepEqual(await inspect(platform), { kind: "unknown", diagnostic: "changed_while_observed" });
  });

  it("says zombie only when no thread is left, and of one that becomes a zombie meanwhile too", async () => {
    assert.deepEqual(await inspect(platformWith({ state: "Z" })), { kind: "absent", why: "zombie" });
    assert.deepEqual(await inspect(platformWith({ state: "X" })), { kind: "absent", why: "zombie" });
    assert.deepEqual(await inspect(platformWith({ state: "Z", tasks: ["4242", "4243"] })), { kind: "unknown", diagnostic: "leader_exited_threads_remain" });
    const platform = platformWith();
    before(platform, `readText /proc/${pid}/stat`, () => platform.files.set(`/proc/${pid}/stat`, statText(pid, { state: "Z" })), 2);
    assert.deepEqual(await inspect(platform), { kind: "absent", why: "zombie" });
  });

  it("says absent of a thread's number, unless status cannot be read", async () => {
    const platform = platformWith({ tgid: 4200 });
    assert.deepEqual(await inspect(platform), { kind: "absent", why: "thread-id" });
    platform.files.set(`/proc/${pid}/status`, { error: "EACCES" });
    assert.equal((await inspect(platform)).kind, "live");
  });

  it("concludes nothing from any failing read: absent needs the kernel's ESRCH", async () => {
    const counted = platformWith();
    await inspect(counted);
    for (const [index, access] of counted.accesses.entries()) {
      if (access.startsWith("realPath")) continue;
      for (const code of ["EACCES", "EPERM", "ENOENT", "ESRCH", "EIO", "EMFILE", "ENOMEM", "EFBIG"]) {
        const platform = platformWith();
        let seen = 0;
        platform.beforeAccess = () => {
          if (seen++ === index && !access.startsWith("probe")) throw errnoError(code);
        };
        const inspection = await inspect(platform);
        assert.notEqual(inspection.kind, "absent", `${access} ${code}`);
        if (inspection.kind === "live") for (const text of Object.values(inspection.identity)) assert.notEqual(text, "");
      }
    }
  });

  it("lets a bug through instead of calling it an answer", async () => {
    const platform = platformWith();
    platform.beforeAccess = (access) => {
      if (access.startsWith("readText /proc/4242")) throw new TypeError("bug");
    };
    await assert.rejects(inspect(platform), TypeError);
  });

  it("asks the kernel anew after forget and after a second, and not before", async () => {
    const clock = { at: 0, monotonic: () => clock.at };
    const platform = platformWith();
    const observer = createProcessInspector({ port: platform, clock });
    assert.equal((await observer.inspect(pid)).kind, "live");
    platform.removeProcess(pid);
    clock.at = 999;
    assert.equal((await observer.inspect(pid)).kind, "live");
    clock.at = 1000;
    assert.equal((await observer.inspect(pid)).kind, "absent");
    platform.addProcess(pid);
    assert.equal((await observer.inspect(pid)).kind, "absent");
    observer.forget();
    assert.equal((await observer.inspect(pid)).kind, "live");
  });

  it("gives the event loop back within every slice of 2 ms while it looks at 1,000 owners", async () => {
    const clock = { at: 0, monotonic: () => clock.at };
    const platform = new FakePlatform();
    const pids = Array.from({ length: 1000 }, (_, index) => index + 2);
    for (const each of pids) platform.addProcess(each);
    const perAccess = 0.02;
    let sliceStart = 0;
    let longest = 0;
    platform.beforeAccess = () => {
      clock.at += perAccess;
      longest = Math.max(longest, clock.at - sliceStart);
    };
    const observer = createProcessInspector({ port: platform, clock });
    let finished = false;
    const turns = (async () => {
      while (!finished) {
        await new Promise((resolve) => setImmediate(resolve));
        sliceStart = clock.at;
      }
    })();
    const inspections = await Promise.all(pids.map((each) => observer.inspect(each)));
    finished = true;
    await turns;
    assert.ok(inspections.every(({ kind }) => kind === "live"));
    assert.ok(longest > 1 && longest < 2.5, `${longest} ms`);
  });

  it("is current() exactly as it inspects itself, by the real path of its executable", async () => {
    const platform = new FakePlatform();
    platform.addProcess(platform.ownPid, { executable: "/opt/editor/old (deleted)" });
    platform.realPaths.set(platform.execPath, "/opt/editor/node");
    const observer = createProcessInspector({ port: platform });
    const current = await observer.current();
    assert.deepEqual(await observer.inspect(platform.ownPid), { kind: "live", identity: current });
    assert.equal(current.executable, "/opt/editor/node");
    platform.beforeAccess = (access) => {
      if (access.startsWith("realPath")) throw errnoError("ENOENT");
    };
    observer.forget();
    assert.equal((await observer.current()).executable, "/opt/editor/old");
  });

  it("cannot be current() where it cannot see itself", async () => {
    await assert.rejects(createProcessInspector({ port: new FakePlatform() }).current(), (error) => {
      assert.ok(ProcessInspectorError.is(error));
      assert.equal(error.code, "current_not_observable");
      return true;
    });
  });
});

describe("start instant on Linux", () => {
  it("is boot time plus ticks, cut to whole seconds, with the zones of owner and system", async () => {
    const platform = platformWith({ ticks: "12399", environment: "A=1\0TZ=Asia/Tokyo\0" });
    platform.files.set("/etc/localtime", linkTo("../usr/share/zoneinfo/Europe/Berlin"));
    assert.deepEqual(await createProcessInspector({ port: platform }).startInstant(pid), {
      epochSeconds: 1_700_000_123,
      ownerTimeZone: "Asia/Tokyo",
      environmentReadable: true,
      systemTimeZone: "Europe/Berlin",
    });
  });

  it("tells an environment without TZ from one that cannot be read", async () => {
    const unset = await createProcessInspector({ port: platformWith() }).startInstant(pid);
    assert.deepEqual([unset?.ownerTimeZone, unset?.environmentReadable], [null, true]);
    const platform = platformWith();
    platform.files.set(`/proc/${pid}/environ`, { error: "EACCES" });
    const unread = await createProcessInspector({ port: platform }).startInstant(pid);
    assert.deepEqual([unread?.ownerTimeZone, unread?.environmentReadable], [null, false]);
  });

  it("is null of a process that is gone, that changes meanwhile, and without a boot time", async () => {
    assert.equal(await createProcessInspector({ port: new FakePlatform() }).startInstant(pid), null);
    const changing = platformWith();
    before(changing, `readText /proc/${pid}/environ`, () => changing.addProcess(pid, { ticks: "99999" }));
    assert.equal(await createProcessInspector({ port: changing }).startInstant(pid), null);
    const bootless = platformWith();
    bootless.files.set("/proc/stat", "cpu 1\n");
    assert.equal(await createProcessInspector({ port: bootless }).startInstant(pid), null);
  });

  it("knows the system's zone from the link, else from the text file, else UTC when there is none", async () => {
    const zoneOf = async (change: (platform: FakePlatform) => void): Promise<string | null | undefined> => {
      const platform = platformWith();
      change(platform);
      return (await createProcessInspector({ port: platform }).startInstant(pid))?.systemTimeZone;
    };
    assert.equal(await zoneOf((platform) => platform.files.set("/etc/localtime", "TZif2").set("/etc/timezone", "Asia/Tokyo\n")), "Asia/Tokyo");
    assert.equal(await zoneOf((platform) => platform.files.set("/etc/localtime", "TZif2")), null);
    assert.equal(await zoneOf((platform) => platform.files.delete("/etc/localtime")), "UTC");
  });
});
