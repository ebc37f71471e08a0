// Owns: a copied run directory, looked into at a fixed moment, and its rows as a person reads them.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { inspectRun } from "../../../src/core/systems/lattice/store/inspectRun.js";
import type { RunDetail } from "../../../src/core/systems/lattice/store/runDetail.js";
import { childrenOf, type Child } from "../../../src/extension/tree/children.js";
import type { RunLook } from "../../../src/extension/run/detailItem.js";
import { rowOf } from "../../../src/extension/tree/rows.js";
import { englishText, type Translate } from "../../../src/shared/text.js";
import { copyRunDirectory } from "../../demo/runDirectories.js";
import { now, root, run, snapshot, store } from "../builders.js";

export interface LookedInto {
  readonly directory: string;
  readonly detail: RunDetail;
}

export async function withRun<T>(fixture: string, use: (looked: LookedInto) => T | Promise<T>): Promise<T> {
  const project = fs.mkdtempSync(path.join(os.tmpdir(), "run-state-rows-"));
  try {
    const directory = copyRunDirectory(fixture, project);
    return await use({ directory, detail: await lookInto(directory) });
  } finally {
    fs.rmSync(project, { recursive: true, force: true });
  }
}

export function lookInto(directory: string): Promise<RunDetail> {
  return inspectRun(directory, { clock: { now: () => now, monotonic: () => 0, sleep: () => Promise.resolve() } });
}

/** Children below the row of one run, `limit` at a time. */
export function insideRun(look: RunLook, visit: (child: Child, depth: number) => void, limit = 500): void {
  const directory = look.kind === "seen" ? look.detail.directory : "/p/.lattice/runs/one";
  const lattice = path.resolve(directory, "../..");
  const one = run(lattice, path.basename(directory));
  const taken = snapshot([root(path.dirname(lattice), [store(lattice, { runs: [one] })])]);
  const context = { snapshot: taken, filter: null, limit, step: limit, inside: () => look };
  const below = (parent: Child, depth: number): void => {
    for (const child of childrenOf(parent, context)) {
      visit(child, depth);
      below(child, depth + 1);
    }
  };
  below({ id: `run:${one.key}`, subject: { kind: "run", store: store(lattice), run: one } }, 0);
}

/** Every row inside a run, indented. */
export function drawn(look: RunLook, options: { readonly t?: Translate; readonly limit?: number } = {}): string {
  const lines: string[] = [];
  insideRun(
    look,
    (child, depth) => {
      const row = rowOf(child.subject, { t: options.t ?? englishText, now });
      lines.push(`${"  ".repeat(depth)}$(${row.icon.id}) ${row.label} | ${row.description}`);
    },
    options.limit,
  );
  return lines.join("\n");
}
