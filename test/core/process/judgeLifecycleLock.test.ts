import assert from "node:assert/strict";
import fc from "fast-check";
import { writeStartText } from "../../../src/core/process/lstart.js";
import type { ObservationEnvironment, ProcessInspection, StartInstant } from "../../../src/core/process/processInspector.js";
import { resolveTimeZone, wallSecondsIn } from "../../../src/core/process/timeZone.js";
import { judgeLifecycleLock, lifecycleLockReasons, type LifecycleLockFacts } from "../../../src/core/systems/lattice/judgeLifecycleLock.js";
import type { LifecycleLock } from "../../../src/core/systems/lattice/lifecycleLockRecord.js";
import { identityOf, localEnvironment, startAt } from "../../fakes/processes.js";

const pid = 4242;
const startSeconds = Date.UTC(2026, 11, 1, 9, 19, 16) / 1000;
/** Before the observed start, as with a pid that passed on. */
const earlier = "2026-12-01T09:00:00.000Z";
const later = "2026-12-01T10:00:00.000Z";

interface Recorded {
  readonly text?: string;
  readonly platform?: string;
  readonly pid?: number;
  readonly acquiredAt?: string;
}

function lockOf({ text = textIn("UTC"), platform = "linux", pid: owner = pid, acquiredAt = earlier }: Recorded = {}): LifecycleLock {
  const digest = "0".repeat(64);
  return {
    schema: "lattice.runtime_lifecycle_lock.v1",
    owner_pid: owner,
    owner_process_start_identity: { schema: "lattice.process_start_identity.v1", platform, pid: owner, started_identity: text, identity_digest: digest },
    session_nonce_digest: digest,
    operation: "recompile",
    request_id: "r-1",
    acquired_at: acquiredAt,
    lock_digest: digest,
  };
}

function textIn(zone: string, shiftSeconds = 0, instant = startSeconds): string {
  const wall = wallSecondsIn(resolveTimeZone(zone, "UTC"), instant);
  assert.ok(wall !== null, zone);
  return writeStartText(wall + shiftSeconds);
}

const live: ProcessInspection = { kind: "live", identity: identityOf(pid) };

function factsOf(more: Partial<LifecycleLockFacts> = {}): LifecycleLockFacts {
  return { platform: "linux", inspection: live, start: startAt(startSeconds), observerTimeZone: "UTC", environment: localEnvironment, ...more };
}

function verdictText(lock: LifecycleLock, facts: LifecycleLockFacts): string {
  const { verdict } = judgeLifecycleLock(lock, facts);
  return "reason" in verdict ? `${verdict.kind} ${verdict.reason}` : verdict.kind;
}

const environments: readonly ObservationEnvironment[] = (["initial", "nested", "unknown", "not_applicable"] as const).flatMap((pidNamespace) =>
  [true, false].flatMap((localFilesystem) =>
    [true, false].flatMap((exclusiveToThisNamespace) => [true, false].map((nsPidMatch) => ({ pidNamespace, localFilesystem, exclusiveToThisNamespace, nsPidMatch }))),
  ),
);

/** The rule of spec/pi-amq.md 14.5, written a second time. */
function doubt(environment: ObservationEnvironment): string | null {
  if (environment.pidNamespace === "nested" && !environment.exclusiveToThisNamespace) return "unknown pid_namespace_nested";
  if (environment.pidNamespace === "unknown") return "unknown pid_namespace_unknown";
  if (environment.nsPidMatch) return "unknown pid_in_child_namespace";
  return environment.localFilesystem ? null : "unknown filesystem_not_local";
}

