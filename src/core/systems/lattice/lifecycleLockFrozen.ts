// Owns: telling a lock that an interrupted repair of ours holds by a second link from a lock that somebody else has linked.
// Leaves to others: freezing and settling (quarantine/).
import { join } from "node:path";
import type { FileIdentity } from "../../claims/claim.js";
import { frozenSuffix, placeOfClaim } from "../../quarantine/latticeLayout.js";
import { errnoOf } from "../../storage/errno.js";
import { fileIdentityOf, isSameInode } from "../../storage/fileIdentity.js";
import type { ReadPort } from "../../storage/filePort.js";

/**
 * Whether the quarantine beside the lock at `path` has a freezing link to this very file. False also when the quarantine cannot
 * be read: the lock is then shown as linked by somebody unknown, which nobody repairs without a look of his own. Never writes.
 */
export async function isFrozenByQuarantine(port: ReadPort, path: string, file: FileIdentity): Promise<boolean> {
  const place = placeOfClaim(path);
  if (place === null) return false;
  try {
    for (const { name } of await port.readdir(place.directory)) {
      if (!name.endsWith(frozenSuffix)) continue;
      if (isSameInode(fileIdentityOf(await port.lstat(join(place.directory, name))), file)) return true;
    }
  } catch (error) {
    if (errnoOf(error) === null) throw error;
  }
  return false;
}
