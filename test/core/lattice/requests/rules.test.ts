import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { leftOutRules } from "../../../../src/core/systems/lattice/requests/context.js";
import { renderRuleIndex, renderRulePages } from "../../../../src/core/systems/lattice/requests/rulePages.js";
import { ruleIds, rules } from "../../../../src/core/systems/lattice/requests/rules.js";
import type { Rule } from "../../../../src/core/systems/lattice/requests/rules/rule.js";

const source = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../../../../src/core/systems/lattice/requests");

/** Section 5 of the specification, family by family. */
const specified: Readonly<Record<string, string>> = {
  "run-request": `canonical-limits exact-keys schema-id predecessor-digest-format migration-digest-format request-id-syntax repo-exact-keys base-sha-format
    root-kind-syntax capacity-exact-keys executors-positive todos-bounds todo-exact-keys todo-id-syntax todo-id-unique witness-object witness-keys-equal-todos
    witness-exact-keys witness-owns witness-reads witness-writes witness-resources witness-state-effects witness-affected-tests witness-unknowns
    provenance-object provenance-exact-keys provenance-queries-bounds provenance-entry-exact-keys provenance-query-id-syntax provenance-expect
    query-set-object query-set-exact-keys query-set-bounds query-exact-keys query-id-syntax query-operation-enum query-target-nonempty query-id-unique
    capability-object capability-exact-keys capability-adapters claim-mode digest-format digest-match more-than-eight-todos`,
  migration: `exact-keys schema-id entries-array entries-limit digest-format digest-match canonical-limits entry-exact-keys predecessor-id-syntax
    disposition-enum reason-nonempty successors-array successor-id-syntax successors-order successors-unique evidence-array evidence-digest-format
    evidence-sorted-unique carry-stay-identity retire-empty replace-split-nonempty predecessors-sorted-unique successor-single-owner predecessor-coverage
    successor-coverage split-single-target empty`,
  recompile: `exact-keys schema-id request-id-syntax run-id-syntax predecessor-epoch frozen-digest-format hold-digest-format mode-enum reason-nonempty
    run-id-binding migration-digest-binding digest-format digest-match canonical-limits epoch-binding predecessor-request-binding frozen-event-binding
    hold-decision-binding phase-required-input-change phase-required-identity-change phase-validator-missing phase-invalid phase-migration-binding mode-exclusive`,
  seam: `exact-keys schema-id finding-digest-format predecessors-array predecessor-id-syntax predecessors-sorted-unique migration-digest-binding
    verifier-refs-array verifier-ref-nonempty verifier-refs-sorted-unique digest-format digest-match phase-required-diff predecessor-unknown finding-unknown`,
  ownership: `exact-keys schema-id entries-array entry-exact-keys resource-id-syntax owner-id-syntax access-kind-enum sorted-unique digest-format digest-match
    contradiction multiple-owners`,
  edge: "exact-keys schema-id entries-array entry-exact-keys from-id-syntax to-id-syntax kind-enum sorted-unique digest-format digest-match self-loop todo-unknown",
  serial: `exact-keys schema-id finding-digest-format todo-ids-array todo-id-syntax todo-ids-sorted-unique todo-ids-min-two resource-id-syntax stay-member
    reason-nonempty digest-format digest-match todos-in-migration stay-disposition more-than-two`,
  apply: `frozen-and-held finding-recorded finding-epoch finding-matches-hold serial-resource serial-exactly-two seam-diff-derivable seam-base-advanced
    seam-single-owner successor-compiles queue-empty-or-same request-id-fresh phase-commit`,
  strict: "type",
  dialect: "order",
  json: "duplicate-key",
};

/** Section 5.6: accepted by the runtime. Everything of 5.5 is a warning as well. */
const advisories = new Set(
  `strict.type seam.predecessor-unknown edge.self-loop edge.todo-unknown ownership.contradiction ownership.multiple-owners seam.finding-unknown
  serial.more-than-two migration.split-single-target migration.empty json.duplicate-key dialect.order run-request.more-than-eight-todos`.split(/\s+/),
);

function sources(): readonly string[] {
  return readdirSync(source, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.startsWith("rules"))
    .map((name) => readFileSync(path.join(source, name), "utf8"));
}

describe("the table of rules", () => {
  it("has every rule of section 5 with its severity", () => {
    for (const [family, names] of Object.entries(specified)) {
      for (const name of names.split(/\s+/)) {
        const rule = (rules as Readonly<Record<string, Rule | undefined>>)[`${family}.${name}`];
        assert.ok(rule !== undefined, `${family}.${name}`);
        assert.equal(rule.severity, family === "apply" || advisories.has(`${family}.${name}`) ? "warning" : "error", `${family}.${name}`);
      }
    }
  });

  it("has no rule of the specified families beyond the specification", () => {
    for (const id of ruleIds) {
      const family = id.slice(0, id.indexOf("."));
      const name = id.slice(family.length + 1);
      if (family === "json" || family === "phase") continue;
      assert.ok(specified[family]?.split(/\s+/).includes(name), id);
    }
  });

  it("is used by the checkers to the last rule", () => {
    const text = sources().join("\n");
    for (const id of ruleIds) {
      const [family = "", name = ""] = id.split(".");
      const isUsed = text.includes(`"${id}"`) || (["ownership", "edge"].includes(family) && text.includes(`\`\${prefix}.${name}\``));
      assert.ok(isUsed || id === "apply.phase-commit", `${id} is never reported`);
    }
  });

  it("gives each rule a page with its title, reason, repair and quick fix", () => {
    const pages = renderRulePages();
    assert.deepEqual(pages.map(({ rule }) => rule), ruleIds);
    for (const { rule, fileName, markdown } of pages) {
      const { title, meaning, repair, fix, section } = rules[rule];
      assert.equal(fileName, `${rule}.md`);
      for (const part of [`# ${rule}\n`, title, meaning, repair, `section ${section}`]) assert.ok(markdown.includes(part), `${rule}: ${part}`);
      assert.equal(markdown.includes("Quick fix"), fix !== undefined);
      assert.ok(!/undefined|\n\n\n/.test(markdown) && markdown.endsWith("\n"));
      assert.ok(renderRuleIndex().includes(`[${rule}](${fileName})`));
    }
  });

  it("writes statements: titles without a final stop, the rest in sentences", () => {
    for (const id of ruleIds) {
      const { title, meaning, repair } = rules[id];
      assert.ok(!/[.!]$/.test(title), `${id}: ${title}`);
      for (const text of [meaning, repair]) assert.match(text, /^\S.*\.$/su, id);
    }
  });
});

describe("leftOutRules", () => {
  it("names what cannot be judged without a run, and nothing that can", () => {
    const leftOut = leftOutRules(undefined);
    for (const id of ["recompile.epoch-binding", "recompile.frozen-event-binding", "recompile.hold-decision-binding", "migration.predecessor-coverage", "apply.finding-epoch", "seam.finding-unknown"] as const) {
      assert.ok(leftOut.includes(id), id);
    }
    for (const id of ["recompile.phase-invalid", "migration.successor-coverage", "seam.digest-match"] as const) assert.ok(!leftOut.includes(id), id);
  });

  it("shrinks with each part of the context", () => {
    const leftOut = leftOutRules({ frozenEventDigest: "a".repeat(64) });
    assert.ok(!leftOut.includes("recompile.frozen-event-binding"));
    assert.ok(leftOut.includes("recompile.hold-decision-binding"));
  });
});
