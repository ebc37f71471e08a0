// Owns: `run-state quarantine`: plan, show, ask, carry out.
// Leaves to others: everything that is decided (core/quarantine).
import { basename, resolve } from "node:path";
import type { ClaimSnapshot } from "../../core/claims/claim.js";
import { executeQuarantine } from "../../core/quarantine/executeQuarantine.js";
import { planQuarantine } from "../../core/quarantine/planQuarantine.js";
import type { QuarantinePlan, QuarantineResult } from "../../core/quarantine/quarantineEntry.js";
import { inspectLifecycleLock } from "../../core/systems/lattice/inspectLifecycleLock.js";
import { lifecycleLockName } from "../../core/systems/lattice/lifecycleLock.js";
import { inspectWeakLock, weakLockKindOf } from "../../core/systems/lattice/weakLocks.js";
import { changedText, conflictText, refusedText } from "../../shared/resultText.js";
import { verdictSentence } from "../../shared/explain.js";
import { englishText as t } from "../../shared/text.js";
import { claimsOf, confirm, plain, printJson, quarantineOptions, scan, unconfirmed, type Command, type CommandContext } from "../context.js";
import { exitCodes, type ExitCode } from "../exitCodes.js";
import { cautionLines, complainOfWarnings, planText } from "../words.js";

/** A lock by its path, or by the id that `inspect` printed (looked for below the working directory). */
async function findClaim(context: CommandContext, operand: string): Promise<ClaimSnapshot | null> {
  const path = resolve(context.directory, operand);
  const { observer } = context;
  if (basename(path) === lifecycleLockName) return await inspectLifecycleLock(path, { observer });
  if (weakLockKindOf(basename(path)) !== null) return await inspectWeakLock(path, { observer });
  const snapshot = await scan(context, [context.directory]);
  return claimsOf(snapshot).find((claim) => claim.id === operand) ?? null;
}

export const quarantine: Command = async (context) => {
  const { terminal, command } = context;
  const operand = command.operands[0] ?? "";
  const claim = await findClaim(context, operand);
  if (claim === null) {
    terminal.complain(`No claim is called ${plain(operand)}: give the path of a lock, or an id that "run-state inspect" prints.`);
    return exitCodes.usage;
  }
  const plan = await planQuarantine(claim, quarantineOptions(context));
  // The plan goes to standard error: what was asked stays visible when the result is redirected.
  terminal.complain(planText(plan));
  if (plan.permission === "never") return refuseForGood(context, plan);
  return plan.permission === "normal" ? await normally(context, plan) : await byForce(context, plan);
};

function refuseForGood({ terminal }: CommandContext, { claim, cautions }: QuarantinePlan): ExitCode {
  terminal.complain(["Refused.", verdictSentence(claim.verdict, t), ...cautionLines(cautions), "Nothing was changed."].join(" "));
  return exitCodes.refused;
}

async function normally(context: CommandContext, plan: QuarantinePlan): Promise<ExitCode> {
  if (context.command.values.has("force")) {
    context.terminal.complain("The owner is proved gone: no force is needed. Use --yes instead.");
    return exitCodes.usage;
  }
  const answer = await confirm(context, "Move this claim to quarantine?", plan.claim.id);
  if (answer !== "yes") return unconfirmed(context, answer, plan.claim.id);
  return report(context, await executeQuarantine(plan, quarantineOptions(context)));
}

async function byForce(context: CommandContext, plan: QuarantinePlan): Promise<ExitCode> {
  const { terminal, command, signal } = context;
  const given = command.values.get("force");
  if (given === undefined && (!terminal.isInteractive || command.values.has("yes"))) {
    terminal.complain(`The owner is not proved gone, so --yes does nothing. To force it all the same, add: --force ${plain(plan.claim.id)}`);
    return exitCodes.refused;
  }
  const typedId = given ?? (await terminal.ask("The owner is not proved gone. To force it, type the id of the claim: ", signal)).trim();
  return report(context, await executeQuarantine(plan, { ...quarantineOptions(context), force: { typedId } }));
}

function report({ terminal, command }: CommandContext, result: QuarantineResult): ExitCode {
  complainOfWarnings(terminal, result.warnings);
  if (command.flags.has("json")) printJson(terminal, { schema: "run-state.result.v1", operation: "quarantine", results: [result] });
  switch (result.kind) {
    case "quarantined":
      if (!command.flags.has("json")) terminal.write(`Quarantined: ${plain(result.entry.path)}\nTo undo: run-state restore ${plain(result.entry.path)}`);
      return exitCodes.done;
    case "changed":
      terminal.complain(changedText(result, t));
      return exitCodes.changed;
    case "conflict":
      terminal.complain(conflictText(result, t));
      return exitCodes.conflict;
    case "refused":
      terminal.complain(refusedText(result, t));
      return exitCodes.refused;
  }
}
