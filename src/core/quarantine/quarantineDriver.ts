// Owns: what differs from runtime to runtime when claims are set aside: where things lie, whose guard is taken, how a claim is
// moved, what its bytes are. Everything else (permission, re-check, record, listing, settling, restoring, purging) is shared.
// Leaves to others: the drivers (latticeDriver.ts, and one for each further runtime).
import type { ClaimSnapshot, SystemId } from "../claims/claim.js";
import type { FileStat } from "../storage/filePort.js";
import type { ContentHash } from "./claimContent.js";
import type { Displaced, Displacement } from "./displacement.js";
import type { GuardAttempt } from "./instanceGuard.js";
import type { ClaimPlace } from "./latticeLayout.js";
import type { ItemType, QuarantineRecord } from "./quarantineEntry.js";
import type { Session } from "./session.js";

export interface DirectoryProblem {
  readonly reason: "unsafe-directory" | "place-missing" | "io-error";
  readonly detail: string;
}

export interface QuarantineDriver {
  readonly system: SystemId;
  /** Where this claim's things lie; null when it is not where this runtime keeps claims. */
  placeOfClaim(path: string): ClaimPlace | null;
  /** Where an item of `directory` goes back to; null when its record speaks of another directory. */
  placeOfRecord(record: QuarantineRecord, directory: string): ClaimPlace | null;
  itemName(claim: ClaimSnapshot, at: number, uuid: string): string;
  /** The quarantine root of a workspace folder (or of what this runtime calls its root). */
  rootOf(root: string): string;
  /** Directories of the root that hold items. Others of its names are foreign. `names`: what the root holds. */
  isItemDirectory(name: string): boolean;
  /** Names of the root that are the product's own furniture and not to be listed. */
  isFurniture(name: string): boolean;
  /** Checks every directory on the way; with `create` makes those of the quarantine. Null: all is well. */
  openDirectories(session: Session, place: ClaimPlace, create: boolean): Promise<DirectoryProblem | null>;
  acquireGuard(session: Session, place: ClaimPlace): Promise<GuardAttempt>;
  displace(displacement: Displacement, itemType: ItemType): Promise<Displaced>;
  hash(session: Session, path: string, stat: FileStat): Promise<ContentHash>;
}
