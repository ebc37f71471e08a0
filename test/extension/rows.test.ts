// The words, flags and icons of rows, as golden texts.
import assert from "node:assert/strict";
import { englishText } from "../../src/shared/text.js";
import { childrenOf } from "../../src/extension/tree/children.js";
import { rowOf } from "../../src/extension/tree/rows.js";
import type { Row, Subject } from "../../src/extension/tree/treeNode.js";
import { claim, corrupt, entry, live, now, remote, root, run, snapshot, stale, store, unknown } from "./builders.js";

const lattice = "/home/kim/project/.lattice";

function row(subject: Subject): Row {
  return rowOf(subject, { t: englishText, now });
}

/** Every row of a tree, indented, as a person reads it. */
function drawn(...roots: Parameters<typeof root>[1][]): string {
  const taken = snapshot(roots.map((stores) => root("/home/kim/project", stores)));
  const lines: string[] = [];
  const draw = (parent: Parameters<typeof childrenOf>[0], indent: string): void => {
    for (const child of childrenOf(parent, { snapshot: taken, filter: null, limit: 500, step: 500 })) {
      const one = row(child.subject);
      lines.push(`${indent}$(${one.icon.id}) ${one.label} | ${one.description}`);
      draw(child, `${indent}  `);
    }
  };
  draw(null, "");
  return lines.join("\n");
}

describe("rows", () => {
  it("say the state as a word first, then owner, age and reason, problems first", () => {
    const held = claim(stale, { path: `${lattice}/runs/gone/.lifecycle.lock` });
    const text = drawn([
      store(lattice, {
        runs: [
          run(lattice, "done"),
          run(lattice, "working", [live]),
          run(lattice, "torn", [corrupt]),
          run(lattice, "elsewhere", [remote]),
          run(lattice, "in-container", [unknown]),
          run(lattice, "abandoned", [stale, live]),
        ],
        claims: [claim(live, { path: `${lattice}/runtime/adapter-registry/.registry.lock`, kind: "registry-lock", owner: null, resource: "adapter-registry" })],
        quarantine: [entry("quarantined", held), entry("restored", held, "b")],
        problems: [{ code: "stray-entry", path: `${lattice}/runs/notes.txt`, detail: "file" }],
      }),
    ]);
    assert.equal(
      text,
      [
        "$(folder) project | 1 stale, 1 corrupt",
        "  $(warning) abandoned | stale",
        "    $(warning) Lock | stale · pid 4312 · 3 h · gone",
        "    $(pass-filled) CLI lock | live · pid 4312 · 3 h",
        "  $(error) torn | corrupt",
        "    $(error) Lock | corrupt · pid 4312 · 3 h · torn",
        "  $(circle-slash) notes.txt | stray entry (file)",
        "  $(question) in-container | unknown",
        "    $(question) Lock | unknown · pid 4312 · 3 h · container",
        "  $(remote) elsewhere | remote",
        "    $(remote) Lock | remote · pid 4312 · 3 h · platform",
        "  $(pass-filled) working | live",
        "    $(pass-filled) Lock | live · pid 4312 · 3 h",
        "  $(pass-filled) Registry lock | live · 3 h",
        "  $(circle-outline) done | no lock",
        "  $(inbox) Quarantine | 1 item",
        "    $(archive) gone | quarantined · 2 h · Lock",
        "    $(history) gone | restored · 2 h · Lock",
      ].join("\n"),
    );
  });
});
