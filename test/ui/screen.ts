// Owns: the parts of VS Code's screen that talk to a person: modal dialog, notifications, quick input. How to find, read and answer them.
// Leaves to others: the window and its tree (harness.ts).
import type { Locator, Page } from "playwright-core";

/** The modal dialog; one at a time. */
export class ModalDialog {
  readonly box: Locator;

  constructor(page: Page) {
    this.box = page.locator(".monaco-dialog-box");
  }

  /** Message and detail as read. Waits for the dialog. */
  async text(): Promise<string> {
    await this.box.waitFor();
    return this.box.locator(".dialog-message-container").innerText();
  }

  /** Names of the buttons, in reading order. */
  async buttons(): Promise<readonly string[]> {
    await this.box.waitFor();
    return this.box.locator(".dialog-buttons .monaco-button").allInnerTexts();
  }

  /** Presses the button of exactly that name and waits until this dialog has gone; another may stand in its place at once. */
  async press(button: string): Promise<void> {
    const dialog = await this.box.elementHandle();
    await this.box.getByRole("button", { name: button, exact: true }).click();
    await dialog.waitForElementState("hidden");
  }

  async isOpen(): Promise<boolean> {
    return (await this.box.count()) > 0;
  }
}

/** Toasts in the corner. */
export class Notifications {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** Toasts whose text holds `text`. */
  with(text: string | RegExp): Locator {
    return this.#page.locator(".notification-toast").filter({ hasText: text });
  }

  /** Waits for the toast and gives its whole message. */
  async text(text: string | RegExp): Promise<string> {
    const toast = this.with(text).first();
    await toast.waitFor();
    return toast.locator(".notification-list-item-message").innerText();
  }

  async buttons(text: string | RegExp): Promise<readonly string[]> {
    const toast = this.with(text).first();
    await toast.waitFor();
    return toast.locator(".notification-list-item-buttons-container .monaco-button").allInnerTexts();
  }

  async press(text: string | RegExp, button: string): Promise<void> {
    await this.with(text).first().getByRole("button", { name: button, exact: true }).click();
  }
}

/** Quick pick and input box. */
export class QuickInput {
  readonly box: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.box = page.locator(".quick-input-widget");
  }

  async fill(text: string): Promise<void> {
    const input = this.box.locator("input.input").first();
    await input.waitFor();
    await input.fill(text);
  }

  /** Texts of the rows that are rendered. */
  async items(): Promise<readonly string[]> {
    const rows = this.box.locator(".quick-input-list .monaco-list-row");
    await rows.first().waitFor();
    return rows.allInnerTexts();
  }

  /** Clicks the first row that holds `text`. */
  async pick(text: string | RegExp): Promise<void> {
    await this.box.locator(".quick-input-list .monaco-list-row").filter({ hasText: text }).first().click();
  }

  /** What is written below the input: the prompt, or the complaint about what was typed. */
  async message(): Promise<string> {
    return this.box.locator(".quick-input-message").innerText();
  }

  async accept(): Promise<void> {
    await this.#page.keyboard.press("Enter");
  }

  async cancel(): Promise<void> {
    await this.#page.keyboard.press("Escape");
    await this.box.waitFor({ state: "hidden" });
  }
}
