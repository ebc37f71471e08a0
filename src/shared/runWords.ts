// Owns: the wording of what a look into a lattice run says: status words, states, named problems, what they mean, what can be done, leftovers.
// Leaves to others: what is found (core/systems/lattice/store), rows and documents (extension/run). A code without a wording is shown as it is.
import type { ChainStanding } from "../core/systems/lattice/events/chain.js";
import type { EpochState, HeartbeatState, RunStatusWord, TodoState } from "../core/systems/lattice/store/runDetail.js";
import type { ProblemSeverity } from "../core/systems/lattice/store/problemCatalog.js";
import { displayText } from "./displayText.js";
import type { Translate } from "./text.js";

type Wording = (t: Translate) => string;
type Wordings = Readonly<Record<string, Wording>>;

const problemNames: Wordings = {
  "run-directory-not-real": (t) => t("directory is a link"),
  "file-missing": (t) => t("file missing"),
  "file-unreadable": (t) => t("file unreadable"),
  "file-too-large": (t) => t("file too large"),
  "file-not-json": (t) => t("file is no JSON"),
  "document-invalid": (t) => t("document invalid"),
  "pointer-missing": (t) => t("pointer to the epoch missing"),
  "pointer-mismatch": (t) => t("pointer to the epoch contradicts"),
  "bundle-missing": (t) => t("epoch bundle missing"),
  "bundle-chain-broken": (t) => t("chain of epochs broken"),
  "event-chain-invalid": (t) => t("event chain invalid"),
  "meta-rolled-back": (t) => t("meta rolled back"),
  "control-journal-missing": (t) => t("control journal missing"),
  "control-journal-invalid": (t) => t("control journal invalid"),
  "event-tail-lost": (t) => t("newest events lost"),
  "control-tail-lost": (t) => t("newest control events lost"),
  "gate-missing": (t) => t("write gate missing"),
  "gate-invalid": (t) => t("write gate invalid"),
  "gate-not-committed": (t) => t("write gate not committed"),
  "gate-chain-broken": (t) => t("chain of write gates broken"),
  "name-digest-mismatch": (t) => t("name and digest differ"),
  "not-canonical-bytes": (t) => t("re-formatted"),
  "secret-in-event": (t) => t("secret in an event"),
  "decision-not-reproducible": (t) => t("decision not reproducible"),
  "event-chain-beyond-limit": (t) => t("event chain beyond the runtime's limit"),
  "control-journal-beyond-limit": (t) => t("control journal beyond the runtime's limit"),
  "gate-of-another-epoch": (t) => t("write gate of another epoch"),
  "activation-unfinished": (t) => t("activation unfinished"),
  "event-batch-pending": (t) => t("events not yet written"),
  "hold-unfinished": (t) => t("hold unfinished"),
  "second-conflict-not-holdable": (t) => t("second conflict cannot be held"),
  "hold-pair-torn": (t) => t("hold result and receipt differ"),
  "orphan-epoch": (t) => t("orphan epoch"),
  "staging-incomplete": (t) => t("staging incomplete"),
  "staging-leftover": (t) => t("staging left behind"),
  "release-mismatch": (t) => t("release barrier contradicts"),
  "pid-contradiction": (t) => t("process ids contradict"),
  "registration-mismatch": (t) => t("registration contradicts"),
  "supervisor-socket-missing": (t) => t("supervisor socket missing"),
  "supervisor-restart-pointer-mismatch": (t) => t("pointer of the restart contradicts"),
  "run-id-is-not-name": (t) => t("run id is not the directory's name"),
  "dialects-contradict": (t) => t("written by two versions"),
  "directory-unreadable": (t) => t("directory unreadable"),
  "directory-too-large": (t) => t("directory too large"),
  "staged-epoch": (t) => t("successor staged"),
};

const meanings: Wordings = {
  "runtime-refuses-run": (t) => t("The runtime answers nothing about this run."),
  "record-was-altered": (t) => t("The record is not what the runtime wrote."),
  "history-cannot-be-trusted": (t) => t("The history of this run cannot be trusted from that event on."),
  "runtime-shows-first-epoch": (t) => t("The runtime takes the run for one that was never activated and shows its first epoch."),
  "runtime-does-not-notice": (t) => t("The runtime does not notice this: its own answers look as if nothing had happened."),
  "newest-history-lost": (t) => t("The newest events are gone, and what is left still verifies. The runtime does not notice."),
  "shows-only-as-frozen": (t) => t("The runtime only says that the run is frozen, not why."),
  "runtime-refuses-file": (t) => t("The runtime refuses this file."),
  "secret-on-disk": (t) => t("An event holds what may be a secret. It is on this disk, and in every copy of it."),
  "decision-contradicts-history": (t) => t("A recorded decision does not follow from the events before it."),
  "valid-but-runtime-cannot-read": (t) => t("Everything verifies, but there is more of it than the runtime can read."),
  "activation-not-finished": (t) => t("An activation of an epoch stopped in the middle."),
  "frozen-without-hold": (t) => t("Intake is frozen, but no hold was recorded: nothing is dispatched, and nothing will resume it."),
  "hold-not-finished": (t) => t("A hold stopped in the middle."),
  "not-in-force": (t) => t("It is not in force and nothing refers to it."),
  "staging-not-finished": (t) => t("The staging of a successor epoch stopped in the middle."),
  "owner-cannot-be-told": (t) => t("Two records name different processes, so the owner cannot be told."),
  "controller-not-registered": (t) => t("The controller is not registered as its descriptor says, so the supervisor does not accept it."),
  "supervisor-not-reachable": (t) => t("Nobody listens where the supervisor should: it cannot be reached."),
  "runtime-looks-elsewhere": (t) => t("The runtime looks for this run under another name and does not find it."),
  "written-by-two-versions": (t) => t("Some documents are valid for one version of the runtime only, others for another."),
  "not-all-was-seen": (t) => t("Not everything could be looked at: there may be more."),
  "successor-waits-for-commit": (t) => t("A successor epoch is prepared and waits for its commit. Nothing is wrong."),
};

