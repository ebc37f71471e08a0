import assert from "node:assert/strict";
import fc from "fast-check";
import type { Dialect } from "../../../../src/core/artifact/canonical.js";
import type { Finding } from "../../../../src/core/systems/lattice/finding.js";
import { fixAll, fixesFor, judgeRequestText } from "../../../../src/core/systems/lattice/requests/fixes.js";
import { applyEdits } from "../../../../src/core/systems/lattice/requests/fixes/textChanges.js";
import { checkPhaseRevision } from "../../../../src/core/systems/lattice/requests/phaseRevision.js";
import { ruleIds, rules, type RuleId } from "../../../../src/core/systems/lattice/requests/rules.js";
import { visitDerivedMembers } from "../../../../src/core/systems/lattice/requests/seal.js";
import { checkTaskMigration } from "../../../../src/core/systems/lattice/requests/taskMigration.js";
import type { LocatedFinding } from "../../../../src/core/systems/lattice/requests/text.js";
import type { Mutation } from "./mutationKit.js";
import { mutations } from "./mutations.js";
import { randomDocument, type Kind, type RandomDocument } from "./randomDocuments.js";

const runs = { numRuns: 2 };

function broken({ dialect = "0.50", keep, change }: Mutation, document: RandomDocument): RandomDocument {
  const copy = structuredClone({ ...document, context: { ...document.context, phaseValidator: "built-in" as const } }) as RandomDocument;
  change?.(copy);
  visitDerivedMembers(copy.value, dialect, ({ holder, field, pointer, value }) => {
    if (pointer !== keep) holder[field] = value;
  });
  return copy;
}

/** The part that is judged alone. */
function judgeAlone(alone: "phase" | "migration", rule: RuleId, { value }: RandomDocument, dialect: Dialect): readonly Finding[] {
  if (alone === "phase") return checkPhaseRevision(value["phase_revision"], { dialect });
  const ids = { successorTaskIds: ["T1a", "T1b", "T2n", "T4", "T5"] };
  return checkTaskMigration(value["task_migration"], { dialect, ...(rule === "migration.successor-coverage" ? ids : {}) });
}

function countByRule(findings: readonly LocatedFinding[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { rule } of findings) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  return counts;
}

describe("every rule of requests", () => {
  for (const kind of ["seam", "serial", "split", "primary"] as const satisfies readonly Kind[]) {
    it(`a random valid document has no finding (${kind})`, () => {
      fc.assert(
        fc.property(randomDocument(kind), ({ value, context, indent }) => {
          const told = judgeRequestText(JSON.stringify(value, null, indent), { context }).findings.filter(({ rule }) => rule !== "dialect.order");
          assert.deepEqual(told, []);
        }),
        { numRuns: 10 },
      );
    });
  }

  for (const [rule, mutation] of Object.entries(mutations) as [RuleId, Mutation | string][]) {
    if (typeof mutation === "string") continue;
    it(`one mistake against ${rule} gives that rule and no other, and its fixes only help`, () => {
      const dialect = mutation.dialect ?? "0.50";
      fc.assert(
        fc.property(randomDocument(mutation.on), (document) => {
          const { value, context, indent, ...rest } = broken(mutation, document);
          if (mutation.alone !== undefined) {
            const told = judgeAlone(mutation.alone, rule, { value, context, indent, ...rest }, dialect);
            assert.deepEqual([...new Set(told.map((finding) => finding.rule))], [rule], JSON.stringify(told, null, 1));
            return;
          }
          const plain = JSON.stringify(value, null, indent);
          const text = mutation.text?.(plain, { value, context, indent, ...rest }) ?? plain;
          const options = { context, dialect };
          const judged = judgeRequestText(text, options);
          assert.deepEqual([...new Set(judged.findings.map((finding) => finding.rule))], [rule], JSON.stringify(judged.findings, null, 1));
          assert.ok(judged.findings.every(({ severity }) => severity === rules[rule].severity));
          assertFixesHelp(judged, options);
        }),
        runs,
      );
    });
  }

  it("has a mistake here or a reason why it is tested elsewhere", () => {
    assert.deepEqual(Object.keys(mutations).sort(), [...ruleIds].sort());
  });
});

function assertFixesHelp(judged: ReturnType<typeof judgeRequestText>, options: Parameters<typeof judgeRequestText>[1]): void {
  const before = countByRule(judged.findings);
  const fixes = judged.findings.flatMap((finding) => fixesFor(judged, finding, options));
  const all = fixAll(judged, options);
  for (const fix of [...fixes, ...(all === null ? [] : [all])]) {
    const after = judgeRequestText(applyEdits(judged.text, fix.edits), options).findings;
    assert.ok(after.length < judged.findings.length, `${fix.title} leaves as many findings`);
    for (const [other, count] of countByRule(after)) assert.ok(count <= (before.get(other) ?? 0), `${fix.title} brings ${other}`);
  }
}
