// Owns: package.json and package.nls.json as the contract tests read them.
// Leaves to others: what must be true of them (manifest.test.ts, packagedFiles.test.ts).
import fs from "node:fs";
import path from "node:path";
import { repositoryRoot } from "../tools/processGroup.mjs";

export interface MenuItem {
  readonly command?: string;
  readonly submenu?: string;
  readonly when?: string;
}

export interface Manifest {
  readonly name: string;
  readonly publisher: string;
  readonly main: string;
  readonly bin: Readonly<Record<string, string>>;
  readonly exports: { readonly ".": Readonly<Record<string, string>> };
  readonly icon?: string;
  readonly capabilities: { readonly untrustedWorkspaces: { readonly supported: string; readonly restrictedConfigurations: readonly string[] } };
  readonly contributes: {
    readonly viewsContainers: Readonly<Record<string, readonly { readonly id: string }[]>>;
    readonly views: Readonly<Record<string, readonly { readonly id: string }[]>>;
    readonly viewsWelcome: readonly { readonly view: string; readonly contents: string; readonly when?: string }[];
    readonly commands: readonly { readonly command: string; readonly enablement?: string }[];
    readonly menus: Readonly<Record<string, readonly MenuItem[]>>;
    readonly keybindings?: readonly { readonly command: string; readonly when?: string }[];
    readonly configuration: { readonly properties: Readonly<Record<string, { readonly default: unknown; readonly scope: string }>> };
    readonly walkthroughs: readonly { readonly id: string }[];
    readonly jsonValidation: readonly { readonly fileMatch: readonly string[]; readonly url: string }[];
  };
}

export function readText(file: string): string {
  return fs.readFileSync(path.join(repositoryRoot, file), "utf8");
}

export const manifest = JSON.parse(readText("package.json")) as Manifest;
export const nls = JSON.parse(readText("package.nls.json")) as Readonly<Record<string, string>>;

/** Every string value in package.json, however deep, except npm's own scripts. */
export function manifestStrings(): readonly string[] {
  const found: string[] = [];
  const visit = (value: unknown): void => {
    if (typeof value === "string") found.push(value);
    else if (typeof value === "object" && value !== null) Object.values(value).forEach(visit);
  };
  visit({ ...manifest, scripts: undefined });
  return found;
}

/** Files of the checkout, relative: the command line and the library. They do not ship with the extension. */
export const programFiles: readonly string[] = [...Object.values(manifest.bin), ...Object.values(manifest.exports["."])].map((file) => path.posix.normalize(file));

/** Every `when` and `enablement` clause. */
export function whenClauses(): readonly string[] {
  const { contributes } = manifest;
  const clauses = [
    ...contributes.commands.map(({ enablement }) => enablement),
    ...Object.values(contributes.menus).flatMap((items) => items.map(({ when }) => when)),
    ...contributes.viewsWelcome.map(({ when }) => when),
    ...(contributes.keybindings ?? []).map(({ when }) => when),
  ];
  return clauses.filter((clause) => clause !== undefined);
}
