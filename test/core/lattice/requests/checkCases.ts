// Owns: the form of the request vectors and what "agrees with a vector" means: acceptance, and rules and places where given.
import assert from "node:assert/strict";
import type { Dialect } from "../../../../src/core/artifact/canonical.js";
import type { Finding } from "../../../../src/core/systems/lattice/finding.js";

interface Violation {
  readonly rule: string;
  readonly pointer: string;
}

export interface CheckCase {
  readonly name: string;
  readonly category: string;
  readonly value: unknown;
  readonly dialect: "both" | Dialect;
  readonly accepted: boolean;
  readonly throws?: boolean;
  readonly rule?: string;
  readonly pointer?: string;
  readonly violations?: readonly Violation[];
}

export function dialectsOf(vector: CheckCase): readonly Dialect[] {
  return vector.dialect === "both" ? ["0.12", "0.50"] : [vector.dialect];
}

export function errorsOf(findings: readonly Finding[]): readonly Finding[] {
  return findings.filter(({ severity }) => severity === "error");
}

const sortedSet = (items: readonly string[]): readonly string[] => [...new Set(items)].sort();

/** Where a vector lists several places of one rule, the places that a finding relates count as told. */
function toldPlaces(errors: readonly Finding[]): readonly string[] {
  return errors.flatMap(({ rule, pointer, related = [] }) => [pointer, ...related.map((place) => place.pointer)].map((place) => `${rule} ${place}`));
}

export function assertFindings(findings: readonly Finding[], vector: CheckCase): void {
  const errors = errorsOf(findings);
  const told = JSON.stringify(errors, null, 1);
  assert.equal(errors.length === 0, vector.accepted, told);
  if (vector.rule !== undefined) {
    assert.deepEqual(errors.map(({ rule, pointer }) => ({ rule, pointer })), [{ rule: vector.rule, pointer: vector.pointer }], told);
  }
  if (vector.violations === undefined) return;
  assert.deepEqual(sortedSet(errors.map(({ rule }) => rule)), sortedSet(vector.violations.map(({ rule }) => rule)), told);
  const places = new Set(toldPlaces(errors));
  for (const { rule, pointer } of vector.violations) assert.ok(places.has(`${rule} ${pointer}`), `${rule} at ${pointer} is not told: ${told}`);
  const expected = new Set(vector.violations.map(({ rule, pointer }) => `${rule} ${pointer}`));
  for (const { rule, pointer } of errors) assert.ok(expected.has(`${rule} ${pointer}`), `${rule} at ${pointer} is too much: ${told}`);
}