/** How the recorded text relates to the observed start; `settled` does not depend on the environment. */
const relations: readonly { readonly name: string; readonly recorded: Recorded; readonly start: StartInstant | null; readonly settled: string | null }[] = [
  { name: "not observed", recorded: {}, start: null, settled: "unknown start_not_observable" },
  { name: "unreadable text", recorded: { text: "start-3010" }, start: startAt(startSeconds), settled: "unknown start_text_unreadable" },
  { name: "equal in our zone", recorded: {}, start: startAt(startSeconds, { systemTimeZone: "Asia/Tokyo" }), settled: "live" },
  { name: "equal in the owner's zone", recorded: { text: textIn("Asia/Kolkata") }, start: startAt(startSeconds, { ownerTimeZone: "Asia/Kolkata" }), settled: "live" },
  { name: "equal in the system's zone", recorded: { text: textIn("Asia/Tokyo") }, start: startAt(startSeconds, { systemTimeZone: "Asia/Tokyo" }), settled: "live" },
  { name: "hours away", recorded: { text: textIn("Asia/Tokyo") }, start: startAt(startSeconds), settled: "unknown start_differs_by_quarter_hours" },
  { name: "one second away", recorded: { text: textIn("UTC", 1) }, start: startAt(startSeconds), settled: "unknown start_differs_by_quarter_hours" },
  { name: "hours and two seconds away", recorded: { text: textIn("Asia/Tokyo", -2) }, start: startAt(startSeconds), settled: "unknown start_differs_by_quarter_hours" },
  { name: "near in an odd zone", recorded: { text: textIn("XXX3:07:13", 2) }, start: startAt(startSeconds, { ownerTimeZone: "XXX3:07:13" }), settled: "unknown start_differs_by_quarter_hours" },
  { name: "different, zone with leap seconds", recorded: { text: textIn("UTC", -27) }, start: startAt(startSeconds, { ownerTimeZone: "right/UTC" }), settled: "unknown start_zone_not_computable" },
  { name: "different, but started before the claim", recorded: { text: textIn("UTC", 37), acquiredAt: later }, start: startAt(startSeconds), settled: "unknown clock_may_have_been_set" },
  { name: "three seconds away", recorded: { text: textIn("UTC", -3) }, start: startAt(startSeconds), settled: null },
  { name: "days away", recorded: { text: textIn("UTC", -200_000) }, start: startAt(startSeconds), settled: null },
  { name: "days away, started before the claim", recorded: { text: textIn("UTC", -200_000), acquiredAt: later }, start: startAt(startSeconds), settled: null },
];

const inspections: readonly { readonly name: string; readonly inspection: ProcessInspection; readonly settled: string | null; readonly reason: string }[] = [
  { name: "unknown", inspection: { kind: "unknown", diagnostic: "stat_EACCES" }, settled: "unknown process_not_observable", reason: "" },
  { name: "live, another pid", inspection: { kind: "live", identity: identityOf(7) }, settled: "unknown process_not_observable", reason: "" },
  { name: "absent", inspection: { kind: "absent" }, settled: null, reason: "pid_absent" },
  { name: "no such process", inspection: { kind: "absent", why: "no-such-process" }, settled: null, reason: "pid_absent" },
  { name: "zombie", inspection: { kind: "absent", why: "zombie" }, settled: null, reason: "zombie" },
  { name: "thread", inspection: { kind: "absent", why: "thread-id" }, settled: null, reason: "thread_id" },
];

/** Every combination with its expected verdict. */
function* combinations(): Generator<{ readonly name: string; readonly lock: LifecycleLock; readonly facts: LifecycleLockFacts; readonly expected: string }> {
  for (const environment of environments) {
    for (const relation of relations) {
      for (const platform of ["linux", "darwin"]) {
        const recorded = { ...relation.recorded, platform };
        for (const { name, inspection, settled, reason } of inspections) {
          const expected = platform !== "linux" ? "remote platform_differs" : (settled ?? doubt(environment) ?? `stale ${reason}`);
          yield { name: `${platform}, ${name}, ${relation.name}`, lock: lockOf(recorded), facts: factsOf({ inspection, start: relation.start, environment }), expected };
        }
        const changed = relation.settled ?? doubt(environment) ?? "stale start_identity_changed";
        const expected = platform !== "linux" ? "remote platform_differs" : changed;
        yield { name: `${platform}, live, ${relation.name}`, lock: lockOf(recorded), facts: factsOf({ start: relation.start, environment }), expected };
        const huge = { ...recorded, pid: 2 ** 31 };
        yield {
          name: `${platform}, pid too large, ${relation.name}`,
          lock: lockOf(huge),
          facts: factsOf({ inspection: { kind: "unknown", diagnostic: "pid_out_of_range" }, start: relation.start, environment }),
          expected: platform !== "linux" ? "remote platform_differs" : "unknown pid_not_representable",
        };
      }
    }
  }
}

