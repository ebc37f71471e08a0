// Owns: lattice's ways as a QuarantineDriver.
// Leaves to others: the layout (latticeLayout.ts), the guard (instanceGuard.ts), the protocol (latticeProtocol.ts).
import { join } from "node:path";
import { replaceDurable } from "../storage/createSteps.js";
import { assertSafeDirectory, ensureDirectory, type DirectoryCheck } from "../storage/directorySteps.js";
import { lookAt } from "../storage/moveSteps.js";
import { hashContent } from "./claimContent.js";
import { displaceDirectly } from "./displacement.js";
import { acquireInstanceGuard } from "./instanceGuard.js";
import { directoriesAbove, freshItemName, guardsName, placeOfClaim, placeOfRecord, quarantineRootOf, temporaryName, type ClaimPlace } from "./latticeLayout.js";
import { displaceFrozen } from "./latticeProtocol.js";
import type { DirectoryProblem, QuarantineDriver } from "./quarantineDriver.js";
import type { Session } from "./session.js";

const ignoreName = ".gitignore";
const ignoreBytes = new TextEncoder().encode("*\n");

function problemOf(check: DirectoryCheck, path: string): DirectoryProblem | null {
  switch (check.kind) {
    case "safe":
      return null;
    case "missing":
      return { reason: "place-missing", detail: path };
    case "unsafe":
      return { reason: "unsafe-directory", detail: path };
    case "unreadable":
      return { reason: "io-error", detail: check.code };
  }
}

async function openDirectories(session: Session, place: ClaimPlace, create: boolean): Promise<DirectoryProblem | null> {
  const { port, platform } = session;
  for (const path of directoriesAbove(place)) {
    const problem = problemOf(await assertSafeDirectory(port, path), path);
    if (problem !== null) return problem;
  }
  const steps = [
    { parent: place.store, path: place.root },
    { parent: place.root, path: place.directory },
  ];
  for (const { parent, path } of steps) {
    const check = create ? await ensureDirectory(port, parent, path, { mode: 0o700, platform }) : await assertSafeDirectory(port, path);
    const problem = problemOf(check, path);
    if (problem !== null) return problem;
    if (create && path === place.root) await hideFromGit(session, path);
  }
  return null;
}

/** Displaced locks and user names in records are nobody's business in a repository. An empty file is what a power cut leaves of ours. */
async function hideFromGit({ port, platform, clock, random }: Session, root: string): Promise<void> {
  const path = join(root, ignoreName);
  const stat = await lookAt(port, path);
  if (stat !== null && stat.size > 0n) return;
  await replaceDurable(port, path, ignoreBytes, { mode: 0o600, platform, clock, temporary: temporaryName(path, random.uuid()) });
}

export const latticeDriver: QuarantineDriver = {
  system: "lattice",
  placeOfClaim,
  placeOfRecord: (record, directory) => placeOfRecord(record.original_path, directory),
  itemName: (claim, at, uuid) => freshItemName(claim.path, at, uuid),
  rootOf: quarantineRootOf,
  isItemDirectory: (name) => name !== guardsName,
  isFurniture: (name) => name === guardsName || name === ignoreName,
  openDirectories,
  acquireGuard: acquireInstanceGuard,
  // Nobody recovers leftovers by name, and directories cannot be linked: only files are worth a freeze.
  displace: (displacement, itemType) => (itemType === "directory" ? displaceDirectly(displacement) : displaceFrozen(displacement)),
  hash: (session, path, stat) => hashContent(session.port, path, stat),
};
