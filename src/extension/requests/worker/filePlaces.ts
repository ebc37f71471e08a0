// Owns: where a JSON pointer is in a file on disk, so that a related place can be clicked.
// Leaves to others: which file and pointer (core findings). Bounded reads; what cannot be read has no place.
import { indexText } from "../../../core/systems/lattice/requests/jsonIndex.js";
import { nodeFilePort } from "../../../core/storage/nodeFilePort.js";
import { readBounded } from "../../../core/storage/readBounded.js";
import { LinePositions, type LineRange } from "../../../shared/linePositions.js";
import { shownRange } from "./shownRange.js";

const maxBytes = 64 * 1_048_576;

export type PlaceFinder = (file: string, pointer: string) => Promise<LineRange | null>;

/** Reads each file once, however many places are asked for. */
export function placesInFile(): PlaceFinder {
  const texts = new Map<string, Promise<FileText | null>>();
  return async (file, pointer) => {
    const reading = texts.get(file) ?? readText(file);
    texts.set(file, reading);
    const read = await reading;
    return read === null ? null : placeIn(read, pointer);
  };
}

interface FileText {
  readonly text: string;
  readonly lines: LinePositions;
}

async function readText(file: string): Promise<FileText | null> {
  const outcome = await readBounded(nodeFilePort, file, { maxBytes });
  if (outcome.kind !== "read") return null;
  // An editor shows no byte order mark.
  const text = new TextDecoder("utf-8").decode(outcome.bytes);
  try {
    JSON.parse(text);
  } catch {
    return null;
  }
  return { text, lines: new LinePositions(text) };
}

/** The place of the pointer, or of the nearest container that is there. */
function placeIn({ text, lines }: FileText, pointer: string): LineRange | null {
  const prefixes: string[] = [];
  for (let at = pointer; ; at = at.slice(0, at.lastIndexOf("/"))) {
    prefixes.push(at);
    if (at === "") break;
  }
  const { places } = indexText(text, 0, { pointers: prefixes });
  const found = prefixes.map((prefix) => places.get(prefix)).find((place) => place !== undefined);
  return found === undefined ? null : lines.range(shownRange(found.value, text));
}