describe("judgeLifecycleLock", () => {
  it("follows the rules in every combination of platform, inspection, start and environment", () => {
    let count = 0;
    for (const { name, lock, facts, expected } of combinations()) {
      assert.equal(verdictText(lock, facts), expected, `${name}, ${JSON.stringify(facts.environment)}`);
      count++;
    }
    assert.equal(count, environments.length * relations.length * 2 * (inspections.length + 2));
  });

  it("has exactly one deciding check in every combination, and no check twice", () => {
    for (const { name, lock, facts } of combinations()) {
      const { checks } = judgeLifecycleLock(lock, facts);
      assert.equal(checks.filter(({ decides }) => decides).length, 1, name);
      assert.equal(new Set(checks.map(({ id }) => id)).size, checks.length, name);
      assert.equal(checks[0]?.id, "platform");
    }
  });

  it("never calls a proof strong, and says what was assumed", () => {
    for (const { name, lock, facts } of combinations()) {
      const { verdict } = judgeLifecycleLock(lock, facts);
      if (verdict.kind !== "stale") continue;
      assert.equal(verdict.proof, "weak", name);
      assert.ok(verdict.assumptions.includes("host_not_recorded") && verdict.assumptions.includes("boot_not_recorded"), name);
    }
  });

  it("uses only codes that it lists, and every one that it lists", () => {
    const used: Record<keyof typeof lifecycleLockReasons, Set<string>> = { remote: new Set(), unknown: new Set(), stale: new Set(), settles: new Set(), assumptions: new Set(), notes: new Set() };
    for (const { lock, facts } of combinations()) {
      const { verdict } = judgeLifecycleLock(lock, facts);
      if (verdict.kind === "stale" || verdict.kind === "unknown" || verdict.kind === "remote") used[verdict.kind].add(verdict.reason);
      if (verdict.kind === "unknown") for (const code of verdict.settles) used.settles.add(code);
      if (verdict.kind === "stale") for (const code of verdict.assumptions) used.assumptions.add(code);
      if (verdict.kind === "live") for (const code of verdict.notes) used.notes.add(code);
    }
    for (const [kind, codes] of Object.entries(lifecycleLockReasons)) assert.deepEqual([...used[kind as keyof typeof used]].sort(), [...codes].sort(), kind);
  });

  it("shows recorded and observed values of each check, in order", () => {
    const facts = factsOf({ start: startAt(startSeconds, { ownerTimeZone: "Asia/Kolkata" }) });
    const { checks } = judgeLifecycleLock(lockOf({ text: textIn("UTC", -100) }), facts);
    assert.deepEqual(
      checks.map(({ id, observed, outcome, decides }) => [id, observed, outcome, decides]),
      [
        ["platform", "linux", "same", false],
        ["pid-exists", "live", "same", false],
        ["start-instant", "Tue Dec  1 09:19:16 2026 (TZ UTC)", "different", false],
        ["start-in-owner-zone", "Tue Dec  1 14:49:16 2026 (TZ Asia/Kolkata)", "different", false],
        ["start-quarter-hours", "recorded differs by -100 s from the observed start in UTC", "different", true],
        ["started-after-acquired", "2026-12-01T09:19:16.000Z", "same", false],
        ["pid-namespace", "initial", "noted", false],
        ["child-namespace", "none has this pid", "noted", false],
        ["filesystem", "local", "noted", false],
      ],
    );
  });

  const zones = ["UTC", "Asia/Tokyo", "America/Los_Angeles", "Asia/Kolkata", "Asia/Kathmandu", "Australia/Lord_Howe", "JST-9", ":Asia/Tokyo", "", "Foo/Bar", "XXX3:07:13", "Europe/Berlin"];

  it("says live of a live owner in any zone from an observer in any zone", () => {
    for (const ownerTimeZone of zones) {
      for (const observerTimeZone of zones) {
        const facts = factsOf({ start: startAt(startSeconds, { ownerTimeZone }), observerTimeZone });
        assert.equal(verdictText(lockOf({ text: textIn(ownerTimeZone), acquiredAt: later }), facts), "live", `${ownerTimeZone} seen from ${observerTimeZone}`);
      }
    }
  });

  it("never says stale of a live owner, whatever its zone, whatever we know of it, at any instant of 70 years", () => {
    const anyZone = fc.constantFrom(...Intl.supportedValuesOf("timeZone"), ...zones);
    fc.assert(
      fc.property(anyZone, anyZone, fc.option(anyZone), fc.integer({ min: 0, max: 2_200_000_000 }), fc.integer({ min: -2, max: 2 }), (owner, observer, system, instant, jitter) => {
        const lock = lockOf({ text: textIn(owner, jitter, instant), acquiredAt: new Date((instant + 1) * 1000).toISOString() });
        // Nobody reads the owner's environment here: as for another user's process. Zones of old were no whole quarter hours.
        const unread = factsOf({ start: startAt(instant, { ownerTimeZone: null, environmentReadable: false, systemTimeZone: system }), observerTimeZone: observer });
        const offset = (wallSecondsIn(resolveTimeZone(owner, "UTC"), instant) ?? instant) - instant;
        if (offset % 900 === 0) assert.notEqual(judgeLifecycleLock(lock, unread).verdict.kind, "stale");
        const read = factsOf({ start: startAt(instant, { ownerTimeZone: owner, systemTimeZone: "UTC" }), observerTimeZone: observer });
        assert.notEqual(judgeLifecycleLock(lock, read).verdict.kind, "stale");
        if (jitter === 0) assert.equal(judgeLifecycleLock(lock, read).verdict.kind, "live");
      }),
      { numRuns: 1000 },
    );
  });

  it("never says stale when the shift is a whole number of quarter hours within two seconds", () => {
    fc.assert(
      fc.property(fc.integer({ min: -200_000, max: 200_000 }), fc.integer({ min: -2, max: 2 }), (quarters, jitter) => {
        const facts = factsOf();
        assert.notEqual(judgeLifecycleLock(lockOf({ text: textIn("UTC", quarters * 900 + jitter) }), facts).verdict.kind, "stale");
      }),
      { numRuns: 2000 },
    );
  });

  it("says stale exactly when the shift is none of these, for a process that started after the claim", () => {
    fc.assert(
      fc.property(fc.integer({ min: -200_000_000, max: 200_000_000 }), (shift) => {
        const remainder = ((shift % 900) + 900) % 900;
        const near = Math.min(remainder, 900 - remainder) <= 2;
        const expected = shift === 0 ? "live" : near ? "unknown start_differs_by_quarter_hours" : "stale start_identity_changed";
        assert.equal(verdictText(lockOf({ text: textIn("UTC", shift) }), factsOf()), expected);
      }),
      { numRuns: 2000 },
    );
  });

  it("never says stale from what was not observed", () => {
    const anyEnvironment = fc.constantFrom(...environments);
    fc.assert(
      fc.property(fc.string(), fc.string({ minLength: 1 }), anyEnvironment, (diagnostic, text, environment) => {
        const unobserved = factsOf({ inspection: { kind: "unknown", diagnostic }, start: null, environment });
        assert.equal(judgeLifecycleLock(lockOf({ text }), unobserved).verdict.kind, "unknown");
        assert.equal(judgeLifecycleLock(lockOf({ text }), factsOf({ start: null, environment })).verdict.kind, "unknown");
      }),
    );
  });

  it("counts an odd zone of ours only while the owner's is unknown", () => {
    const lock = lockOf({ text: textIn("UTC", -27) });
    assert.equal(verdictText(lock, factsOf({ observerTimeZone: "right/UTC" })), "stale start_identity_changed");
    const unread = startAt(startSeconds, { environmentReadable: false });
    assert.equal(verdictText(lock, factsOf({ observerTimeZone: "right/UTC", start: unread })), "unknown start_zone_not_computable");
  });

  it("takes the hour that comes twice for what it is: one text, two instants, both live", () => {
    const firstPass = Date.UTC(2026, 9, 25, 0, 30, 0) / 1000;
    const text = textIn("Europe/Berlin", 0, firstPass);
    for (const instant of [firstPass, firstPass + 3600]) {
      const facts = factsOf({ start: startAt(instant, { ownerTimeZone: "Europe/Berlin" }), observerTimeZone: "Asia/Tokyo" });
      assert.equal(verdictText(lockOf({ text }), facts), "live");
    }
  });

  it("holds across the turn of a year, a leap day and a single-digit day", () => {
    for (const instant of [Date.UTC(2026, 11, 31, 23, 59, 59), Date.UTC(2028, 1, 29, 20, 0, 0), Date.UTC(2027, 0, 1, 0, 0, 0)].map((ms) => ms / 1000)) {
      for (const zone of zones) {
        const facts = factsOf({ start: startAt(instant, { ownerTimeZone: zone }), observerTimeZone: "America/Los_Angeles" });
        assert.equal(verdictText(lockOf({ text: textIn(zone, 0, instant) }), facts), "live", `${zone} ${instant}`);
      }
    }
  });

  it("does not depend on the zone of this process", () => {
    const before = process.env["TZ"];
    try {
      for (const zone of ["Asia/Tokyo", "America/Los_Angeles"]) {
        process.env["TZ"] = zone;
        assert.equal(verdictText(lockOf(), factsOf()), "live");
      }
    } finally {
      if (before === undefined) delete process.env["TZ"];
      else process.env["TZ"] = before;
    }
  });
});
