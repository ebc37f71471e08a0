// Owns: the common syntaxes of spec/lattice.md section 1.6 and its two orders (1.5).
// Leaves to others: the coercion quirk (a number that stringifies to an identifier), which belongs to the validators that have it.
import { canonicalizeArtifact } from "./canonical.js";

const identifierPattern = /^[0-9A-Za-z](?:[0-9A-Za-z._-]{0,127})$/;
const digestPattern = /^[0-9a-f]{64}$/;
const gitShaPattern = /^[0-9a-f]{40}$/;
const timestampPattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

export function isIdentifier(value: unknown): value is string {
  return typeof value === "string" && identifierPattern.test(value);
}

export function isDigest(value: unknown): value is string {
  return typeof value === "string" && digestPattern.test(value);
}

export function isGitSha(value: unknown): value is string {
  return typeof value === "string" && gitShaPattern.test(value);
}

/**
 * Millisecond UTC text that survives a round trip through Date, so 30 February, hour 24 and second 60 fail.
 * By arithmetic, because a journal has ten thousand of them and a Date each costs more than the digest of its event.
 */
export function isTimestamp(value: unknown): value is string {
  if (typeof value !== "string" || !timestampPattern.test(value)) return false;
  const month = twoDigits(value, 5);
  const day = twoDigits(value, 8);
  if (month < 1 || month > 12 || day < 1 || twoDigits(value, 11) > 23 || twoDigits(value, 14) > 59 || twoDigits(value, 17) > 59) return false;
  if (month === 2) return day <= (isLeapYear(twoDigits(value, 0) * 100 + twoDigits(value, 2)) ? 29 : 28);
  return day <= (month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31);
}

function twoDigits(text: string, at: number): number {
  return text.charCodeAt(at) * 10 + text.charCodeAt(at + 1) - 528;
}

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

export function isNonNegativeInteger(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

export function isPositiveInteger(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 1;
}

/** Relative POSIX path inside a repository; ≤ 1024 UTF-8 bytes. A trailing slash names a prefix. */
export function isRepoPath(value: unknown, options: { readonly prefixAllowed?: boolean } = {}): value is string {
  if (typeof value !== "string" || value.length === 0 || Buffer.byteLength(value, "utf8") > 1024) return false;
  if (/[\u0000-\u001F\u007F\\]/.test(value) || value.startsWith("/")) return false;
  const path = options.prefixAllowed === true && value.endsWith("/") ? value.slice(0, -1) : value;
  return path.split("/").every((segment) => segment !== "" && segment !== "." && segment !== "..");
}

/** An object made by `{}` or JSON.parse. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && Object.getPrototypeOf(value) === Object.prototype;
}

export function hasExactKeys(value: unknown, keys: readonly string[]): value is Record<string, unknown> {
  return isPlainObject(value) && Object.keys(value).length === keys.length && keys.every((key) => Object.hasOwn(value, key));
}

/** Canonical order of section 1.5: code units of the canonical texts, strict. */
export function isCanonicallyBefore(a: unknown, b: unknown): boolean {
  return canonicalizeArtifact(a) < canonicalizeArtifact(b);
}
