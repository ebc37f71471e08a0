// Owns: user settings of the VS Code under test: quiet, offline, the same every time.

export type Theme = "light" | "dark" | "high-contrast" | "high-contrast-light";

const themeNames: Readonly<Record<Theme, string>> = {
  light: "Default Light Modern",
  dark: "Default Dark Modern",
  "high-contrast": "Default High Contrast",
  "high-contrast-light": "Default High Contrast Light",
};

export interface HostSettings {
  readonly theme?: Theme;
  /** False: the workspace opens in restricted mode and nobody is asked. */
  readonly trusted?: boolean;
  readonly extra?: Readonly<Record<string, unknown>>;
}

export function userSettings({ theme = "light", trusted = true, extra = {} }: HostSettings): Record<string, unknown> {
  return {
    "workbench.startupEditor": "none",
    "workbench.colorTheme": themeNames[theme],
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
