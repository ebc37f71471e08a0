// Owns: the commands about what lies in quarantine: list, restore, settle, purge.
// Leaves to others: everything that is decided (core/quarantine).
import { listQuarantine } from "../../core/quarantine/listQuarantine.js";
import { planPurge, purgeQuarantine } from "../../core/quarantine/purgeQuarantine.js";
import type { QuarantineEntry } from "../../core/quarantine/quarantineEntry.js";
import { restoreFromQuarantine } from "../../core/quarantine/restoreFromQuarantine.js";
import { settleFrozen } from "../../core/quarantine/settleFrozen.js";
import { codeSentence } from "../../shared/explain.js";
import { changedText, conflictText, refusedText, settleText } from "../../shared/resultText.js";
import { englishText as t } from "../../shared/text.js";
import { confirm, findEntry, pathsOf, plain, printJson, quarantineOptions, scan, unconfirmed, type Command, type CommandContext } from "../context.js";
import { exitCodes } from "../exitCodes.js";
import { complainOfWarnings } from "../words.js";

/** The stores below the operands, as a scan finds them: an operand may be a folder, a store or a run. */
async function storesOf(context: CommandContext): Promise<readonly string[]> {
  const snapshot = await scan(context, pathsOf(context));
  return [...new Set(snapshot.roots.flatMap(({ stores }) => stores.map(({ path }) => path)))];
}

export const listEntries: Command = async (context) => {
  const { terminal, command } = context;
  const entries: QuarantineEntry[] = [];
  for (const store of await storesOf(context)) entries.push(...(await listQuarantine(store, quarantineOptions(context))));
  if (command.flags.has("json")) printJson(terminal, { schema: "run-state.quarantine_list.v1", entries });
  else if (entries.length === 0) terminal.write("Nothing lies in quarantine.");
  else for (const entry of entries) terminal.write(entryLines(entry));
  return exitCodes.done;
};

function entryLines(entry: QuarantineEntry): string {
  const when = entry.at === null ? "" : ` · ${new Date(entry.at).toISOString()}`;
  const head = `${entry.kind.padEnd(11)}  ${plain(entry.path)}${when}`;
  const record = entry.record ?? null;
  const lines = [
    ...(record === null ? [] : [`from ${plain(record.original_path)}${record.forced ? " (forced)" : ""}`]),
    ...(entry.kind === "unreadable" ? [codeSentence(entry.reason, t) + (entry.detail === null ? "" : ` (${plain(entry.detail)})`)] : []),
    ...("settle" in entry ? [`${settleText(entry.settle, t).effect} To do it: run-state quarantine settle ${plain(entry.path)}`] : []),
  ];
  return [head, ...lines.map((line) => `             ${line}`)].join("\n");
}

async function entryOrComplaint(context: CommandContext): Promise<QuarantineEntry | null> {
  const operand = context.command.operands[0] ?? "";
  const entry = await findEntry(context, operand);
  if (entry === null) context.terminal.complain(`No quarantined item is at ${plain(operand)}: give a path that "run-state quarantine list" prints.`);
  return entry;
}

export const restore: Command = async (context) => {
  const { terminal, command } = context;
  const entry = await entryOrComplaint(context);
  if (entry === null) return exitCodes.usage;
  const original = entry.record?.original_path;
  terminal.complain(`Item:    ${plain(entry.path)}\nBack to: ${original === undefined ? "unknown" : plain(original)}`);
  const answer = await confirm(context, "Put it back?", entry.name);
  if (answer !== "yes") return unconfirmed(context, answer, entry.name);
  const result = await restoreFromQuarantine(entry, quarantineOptions(context));
  complainOfWarnings(terminal, result.warnings);
  if (command.flags.has("json")) printJson(terminal, { schema: "run-state.result.v1", operation: "restore", results: [result] });
  switch (result.kind) {
    case "restored":
      if (!command.flags.has("json")) terminal.write(`Restored: ${plain(result.path)}`);
      return exitCodes.done;
    case "occupied":
      terminal.complain(`Somebody has claimed the place meanwhile: ${plain(result.path)}. Nothing was changed.`);
      return exitCodes.refused;
    case "changed":
      terminal.complain(changedText(result, t));
      return exitCodes.changed;
    case "refused":
      terminal.complain(refusedText(result, t));
      return exitCodes.refused;
  }
};

export const settle: Command = async (context) => {
  const { terminal, command } = context;
  const entry = await entryOrComplaint(context);
  if (entry === null) return exitCodes.usage;
  if (!("settle" in entry)) {
    terminal.complain("There is nothing to settle about this item.");
    return exitCodes.refused;
  }
  terminal.complain(`Item: ${plain(entry.path)}\n${settleText(entry.settle, t).effect}`);
  const answer = await confirm(context, `${settleText(entry.settle, t).label}?`, entry.name);
  if (answer !== "yes") return unconfirmed(context, answer, entry.name);
  const result = await settleFrozen(entry, quarantineOptions(context));
  complainOfWarnings(terminal, result.warnings);
  if (command.flags.has("json")) printJson(terminal, { schema: "run-state.result.v1", operation: "settle", results: [result] });
  switch (result.kind) {
    case "settled":
      if (!command.flags.has("json")) terminal.write("Settled.");
      return exitCodes.done;
    case "conflict":
      terminal.complain(conflictText(result, t));
      return exitCodes.conflict;
    case "refused":
      terminal.complain(refusedText(result, t));
      return exitCodes.refused;
  }
};

const dayMs = 86_400_000;

export const purge: Command = async (context) => {
  const { terminal, command } = context;
  const days = Number(command.values.get("older-than") ?? Number.NaN);
  if (!Number.isFinite(days) || days < 0) {
    terminal.complain("Say how old: --older-than DAYS, a number from 0.");
    return exitCodes.usage;
  }
  const plans = [];
  for (const store of await storesOf(context)) plans.push(await planPurge(store, { olderThanMs: days * dayMs }, quarantineOptions(context)));
  const items = plans.flatMap((plan) => plan.items);
  if (items.length === 0) {
    terminal.write("Nothing is that old.");
    return exitCodes.done;
  }
  terminal.complain(["To be deleted for good:", ...items.map(({ entry }) => `  ${plain(entry.path)}`)].join("\n"));
  const expected = String(items.length);
  const answer = await confirm(context, `Delete ${items.length === 1 ? "this item" : `these ${expected} items`} for good?`, expected);
  if (answer !== "yes") return unconfirmed(context, answer, expected);
  const results = [];
  for (const plan of plans) results.push(...(await purgeQuarantine(plan, quarantineOptions(context))));
  if (command.flags.has("json")) printJson(terminal, { schema: "run-state.result.v1", operation: "purge", results });
  for (const { entry, kind, detail } of results) {
    if (kind !== "purged") terminal.complain(`Not deleted: ${plain(entry.path)} (${kind}${detail === null ? "" : `, ${plain(detail)}`})`);
    else if (!command.flags.has("json")) terminal.write(`Deleted: ${plain(entry.path)}`);
  }
  if (results.every(({ kind }) => kind === "purged")) return exitCodes.done;
  return results.some(({ kind }) => kind === "refused") ? exitCodes.refused : exitCodes.changed;
};
