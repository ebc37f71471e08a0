// Owns: user settings of the VS Code under test: quiet, offline, the same every time.
import fs from "node:fs";
import path from "node:path";

export type Theme = "light" | "dark" | "high-contrast" | "high-contrast-light";

/** A theme's id in the settings, its name in the picker, and the class of the workbench while it is on. */
export const themeLooks: Readonly<Record<Theme, { readonly id: string; readonly label: string; readonly windowClass: string }>> = {
  light: { id: "Default Light Modern", label: "Light Modern", windowClass: "vs" },
  dark: { id: "Default Dark Modern", label: "Dark Modern", windowClass: "vs-dark" },
  "high-contrast": { id: "Default High Contrast", label: "Dark High Contrast", windowClass: "hc-black" },
  "high-contrast-light": { id: "Default High Contrast Light", label: "Light High Contrast", windowClass: "hc-light" },
};

export interface HostSettings {
  readonly theme?: Theme;
  /** False: the workspace opens in restricted mode and nobody is asked. */
  readonly trusted?: boolean;
  readonly extra?: Readonly<Record<string, unknown>>;
}

function userSettings({ theme = "light", trusted = true, extra = {} }: HostSettings): Record<string, unknown> {
  return {
    "workbench.startupEditor": "none",
    "workbench.colorTheme": themeLooks[theme].id,
    "workbench.iconTheme": "vs-seti",
    "workbench.tips.enabled": false,
    "workbench.enableExperiments": false,
    "workbench.settings.enableNaturalLanguageSearch": false,
    "workbench.reduceMotion": "on",
    "window.autoDetectHighContrast": false,
    "window.autoDetectColorScheme": false,
    "window.commandCenter": false,
    "chat.commandCenter.enabled": false,
    "security.workspace.trust.enabled": !trusted,
    "security.workspace.trust.startupPrompt": "never",
    "telemetry.telemetryLevel": "off",
    "update.mode": "none",
    "extensions.autoCheckUpdates": false,
    "extensions.autoUpdate": false,
    "extensions.ignoreRecommendations": true,
    "git.enabled": false,
    "typescript.disableAutomaticTypeAcquisition": true,
    "json.schemaDownload.enable": false,
    ...extra,
  };
}

/** Writes User/settings.json of a profile; read when VS Code starts. */
export function writeUserSettings(userDataDir: string, settings: HostSettings): void {
  const directory = path.join(userDataDir, "User");
  fs.mkdirSync(directory, { recursive: true });
  fs.writeFileSync(path.join(directory, "settings.json"), JSON.stringify(userSettings(settings), null, 2));
}
