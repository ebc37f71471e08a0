import { checkRunRequest, checkRunRequestV2 } from "../../src/core/systems/lattice/requests/runRequest.js";
import { assertFindings, dialectsOf, type CheckCase } from "../core/lattice/requests/checkCases.js";
import { consumeVectors } from "./vectors.js";

interface RunRequestCase extends CheckCase {
  readonly validator: "validateRunRequest" | "validateRunRequestV2";
}

describe("vectors lattice/run-request.json", () => {
  for (const vector of consumeVectors<RunRequestCase>("lattice/run-request.json").cases) {
    const check = vector.validator === "validateRunRequest" ? checkRunRequest : checkRunRequestV2;
    for (const dialect of dialectsOf(vector)) {
      it(`${vector.category}: ${vector.name} (${dialect})`, () => {
        assertFindings(check(vector.value, { dialect }), vector);
      });
    }
  }
});
