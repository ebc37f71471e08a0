// Owns: reading the settings, checked: a value of the wrong type or out of range is the default, never an error.
// Leaves to others: their descriptions (package.nls.json), acting on a change (extension.ts).
import * as vscode from "vscode";
import { settingDefaults, settingsSection, type Settings } from "./contract.js";

const pollIntervalRange = { least: 5, most: 3_600 };
const maxChildrenRange = { least: 50, most: 1_000 };

export function readSettings(): Settings {
  const section = vscode.workspace.getConfiguration(settingsSection);
  const value = (key: keyof Settings): unknown => section.get<unknown>(key);
  return {
    roots: texts(value("roots"), settingDefaults.roots),
    refresh: value("refresh") === "manual" ? "manual" : settingDefaults.refresh,
    pollInterval: inRange(value("pollInterval"), pollIntervalRange, settingDefaults.pollInterval),
    confirmation: value("confirmation") === "typeId" ? "typeId" : settingDefaults.confirmation,
    maxChildren: inRange(value("maxChildren"), maxChildrenRange, settingDefaults.maxChildren),
    trace: value("trace") === true,
    validate: oneOf(value("validate"), ["onSave", "onType", "off"], settingDefaults.validate),
    recompileRequests: texts(value("recompileRequests"), settingDefaults.recompileRequests),
    dialect: oneOf(value("dialect"), ["auto", "0.50", "0.12"], settingDefaults.dialect),
    codeLens: value("codeLens") !== false,
  };
}

function texts(value: unknown, otherwise: readonly string[]): readonly string[] {
  return Array.isArray(value) ? value.filter((text): text is string => typeof text === "string" && text !== "") : otherwise;
}

function oneOf<const Word extends string>(value: unknown, words: readonly Word[], otherwise: Word): Word {
  return words.find((word) => word === value) ?? otherwise;
}

function inRange(value: unknown, range: { readonly least: number; readonly most: number }, otherwise: number): number {
  if (typeof value !== "number" || !Number.isFinite(value)) return otherwise;
  return Math.min(range.most, Math.max(range.least, Math.round(value)));
}
