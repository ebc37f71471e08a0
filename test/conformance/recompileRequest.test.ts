import { checkRecompileRequest } from "../../src/core/systems/lattice/requests/recompileRequest.js";
import type { PhaseValidator, RecompileContext } from "../../src/core/systems/lattice/requests/context.js";
import { assertFindings, dialectsOf, type CheckCase } from "../core/lattice/requests/checkCases.js";
import { consumeVectors } from "./vectors.js";

interface RecompileCase extends CheckCase {
  readonly context: string | null;
}

interface VectorContext extends Omit<RecompileContext, "phaseValidator"> {
  readonly phaseValidator: keyof typeof validators;
}

const validators = { none: "none", upstream: "built-in", "always-true": () => true, "always-false": () => false } as const satisfies Record<string, PhaseValidator>;

function contextOf(name: string | null, tables: Readonly<Record<string, unknown>>): RecompileContext | null {
  if (name === null) return null;
  const found = (tables["contexts"] as Record<string, VectorContext>)[name];
  if (found === undefined) throw new Error(`No context ${name}.`);
  const { phaseValidator, ...rest } = found;
  return { ...(Object.fromEntries(Object.entries(rest).filter(([, value]) => (value as unknown) !== null)) as RecompileContext), phaseValidator: validators[phaseValidator] };
}

describe("vectors lattice/recompile-request.json", () => {
  const { cases, tables } = consumeVectors<RecompileCase>("lattice/recompile-request.json");
  for (const vector of cases) {
    for (const dialect of dialectsOf(vector)) {
      it(`${vector.category}: ${vector.name} (${dialect})`, () => {
        assertFindings(checkRecompileRequest(vector.value, contextOf(vector.context, tables), { dialect }), vector);
      });
    }
  }
});
