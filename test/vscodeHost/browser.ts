// Owns: the browser that opens the workbench: the machine's own Chromium, headless, cut off from every network but the server.
import { chromium, type Browser, type BrowserContext } from "playwright-core";
import { chromiumPath } from "../tools/setup.mjs";
import type { VscodeServer } from "./server.js";

export interface OpenBrowser {
  readonly browser: Browser;
  readonly context: BrowserContext;
  /** Addresses outside the server that a page tried to reach; each was refused. */
  readonly refused: readonly string[];
}

export async function openBrowser(server: VscodeServer, viewport = { width: 1280, height: 800 }): Promise<OpenBrowser> {
  const executablePath = chromiumPath();
  if (executablePath === undefined) throw new Error('No Chromium found: run "npm run setup".');
  const browser = await chromium.launch({
    executablePath,
    headless: true,
    // The sandbox refuses to start under root.
    chromiumSandbox: process.getuid?.() !== 0,
    // playwright's own handlers end this process before any clean-up.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    args: ["--disable-dev-shm-usage", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--no-first-run"],
  });
  const context = await browser.newContext({ viewport, serviceWorkers: "allow" });
  const refused: string[] = [];
  await context.route(
    (url) => url.protocol.startsWith("http") && url.host !== server.authority,
    (route) => {
      refused.push(route.request().url());
      return route.abort();
    },
  );
  return { browser, context, refused };
}
