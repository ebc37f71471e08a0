// Every text that a person sees can be translated: the bundle holds exactly the texts of the code, and rows hold no others.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { evidenceOf } from "../../src/extension/evidence/evidence.js";
import { childrenOf, type Child } from "../../src/extension/tree/children.js";
import { rowOf } from "../../src/extension/tree/rows.js";
import { englishText, type Translate } from "../../src/shared/text.js";
import { repositoryRoot } from "../tools/processGroup.mjs";
import { claim, corrupt, entry, live, now, remote, root, run, snapshot, stale, store, unknown } from "./builders.js";
import { bundleFile, shellSources, translatedTexts } from "./translatedTexts.js";

/** A language that nobody speaks: what was not translated stands out. */
const pseudo: Translate = (message, ...args) => `⟦${englishText(message, ...args)}⟧`;

describe("localization", () => {
  const { texts, computed } = translatedTexts();

  it("reads every text from a literal, so that a translator can find it", () => {
    assert.deepEqual(computed, []);
  });

  it("has exactly the texts of the code in the bundle (test/tools/writeTexts.ts writes it)", () => {
    const bundle = JSON.parse(fs.readFileSync(bundleFile, "utf8")) as Record<string, string>;
    assert.deepEqual(Object.keys(bundle), [...texts].sort());
    assert.deepEqual(Object.values(bundle), Object.keys(bundle));
  });

  it("numbers every text's placeholders from zero without a gap, so that no argument is lost", () => {
    for (const text of texts) {
      const holes = [...new Set([...text.matchAll(/\{(\d+)\}/g)].map(([, index]) => Number(index)))].sort((a, b) => a - b);
      assert.deepEqual(holes, [...holes.keys()], text);
    }
  });

  it("passes no text to VS Code's messages that is not translated", () => {
    const untranslated = shellSources().flatMap((file) =>
      [...fs.readFileSync(file, "utf8").matchAll(/show(?:Information|Warning|Error)Message\(\s*["'`]/g)].map(() => path.relative(repositoryRoot, file)),
    );
    assert.deepEqual(untranslated, []);
  });

  it("shows in rows and evidence nothing but names, values and translated texts", () => {
    const held = claim(stale, { path: "/p/.lattice/runs/NAME/.lifecycle.lock" });
    const taken = snapshot([
      root("/p", [
        store("/p/.lattice", {
          runs: [run("/p/.lattice", "NAME", [stale, unknown]), run("/p/.lattice", "NAME", [corrupt, live]), run("/p/.lattice", "NAME", [remote])],
          quarantine: [entry("quarantined", held), entry("frozen", held, "b"), entry("intended", held, "c"), entry("unreadable", held, "d")],
          problems: [{ code: "stray-entry", path: "/p/.lattice/runs/NAME", detail: null }],
        }),
      ]),
    ]);
    const shown: string[] = [];
    const collect = (parent: Child | null): void => {
      for (const child of childrenOf(parent, { snapshot: taken, filter: null, limit: 2, step: 1 })) {
        const row = rowOf(child.subject, { t: pseudo, now });
        const evidence = evidenceOf(child.subject, { t: pseudo, now });
        shown.push(row.description, row.spoken);
        if (evidence !== null) shown.push(evidence.headline, evidence.sentence, ...evidence.sections.map((section) => section.title));
        collect(child);
      }
    };
    collect(null);
    // Innermost first, until nothing translated is left.
    const outside = (text: string): string => (/⟦[^⟦⟧]*⟧/.test(text) ? outside(text.replaceAll(/⟦[^⟦⟧]*⟧/g, "")) : text);
    assert.deepEqual(shown.filter((text) => /[a-z]{2}/.test(outside(text).replaceAll("lifecycle.lock.1", ""))), []);
  });
});
