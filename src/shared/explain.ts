// Owns: the wording of every code that the core gives: verdicts, reasons, assumptions, cautions, checks, problems, warnings.
// Leaves to others: what is decided (core), rows and dialogs (extension), columns (cli). A code without a wording is shown as it is.
import type { Check, Proof, Verdict } from "../core/claims/verdict.js";
import type { ScanProblem } from "../core/scan/snapshot.js";
import { displayText } from "./displayText.js";
import type { Translate } from "./text.js";

type Wording = (t: Translate) => string;
type Wordings = Readonly<Record<string, Wording>>;

/** Why an owner is proved gone. */
const staleSentences: Wordings = {
  pid_absent: (t) => t("The kernel knows no process with the recorded PID: the owner is gone."),
  start_identity_changed: (t) => t("The recorded PID now belongs to another process, which started at another time: the owner is gone."),
  boot_identity_changed: (t) => t("The owner was recorded before the last boot: it is gone."),
  executable_changed: (t) => t("The process with the recorded PID runs another program: the owner is gone."),
  zombie: (t) => t("The owner has ended; only its parent has not collected it yet (zombie)."),
  thread_id: (t) => t("The recorded PID is now only a thread of another process: the owner is gone."),
  no_process_has_file_open: (t) => t("The file names no owner, and no process has it open."),
};

/** Why nothing could be proved. */
const unknownSentences: Wordings = {
  pid_not_representable: (t) => t("The recorded PID is not one that this system can have."),
  process_not_observable: (t) => t("The process with the recorded PID could not be observed."),
  pid_namespace_nested: (t) => t("We look from inside a container, where a PID that is not seen proves nothing."),
  pid_namespace_unknown: (t) => t("It could not be found out in which PID namespace we look, so a PID that is not seen proves nothing."),
  pid_in_child_namespace: (t) => t("A process inside a container on this machine has the recorded PID there; it may be the owner."),
  filesystem_not_local: (t) => t("The file lies on a shared or unrecognised file system: the owner may run on another machine."),
  start_not_observable: (t) => t("A process has the recorded PID, but when it started could not be observed."),
  start_text_unreadable: (t) => t("A process has the recorded PID, but the recorded start is no time that can be compared."),
  start_differs_by_quarter_hours: (t) => t("A process has the recorded PID, and its start differs only as another time zone would make it differ."),
  start_zone_not_computable: (t) => t("A process has the recorded PID, but the time zone of the record cannot be computed."),
  clock_may_have_been_set: (t) => t("A process has the recorded PID since before the lock was taken; its start differs as it does when the clock was set."),
  being_written: (t) => t("The file changed within the last moments: somebody may be writing it."),
  unreadable: (t) => t("The file could not be read."),
  weak_lock_is_young: (t) => t("The file names no owner and is less than a minute old."),
  open_files_not_observable: (t) => t("The file names no owner, and which processes have it open could not be observed."),
  open_by_a_process: (t) => t("A process has this very file open."),
  recorded_pid_in_use: (t) => t("The file records only a PID, and a process has it; nothing tells whether that is the owner."),
};

const remoteSentences: Wordings = {
  platform_differs: (t) => t("The owner runs on another platform, so it cannot be observed from here."),
  hostname_differs: (t) => t("The owner runs on another host, so it cannot be observed from here."),
};

const corruptSentences: Wordings = {
  empty_file: (t) => t("The file is empty, as after a crash in the middle of writing."),
  zero_filled: (t) => t("The file holds only zero bytes, as after a power cut."),
  byte_order_mark: (t) => t("The file begins with a byte order mark, which the runtime does not read."),
  utf_16: (t) => t("The file is UTF-16, which the runtime does not read."),
  not_json: (t) => t("The file is not JSON."),
  cut_json: (t) => t("The file is cut in the middle of its JSON."),
  not_utf_8: (t) => t("The file is not UTF-8."),
  invalid_record: (t) => t("The file is JSON, but no valid lock."),
  not_canonical: (t) => t("The lock is complete, but not in the exact bytes that the runtime requires (edited or re-formatted)."),
  symlink: (t) => t("A symbolic link lies where the lock should be. It was not followed."),
  not_a_regular_file: (t) => t("What lies where the lock should be is no regular file."),
  too_large: (t) => t("The file is too large to be a lock."),
  hard_linked: (t) => t("The file has a second name (hard link), so the runtime refuses it."),
  frozen: (t) => t("The lock is frozen by an interrupted repair. Settle it to finish or undo it."),
};

