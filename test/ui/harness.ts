// Owns: VS Code as a person meets it: the staged extension in a real workbench in a real browser, and the gestures of a person.
// Leaves to others: what to expect (the *.test.ts beside it), the parts of the screen (screen.ts), the workspace (test/demo).
import fs from "node:fs";
import path from "node:path";
import type { Locator, Page } from "playwright-core";
import { repositoryRoot } from "../tools/processGroup.mjs";
import { stagedExtension } from "../tools/stage.js";
import { openBrowser, type OpenBrowser } from "../vscodeHost/browser.js";
import { startServer, workbenchUrl, type VscodeServer } from "../vscodeHost/server.js";
import { themeLooks, type Theme } from "../vscodeHost/settings.js";
import { ModalDialog, Notifications, QuickInput } from "./screen.js";

/** Screenshots of a run; kept as artifacts. */
export const screenshotDirectory = path.join(repositoryRoot, "out/screenshots");

const patienceMs = 20_000;
/** VS Code ignores mouse-ups in the first 100 ms of a context menu, lest the click that opened it chooses an item. */
const menuDeafMs = 150;
const viewTitle = "Run State";

export interface WorkbenchOptions {
  /** A directory or a .code-workspace file; without one the window is empty. */
  readonly workspace?: string;
  readonly theme?: Theme;
  /** Default true. */
  readonly trusted?: boolean;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly viewport?: { readonly width: number; readonly height: number };
  /** An installed extension instead of the staged one: the directory it was installed into. */
  readonly extensionsDir?: string;
  /** Added to the environment of the extension host. */
  readonly env?: NodeJS.ProcessEnv;
}

/** One window. `close()` ends browser and server. */
export class Workbench {
  readonly page: Page;
  readonly modal: ModalDialog;
  readonly notifications: Notifications;
  readonly quickInput: QuickInput;
  /** Exceptions that no code of the page caught. */
  readonly pageErrors: string[] = [];
  readonly #server: VscodeServer;
  readonly #browser: OpenBrowser;
  #theme: Theme;

  private constructor(server: VscodeServer, browser: OpenBrowser, page: Page, theme: Theme) {
    this.#server = server;
    this.#browser = browser;
    this.#theme = theme;
    this.page = page;
    this.modal = new ModalDialog(page);
    this.notifications = new Notifications(page);
    this.quickInput = new QuickInput(page);
    page.on("pageerror", (error) => this.pageErrors.push(String(error)));
  }

  /** Opens a window and waits until its activity bar shows Run State. */
  static async open(options: WorkbenchOptions): Promise<Workbench> {
    const theme = options.theme ?? "light";
    const server = await startServer({
      settings: { theme, trusted: options.trusted ?? true, extra: options.settings ?? {} },
      ...(options.extensionsDir === undefined ? {} : { extensionsDir: options.extensionsDir }),
      ...(options.env === undefined ? {} : { env: options.env }),
    });
    try {
      const extensionDevelopmentPath = options.extensionsDir === undefined ? await stagedExtension() : undefined;
      const browser = await openBrowser(server, options.viewport);
      const page = await browser.context.newPage();
      page.setDefaultTimeout(patienceMs);
      const workbench = new Workbench(server, browser, page, theme);
      await page.goto(workbenchUrl(server, { workspace: options.workspace, extensionDevelopmentPath }));
      await workbench.#activityTab().waitFor();
      return workbench;
    } catch (error) {
      await server.stop();
      throw error;
    }
  }

  async close(): Promise<void> {
    // The browser first: a page whose server goes complains of that.
    await this.#browser.browser.close();
    await this.#server.stop();
  }

  /** Addresses outside the machine that the page tried to reach; each was refused. */
  get refusedRequests(): readonly string[] {
    return this.#browser.refused;
  }

  /** Last lines of the server, for a test that failed. */
  get serverTail(): readonly string[] {
    return this.#server.tail;
  }

  /** Changes the colour theme as a person does, and waits until the window has it. */
  async setTheme(theme: Theme): Promise<void> {
    const { label, windowClass } = themeLooks[theme];
    await this.command("Preferences: Color Theme");
    await this.quickInput.fill(label);
    await this.quickInput.pick(label);
    await this.page.locator(`.monaco-workbench.${windowClass}`).waitFor();
    this.#theme = theme;
  }

  #activityTab(): Locator {
    return this.page.locator(".part.activitybar").getByRole("tab", { name: viewTitle });
  }

  /** The whole view, from its title to its last row. */
  get view(): Locator {
    return this.page.locator(".part.sidebar");
  }

  /** Shows the Run State view; does nothing when it is shown (a second click would hide it). */
  async openRunStateView(): Promise<void> {
    const tab = this.#activityTab();
    if ((await tab.getAttribute("aria-selected")) !== "true") await tab.locator("a").click();
    await this.view.getByRole("heading", { name: viewTitle }).first().waitFor();
  }

  /** Rows whose text holds `text`; the tree renders only what is in view. */
  row(text: string | RegExp): Locator {
    return this.view.locator(".monaco-list-row").filter({ hasText: text });
  }

  /** Rests the pointer on a row until its tooltip shows `text`; a row that is redrawn in that moment is tried again, as a person does. */
  async tooltip(row: Locator, text: string): Promise<Locator> {
    const tooltip = this.page.locator(".monaco-hover:visible").filter({ hasText: text });
    for (const end = Date.now() + patienceMs; Date.now() < end; ) {
      await row.hover();
      const isShown = await tooltip.waitFor({ timeout: 4_000 }).then(
        () => true,
        () => false,
      );
      if (isShown) return tooltip;
      await this.page.mouse.move(800, 400);
    }
    throw new Error(`No tooltip with "${text}".`);
  }

  /** Opens a row that is closed. */
  async expand(row: Locator): Promise<void> {
    if ((await row.getAttribute("aria-expanded")) === "false") await row.locator(".monaco-tl-twistie").click();
  }

  /** Right-click; the texts of the items that can be chosen. The menu stays open. */
  async openContextMenu(row: Locator): Promise<readonly string[]> {
    await row.click({ button: "right" });
    const items = this.#menu().locator(".action-item:not(.disabled) .action-menu-item .action-label");
    await items.first().waitFor();
    return items.allInnerTexts();
  }

  /** Chooses an item of the open menu. */
  async chooseFromMenu(item: string): Promise<void> {
    const menu = this.#menu();
    const target = menu.getByRole("menuitem", { name: item });
    await target.waitFor();
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await this.page.waitForTimeout(menuDeafMs);
      await target.click();
      const isClosed = await menu.waitFor({ state: "hidden", timeout: 1000 }).then(
        () => true,
        () => false,
      );
      if (isClosed) return;
    }
    throw new Error(`The menu did not close after "${item}" was clicked.`);
  }

  /** Right-click on a row, then the item. */
  async contextMenu(row: Locator, item: string): Promise<void> {
    await this.openContextMenu(row);
    await this.chooseFromMenu(item);
  }

  #menu(): Locator {
    return this.page.locator(".context-view .monaco-menu");
  }

  /** Runs a command by its title from the palette. */
  async command(title: string): Promise<void> {
    await this.page.keyboard.press("F1");
    await this.quickInput.fill(`>${title}`);
    await this.quickInput.pick(title);
  }

  /** out/screenshots/<name>.<theme>.png */
  async screenshot(name: string): Promise<void> {
    fs.mkdirSync(screenshotDirectory, { recursive: true });
    await this.page.screenshot({ path: path.join(screenshotDirectory, `${name}.${this.#theme}.png`) });
  }
}
