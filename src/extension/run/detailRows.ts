// Owns: how the rows inside a run look: label, description with the state as a word first, icon, flags, what a screen reader says. Pure.
// Leaves to others: which rows there are (detailChildren.ts), words (shared/runWords.ts), tooltips (detailTooltip.ts).
import { basename, relative } from "node:path";
import type { Overlay } from "../../core/systems/lattice/events/projectRunState.js";
import type { EventSummary, HeartbeatDetail, LeaseDetail, OwnerDetail, TodoState } from "../../core/systems/lattice/store/runDetail.js";
import type { ProblemSeverity } from "../../core/systems/lattice/store/problemCatalog.js";
import { displayText } from "../../shared/displayText.js";
import { epochStateWord, frozenReason, heartbeatWord, leftoverName, runProblemName, runStatusWord, severityWord, todoStateWord } from "../../shared/runWords.js";
import type { Translate } from "../../shared/text.js";
import { ageText } from "../tree/age.js";
import type { RowContext } from "../tree/rows.js";
import type { Row, RowIcon } from "../tree/treeNode.js";
import { stateIcon, stateWord } from "../tree/words.js";
import { groupSize } from "./detailChildren.js";
import type { DetailItem } from "./detailItem.js";
import { factLabel, factValue } from "./statusFact.js";
import { groupLabel, groupSummary } from "./groupWords.js";
import { statusIcon } from "./statusIcon.js";
import { timeText } from "./timeText.js";

type Of<K extends DetailItem["kind"]> = Extract<DetailItem, { kind: K }>;

interface Parts {
  readonly label: string;
  readonly description: readonly (string | null)[];
  readonly icon: RowIcon;
  readonly flags: readonly string[];
  readonly collapsible?: Row["collapsible"];
}

const plain = (id: string): RowIcon => ({ id, color: null });

export function detailRow(item: DetailItem, context: RowContext): Row {
  const { label, description, icon, flags, collapsible = "none" } = partsOf(item, context);
  const told = description.filter((part) => part !== null && part !== "");
  return {
    label,
    description: told.join(" · "),
    icon,
    contextValue: ["detail", ...flags].join(";"),
    collapsible,
    spoken: [label, ...told].join(", "),
    decoration: null,
  };
}

function partsOf(item: DetailItem, context: RowContext): Parts {
  const { t, now } = context;
  switch (item.kind) {
    case "unseen":
      return { label: t("Status"), description: [t("not looked at yet")], icon: plain("eye"), flags: ["unseen"] };
    case "looking":
      return { label: t("Status"), description: [t("looking…")], icon: plain("loading~spin"), flags: ["looking"] };
    case "failed":
      return { label: t("Status"), description: [t("failed"), displayText(item.message)], icon: stateIcon("problem"), flags: ["failed"] };
    case "status":
      return statusParts(item, t);
    case "fact":
      return { label: factLabel(item.fact, t), description: [factValue(item.fact, item.detail, t)], icon: plain("symbol-property"), flags: ["fact", item.fact] };
    case "group":
      return {
        label: groupLabel(item.group, t),
        description: [groupSummary(item.group, item.detail, t), String(groupSize(item.group, item.detail))],
        icon: plain(groupIcons[item.group]),
        flags: ["group", item.group],
        collapsible: "collapsed",
      };
    case "todo":
      return todoParts(item, t);
    case "epoch": {
      const { epoch, name, state, todoIds } = item.epoch;
      return {
        label: epoch === null ? displayText(name) : t("Epoch {0}", epoch),
        description: [epochStateWord(state, t), state === "unreadable" ? null : counted(todoIds.length, t)],
        icon: epochIcons[state],
        flags: ["epoch", state, "record"],
      };
    }
    case "event":
      return eventParts(item.event, t);
    case "finding":
      return findingParts(item, t);
    case "supervisor": {
      const { supervisor } = item;
      const state = supervisor.hasStopped ? t("stopped") : null;
      return ownerParts(t("Supervisor"), supervisor, [state, socketText(supervisor.isSocketPresent, t), supervisor.isRestarted ? t("restarted") : null], "supervisor", t);
    }
    case "controller": {
      const { controller } = item;
      return ownerParts(displayText(controller.controllerId), controller, [socketText(controller.isSocketPresent, t), heartbeatText(controller.heartbeat, t)], "controller", t);
    }
    case "lease":
      return leaseParts(item.lease, t);
    case "runProblem":
      return problemParts(item, t);
    case "leftover": {
      const { leftover } = item;
      const age = leftover.ageMs === null ? null : ageText(now - leftover.ageMs, now, t);
      return { label: displayText(leftover.name), description: [leftoverName(leftover.kind, t), age], icon: plain("trash"), flags: ["leftover", leftover.kind] };
    }
  }
}

function statusParts({ detail }: Of<"status">, t: Translate): Parts {
  const { status, epoch } = detail;
  const { word, claimedWord, frozenSince } = status;
  const claimed = word !== "damaged" ? null : claimedWord === null ? null : t("says {0}", runStatusWord(claimedWord, t));
  return {
    label: t("Status"),
    description: [
      runStatusWord(word, t),
      claimed,
      epoch === null ? null : t("epoch {0}", epoch),
      frozenSince === null ? null : t("frozen since event {0}", frozenSince.sequence),
      frozenSince === null && status.frozenBy !== null ? frozenReason(status.frozenBy, t) : null,
      status.isStaged ? t("successor staged") : null,
    ],
    icon: statusIcon(word),
    flags: ["status", word],
    collapsible: "collapsed",
  };
}

