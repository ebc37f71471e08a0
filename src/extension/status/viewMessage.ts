// Owns: the one line above the rows: only what a person would otherwise get wrong. Pure.
// Leaves to others: when it changes (view.ts).
import type { Translate } from "../../shared/text.js";
import type { Settings } from "../contract.js";
import type { Filter } from "../tree/children.js";
import { states } from "../tree/treeNode.js";
import { stateWord } from "../tree/words.js";

export interface ViewMessageFacts {
  /** Time of the last good look, as shown; null without rows: then a welcome text stands in the view, which a message would hide. */
  readonly lookedAt: string | null;
  readonly refresh: Settings["refresh"];
  /** Seconds. */
  readonly pollInterval: number;
  readonly isTrusted: boolean;
  readonly filter: Filter;
  /** Why the last look failed; null when it did not. */
  readonly failure: string | null;
  /** Roots whose changes nobody reports, as shown. */
  readonly unwatched: readonly string[];
  /** Entries of the setting that name no absolute directory, as shown. */
  readonly rejectedRoots: readonly string[];
}

/** Undefined when there is nothing to say: an ordinary view has no message. */
export function viewMessage(facts: ViewMessageFacts, t: Translate): string | undefined {
  const sentences: string[] = [];
  if (facts.rejectedRoots.length > 0) sentences.push(t("Not an absolute path in runState.roots: {0}.", facts.rejectedRoots.join(", ")));
  if (facts.lookedAt !== null) sentences.push(...aboutRows(facts, facts.lookedAt, t));
  return sentences.length === 0 ? undefined : sentences.join(" ");
}

function aboutRows(facts: ViewMessageFacts, lookedAt: string, t: Translate): readonly string[] {
  const sentences: string[] = [];
  if (facts.failure !== null) sentences.push(t("The last look failed: {0} Shown is the state of {1}.", sentence(facts.failure), lookedAt));
  if (!facts.isTrusted) sentences.push(t("Restricted Mode: you can look, repairs are off."));
  if (facts.refresh === "manual") sentences.push(t("Automatic refresh is off. Last look: {0}.", lookedAt));
  else if (facts.unwatched.length > 0) {
    sentences.push(t("Not watched, looked at every {0} s: {1}.", facts.pollInterval, facts.unwatched.join(", ")));
  }
  if (facts.filter !== null) {
    const shown = states.filter((state) => facts.filter?.has(state) === true).map((state) => stateWord(state, t));
    sentences.push(t("Filtered: {0}.", shown.join(", ")));
  }
  return sentences;
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
