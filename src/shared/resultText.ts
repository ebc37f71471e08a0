// Owns: what to tell a person about the outcome of a repair: what happened, why not, what would settle it. Pure.
// Leaves to others: verdicts and evidence (shared/explain.ts), dialogs (the command files).
import type { Changed, Conflict, QuarantineEntry, Refusal, SettleAction } from "../core/quarantine/quarantineEntry.js";
import { displayText } from "./displayText.js";
import type { Translate } from "./text.js";
import { claimNoun } from "./claimWords.js";

export function changedText({ reason, detail }: Changed, t: Translate): string {
  switch (reason) {
    case "missing":
      return t("It is no longer there: its owner or the runtime took it away.");
    case "file-replaced":
      return t("Another file has taken its place since you looked. It was left alone.");
    case "content-changed":
      return t("Its content changed since you looked. It was left alone.");
    case "type-changed":
      return t("It is no longer the same kind of file. It was left alone.");
    case "link-count-changed":
      return t("Something else links to the file now. It was left alone.");
    case "verdict-changed":
      return t("The verdict about its owner changed since you looked. It was left alone.");
    case "proof-weaker":
      return t("The proof is weaker than when you looked. It was left alone.");
    case "recovered-by-runtime":
      return t("The runtime recovered it itself in the same moment. Its last bytes were kept in quarantine.");
    case "item-missing":
      return t("The item is no longer in quarantine.");
    case "record-changed":
      return detail === null
        ? t("The record beside the item changed. Nothing was touched.")
        : t("The record beside the item changed ({0}). Nothing was touched.", displayText(detail));
  }
}

export function refusedText({ reason, detail, guard }: Refusal, t: Translate): string {
  const raw = detail === null ? "?" : displayText(detail);
  switch (reason) {
    case "never-allowed":
      return t("A claim with this verdict is never moved ({0}).", raw);
    case "force-needed":
      return t("The owner is not proved gone ({0}). Only Force Quarantine may move it.", raw);
    case "typed-id-differs":
      return t("The typed id is not the id of this claim. Nothing was moved.");
    case "busy":
      return guard?.pid === undefined || guard.pid === null
        ? t("Another window or terminal works on it. Try again when it has finished.")
        : t("Another window or terminal works on it (pid {0}). Try again when it has finished.", guard.pid);
    case "cancelled":
      return t("Cancelled. Nothing was moved.");
    case "unsafe-directory":
      return t("A directory on the way is a link or no directory: {0}. Nothing was moved.", raw);
    case "other-file-system":
      return t("The quarantine lies on another file system than the claim, so it cannot be moved safely.");
    case "io-error":
      return t("A file step failed ({0}). Nothing was lost; look again to see the state.", raw);
    case "not-supported":
      return t("This is not supported here ({0}).", raw);
    case "already-restored":
      return t("It has been restored already.");
    case "not-restorable":
      return t("It cannot be restored ({0}).", raw);
    case "place-missing":
      return t("The directory it came from is gone: {0}. Create it again, then restore.", raw);
    case "nothing-to-settle":
      return t("There is nothing left to settle.");
  }
}

export function conflictText({ paths }: Conflict, t: Translate): string {
  const [held = "?", place = "?"] = paths.map((path) => displayText(path));
  return t("Another owner's claim came between, and its place was taken again. Both are kept: {0} and {1}.", held, place);
}

/** What settling would do, as the label of its button and as a sentence. */
export function settleText(action: SettleAction, t: Translate): { readonly label: string; readonly effect: string } {
  switch (action) {
    case "forget":
      return { label: t("Drop Record"), effect: t("Nothing was moved. Only the record of the attempt is dropped.") };
    case "undo":
      return { label: t("Undo"), effect: t("The lock stays where it is. The second link to it, which makes runtimes refuse it, is taken away.") };
    case "finish":
      return { label: t("Finish"), effect: t("The lock has been moved already. Its record is completed, and it can be restored.") };
    case "keep":
      return { label: t("Keep Copy"), effect: t("The lock is gone from its place. Its last bytes are kept in quarantine.") };
    case "put-back":
      return { label: t("Put Back"), effect: t("What was moved is not what was judged. It goes back to its place, if that is free.") };
    case "finish-restore":
      return { label: t("Finish"), effect: t("It is back in its place already. Only its record is completed.") };
    case "finish-purge":
      return { label: t("Finish"), effect: t("Its deletion was confirmed and had begun. It is completed.") };
  }
}

/** "lifecycle lock of run-serial": the claim of an entry inside a sentence; the name of its file where no record can be read. */
export function entryTitle(entry: QuarantineEntry, t: Translate): string {
  const { record } = entry;
  return record === undefined ? displayText(entry.name) : t("{0} of {1}", claimNoun(record.claim_kind, t), displayText(record.resource));
}
