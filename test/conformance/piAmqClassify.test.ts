import assert from "node:assert/strict";
import type { ObservationEnvironment, ProcessIdentity, ProcessInspection } from "../../src/core/process/processInspector.js";
import { classifyOwner, isCurrentProcess } from "../../src/core/systems/pi-amq/classifyOwner.js";
import { judgeLeaseOwner, leaseOwnerReasons } from "../../src/core/systems/pi-amq/judgeLeaseOwner.js";
import { consumeVectors, type VectorCase } from "./vectors.js";

type Identity = Omit<ProcessIdentity, "hostname"> & { readonly hostname: string };

interface InspectionInput {
  readonly kind?: ProcessInspection["kind"];
  readonly identity?: Identity;
  readonly diagnostic?: string;
}

interface ClassifyCase extends VectorCase {
  readonly record: Identity;
  readonly current: Identity;
  readonly inspection: InspectionInput;
  readonly expected: {
    readonly kind: string;
    readonly reason?: string;
    readonly diagnostic?: string;
    readonly inspected_pid: number | null;
    readonly record_is_current_process: boolean;
  };
}

describe("vectors pi-amq/classify.json", () => {
  for (const vector of consumeVectors<ClassifyCase>("pi-amq/classify.json").cases) {
    it(`${vector.category}: ${vector.name}`, async () => {
      const { record, current, inspection, expected } = vector;
      let inspectedPid: number | null = null;
      const verdict = await classifyOwner(record, current, {
        inspect: (pid) => {
          inspectedPid = pid;
          return Promise.resolve(inspection as ProcessInspection);
        },
      });
      assert.equal(verdict.kind, expected.kind);
      assert.equal(verdict.kind === "stale" ? verdict.reason : undefined, expected.reason);
      assert.equal(verdict.kind === "unknown" ? verdict.diagnostic : undefined, expected.diagnostic);
      assert.equal(inspectedPid, expected.inspected_pid);
      assert.equal(isCurrentProcess(record, current), expected.record_is_current_process);
    });
  }
});

interface ProductCase extends VectorCase {
  readonly record: Identity;
  readonly current: Identity;
  readonly inspection: InspectionInput;
  readonly environment: ObservationEnvironment;
  readonly expected: { readonly state: string; readonly reason?: string; readonly proof?: string; readonly note?: string };
}

/** Reasons of unknown verdicts and notes are named by no rule of the spec: only those that we know by that name are compared. */
function isOurWord(word: string | undefined): boolean {
  const words: readonly string[] = [...leaseOwnerReasons.unknown, ...leaseOwnerReasons.remote];
  return word !== undefined && words.includes(word);
}

describe("vectors pi-amq/classify-product.json", () => {
  for (const vector of consumeVectors<ProductCase>("pi-amq/classify-product.json").cases) {
    it(`${vector.category}: ${vector.name}`, () => {
      const { record, current, environment, expected } = vector;
      // The generator leaves `kind` out where it gives an identity.
      const inspection = { kind: "live", ...vector.inspection } as ProcessInspection;
      const { verdict, checks } = judgeLeaseOwner(record, { current, inspection, environment });
      assert.equal(verdict.kind, expected.state);
      if (verdict.kind === "stale") assert.deepEqual([verdict.reason, verdict.proof], [expected.reason, expected.proof]);
      if (verdict.kind === "unknown" && isOurWord(expected.reason)) assert.equal(verdict.reason, expected.reason);
      if (verdict.kind === "remote") {
        if (isOurWord(expected.note)) assert.equal(verdict.reason, expected.note);
        else assert.equal(verdict.reason !== "hostname_differs", expected.note !== undefined);
      }
      assert.equal(checks.filter(({ decides }) => decides).length, 1);
    });
  }
});
