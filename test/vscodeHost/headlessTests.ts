// Owns: standing in for the desktop `code` that @vscode/test-electron launches: takes its arguments, runs the tests in the
// extension host of a real VS Code server, drives the workbench with headless Chromium, ends with the tests' exit code.
import { format, parseArgs } from "node:util";
import path from "node:path";
import { endOnSignals, endProcess, isEnding, onEnd } from "../tools/processGroup.mjs";
import { openBrowser } from "./browser.js";
import { startServer, workbenchUrl } from "./server.js";

const exitCodes = { usage: 64, failedToStart: 69, pageCrashed: 70, serverDied: 71, timeout: 124 } as const;
const timeoutMs = Number(process.env["RUN_STATE_HOST_TIMEOUT_MS"] ?? 300_000);

/** What the workbench itself logs while it starts. */
const noise =
  /^(Ignoring fetching additional builtin|Resolving connection token|Resolved connection token|Creating a socket|Updating additional builtin|ChatSessionStore:|\[Service Worker\] registration)/;

const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  strict: false,
  allowPositionals: true,
  options: {
    extensionDevelopmentPath: { type: "string" },
    extensionTestsPath: { type: "string" },
    "user-data-dir": { type: "string" },
    "extensions-dir": { type: "string" },
  },
});

function text(value: string | boolean | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

async function runTests(extensionTestsPath: string): Promise<void> {
  const trusted = process.env["RUN_STATE_HOST_UNTRUSTED"] === undefined;
  const userDataDir = text(values["user-data-dir"]);
  const extensionsDir = text(values["extensions-dir"]);
  const server = await startServer({
    settings: { trusted },
    ...(userDataDir === undefined ? {} : { userDataDir }),
    ...(extensionsDir === undefined ? {} : { extensionsDir }),
  });
  const { browser, context } = await openBrowser(server);
  onEnd(() => browser.close());
  void server.exited.then(() => {
    if (isEnding()) return;
    console.error(`The VS Code server died:\n${server.tail.slice(-30).join("\n")}`);
    void endProcess(exitCodes.serverDied);
  });
  setTimeout(() => {
    console.error(`No result after ${timeoutMs} ms; last lines of the server:\n${server.tail.slice(-30).join("\n")}`);
    void endProcess(exitCodes.timeout);
  }, timeoutMs).unref();

  const page = await context.newPage();
  await page.exposeFunction("codeAutomationLog", (type: string, parts: readonly unknown[]) => {
    const line = format(...parts);
    if (!noise.test(line)) (type === "error" || type === "warn" ? process.stderr : process.stdout).write(`${line}\n`);
  });
  await page.exposeFunction("codeAutomationExit", (code: number) => {
    // The page's last messages are still on their way. It goes before its server does: else it complains of that.
    setTimeout(() => void browser.close().finally(() => endProcess(code)), 200);
  });
  page.on("crash", () => {
    console.error("The page crashed.");
    void endProcess(exitCodes.pageCrashed);
  });
  page.on("dialog", (dialog) => void dialog.accept().catch(() => undefined));
  await page.goto(
    workbenchUrl(server, {
      workspace: positionals[0],
      extensionDevelopmentPath: text(values["extensionDevelopmentPath"]),
      extensionTestsPath,
    }),
  );
}

endOnSignals();
const testsPath = text(values["extensionTestsPath"]);
if (testsPath === undefined) {
  console.error("Only test runs (--extensionTestsPath) are supported.");
  process.exitCode = exitCodes.usage;
} else {
  await runTests(path.resolve(testsPath)).catch((error: unknown) => {
    console.error(error);
    return endProcess(exitCodes.failedToStart);
  });
}
