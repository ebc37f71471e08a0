// Owns: starting and stopping the real VS Code server (carried by the npm package code-server) and addressing its workbench.
// Leaves to others: the browser that opens it (browser.ts), installing it (test/tools/setup.mjs).
import fs from "node:fs";
import http from "node:http";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { onEnd, startNode, type ProcessGroup } from "../tools/processGroup.mjs";
import { writeUserSettings, type HostSettings } from "./settings.js";

const vscodeRoot = fileURLToPath(new URL("./node_modules/code-server/lib/vscode", import.meta.url));
const loopback = "127.0.0.1";
const startTimeoutMs = 60_000;
/** Longest path of a Unix socket (macOS; Linux allows four more), less the name that VS Code gives its own: vscode-ipc-<uuid>.sock. */
const longestSocketDirectory = 103 - 53;

/** A running server. It listens on 127.0.0.1 only, without a token. */
export interface VscodeServer {
  /** host:port, as the workbench names the remote. */
  readonly authority: string;
  readonly url: string;
  readonly extensionsDir: string;
  readonly userDataDir: string;
  /** Last lines of its output. */
  readonly tail: readonly string[];
  readonly exited: Promise<unknown>;
  stop(): Promise<void>;
}

export interface ServerOptions {
  /** Default: any free port. */
  readonly port?: number;
  readonly settings?: HostSettings;
  /** Default: a fresh directory that goes with the server. */
  readonly userDataDir?: string;
  readonly extensionsDir?: string;
  /** Added to the environment of the server and hence of the extension host. */
  readonly env?: NodeJS.ProcessEnv;
  readonly onLine?: (line: string) => void;
}

/** The server looks for its own modules, also those it serves to the browser, in lib/vscode/node_modules. */
function linkModules(): void {
  if (!fs.existsSync(path.join(vscodeRoot, "out/server-main.js"))) throw new Error('The VS Code host is not installed: run "npm run setup".');
  const link = path.join(vscodeRoot, "node_modules");
  try {
    fs.symlinkSync("../../..", link, "dir");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

/** Settings of the caller's own VS Code, when this runs in its terminal, and node flags must not reach the one under test. */
function serverEnv(extra: NodeJS.ProcessEnv): { env: NodeJS.ProcessEnv; withoutEnv: string[] } {
  return {
    // No gallery: else the server asks open-vsx.org.
    env: { EXTENSIONS_GALLERY: JSON.stringify({ serviceUrl: "" }), ...extra },
    withoutEnv: ["NODE_OPTIONS", ...Object.keys(process.env).filter((name) => name.startsWith("VSCODE_") || name.startsWith("npm_"))],
  };
}

async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = net.createServer();
    probe.once("error", reject);
    probe.listen(0, loopback, () => {
      const address = probe.address();
      probe.close(() => {
        if (address === null || typeof address === "string") reject(new Error("No port."));
        else resolve(address.port);
      });
    });
  });
}

/** Status and body of one GET; status 0 when nobody answers. */
export async function httpGet(url: string): Promise<{ readonly status: number; readonly body: string }> {
  return new Promise((resolve) => {
    const nobody = { status: 0, body: "" };
    const request = http.get(url, { timeout: 5000 }, (response) => {
      let body = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => (body += chunk));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, body }));
      response.on("error", () => resolve(nobody));
    });
    request.on("error", () => resolve(nobody));
    request.on("timeout", () => request.destroy());
  });
}

/** Runs the server's own command line, e.g. `--install-extension x.vsix`, in directories that the caller names. */
export async function runServerCli(args: readonly string[]): Promise<{ readonly code: number; readonly output: string }> {
  linkModules();
  const { env, withoutEnv } = serverEnv({});
  const group = startNode([path.join(vscodeRoot, "out/server-main.js"), "--accept-server-license-terms", ...args], { env, withoutEnv, stdout: "pipe", stderr: "pipe" });
  let output = "";
  for (const stream of [group.child.stdout, group.child.stderr]) stream?.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const { code } = await group.exited;
  return { code, output };
}

