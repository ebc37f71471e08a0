// Owns: what goes to the clipboard: always the real text, never the sanitized one that is shown.
import * as vscode from "vscode";
import { evidenceOf } from "../evidence/evidence.js";
import { evidenceMarkdown } from "../evidence/markdown.js";
import type { Subject } from "../tree/treeNode.js";
import type { TargetCommand } from "./command.js";
import type { Target } from "./target.js";

/** Absolute path of what a row stands for; null for rows that stand for no file. */
export function pathOf(subject: Subject): string | null {
  switch (subject.kind) {
    case "root":
      return subject.root.path;
    case "store":
      return subject.store.path;
    case "run":
      return subject.run.path;
    case "claim":
      return subject.claim.path;
    case "problem":
      return subject.problem.path;
    case "entry":
      return subject.entry.path;
    case "quarantine":
    case "detail":
    case "more":
      return null;
  }
}

function idOf(subject: Subject): string | null {
  if (subject.kind === "claim") return subject.claim.id;
  if (subject.kind === "entry" && subject.entry.kind !== "unreadable") return subject.entry.record.claim_id;
  return null;
}

function lines(targets: readonly Target[], text: (subject: Subject) => string | null): string {
  return targets
    .map((target) => text(target.subject))
    .filter((line) => line !== null)
    .join("\n");
}

export const copyId: TargetCommand = {
  id: "runState.copyId",
  kind: "target",
  many: true,
  accepts: ({ subject }) => idOf(subject) !== null,
  ask: ({ t }) => t("Copy the id of"),
  nothing: ({ t }) => t("There is no claim whose id could be copied."),
  run: (_services, targets) => vscode.env.clipboard.writeText(lines(targets, idOf)),
};

export const copyPath: TargetCommand = {
  id: "runState.copyPath",
  kind: "target",
  many: true,
  accepts: ({ subject }) => pathOf(subject) !== null,
  ask: ({ t }) => t("Copy the path of"),
  nothing: ({ t }) => t("There is nothing whose path could be copied."),
  run: (_services, targets) => vscode.env.clipboard.writeText(lines(targets, pathOf)),
};

export const copyEvidence: TargetCommand = {
  id: "runState.copyEvidence",
  kind: "target",
  many: true,
  accepts: ({ subject }) => subject.kind === "claim" || subject.kind === "entry",
  ask: ({ t }) => t("Copy the evidence about"),
  nothing: ({ t }) => t("There is no claim whose evidence could be copied."),
  run: ({ t, now }, targets) => {
    const documents = targets.map(({ subject }) => evidenceOf(subject, { t, now: now() })).filter((evidence) => evidence !== null);
    return vscode.env.clipboard.writeText(documents.map((evidence) => evidenceMarkdown(evidence, t)).join("\n"));
  },
};
