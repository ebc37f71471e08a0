// Owns: planning for rows: from what is on disk now, not from what the view showed.
// Leaves to others: what a plan is (core/quarantine).
import * as vscode from "vscode";
import type { ClaimSnapshot } from "../../core/claims/claim.js";
import type { QuarantinePlan } from "../../core/quarantine/quarantineEntry.js";
import { treeViewId } from "../contract.js";
import type { Services } from "./command.js";
import { allTargets, type Target } from "./target.js";

/** One plan per claim that is still there. Looks again first: the view may be as old as its last refresh. */
export function makePlans({ store, core }: Services, targets: readonly Target[]): Thenable<readonly QuarantinePlan[]> {
  return vscode.window.withProgress({ location: { viewId: treeViewId } }, async () => {
    const paths = claimsOf(targets).map((claim) => claim.path);
    await store.refresh({ kind: "paths", paths });
    const { snapshot } = store.state;
    const now = snapshot === null ? new Map<string, Target>() : allTargets(snapshot);
    const fresh = claimsOf(targets.map((target) => now.get(target.id)).filter((target) => target !== undefined));
    return Promise.all(fresh.map((claim) => core.plan(claim)));
  });
}

function claimsOf(targets: readonly Target[]): readonly ClaimSnapshot[] {
  return targets.flatMap(({ subject }) => (subject.kind === "claim" ? [subject.claim] : []));
}
