// Owns: what of the package is made from the core: JSON schemas and a page for each rule. The texts, by path from the repository's top.
// Leaves to others: writing them (writeGenerated.ts), comparing them (test/contract/generated.test.ts).
import { renderRuleIndex, renderRulePages } from "../../src/core/systems/lattice/requests/rulePages.js";
import { toJsonSchemas } from "../../src/core/systems/lattice/requests/schemas.js";

/** Directories that hold nothing else. */
export const generatedDirectories = ["media/rules", "media/schemas"] as const;

export function generatedFiles(): ReadonlyMap<string, string> {
  return new Map([
    ...renderRulePages().map(({ fileName, markdown }) => [`media/rules/${fileName}`, markdown] as const),
    ["media/rules/index.md", renderRuleIndex()] as const,
    ...toJsonSchemas().map(({ fileName, schema }) => [`media/schemas/${fileName}`, `${JSON.stringify(schema, null, 2)}\n`] as const),
  ]);
}
