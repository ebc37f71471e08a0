import assert from "node:assert/strict";
import fc from "fast-check";
import type { ObservationEnvironment, ProcessIdentity, ProcessInspection } from "../../../src/core/process/processInspector.js";
import { FormatMemory } from "../../../src/core/systems/pi-amq/formatMemory.js";
import { judgeLeaseOwner, leaseOwnerReasons, type LeaseOwnerFacts } from "../../../src/core/systems/pi-amq/judgeLeaseOwner.js";
import { renderStart } from "../../../src/core/systems/pi-amq/startFormat.js";
import { identityOf, localEnvironment } from "../../fakes/processes.js";

const current = identityOf(1);
const live = (more: Partial<ProcessIdentity> = {}): ProcessInspection => ({ kind: "live", identity: identityOf(42, more) });
const absent: ProcessInspection = { kind: "absent" };

function judged(record: Partial<ProcessIdentity>, facts: Partial<LeaseOwnerFacts> = {}): string {
  const { verdict } = judgeLeaseOwner(identityOf(42, record), { current, inspection: live(), environment: localEnvironment, ...facts });
  switch (verdict.kind) {
    case "live":
      return ["live", ...verdict.notes].join(" ");
    case "stale":
      return ["stale", verdict.reason, verdict.proof, ...verdict.assumptions].join(" ");
    case "remote":
    case "unknown":
      return `${verdict.kind} ${verdict.reason}`;
    default:
      return verdict.kind;
  }
}

describe("judgeLeaseOwner", () => {
  it("never lets an executable decide", () => {
    assert.equal(judged({ executable: "/usr/bin/other" }), "live executable_differs");
    assert.equal(judged({}, { inspection: live({ executable: "/unknown" }) }), "live executable_differs");
  });

  it("takes a declared alias for this host, with a weaker word where no boot vouches for it", () => {
    const old = { hostname: "host-old" };
    assert.equal(judged(old), "remote hostname_differs");
    assert.equal(judged(old, { hostAliases: ["host-old"] }), "live host_alias");
    assert.equal(judged(old, { hostAliases: ["host-old"], inspection: absent }), "stale pid_absent strong");
    assert.equal(judged({ ...old, bootIdentity: null }, { hostAliases: ["host-old"], inspection: absent }), "stale pid_absent weak boot_not_comparable host_alias");
    assert.equal(judged({ ...old, bootIdentity: "linux:boot_id:99999999-2222-4333-8444-555555555555" }, { hostAliases: ["host-old"] }), "stale boot_identity_changed weak host_alias");
  });

  it("says when only letter case or the domain differs", () => {
    assert.equal(judged({ hostname: "HOST-A" }), "remote hostname_case_only");
    assert.equal(judged({ hostname: "host-a.example.org" }), "remote hostname_domain_only");
    assert.equal(judged({ hostname: "host-ab" }), "remote hostname_differs");
  });

  it("does not ask the kernel for a pid that it cannot be asked for", () => {
    assert.equal(judged({ pid: 2_147_483_648 }), "unknown pid_not_representable");
  });

  it("names how a process ended", () => {
    assert.equal(judged({}, { inspection: { kind: "absent", why: "zombie" } }), "stale zombie strong");
    assert.equal(judged({}, { inspection: { kind: "absent", why: "thread-id" } }), "stale thread_id strong");
  });

  it("lets a learned rendering say live at once, but stale only after two confirmations", () => {
    const foreign = { processStartIdentity: "777" };
    assert.equal(judged(foreign, { learnedStart: { text: "777", confirmations: 1 } }), "live learned_format");
    assert.equal(judged(foreign, { learnedStart: { text: "778", confirmations: 1 } }), "unknown start_identity_format_not_recognised");
    assert.equal(judged(foreign, { learnedStart: { text: "778", confirmations: 2 } }), "stale start_identity_changed weak learned_format");
  });

  it("never says stale where a namespace or a shared disk could explain it, whatever else holds", () => {
    const text = fc.constantFrom("linux:starttime:4200", "linux:starttime:1", "4200", "x");
    const boot = fc.constantFrom(null, "linux:boot_id:11111111-2222-4333-8444-555555555555", "b");
    const inspections = fc.constantFrom<ProcessInspection>(absent, live(), live({ processStartIdentity: "linux:starttime:9" }), { kind: "unknown", diagnostic: "" });
    const doubtful = fc.constantFrom<Partial<ObservationEnvironment>>({ pidNamespace: "nested" }, { pidNamespace: "unknown" }, { nsPidMatch: true });
    fc.assert(
      fc.property(text, boot, inspections, doubtful, (processStartIdentity, bootIdentity, inspection, environment) => {
        assert.doesNotMatch(judged({ processStartIdentity, bootIdentity }, { inspection, environment: { ...localEnvironment, ...environment } }), /^stale/);
      }),
    );
  });

  it("has one deciding check for every verdict, and only reasons that are listed", () => {
    const words: readonly string[] = [...leaseOwnerReasons.unknown, ...leaseOwnerReasons.remote, ...leaseOwnerReasons.stale];
    const boot = fc.constantFrom(null, "linux:boot_id:11111111-2222-4333-8444-555555555555", "linux:boot_id:99999999-2222-4333-8444-555555555555", "b");
    const environment = fc.record({
      localFilesystem: fc.boolean(),
      pidNamespace: fc.constantFrom<ObservationEnvironment["pidNamespace"]>("initial", "nested", "unknown", "not_applicable"),
      exclusiveToThisNamespace: fc.boolean(),
      nsPidMatch: fc.boolean(),
    });
    const inspections = fc.constantFrom<ProcessInspection>(absent, live(), live({ processStartIdentity: "linux:starttime:9" }), { kind: "unknown", diagnostic: "" });
    fc.assert(
      fc.property(boot, environment, inspections, fc.constantFrom("host-a", "host-b"), (bootIdentity, facts, inspection, hostname) => {
        const { verdict, checks } = judgeLeaseOwner(identityOf(42, { bootIdentity, hostname }), { current, inspection, environment: facts });
        assert.equal(checks.filter(({ decides }) => decides).length, 1);
        if ("reason" in verdict) assert.ok(words.includes(verdict.reason), verdict.reason);
      }),
    );
  });
});