/** What was assumed for a weak proof, what would settle a doubt, what is worth a note. */
const codeSentences: Wordings = {
  host_not_recorded: (t) => t("The record names no host; it is taken to be this one."),
  boot_not_recorded: (t) => t("The record names no boot; a PID from before a restart looks the same."),
  start_text_has_whole_seconds: (t) => t("The recorded start has a resolution of one second."),
  clock_not_set_since_start: (t) => t("The clock was not set since the owner started."),
  no_owner_recorded: (t) => t("The file names no owner."),
  owner_keeps_file_open: (t) => t("An owner would keep the file open."),
  processes_of_other_users_not_observed: (t) => t("Processes of other users could not be looked into."),
  run_on_owning_host: (t) => t("Look from the machine on which the owner runs."),
  run_in_owning_namespace: (t) => t("Look from inside the container in which the owner runs."),
  run_as_owner_or_root: (t) => t("Look as the user who owns the process, or as root."),
  compare_by_hand: (t) => t("Compare the recorded start with the process by hand."),
  wait_and_watch: (t) => t("Wait and look again."),
  declare_host_alias: (t) => t("Declare the recorded host name as an alias of this machine."),
  start_matches_in_owner_zone: (t) => t("The start matches in the time zone of the owner."),
  start_matches_in_system_zone: (t) => t("The start matches in the time zone of the system."),
  lock_mode_not_private: (t) => t("The file can be read or written by others (its mode is not 600)."),
  open_by_a_process: (t) => t("A process has this very file open."),
  "unreadable-directory": (t) => t("The directory cannot be read."),
  "unreadable-record": (t) => t("The record beside the item cannot be read."),
  "unreadable-item": (t) => t("The item cannot be read."),
  "record-not-regular": (t) => t("The record beside the item is no regular file."),
  "record-too-large": (t) => t("The record beside the item is too large."),
  "record-torn": (t) => t("The record beside the item is cut or not JSON."),
  "record-invalid": (t) => t("The record beside the item is none of ours."),
  "record-digest": (t) => t("The record beside the item was changed: its digest does not match."),
  "record-of-another-item": (t) => t("The record belongs to another item."),
  "record-of-another-place": (t) => t("The record names a place outside this store."),
  "item-missing": (t) => t("There is a record, but no item."),
  "no-record": (t) => t("There is an item, but no record of how it came here."),
  "temporary-file": (t) => t("A temporary file of an interrupted step."),
  "not-a-directory": (t) => t("This is no directory."),
  "foreign-entry": (t) => t("Nothing of ours; it is left alone."),
};

/** Why a normal command is not offered, or what a person must know before it. Null: said elsewhere already. */
const cautionSentences: Readonly<Record<string, Wording | null>> = {
  live: (t) => t("The owner is running."),
  empty: (t) => t("There is no claim."),
  "weak-proof": (t) => t("The proof is weak: something was assumed."),
  corrupt: null,
  remote: null,
  unknown: null,
  "file-open": (t) => t("A process has the file open."),
  "changed-recently": (t) => t("It changed within the last minute: somebody may be writing it. Look again later."),
  "open-file-not-observed": (t) => t("Whether a process has the file open could not be observed."),
  "changed-since-scan": (t) => t("It changed since it was looked at. Refresh and look again."),
  "not-observed": (t) => t("It could not be looked at."),
  missing: (t) => t("It is no longer there."),
  unreadable: (t) => t("It could not be read."),
  "not-supported": (t) => t("Claims of this kind cannot be moved by this version."),
  "further-links": (t) => t("The file has further names (hard links), which stay where they are."),
};

const warningSentences: Wordings = {
  "no-hard-links": (t) => t("This file system has no hard links, so the lock was moved without the freeze that excludes a runtime recovering it in the same moment."),
  "content-not-verified": (t) => t("The bytes could not be read again after the move; the file is the one that was planned."),
  "moved-not-put-back": (t) => t("What was moved could not be put back. It lies in quarantine; settle it there."),
  "second-link-left": (t) => t("A second link to the lock was left. Settle it in quarantine."),
  "left-frozen": (t) => t("The lock was left frozen. Settle it in quarantine."),
  "record-left": (t) => t("The record of the attempt was left. Settle it in quarantine."),
  "record-not-completed": (t) => t("The record could not be completed. Settle it in quarantine."),
  "guard-lost": (t) => t("The guard of this repair was taken away meanwhile."),
  "guard-not-released": (t) => t("The guard of this repair could not be released; the next repair takes it over."),
  "item-missing": (t) => t("The item is no longer where it was put."),
};

const checkNames: Wordings = {
  platform: (t) => t("Platform"),
  hostname: (t) => t("Host"),
  "pid-exists": (t) => t("Process"),
  "start-instant": (t) => t("Start, in our zone"),
  "start-in-owner-zone": (t) => t("Start, in the owner's zone"),
  "start-in-system-zone": (t) => t("Start, in the system's zone"),
  "start-quarter-hours": (t) => t("Difference a time zone explains"),
  "owner-zone": (t) => t("Zone of the owner"),
  "started-after-acquired": (t) => t("Running before the lock was taken"),
  "pid-namespace": (t) => t("PID namespace"),
  "child-namespace": (t) => t("Containers on this machine"),
  filesystem: (t) => t("File system"),
  "lock-file": (t) => t("Kind of file"),
  "link-count": (t) => t("Names of the file"),
  "lock-content": (t) => t("Content"),
  "file-age": (t) => t("Age of the file"),
  "file-mode": (t) => t("Mode of the file"),
  "open-files": (t) => t("Processes that have it open"),
};

