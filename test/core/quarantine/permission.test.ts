import assert from "node:assert/strict";
import type { Verdict } from "../../../src/core/claims/verdict.js";
import type { OpenFileEvidence } from "../../../src/core/process/processInspector.js";
import { permissionFor } from "../../../src/core/quarantine/permission.js";
import type { QuarantinePlan } from "../../../src/core/quarantine/quarantineEntry.js";
import { differenceFrom } from "../../../src/core/quarantine/recheck.js";
import { World } from "./world.js";

const stale = (proof: "strong" | "weak", assumptions: readonly string[] = []): Verdict => ({ kind: "stale", reason: "pid_absent", proof, assumptions });
const corrupt: Verdict = { kind: "corrupt", reason: "torn", diagnostic: "x" };
const notOpen: OpenFileEvidence = { kind: "not-open" };

describe("who may be displaced", () => {
  const table: readonly (readonly [string, Verdict, number, OpenFileEvidence | null, string, readonly string[]])[] = [
    ["stale, strong proof", stale("strong"), 0, null, "normal", []],
    ["stale, weak proof: with what was assumed", stale("weak", ["host_not_recorded"]), 0, null, "normal", ["weak-proof", "host_not_recorded"]],
    ["live", { kind: "live", notes: [] }, 1e9, notOpen, "never", ["live"]],
    ["empty", { kind: "empty" }, 1e9, notOpen, "never", ["empty"]],
    ["remote", { kind: "remote", reason: "platform" }, 0, null, "force-only", ["remote", "platform"]],
    ["unknown", { kind: "unknown", reason: "no_start", settles: [] }, 0, null, "force-only", ["unknown", "no_start"]],
    ["being written in this moment", { kind: "unknown", reason: "being_written", settles: [] }, 0, null, "never", ["unknown", "changed-recently"]],
    ["corrupt, one millisecond short of a minute", corrupt, 59_999, notOpen, "never", ["corrupt", "changed-recently"]],
    ["corrupt, a minute old", corrupt, 60_000, notOpen, "force-only", ["corrupt", "torn"]],
    ["corrupt, from the future", corrupt, -1, notOpen, "never", ["corrupt", "changed-recently"]],
    ["corrupt, of no age at all", corrupt, Number.NaN, notOpen, "never", ["corrupt", "changed-recently"]],
    ["corrupt, open in a process", corrupt, 1e9, { kind: "open", pids: [1] }, "never", ["corrupt", "file-open"]],
    ["corrupt, nobody can be looked into", corrupt, 1e9, { kind: "unknown", diagnostic: "x" }, "force-only", ["corrupt", "torn", "open-file-not-observed"]],
    ["held by an interrupted repair of ours", { ...corrupt, reason: "frozen" }, 1e9, notOpen, "never", ["corrupt", "frozen"]],
  ];
  for (const [name, verdict, restMs, open, permission, cautions] of table) {
    it(`${name}: ${permission}`, () => assert.deepEqual(permissionFor({ verdict, restMs, open }), { permission, cautions }));
  }
});

describe("what counts as changed since the plan", () => {
  let plan: QuarantinePlan;
  before(async () => (plan = await (await World.withStaleLock()).plan()));
  const reasonFor = (change: object, verdict?: Verdict): string | undefined => differenceFrom({ ...plan, claim: { ...plan.claim, verdict: verdict ?? plan.claim.verdict } }, { ...plan.claim, ...change })?.reason;

  it("nothing, when all is the same, or the proof has become stronger", () => {
    assert.equal(reasonFor({}), undefined);
    assert.equal(reasonFor({ verdict: stale("strong") }, stale("weak", ["a"])), undefined);
    assert.equal(reasonFor({ verdict: stale("weak", ["a"]) }, stale("weak", ["a", "b"])), undefined);
  });

  it("every member of the file's identity, the bytes and the link count", () => {
    const { file } = plan;
    assert.ok(file);
    assert.equal(reasonFor({ verdict: { kind: "empty" }, file: null }), "missing");
    assert.equal(reasonFor({ file: null }), "file-replaced");
    assert.equal(reasonFor({ file: { ...file, device: "8" } }), "file-replaced");
    assert.equal(reasonFor({ file: { ...file, inode: "8" } }), "file-replaced");
    assert.equal(reasonFor({ file: { ...file, size: "8" } }), "content-changed");
    assert.equal(reasonFor({ file: { ...file, mtimeNs: "8" } }), "content-changed");
    assert.equal(reasonFor({ sha256: "0".repeat(64) }), "content-changed");
    assert.equal(reasonFor({ sha256: null }), "content-changed");
    assert.equal(reasonFor({ linkCount: 2 }), "link-count-changed");
    assert.equal(reasonFor({ linkCount: null }), "link-count-changed");
  });

  it("another verdict, another reason, a weaker proof, one more assumption", () => {
    assert.equal(reasonFor({ verdict: { kind: "live", notes: [] } }), "verdict-changed");
    assert.equal(reasonFor({ verdict: { kind: "unknown", reason: "x", settles: [] } }), "verdict-changed");
    assert.equal(reasonFor({ verdict: { ...stale("strong"), reason: "zombie" } }, stale("strong")), "verdict-changed");
    assert.equal(reasonFor({ verdict: stale("weak") }, stale("strong")), "proof-weaker");
    assert.equal(reasonFor({ verdict: stale("weak", ["a", "b"]) }, stale("weak", ["a"])), "proof-weaker");
  });

  it("but not the second link of ours that was taken away since", () => {
    const frozen = { ...plan, claim: { ...plan.claim, linkCount: 2 } };
    assert.equal(differenceFrom(frozen, plan.claim, 0)?.reason, "link-count-changed");
    assert.equal(differenceFrom(frozen, plan.claim, 1), null);
  });
});