const facts = { identity: identityOf(42), startEpochSeconds: 1_767_323_045, lstart: "Fri Jan  2 03:04:05 2026" };
const observe = (pid: number, processStartIdentity: string, more: Partial<ProcessIdentity> = {}): { record: ProcessIdentity; facts: typeof facts } => ({
  record: identityOf(pid, { processStartIdentity, bootIdentity: null, ...more }),
  facts: { ...facts, identity: identityOf(pid) },
});

describe("FormatMemory", () => {
  it("knows every rendering of the list", () => {
    assert.deepEqual([...renderStart(facts).values()], [
      "4200",
      "linux:4200",
      "11111111-2222-4333-8444-555555555555:4200",
      "1767323045",
      "1767323045000",
      "2026-01-02T03:04:05.000Z",
      "Fri Jan  2 03:04:05 2026",
    ]);
  });

  it("learns from what exactly one rendering reproduces, and counts processes, not records", () => {
    const memory = new FormatMemory();
    memory.learn("/ns", [observe(42, "4200"), observe(42, "4200")]);
    assert.deepEqual(memory.recall("/ns"), { rendering: "ticks", confirmations: 1, hasOurBoots: true });
    memory.learn("/ns", [observe(43, "4300")]);
    assert.equal(memory.recall("/ns")?.confirmations, 2);
    assert.equal(memory.recall("/other"), null);
  });

  it("learns nothing from our own format, another executable, or a text that nothing reproduces", () => {
    const memory = new FormatMemory();
    memory.learn("/ns", [observe(42, "linux:starttime:4200"), observe(42, "4200", { executable: "/bin/other" }), observe(42, "start-42")]);
    assert.equal(memory.recall("/ns"), null);
  });

  it("takes two renderings for a contradiction", () => {
    const memory = new FormatMemory();
    memory.learn("/ns", [observe(42, "4200"), observe(43, "linux:4300")]);
    assert.equal(memory.recall("/ns"), null);
  });

  it("presents our own identity in the learned rendering, without a boot text that could only differ", () => {
    const memory = new FormatMemory();
    assert.equal(memory.present("/ns", identityOf(7)), null);
    memory.learn("/ns", [observe(42, "4200", { bootIdentity: "foreign-boot" })]);
    assert.deepEqual(memory.present("/ns", identityOf(7)), identityOf(7, { processStartIdentity: "700", bootIdentity: null }));
  });

  it("presents a start time only for the process whose start it has noted", () => {
    const memory = new FormatMemory();
    memory.learn("/ns", [observe(42, "1767323045")]);
    assert.equal(memory.present("/ns", identityOf(7)), null);
    memory.noteOwn({ identity: identityOf(7), startEpochSeconds: 5, lstart: null });
    assert.equal(memory.present("/ns", identityOf(7))?.processStartIdentity, "5");
  });
});
