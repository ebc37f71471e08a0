// Owns: the demo as a person meets it: a workspace with live processes, opened in the desktop VS Code when there is one and a
// display to show it, else in VS Code in the browser on 127.0.0.1. Everything ends with Ctrl+C.
// Environment: PORT (default: any free one). Options: --check, --browser.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { endOnSignals, endProcess, onEnd, startProgram } from "../tools/processGroup.mjs";
import { findOnPath } from "../tools/setup.mjs";
import { stagedExtension } from "../tools/stage.js";
import { httpGet, startServer, workbenchUrl, type VscodeServer } from "../vscodeHost/server.js";
import { writeUserSettings } from "../vscodeHost/settings.js";
import { makeTemporaryDemo, type Demo } from "./makeDemo.js";

const { values } = parseArgs({ options: { check: { type: "boolean", default: false }, browser: { type: "boolean", default: false } } });

function temporaryDirectory(name: string): string {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), `run-state-${name}-`));
  onEnd(() => fs.rmSync(directory, { recursive: true, force: true, maxRetries: 5 }));
  return directory;
}

function hasDisplay(): boolean {
  if (process.platform !== "linux") return true;
  return (process.env["DISPLAY"] ?? "") !== "" || (process.env["WAYLAND_DISPLAY"] ?? "") !== "";
}

/** A window of its own: the person's settings and extensions stay out of it, and it leaves nothing behind. */
async function openDesktop(code: string, demo: Demo, extension: string): Promise<number> {
  const profile = temporaryDirectory("profile");
  writeUserSettings(path.join(profile, "user-data"), {});
  const window = startProgram(code, [
    "--new-window",
    "--wait",
    `--extensionDevelopmentPath=${extension}`,
    `--user-data-dir=${path.join(profile, "user-data")}`,
    `--extensions-dir=${path.join(profile, "extensions")}`,
    "--disable-workspace-trust",
    demo.workspace,
  ]);
  console.log(`\nOpened in ${code}. The demo ends with that window, or with Ctrl+C.`);
  return (await window.exited).code;
}

/** A look from outside: the page of the workbench comes, and so does every script and style that it names. */
async function checkWorkbench(server: VscodeServer, url: string): Promise<void> {
  const page = await httpGet(url);
  if (page.status !== 200 || !page.body.includes("vscode-workbench-web-configuration")) throw new Error(`The workbench does not answer (status ${page.status}).`);
  const assets = [...page.body.matchAll(/(?:src|href)="([^"]+\.(?:js|css))"/g)].map((match) => match[1] ?? "");
  if (assets.length === 0) throw new Error("The workbench's page names no script.");
  for (const asset of assets) {
    const { status } = await httpGet(new URL(asset, server.url).href);
    if (status !== 200) throw new Error(`${asset} does not answer (status ${status}).`);
  }
}

function openInBrowser(url: string): void {
  const opener = process.platform === "darwin" ? "open" : process.platform === "win32" ? "explorer" : "xdg-open";
  const program = findOnPath(opener);
  if (program !== undefined && hasDisplay()) startProgram(program, [url], { stdout: "ignore", stderr: "ignore" });
}

async function serve(demo: Demo, extension: string): Promise<number> {
  const port = Number(process.env["PORT"] ?? 0);
  const server = await startServer(port > 0 ? { port } : {});
  const url = workbenchUrl(server, { workspace: demo.workspace, extensionDevelopmentPath: extension });
  console.log(`\nVS Code with Run State and its demo workspace:\n\n  ${url}\n`);
  if (values.check) {
    await checkWorkbench(server, url);
    console.log(`Checked: the workbench answers; ${demo.claims.size} claims, ${demo.processes.length} live processes behind them.`);
    return 0;
  }
  openInBrowser(url);
  console.log("Ctrl+C ends it.");
  await server.exited;
  console.error(`The VS Code server ended:\n${server.tail.slice(-20).join("\n")}`);
  return 1;
}

async function main(): Promise<number> {
  const extension = await stagedExtension();
  const demo = await makeTemporaryDemo();
  const code = values.browser || values.check || !hasDisplay() ? undefined : findOnPath("code");
  return code === undefined ? serve(demo, extension) : openDesktop(code, demo, extension);
}

endOnSignals();
await endProcess(
  await main().catch((error: unknown) => {
    console.error(error);
    return 1;
  }),
);
