// Owns: what must never be in an event payload, and where it is (spec/lattice.md section 2.5).
// Leaves to others: what a chain with such a payload is worth (verifyRunEventChain.ts). A text that was found is never handed out.
import { KeyOrders } from "../../../artifact/keyOrder.js";

/** The pointer is relative to the payload and joined by plain slashes, as the runtime builds it. */
export interface RedactionViolation {
  readonly pointer: string;
  /** The forbidden key; null when it is the value that looks like a secret. */
  readonly key: string | null;
}

const forbiddenParts = [
  "api_key",
  "apikey",
  "authorization",
  "bearer",
  "chat_log",
  "conversation",
  "cookie",
  "credential",
  "oauth",
  "passphrase",
  "password",
  "private_key",
  "prompt",
  "secret",
  "token",
] as const;

interface JudgedKeys {
  readonly keys: readonly string[];
  readonly forbidden: ReadonlySet<string> | null;
}

const judgedKeys = new KeyOrders<JudgedKeys>((keys) => {
  const forbidden = keys.filter((key) => {
    const lower = key.toLowerCase();
    return forbiddenParts.some((part) => lower.includes(part));
  });
  return { keys: [...keys], forbidden: forbidden.length === 0 ? null : new Set(forbidden) };
});

function isSecretText(text: string): boolean {
  // The first letter settles nearly every text without a regular expression.
  const first = text.charCodeAt(0) | 0x20;
  if (first === 0x62 && /^bearer\s+\S+/iu.test(text)) return true;
  if (first === 0x65 && /^eyJ[0-9A-Za-z_-]{10,}\./u.test(text)) return true;
  return mayHoldFiveHyphens(text) && /-----BEGIN [A-Z ]*PRIVATE KEY-----/u.test(text);
}

/** Every fifth letter is enough to miss no run of five; digests, which are most texts, are done after thirteen. */
function mayHoldFiveHyphens(text: string): boolean {
  for (let index = 4; index < text.length; index += 5) if (text.charCodeAt(index) === 0x2d) return true;
  return false;
}

export interface LocatedViolation {
  /** Keys and indexes from the payload to the value. */
  readonly tokens: readonly (string | number)[];
  readonly key: string | null;
}

/** Every violation in a payload, in the order of its keys. The value must be free of cycles. */
export function findRedactionViolations(payload: unknown): RedactionViolation[] {
  return locateRedactionViolations(payload).map(({ tokens, key }) => ({ pointer: tokens.map((token) => `/${token}`).join(""), key }));
}

/** As findRedactionViolations, for callers that build pointers of their own. */
export function locateRedactionViolations(payload: unknown): LocatedViolation[] {
  const found: LocatedViolation[] = [];
  visit(payload, null, found);
  return found;
}

/** Tokens are collected only for what is found. */
interface Trail {
  readonly parent: Trail | null;
  readonly token: string | number;
}

function tokensOf(trail: Trail | null): (string | number)[] {
  return trail === null ? [] : [...tokensOf(trail.parent), trail.token];
}

function visit(value: unknown, trail: Trail | null, found: LocatedViolation[]): void {
  if (typeof value === "string") {
    if (isSecretText(value)) found.push({ tokens: tokensOf(trail), key: null });
    return;
  }
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) visit(value[index], { parent: trail, token: index }, found);
    return;
  }
  const { keys, forbidden } = judgedKeys.of(value);
  for (const key of keys) {
    const member = (value as Readonly<Record<string, unknown>>)[key];
    if (forbidden === null && (typeof member === "number" || (typeof member === "string" && !isSecretText(member)))) continue;
    const place = { parent: trail, token: key };
    if (forbidden?.has(key) === true) found.push({ tokens: tokensOf(place), key });
    visit(member, place, found);
  }
}
