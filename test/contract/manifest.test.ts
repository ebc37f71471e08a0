// Owns: that package.json, package.nls.json and the code speak of the same commands, views, settings and context keys, in both directions.
import assert from "node:assert/strict";
import * as contract from "../../src/extension/contract.js";
import { manifest, manifestStrings, nls, readText, whenClauses } from "./manifest.js";
import { interfaceMembers, sourceFiles, stringLiterals, unionLiterals } from "./sources.js";

const contractFile = "src/extension/contract.ts";
const { contributes } = manifest;

const sorted = (values: Iterable<string>): string[] => [...new Set(values)].sort();

const commandIds = interfaceMembers(contractFile, "CommandArguments");
const settingIds = interfaceMembers(contractFile, "Settings").map((name) => `${contract.settingsSection}.${name}`);
const contextKeyIds = interfaceMembers(contractFile, "ContextKeys");
const shellSources = sourceFiles("src/extension").filter((file) => file !== contractFile);
const shellLiterals = new Set(shellSources.flatMap(stringLiterals));

/** VS Code itself makes these from the id of a view or a container. */
const viewCommands = [`${contract.treeViewId}.focus`, `workbench.view.extension.${contract.viewContainerId}`];
const idPattern = /\brunState(?:\.\w+)+/g;

describe("commands", () => {
  it("are contributed exactly as the code knows them", () => {
    assert.deepEqual(sorted(contributes.commands.map(({ command }) => command)), sorted(commandIds));
  });

  it("are each named by the code that implements them", () => {
    assert.deepEqual(commandIds.filter((id) => !shellLiterals.has(id)), []);
  });

  it("stand in menus and keybindings only when they are contributed", () => {
    const used = [...Object.values(contributes.menus).flat(), ...(contributes.keybindings ?? [])].flatMap(({ command }) => command ?? []);
    assert.deepEqual(sorted(used.filter((id) => !commandIds.includes(id))), []);
  });

  it("that change a disk need a trusted workspace", () => {
    const trusted = contributes.commands.filter(({ enablement }) => enablement?.split(" && ").includes("isWorkspaceTrusted") === true);
    assert.deepEqual(sorted(trusted.map(({ command }) => command)), sorted(contract.mutatingCommands));
  });

  it("that need a row are hidden from the palette, and no others are", () => {
    const hidden = (contributes.menus["commandPalette"] ?? []).filter(({ when }) => when === "false").flatMap(({ command }) => command ?? []);
    assert.deepEqual(sorted(hidden), sorted(contract.rowOnlyCommands));
  });
});

describe("views", () => {
  it("are contributed exactly as the code knows them, in the container that it knows", () => {
    assert.deepEqual(Object.fromEntries(Object.entries(contributes.views).map(([container, views]) => [container, views.map(({ id }) => id)])), {
      [contract.viewContainerId]: [contract.treeViewId],
    });
    assert.deepEqual(
      Object.values(contributes.viewsContainers).flatMap((containers) => containers.map(({ id }) => id)),
      [contract.viewContainerId],
    );
  });

  it("have their welcome texts and the walkthrough under known ids", () => {
    assert.deepEqual(sorted(contributes.viewsWelcome.map(({ view }) => view)), [contract.treeViewId]);
    assert.deepEqual(contributes.walkthroughs.map(({ id }) => id), [contract.walkthroughId]);
  });
});

describe("settings", () => {
  const { properties } = contributes.configuration;

  it("are contributed exactly as the code reads them", () => {
    assert.deepEqual(sorted(Object.keys(properties)), sorted(settingIds));
  });

  it("have the defaults that the code falls back to", () => {
    const defaults = Object.fromEntries(Object.entries(contract.settingDefaults).map(([name, value]) => [`${contract.settingsSection}.${name}`, value as unknown]));
    assert.deepEqual(Object.fromEntries(Object.entries(properties).map(([id, property]) => [id, property.default])), defaults);
  });

  it("that a workspace may not set before it is trusted are the ones that the code restricts", () => {
    const { untrustedWorkspaces } = manifest.capabilities;
    assert.equal(untrustedWorkspaces.supported, "limited");
    assert.deepEqual(sorted(untrustedWorkspaces.restrictedConfigurations), sorted(contract.restrictedSettings));
  });
});

describe("context keys", () => {
  const used = sorted(whenClauses().flatMap((clause) => clause.match(idPattern) ?? [])).filter((id) => id !== contract.treeViewId);

  it("are used in package.json exactly as the code sets them", () => {
    assert.deepEqual(used, sorted(contextKeyIds));
    assert.deepEqual(sorted(contract.contextKeys), sorted(contextKeyIds));
  });

  it("are each set by the code", () => {
    assert.deepEqual(contextKeyIds.filter((id) => !shellLiterals.has(id)), []);
  });

  it("are compared with phases that exist", () => {
    const compared = whenClauses().flatMap((clause) => [...clause.matchAll(/runState\.phase [!=]= '([^']*)'/g)].map((match) => match[1] ?? ""));
    const phases = unionLiterals(contractFile, "Phase");
    assert.deepEqual(sorted(compared.filter((phase) => !phases.includes(phase))), []);
  });
});

describe("texts", () => {
  const placeholders = manifestStrings().flatMap((value) => /^%(.+)%$/.exec(value)?.[1] ?? []);

  it("of package.json are all in package.nls.json, and none there is unused", () => {
    assert.deepEqual(sorted(placeholders), sorted(Object.keys(nls)));
  });

  it("are none of them empty", () => {
    assert.deepEqual(Object.entries(nls).filter(([, text]) => text.trim() === ""), []);
  });

  it("link to commands and settings that exist", () => {
    const known = new Set([...commandIds, ...settingIds, ...viewCommands, contract.settingsSection]);
    const documents = ["media/walkthrough/verdicts.md", "media/walkthrough/quarantine.md", "media/walkthrough/settings.md"].map(readText);
    const linked = [...Object.values(nls), ...documents].flatMap((text) => [
      ...[...text.matchAll(/command:([\w.]+)/g)].map((match) => match[1] ?? "").filter((id) => id.startsWith("runState")),
      ...[...text.matchAll(/#(runState\.[\w.]+)#/g)].map((match) => match[1] ?? ""),
    ]);
    assert.deepEqual(sorted(linked.filter((id) => !known.has(id))), []);
  });
});

describe("ids in the code", () => {
  it("are all in the contract: none is made up elsewhere", () => {
    const known = new Set([...commandIds, ...settingIds, ...contextKeyIds, ...viewCommands, contract.treeViewId, contract.walkthroughId, contract.statusItemId]);
    const strangers = [...shellLiterals].filter((text) => /^runState(?:\.\w+)+$/.test(text) && !known.has(text));
    assert.deepEqual(sorted(strangers), []);
  });

  it("name the extension as package.json does", () => {
    assert.equal(contract.extensionId, `${manifest.publisher}.${manifest.name}`);
  });
});
