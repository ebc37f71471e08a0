import { checkTaskMigration } from "../../src/core/systems/lattice/requests/taskMigration.js";
import { assertFindings, dialectsOf, type CheckCase } from "../core/lattice/requests/checkCases.js";
import { consumeVectors } from "./vectors.js";

interface TaskMigrationCase extends CheckCase {
  readonly context: { readonly predecessorTaskIds: readonly string[] | null; readonly successorTaskIds: readonly string[] | null } | null;
}

describe("vectors lattice/task-migration.json", () => {
  for (const vector of consumeVectors<TaskMigrationCase>("lattice/task-migration.json").cases) {
    const { predecessorTaskIds = null, successorTaskIds = null } = vector.context ?? {};
    for (const dialect of dialectsOf(vector)) {
      it(`${vector.category}: ${vector.name} (${dialect})`, () => {
        const findings = checkTaskMigration(vector.value, {
          dialect,
          ...(predecessorTaskIds === null ? {} : { predecessorTaskIds }),
          ...(successorTaskIds === null ? {} : { successorTaskIds }),
        });
        assertFindings(findings, vector);
      });
    }
  }
});
