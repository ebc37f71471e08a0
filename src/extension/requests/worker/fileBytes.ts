// Owns: what only the bytes of a file show and an editor hides: encoding, byte order mark, broken sequences, size.
// Leaves to others: the text, which the editor has (judgeDocument.ts).
import { decodeRequestBytes, maxFileBytes, tooLargeMessage } from "../../../core/systems/lattice/requests/decode.js";
import type { RuleId } from "../../../core/systems/lattice/requests/rules.js";
import { nodeFilePort } from "../../../core/storage/nodeFilePort.js";
import { readBounded } from "../../../core/storage/readBounded.js";

export interface ByteFinding {
  readonly rule: RuleId;
  readonly message: string;
  /** Into the text as the editor has it. */
  readonly offset: number;
  readonly length: number;
}

export interface FileBytes {
  readonly hasByteOrderMark: boolean;
  readonly problems: readonly ByteFinding[];
}

export const nothingHidden: FileBytes = { hasByteOrderMark: false, problems: [] };

/** Nothing for what cannot be read: the editor says that better. */
export async function readFileBytes(file: string): Promise<FileBytes> {
  const outcome = await readBounded(nodeFilePort, file, { maxBytes: maxFileBytes });
  if (outcome.kind === "too-large") return { hasByteOrderMark: false, problems: [{ rule: "json.too-large", message: tooLargeMessage(Number(outcome.size)), offset: 0, length: 0 }] };
  if (outcome.kind !== "read") return nothingHidden;
  const { text, problems } = decodeRequestBytes(outcome.bytes);
  const hasByteOrderMark = text.startsWith("\uFEFF");
  // The editor's text begins after the mark.
  const shift = hasByteOrderMark ? 1 : 0;
  return { hasByteOrderMark, problems: problems.map((problem) => ({ ...problem, offset: Math.max(problem.offset - shift, 0) })) };
}
