import assert from "node:assert/strict";
import {
  encodeLifecycleGuard,
  encodeWorkflowLeaseOwner,
  LeaseRecordError,
  parseLifecycleGuard,
  parseWorkflowLeaseOwner,
} from "../../src/core/systems/pi-amq/leaseRecord.js";
import { consumeVectors, type VectorCase } from "./vectors.js";

interface RecordCase extends VectorCase {
  readonly raw_text: string;
  readonly parsed: object | null;
  readonly error_class: string | null;
}

interface Outcome {
  readonly parsed: object | null;
  readonly errorClass: string | null;
}

function outcomeOf(text: string, parse: (value: unknown) => object): Outcome {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { parsed: null, errorClass: "not_json" };
  }
  try {
    return { parsed: parse(value), errorClass: null };
  } catch (error) {
    assert.ok(LeaseRecordError.is(error), String(error));
    return { parsed: null, errorClass: error.errorClass };
  }
}

function testRecords<Parsed extends object>(file: string, parse: (value: unknown) => Parsed, encode: (record: Parsed) => Uint8Array): void {
  describe(`vectors ${file}`, () => {
    for (const vector of consumeVectors<RecordCase>(file).cases) {
      it(`${vector.category}: ${vector.name}`, () => {
        const outcome = outcomeOf(vector.raw_text, parse);
        assert.equal(outcome.errorClass, vector.error_class);
        if (vector.error_class !== null) return;
        assert.deepEqual(outcome.parsed, vector.parsed);
        // What we write of a record that we read reads as the same record.
        const written = new TextDecoder().decode(encode(parse(JSON.parse(vector.raw_text))));
        assert.deepEqual(parse(JSON.parse(written)), outcome.parsed);
      });
    }
  });
}

testRecords("pi-amq/owner-records.json", parseWorkflowLeaseOwner, encodeWorkflowLeaseOwner);
testRecords("pi-amq/guard-records.json", parseLifecycleGuard, encodeLifecycleGuard);