async function waitUntilUp(group: ProcessGroup, url: string, tail: readonly string[]): Promise<void> {
  const deadline = performance.now() + startTimeoutMs;
  while ((await httpGet(`${url}version`)).status !== 200) {
    if (group.hasExited || performance.now() > deadline) throw new Error(`The VS Code server did not start:\n${tail.join("\n")}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export async function startServer(options: ServerOptions = {}): Promise<VscodeServer> {
  linkModules();
  const own = fs.mkdtempSync(path.join(os.tmpdir(), "run-state-vscode-"));
  const userDataDir = options.userDataDir ?? path.join(own, "user-data");
  const extensionsDir = options.extensionsDir ?? path.join(own, "extensions");
  fs.mkdirSync(extensionsDir, { recursive: true });
  const settings = options.settings ?? {};
  writeUserSettings(userDataDir, settings);

  const port = options.port ?? (await freePort());
  const url = `http://${loopback}:${port}/`;
  // VS Code never removes its sockets: they go with this directory, unless its path is too long for them.
  const runtime = own.length <= longestSocketDirectory ? { XDG_RUNTIME_DIR: own } : {};
  const { env, withoutEnv } = serverEnv({ ...runtime, ...options.env });
  const group = startNode(
    [
      path.join(vscodeRoot, "out/server-main.js"),
      ...["--host", loopback, "--port", String(port), "--without-connection-token", "--accept-server-license-terms"],
      ...["--user-data-dir", userDataDir, "--extensions-dir", extensionsDir, "--server-data-dir", path.join(own, "server")],
      ...["--telemetry-level", "off", "--disable-telemetry"],
      ...(settings.trusted === false ? [] : ["--disable-workspace-trust"]),
    ],
    { env, withoutEnv, stdout: "pipe", stderr: "pipe" },
  );
  const tail: string[] = [];
  for (const stream of [group.child.stdout, group.child.stderr]) {
    stream?.on("data", (chunk: Buffer) => {
      for (const line of chunk.toString().split("\n")) {
        if (line.trim() === "") continue;
        tail.push(line);
        if (tail.length > 200) tail.shift();
        options.onLine?.(line);
      }
    });
  }
  const removeOwn = (): void => fs.rmSync(own, { recursive: true, force: true, maxRetries: 5 });
  const takeBack = onEnd(removeOwn);
  const stop = async (): Promise<void> => {
    await group.stop();
    takeBack();
    removeOwn();
  };
  try {
    await waitUntilUp(group, url, tail);
  } catch (error) {
    await stop();
    throw error;
  }
  return { authority: `${loopback}:${port}`, url, extensionsDir, userDataDir, tail, exited: group.exited, stop };
}

export interface WorkbenchTarget {
  /** A directory or a .code-workspace file; without one the window is empty. */
  readonly workspace?: string | undefined;
  readonly extensionDevelopmentPath?: string | undefined;
  readonly extensionTestsPath?: string | undefined;
}

/** The address under which a browser gets the workbench on a workspace, with an extension under development. */
export function workbenchUrl(server: VscodeServer, target: WorkbenchTarget): string {
  const remote = (file: string): string => `vscode-remote://${server.authority}${encodeURI(path.resolve(file))}`;
  const payload: [string, string][] = [
    ["skipWelcome", "true"],
    ["skipReleaseNotes", "true"],
  ];
  if (target.extensionDevelopmentPath !== undefined) payload.push(["extensionDevelopmentPath", remote(target.extensionDevelopmentPath)]);
  if (target.extensionTestsPath !== undefined) payload.push(["extensionTestsPath", remote(target.extensionTestsPath)]);
  const query = new URLSearchParams();
  if (target.workspace === undefined) query.set("ew", "true");
  else query.set(target.workspace.endsWith(".code-workspace") ? "workspace" : "folder", path.resolve(target.workspace));
  query.set("payload", JSON.stringify(payload));
  return `${server.url}?${query.toString()}`;
}
