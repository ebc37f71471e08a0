// Owns: collecting the checks of one judgement in the order in which they were made.
// Leaves to others: which checks, and what they mean (systems/*/judge*.ts).
import type { Check, Judgement, Verdict } from "./verdict.js";

export class Evidence {
  readonly #checks: Check[] = [];

  add(id: string, recorded: string | null, observed: string | null, outcome: Check["outcome"]): void {
    this.#checks.push({ id, recorded, observed, outcome, decides: false });
  }

  /** @param id the check that decided; its last occurrence counts. */
  conclude(id: string, verdict: Verdict): Judgement {
    const index = this.#checks.findLastIndex((check) => check.id === id);
    return { verdict, checks: this.#checks.map((check, at) => (at === index ? { ...check, decides: true } : check)) };
  }
}
