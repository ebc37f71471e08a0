// Owns: a whole directory as data, so that two moments can be compared byte for byte.
// Leaves to others: what must not have changed (the tests).
import fs from "node:fs";
import path from "node:path";

/** Every entry below a directory: a file as its bytes, a link as what it points to. */
export function bytesBelow(directory: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const entry of fs.readdirSync(directory, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (entry.isFile()) found.set(file, fs.readFileSync(file).toString("base64"));
    else found.set(file, entry.isSymbolicLink() ? `-> ${fs.readlinkSync(file)}` : "directory");
  }
  return found;
}
