// Owns: what all commands have in common: registration, targets, trust, logging, and one message when something fails.
// Leaves to others: what each does (one file per command).
import * as vscode from "vscode";
import { mutatingCommands, type CommandId, type TargetArguments } from "../contract.js";
import type { Command, Services, TargetCommand } from "./command.js";
import { showFailure } from "./failure.js";
import { chosenIds, sortOut } from "./target.js";
import { pickTarget } from "./targetPick.js";

const mutating: ReadonlySet<CommandId> = new Set<CommandId>(mutatingCommands);

export function registerCommands(services: Services, commands: readonly Command[]): vscode.Disposable {
  return vscode.Disposable.from(
    ...commands.map((command) =>
      vscode.commands.registerCommand(command.id, (...args: TargetArguments) => runCommand(services, command, args)),
    ),
  );
}

/** Never rejects, except for a bug in the messages themselves: a person gets a sentence, the log the stack. */
async function runCommand(services: Services, command: Command, args: TargetArguments): Promise<unknown> {
  const { t, log } = services;
  log.debug(`${command.id} started`);
  try {
    // Menus hide it; a key binding, another extension or a race with the trust prompt may still come here.
    if (mutating.has(command.id) && !vscode.workspace.isTrusted) {
      void vscode.window.showWarningMessage(t("Nothing is repaired in Restricted Mode. Trust this workspace first."));
      return undefined;
    }
    const result = await dispatch(services, command, args);
    log.debug(`${command.id} ended`);
    return result;
  } catch (error) {
    showFailure(services, command.id, error);
    return undefined;
  }
}

function dispatch(services: Services, command: Command, args: TargetArguments): unknown {
  switch (command.kind) {
    case "plain":
      return command.run(services, args[0]);
    case "target":
      return runOnTargets(services, command, args);
    case "row": {
      const [row] = args;
      return row === undefined ? undefined : command.run(services, typeof row === "string" ? row : row.id);
    }
  }
}

async function runOnTargets(services: Services, command: TargetCommand, args: TargetArguments): Promise<unknown> {
  const { t, store, view } = services;
  // From the palette a command may be the first thing that happens: look before asking.
  if (store.state.snapshot === null) await store.refresh({ kind: "all" });
  const accepts = command.accepts.bind(command);
  const [clicked, selected] = args;
  const ids = chosenIds(clicked, selected, view.selection);
  if (ids !== null) {
    const { targets, skipped } = sortOut(ids, store.state.snapshot, accepts);
    if (targets.length > 0) return command.run(services, command.many ? targets : targets.slice(0, 1), skipped);
    // A click says what is meant; only a selection that happens to be elsewhere leads to the question.
    if (clicked !== undefined) {
      void vscode.window.showInformationMessage(skipped.length > 0 ? command.nothing(services) : t("It is no longer there."));
      return undefined;
    }
  }
  const picked = await pickTarget(services, command);
  return picked === null ? undefined : command.run(services, [picked], []);
}
