// Owns: deleting a file or a whole directory for good, without ever following a link out of it.
// Leaves to others: whether it may be deleted (quarantine/purgeQuarantine.ts is the only caller).
import { join } from "node:path";
import type { FilePort } from "./filePort.js";
import { lookAt } from "./moveSteps.js";

/** Depth first; a name that is gone already is fine. @throws the errno error of the first step that failed; the rest then remains. */
export async function removeTree(port: FilePort, path: string): Promise<void> {
  const stat = await lookAt(port, path);
  if (stat === null) return;
  if (stat.type !== "directory") {
    await port.unlink(path);
    return;
  }
  for (const { name } of await port.readdir(path)) await removeTree(port, join(path, name));
  await port.rmdir(path);
}