const factNames: Wordings = {
  operation: (t) => t("Operation"),
  "request-id": (t) => t("Request"),
  "acquired-at": (t) => t("Taken at"),
  "modified-at": (t) => t("Written at"),
  "open-in": (t) => t("Open in"),
};

const problemSentences: Wordings = {
  missing: (t) => t("This folder is not there."),
  "not-a-directory": (t) => t("This is no directory."),
  unreadable: (t) => t("This cannot be read."),
  symlink: (t) => t("A symbolic link; links are not followed here."),
  "already-listed": (t) => t("Shown under another folder already."),
  "stray-entry": (t) => t("No run directory. A stray entry makes the runtime's own listing of runs fail."),
  "crash-leftover": (t) => t("Left behind by a start that crashed. It makes the runtime's own listing of runs fail."),
  "not-a-run-id": (t) => t("The name is none that the runtime gives to a run."),
  "composition-twin": (t) => t("Another entry has the same name in another Unicode composition."),
  "name-not-utf8": (t) => t("The name is not UTF-8, so the entry cannot be reached."),
  "recovery-leftover": (t) => t("A lock that the runtime's own recovery moved aside, left when that recovery crashed."),
  unsettled: (t) => t("Two looks disagreed; what is shown is the last good state."),
};

const problemWords: Wordings = {
  missing: (t) => t("not there"),
  "not-a-directory": (t) => t("no directory"),
  unreadable: (t) => t("unreadable"),
  symlink: (t) => t("symbolic link"),
  "already-listed": (t) => t("listed already"),
  "stray-entry": (t) => t("stray entry"),
  "crash-leftover": (t) => t("left by a crashed start"),
  "not-a-run-id": (t) => t("no run id"),
  "composition-twin": (t) => t("twin name"),
  "name-not-utf8": (t) => t("name is not UTF-8"),
  "recovery-leftover": (t) => t("left by a crashed recovery"),
  unsettled: (t) => t("changing"),
};

/** Own members only: a code is text from the core, never a key that an object inherits. */
function worded(table: Wordings, code: string, t: Translate): string {
  const wording = Object.hasOwn(table, code) ? table[code] : undefined;
  return wording === undefined ? displayText(code) : wording(t);
}

/** One sentence that says what the verdict means and why. */
export function verdictSentence(verdict: Verdict, t: Translate): string {
  switch (verdict.kind) {
    case "live":
      return t("The recorded owner is the process that runs now.");
    case "stale":
      return worded(staleSentences, verdict.reason, t);
    case "remote":
      return worded(remoteSentences, verdict.reason, t);
    case "unknown":
      return worded(unknownSentences, verdict.reason, t);
    case "corrupt":
      return worded(corruptSentences, verdict.reason, t);
    case "empty":
      return t("There is no claim.");
  }
}

export function proofWord(proof: Proof, t: Translate): string {
  switch (proof) {
    case "strong":
      return t("strong proof");
    case "weak":
      return t("weak proof");
  }
}

export function outcomeWord(outcome: Check["outcome"], t: Translate): string {
  switch (outcome) {
    case "same":
      return t("same");
    case "different":
      return t("different");
    case "not-observed":
      return t("not observed");
    case "noted":
      return t("noted");
  }
}

/** A sentence for an assumption, a way to settle a doubt, a note, or why a quarantine entry cannot be read. */
export function codeSentence(code: string, t: Translate): string {
  return worded(codeSentences, code, t);
}

/** Null when the caution says no more than the verdict does. */
export function cautionSentence(code: string, t: Translate): string | null {
  const wording = Object.hasOwn(cautionSentences, code) ? cautionSentences[code] : undefined;
  if (wording === null) return null;
  if (wording !== undefined) return wording(t);
  for (const table of [codeSentences, unknownSentences, corruptSentences, remoteSentences]) if (Object.hasOwn(table, code)) return worded(table, code, t);
  return displayText(code);
}

/** What a repair leaves to be known beside its result. */
export function warningSentence(code: string, t: Translate): string {
  return worded(warningSentences, code, t);
}

export function checkName(id: string, t: Translate): string {
  return worded(checkNames, id, t);
}

export function factName(name: string, t: Translate): string {
  return worded(factNames, name, t);
}

/** Two or three words for a row. */
export function problemText(problem: ScanProblem, t: Translate): string {
  const word = worded(problemWords, problem.code, t);
  return problem.detail === null ? word : t("{0} ({1})", word, displayText(problem.detail));
}

/** One sentence for a tooltip or the terminal. */
export function problemSentence(problem: ScanProblem, t: Translate): string {
  const sentence = worded(problemSentences, problem.code, t);
  return problem.detail === null ? sentence : t("{0} ({1})", sentence, displayText(problem.detail));
}
