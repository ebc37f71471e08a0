// Owns: for every rule one mistake that breaks it and nothing else, or where else the rule is tested.
import type { RuleId } from "../../../../src/core/systems/lattice/requests/rules.js";
import type { Mutation } from "./mutationKit.js";
import { phasesMutations } from "./mutationsOfPhases.js";
import { migrationMutations, recompileMutations, runRequestMutations } from "./mutationsOfRequests.js";
import { applyTimeMutations, textsMutations } from "./mutationsOfRuns.js";
import { treatmentsMutations } from "./mutationsOfTreatments.js";

export const mutations: Readonly<Record<RuleId, Mutation | string>> = {
  ...runRequestMutations,
  ...migrationMutations,
  ...recompileMutations,
  ...treatmentsMutations,
  ...phasesMutations,
  ...applyTimeMutations,
  ...textsMutations,
};
