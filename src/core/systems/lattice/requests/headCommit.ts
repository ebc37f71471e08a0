// Owns: which commit a repository has checked out, read from its files: no git is started for a question that three reads answer.
// Leaves to others: history (whether one commit descends from another needs git).
import path from "node:path";
import { isGitSha } from "../../../artifact/syntax.js";
import { readBounded } from "../../../storage/readBounded.js";
import type { ReadPort } from "../../../storage/filePort.js";

const refPattern = /^ref: (refs\/[^\s~^:?*[\\]+)\s*$/;

async function readText(port: ReadPort, file: string, maxBytes: number): Promise<string | null> {
  const outcome = await readBounded(port, file, { maxBytes });
  return outcome.kind === "read" ? new TextDecoder().decode(outcome.bytes) : null;
}

/** Null when `repository` is no ordinary checkout, or its branch has no commit, or a name looks like more than a branch. */
export async function readCheckedOutCommit(port: ReadPort, repository: string): Promise<string | null> {
  const git = path.join(repository, ".git");
  const head = await readText(port, path.join(git, "HEAD"), 1024);
  if (head === null) return null;
  if (isGitSha(head.trim())) return head.trim();
  const ref = refPattern.exec(head)?.[1];
  if (ref === undefined || ref.split("/").includes("..")) return null;
  const loose = (await readText(port, path.join(git, ref), 1024))?.trim();
  if (loose !== undefined) return isGitSha(loose) ? loose : null;
  const packed = await readText(port, path.join(git, "packed-refs"), 4 * 1_048_576);
  const line = packed?.split("\n").find((candidate) => candidate.endsWith(` ${ref}`));
  const commit = line?.slice(0, 40);
  return isGitSha(commit) ? commit : null;
}