const groupIcons = {
  todos: "checklist",
  epochs: "layers",
  events: "list-ordered",
  findings: "git-merge",
  owners: "server-process",
  leases: "key",
  problems: "warning",
  leftovers: "trash",
} as const;

const todoIcons: Readonly<Record<TodoState, RowIcon>> = {
  accepted: { id: "pass", color: "testing.iconPassed" },
  running: { id: "play-circle", color: "charts.blue" },
  ended: { id: "stop-circle", color: null },
  ready: { id: "circle-large-outline", color: null },
  waiting: { id: "watch", color: "disabledForeground" },
};

function todoParts({ todo }: Of<"todo">, t: Translate): Parts {
  const overlay = todo.overlay === null ? null : overlayWord(todo.overlay, t);
  return {
    label: displayText(todo.todoId),
    description: [
      todoStateWord(todo.state, t),
      overlay,
      todo.isInPlan ? null : t("not in the plan"),
      todo.state === "waiting" && todo.waitsFor.length > 0 ? t("waits for {0}", displayText(todo.waitsFor.join(", "))) : null,
    ],
    icon: todoIcons[todo.state],
    flags: ["todo", todo.state],
  };
}

function overlayWord(overlay: Overlay, t: Translate): string {
  switch (overlay) {
    case "held":
      return t("held");
    case "carry_over":
      return t("carried over");
    case "redispatch":
      return t("to be dispatched again");
  }
}

const epochIcons = {
  committed: { id: "pass-filled", color: "testing.iconPassed" },
  superseded: { id: "history", color: "disabledForeground" },
  staged: { id: "circle-large-outline", color: null },
  orphan: { id: "question", color: "list.warningForeground" },
  unreadable: { id: "error", color: "list.errorForeground" },
} as const;

function eventParts(event: EventSummary, t: Translate): Parts {
  const kind = event.kind === "" ? t("no kind") : displayText(event.kind);
  return {
    label: event.sequence === null ? t("? · {0}", kind) : t("{0} · {1}", event.sequence, kind),
    description: [event.isSound ? null : t("unsound"), event.todoId === null ? null : displayText(event.todoId), event.recordedAt === null ? null : timeText(event.recordedAt)],
    icon: event.isSound ? plain("circle-small") : { id: "error", color: "list.errorForeground" },
    flags: ["event", event.isSound ? "sound" : "unsound", "record"],
  };
}

function findingParts({ finding }: Of<"finding">, t: Translate): Parts {
  const about = finding.conflictPath ?? finding.resourceId;
  return {
    label: finding.kind === null ? t("unreadable finding") : displayText(finding.kind),
    description: [
      finding.isSound ? (finding.isHeldFor ? t("held for") : t("recorded")) : t("unsound"),
      finding.todoIds.length === 0 ? null : displayText(finding.todoIds.join(", ")),
      about === null ? null : displayText(about),
    ],
    icon: finding.isSound ? plain(finding.isHeldFor ? "debug-pause" : "git-merge") : { id: "error", color: "list.errorForeground" },
    flags: ["finding", finding.isSound ? "sound" : "unsound", "record"],
  };
}

function ownerParts(label: string, { owner, judgement }: OwnerDetail, more: readonly (string | null)[], flag: string, t: Translate): Parts {
  const verdict = judgement === null ? "unknown" : judgement.verdict.kind === "empty" ? "idle" : judgement.verdict.kind;
  return { label, description: [stateWord(verdict, t), t("pid {0}", owner.pid), ...more], icon: stateIcon(verdict), flags: [flag, verdict, "record"] };
}

function socketText(isPresent: boolean, t: Translate): string {
  return isPresent ? t("socket present") : t("no socket");
}

function heartbeatText({ state, ageMs }: HeartbeatDetail, t: Translate): string {
  const word = heartbeatWord(state, t);
  return ageMs === null || ageMs < 0 ? word : t("{0} ({1})", word, ageText(0, ageMs, t));
}

/** A digest is recognised by its beginning; the tooltip has it whole. */
const shownDigits = 12;

function leaseParts(lease: LeaseDetail, t: Translate): Parts {
  return {
    label: displayText(lease.leaseId ?? `${lease.leaseDigest.slice(0, shownDigits)}…`),
    description: [lease.state === "armed" ? t("armed") : t("staged"), lease.todoId === null ? null : displayText(lease.todoId)],
    icon: plain(lease.state === "armed" ? "key" : "circle-large-outline"),
    flags: ["lease", lease.state],
  };
}

const severityIcons: Readonly<Record<ProblemSeverity, RowIcon>> = {
  error: { id: "error", color: "list.errorForeground" },
  warning: { id: "warning", color: "list.warningForeground" },
  info: { id: "info", color: null },
};

function problemParts({ problem, directory }: Of<"runProblem">, t: Translate): Parts {
  const place = relative(directory, problem.path);
  // Also what lies outside of the run (a link above it) is named, by its last part.
  const shown = place === "" || place.startsWith("..") ? basename(problem.path) : place;
  return {
    label: runProblemName(problem.code, t),
    description: [severityWord(problem.severity, t), displayText(problem.pointer === null || problem.pointer === "" ? shown : `${shown}#${problem.pointer}`)],
    icon: severityIcons[problem.severity],
    flags: ["trouble", problem.severity, problem.code, "record"],
  };
}

function counted(todos: number, t: Translate): string {
  return todos === 1 ? t("1 todo") : t("{0} todos", todos);
}
