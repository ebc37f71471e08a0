// Owns: what a mistake for a rule is, and the words in which the tables of mistakes (mutations*.ts) are written.
import type { Dialect } from "../../../../src/core/artifact/canonical.js";
import { list, object, type Fields } from "./documents.js";
import type { Kind, RandomDocument } from "./randomDocuments.js";

export interface Mutation {
  readonly on: Kind;
  /** Default 0.50. */
  readonly dialect?: Dialect;
  /** The derived member that is the mistake: everything else is sealed around it. */
  readonly keep?: string;
  /** Judged as a part alone: in the whole other rules break with it. */
  readonly alone?: "phase" | "migration";
  readonly change?: (document: RandomDocument) => void;
  /** Change of the text, for what parsing hides. */
  readonly text?: (text: string, document: RandomDocument) => string;
}

export type Change = NonNullable<Mutation["change"]>;

export const hex = (digit: string): string => digit.repeat(64);
export const flip = (digest: unknown): string => (String(digest).startsWith("0") ? "1" : "0") + String(digest).slice(1);
export const set = (pointer: string, member: string, value: unknown): Change => ({ value: document }) => {
  object(document, pointer)[member] = value;
};
export const on = (kind: Kind, pointer: string, member: string, value: unknown, more: Partial<Mutation> = {}): Mutation => ({ on: kind, change: set(pointer, member, value), ...more });
export const extraKey = (kind: Kind, pointer: string, more: Partial<Mutation> = {}): Mutation => on(kind, pointer, "unknown_key", 1, more);
export const wrong = (kind: Kind, pointer: string, member: string, value?: string): Mutation => ({
  on: kind,
  keep: `${pointer}/${member}`,
  change: ({ value: document }) => {
    const holder = object(document, pointer);
    holder[member] = value ?? flip(holder[member]);
  },
});
export const change = (kind: Kind, how: Change, more: Partial<Mutation> = {}): Mutation => ({ on: kind, change: how, ...more });
export const reversed = (pointer: string): Change => ({ value }) => {
  list(value, pointer).reverse();
};
export const bad = "-bad id";

/** In the whole, coverage or a phase revision would break with it. */
export const migrationOnly = (how: Change, kind: Kind = "seam"): Mutation => ({ on: kind, alone: "migration", change: how });

export const S = "/successor_request";
export const M = "/task_migration";
export const E0 = `${M}/entries/0`;
export const P = "/phase_revision";
export const W = `${S}/manual_witness/T1`;

/** Where the first witness is, whatever its todo is called. */
export const witness = (more: (witness: Fields) => void, extra: Partial<Mutation> = {}): Mutation =>
  change("split", ({ value }) => {
    const first = Object.values(object(value, `${S}/manual_witness`))[0];
    more(first as Fields);
  }, extra);