const remedies: Wordings = {
  "replace-link-by-directory": (t) => t("Put the real directory in the place of the link."),
  "restore-file-from-backup": (t) => t("Bring the file back from a backup or from version control. Do not edit it: digests would not match."),
  "make-file-readable": (t) => t("See that it is no link and that you have the right to read it, then look again."),
  "close-run-and-start-another": (t) => t("Close this run and start another: the runtime offers no way to shorten it."),
  "let-supervisor-recover": (t) => t("Start the supervisor of this run again: it finishes or undoes the step."),
  "rotate-secret": (t) => t("Replace the secret where it is valid. Then treat this run as disclosed."),
  "compare-by-hand": (t) => t("Compare the named records by hand before anything is done to the run."),
  "abandon-or-hold-again": (t) => t("Hold again with the same finding, or abandon the run."),
  "abandon-run": (t) => t("Abandon the run: the runtime cannot hold it a second time."),
  "set-aside": (t) => t("Move it out of the run, and keep it until the run works."),
  "activate-again": (t) => t("Activate the run again when it shall go on."),
  "rename-directory": (t) => t("Rename the directory to the run id while nobody works on the run."),
  "use-one-version": (t) => t("Go on with one version of the runtime only."),
  nothing: (t) => t("Nothing needs to be done."),
};

const leftoverNames: Wordings = {
  "stale-lock": (t) => t("lock set aside"),
  "temporary-file": (t) => t("temporary file"),
  "temporary-epoch": (t) => t("temporary epoch"),
  "stray-entry": (t) => t("stray entry"),
};

const leftoverCauses: Wordings = {
  "lock-recovery-crashed": (t) => t("The runtime recovered a lock, moved it aside and crashed before it deleted it."),
  "write-crashed": (t) => t("A file was being written when its writer crashed. It was never put in place."),
  "activation-crashed": (t) => t("The first epoch was being prepared when the runtime crashed."),
  "run-start-crashed": (t) => t("A run was being started when the runtime crashed."),
  "not-of-the-runtime": (t) => t("The runtime writes nothing of this name here."),
};

const frozenReasons: Wordings = {
  intake: (t) => t("intake was frozen"),
  "gate-missing": (t) => t("write gate missing"),
  "gate-invalid": (t) => t("write gate invalid"),
  "gate-of-another-epoch": (t) => t("write gate of another epoch"),
};

/** Own members only: a code is text from the core, never a key that an object inherits. */
function worded(table: Wordings, code: string, t: Translate): string {
  const wording = Object.hasOwn(table, code) ? table[code] : undefined;
  return wording === undefined ? displayText(code) : wording(t);
}

/** A named problem in a few words. */
export function runProblemName(code: string, t: Translate): string {
  return worded(problemNames, code, t);
}

export function meaningSentence(code: string, t: Translate): string {
  return worded(meanings, code, t);
}

export function remedySentence(code: string, t: Translate): string {
  return worded(remedies, code, t);
}

export function leftoverName(kind: string, t: Translate): string {
  return worded(leftoverNames, kind, t);
}

export function leftoverCause(cause: string, t: Translate): string {
  return worded(leftoverCauses, cause, t);
}

export function frozenReason(code: string, t: Translate): string {
  return worded(frozenReasons, code, t);
}

export function runStatusWord(word: RunStatusWord, t: Translate): string {
  switch (word) {
    case "abandoned":
      return t("abandoned");
    case "closed":
      return t("closed");
    case "held":
      return t("held");
    case "frozen":
      return t("frozen");
    case "running":
      return t("running");
    case "idle":
      return t("idle");
    case "fresh":
      return t("fresh");
    case "damaged":
      return t("damaged");
  }
}

export function todoStateWord(state: TodoState, t: Translate): string {
  switch (state) {
    case "accepted":
      return t("accepted");
    case "running":
      return t("running");
    case "ended":
      return t("ended");
    case "ready":
      return t("ready");
    case "waiting":
      return t("waiting");
  }
}

export function epochStateWord(state: EpochState, t: Translate): string {
  switch (state) {
    case "committed":
      return t("committed");
    case "superseded":
      return t("superseded");
    case "staged":
      return t("staged");
    case "orphan":
      return t("orphan");
    case "unreadable":
      return t("unreadable");
  }
}

export function heartbeatWord(state: HeartbeatState, t: Translate): string {
  switch (state) {
    case "fresh":
      return t("heartbeat fresh");
    case "late":
      return t("heartbeat late");
    case "expired":
      return t("heartbeat expired");
    case "future":
      return t("heartbeat from the future");
    case "none":
      return t("no heartbeat");
  }
}

export function severityWord(severity: ProblemSeverity, t: Translate): string {
  switch (severity) {
    case "error":
      return t("error");
    case "warning":
      return t("warning");
    case "info":
      return t("note");
  }
}

/** How far a journal can be trusted, in a word or two; null: it could not be read. */
export function chainWord(standing: ChainStanding | null, t: Translate): string {
  switch (standing) {
    case null:
      return t("unreadable");
    case "valid":
      return t("valid");
    case "beyond-limit":
      return t("valid, but beyond the runtime's limit");
    case "invalid":
      return t("invalid");
  }
}
