// Owns: asking which thing a command is about, when nothing was clicked or selected.
// Leaves to others: what may be chosen (the command files).
import * as vscode from "vscode";
import { displayText } from "../../shared/displayText.js";
import { rowOf } from "../tree/rows.js";
import type { Services, TargetCommand } from "./command.js";
import { allTargets, type Target } from "./target.js";

export interface TargetItem extends vscode.QuickPickItem {
  readonly target: Target;
}

/** Null when there is nothing to choose (which is said) or the person leaves. */
export async function pickTarget(services: Services, command: TargetCommand): Promise<Target | null> {
  const { snapshot } = services.store.state;
  const candidates = snapshot === null ? [] : [...allTargets(snapshot).values()].filter((target) => command.accepts(target));
  if (candidates.length === 0) {
    void vscode.window.showInformationMessage(command.nothing(services));
    return null;
  }
  const items = candidates.map((target) => itemOf(services, target));
  const picked = await vscode.window.showQuickPick(items, { placeHolder: command.ask(services), matchOnDescription: true, matchOnDetail: true });
  return picked?.target ?? null;
}

/** A row as an item of a quick pick: the same words, and the run where the row itself does not name it. */
export function itemOf(services: Services, target: Target): TargetItem {
  const row = rowOf(target.subject, { t: services.t, now: services.now() });
  const { subject } = target;
  const label = subject.kind === "claim" ? `${displayText(subject.claim.resource)} · ${row.label}` : row.label;
  return { label: `$(${row.icon.id}) ${escapeIcons(label)}`, description: escapeIcons(row.description), target };
}

/** A name like `$(check)` must not become a picture. */
function escapeIcons(text: string): string {
  return text.replaceAll("$(", "\\$(");
}
