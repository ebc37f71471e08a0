// Owns: the real disk, below a temporary directory that the paths of a world take for `/`.
// Leaves to others: the disk in memory (memoryDisk.ts), whose answers must be the same.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { FilePort } from "../../../src/core/storage/filePort.js";
import { nodeFilePort } from "../../../src/core/storage/nodeFilePort.js";
import type { Disk } from "./memoryDisk.js";

export interface RealDisk extends Disk {
  readonly root: string;
  remove(): void;
}

export function realDisk(): RealDisk {
  const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "run-state-disk-")));
  const at = (name: string): string => path.join(root, name);
  const inner = nodeFilePort;
  const port: FilePort = {
    lstat: (name) => inner.lstat(at(name)),
    openRead: (name) => inner.openRead(at(name)),
    readdir: (name) => inner.readdir(at(name)),
    readlink: (name) => inner.readlink(at(name)),
    realpath: (name) => inner.realpath(at(name)),
    createExclusive: (name, mode) => inner.createExclusive(at(name), mode),
    link: (from, to) => inner.link(at(from), at(to)),
    rename: (from, to) => inner.rename(at(from), at(to)),
    unlink: (name) => inner.unlink(at(name)),
    mkdir: (name, mode) => inner.mkdir(at(name), mode),
    rmdir: (name) => inner.rmdir(at(name)),
    syncDirectory: (name) => inner.syncDirectory(at(name)),
  };
  const snapshot = (): readonly (readonly [string, string | null])[] => {
    const all: (readonly [string, string | null])[] = [];
    const walk = (directory: string): void => {
      for (const entry of fs.readdirSync(at(directory), { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
        const name = `${directory === "/" ? "" : directory}/${entry.name}`;
        all.push([name, entry.isFile() ? fs.readFileSync(at(name), "utf8") : null]);
        if (entry.isDirectory()) walk(name);
      }
    };
    walk("/");
    return all;
  };
  return { root, port, snapshot, remove: () => fs.rmSync(root, { recursive: true, force: true }) };
}
