// Owns: advisories that belong to no one document kind, the rules of apply time and of the text (spec/lattice.md 5.5, 5.6, 1.3).
import { rulesOf, type Rule } from "./rule.js";

const advisory = rulesOf("warning", "5.6");
const apply = rulesOf("warning", "5.5");
const textError = rulesOf("error", "1.3");
const textWarning = rulesOf("warning", "1.3");
const textInfo = rulesOf("info", "1.3");

const run = { needs: "runDirectory" } as const;

export const advisoryRules = {
  "strict.type": advisory(
    "Identifiers and digests are texts",
    "The runtime matches the pattern against the value turned into text, so the number 7 or the list [\"T1\"] passes as an identifier. Comparisons later use the value itself and fail in surprising places.",
    "Put the value in quotes.",
  ),
  "dialect.order": advisory("The order is right for every version of the runtime", "A list with the primary successor first is valid for 0.50 only; 0.12 wants it ascending throughout.", "Sort the list if 0.12 has to read it.", { fix: "sort-array" }),
} as const satisfies Readonly<Record<string, Rule>>;

export const applyRules = {
  "apply.frozen-and-held": apply("The run is frozen and a hold is decided", "The supervisor answers INVALID_RECOMPILE_REQUEST unless an intake_frozen event and a hold_decided event of the committed epoch exist.", "Record the finding and hold the run first.", run),
  "apply.finding-recorded": apply("The finding is recorded", "findings/<finding_digest>.json must exist, be valid, and belong to this run; the supervisor answers INPUT_UNREADABLE or FINDING_UNRESOLVED.", "Copy finding_digest of the hold decision.", { ...run, fix: "fill-binding" }),
  "apply.finding-epoch": apply("The finding is of the committed epoch", "A finding of an earlier epoch is stale: STALE_FINDING.", "Record the finding again in this epoch.", run),
  "apply.finding-matches-hold": apply("The treatment answers the finding that is held", "finding_digest equals that of the hold decision, and the todos are exactly those of the finding; otherwise INVALID_RECOMPILE_REQUEST.", "Copy finding_digest and the todo ids of the finding.", { ...run, fix: "fill-binding" }),
  "apply.serial-resource": apply("The serial is about the resource of the finding", "resource_id is that of the finding; for a finding about a path it is own-path- and the first 16 hexadecimal digits of the path's SHA-256 (0.50). Every todo must hold a resource of a resource finding.", "Write the resource id that the message names.", { ...run, fix: "fill-binding" }),
  "apply.serial-exactly-two": apply("A conflict has two ends", "A serial over three or more todos passes validation and then fails in the recompile.", "Treat the finding in pairs, or split the seam.", run),
  "apply.seam-diff-derivable": apply("The diffs say what changed", "The supervisor derives the ownership and edge diffs from the predecessor and the compiled successor and compares. Only ownership can be derived here without compiling.", "Write exactly the difference that the message names.", run),
  "apply.seam-base-advanced": apply("The seam was made in a commit (0.50)", "base_sha of the successor differs from the predecessor's and descends from it; otherwise SEAM_SPLIT_UNPROVEN. Whether it descends can only be seen in the repository.", "Commit the seam and write its commit id.", run),
  "apply.seam-single-owner": apply("The split resource has one owner", "After the split at most one todo owns what the finding is about, and no conflict edge is left on it; otherwise INVALID_RECOMPILE_REQUEST.", "Leave ownership to one todo.", run),
  "apply.successor-compiles": apply("The successor compiles", "It must compile to a dispatchable plan at the repository's HEAD. Here only the size of the plan is checked: 1 to 8 todos.", "Reduce the number of todos.", run),
  "apply.queue-empty-or-same": apply("The queue holds this finding or nothing", "Queued events are replayed first: QUEUED_REPLAY_REQUIRED unless the head concerns this finding and nothing else is queued.", "Replay the queue first.", run),
  "apply.request-id-fresh": apply("request_id was not used for another bundle", "The staging directory has this name; with another content the answer is EPOCH_BUNDLE_CONFLICT.", "Choose another request_id.", run),
  "apply.phase-commit": apply("The phase revision is committed", "The committer's receipt must bind the revision: PHASE_REVISION_COMMIT_MISMATCH or PHASE_REVISION_UNAVAILABLE.", "Commit the revision of the todo plan, then recompile.", run),
} as const satisfies Readonly<Record<`apply.${string}`, Rule>>;

export const textRules = {
  "json.syntax": textError("The file is JSON", "JSON.parse stops at the first such place, and the runtime with it. No other rule is judged until the syntax is right.", "Correct the named place."),
  "json.empty": textError("The file has content", "An empty file is what a crash leaves between creating and writing.", "Write the request again, or delete the file."),
  "json.truncated": textError("The file is complete", "It ends inside a value: a write was cut off.", "Write the file again from its source."),
  "json.nul-filled": textError("The file holds text", "Zero bytes are what a power cut leaves of blocks that were never written.", "Restore the file from its source."),
  "json.utf16": textError("The file is UTF-8", "It is UTF-16; the runtime reads UTF-8 only.", "Save it as UTF-8 without byte order mark."),
  "json.invalid-utf8": textError("Every byte belongs to a character", "A byte sequence is not UTF-8. Readers replace it by U+FFFD, so that two different files would have one digest.", "Correct the character and save as UTF-8."),
  "json.too-large": textError("The file is at most 8 MiB", "The runtime refuses larger files (INPUT_TOO_LARGE), and a request has at most 1 MiB of canonical text. Nothing else was checked.", "Reduce the request."),
  "json.too-deep": textError("Nesting is at most 32 levels", "Canonical JSON has no more. Nothing else was checked.", "Flatten the named value."),
  "json.too-many-values": textError("The file has at most 10 000 values", "Canonical JSON has no more, and this file is far beyond. Nothing else was checked.", "Reduce the request."),
  "json.duplicate-key": textWarning("A key occurs once in an object", "Parsers disagree about which value counts; the runtime takes the last. Bytes and digest then say different things.", "Remove the member that is not meant.", { fix: "remove-duplicate-key" }),
  "json.bom": textInfo("The file starts without byte order mark", "Editors hide it, JSON.parse does not: whoever reads the bytes without stripping it, the runtime among them, refuses the file.", "Strip it.", { fix: "strip-bom" }),
  "json.unsafe-integer": textWarning("Integers are exact", "The number is beyond what JavaScript holds exactly (2^53 - 1), so the runtime digests another number than the one written here.", "Write a smaller number, or a text."),
  "json.negative-zero": textError("No number is negative zero", "-0 has no canonical form; the runtime raises an error. Tiny negative numbers such as -1e-400 are read as -0 too.", "Write 0."),
  "json.lone-surrogate": textWarning("Texts are well-formed Unicode", "Half of a surrogate pair is no character. The runtime escapes it; other tools replace it, and the digest changes.", "Remove or complete the character."),
} as const satisfies Readonly<Record<`json.${string}`, Rule>>;
