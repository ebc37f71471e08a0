// Owns: reading the schema of a JSON text that may be broken, and may be anything: one pass, nothing built.
// Leaves to others: what to do with it.
import { endOfString } from "./jsonScan.js";

/** The text of the first member `schema` of the outermost object; null when there is none. */
export function schemaOfText(text: string): string | null {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    // `{` and `[`, `}` and `]`: their codes differ in one bit only.
    if ((code | 0x20) === 0x7b) depth += 1;
    else if ((code | 0x20) === 0x7d) depth -= 1;
    else if (code === 0x22) {
      const end = endOfString(text, at);
      if (end < 0) return null;
      if (depth === 1 && text.startsWith('"schema"', at)) {
        const value = /^\s*:\s*"([^"\\]*)"/.exec(text.slice(end + 1, end + 400));
        if (value !== null) return value[1] ?? null;
      }
      at = end;
    }
  }
  return null;
}
