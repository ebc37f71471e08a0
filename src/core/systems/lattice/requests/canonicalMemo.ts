// Owns: remembering, for one document, digests and canonical texts of its parts: several rules ask for the same one.
// Leaves to others: canonical form itself (artifact/canonical.ts).
import {
  ArtifactError,
  canonicalizeArtifact,
  canonicalizeTodoArtifact,
  digestTodoArtifact,
  measureArtifact,
  selfDigestTodo,
  type Dialect,
} from "../../../artifact/canonical.js";

type Fields = Readonly<Record<string, unknown>>;

/** What measuring a record without one of its fields gave. */
type Measured = { readonly digest: string; readonly nodes: number } | ArtifactError;

function attempt<Result>(run: () => Result): Result | ArtifactError {
  try {
    return run();
  } catch (error) {
    if (ArtifactError.is(error)) return error;
    throw error;
  }
}

/** Values must not change while a memo knows them. */
export class CanonicalMemo {
  private readonly measured = new Map<unknown, Map<string, Measured>>();
  private readonly texts = new Map<object, string>();
  private readonly todoDigests = new Map<object, Map<string, string>>();

  /** `isParsed`: the value came from JSON.parse, so accessors, symbols and the like cannot occur and are not looked for. */
  constructor(
    readonly dialect: Dialect,
    private readonly isParsed: boolean = false,
  ) {}

  /** Why the value, without `field`, has no canonical form; null when it has one. */
  problem(value: unknown, field: string): ArtifactError | null {
    const measured = this.measure(value, field);
    return measured instanceof ArtifactError ? measured : null;
  }

  /** See selfDigest of artifact/canonical.ts. @throws ArtifactError */
  selfDigest(record: Fields, field: string): string {
    const measured = this.measure(record, field);
    if (measured instanceof ArtifactError) throw measured;
    return measured.digest;
  }

  /** Values in a document, containers and items alike; keys do not count. Cheap when its self digest over `field` is known. */
  countValues(value: unknown, field: string): number {
    if (typeof value !== "object" || value === null) return 1;
    const measured = this.measure(value, field);
    if (measured instanceof ArtifactError) return countAll(value);
    return measured.nodes + (Object.hasOwn(value, field) ? countAll((value as Fields)[field]) : 0);
  }

  /** For order: the canonical text, or a JSON text where there is none. */
  text(value: unknown): string {
    if (typeof value === "string") return JSON.stringify(value);
    if (typeof value !== "object" || value === null) return String(value);
    const known = this.texts.get(value);
    if (known !== undefined) return known;
    const canonical = attempt(() => canonicalizeArtifact(value, { dialect: this.dialect }));
    const text = canonical instanceof ArtifactError ? `\u0000${JSON.stringify(value)}` : canonical;
    this.texts.set(value, text);
    return text;
  }

  /** Why the value has no canonical form by the rules of todo artifacts (section 1.4). */
  todoProblem(value: unknown): ArtifactError | null {
    const text = attempt(() => canonicalizeTodoArtifact(value));
    return text instanceof ArtifactError ? text : null;
  }

  /** Digest by the rules of todo artifacts. @throws ArtifactError */
  todoDigest(value: object): string {
    return this.remember(value, "", () => digestTodoArtifact(value));
  }

  /** Self digest by the rules of todo artifacts. @throws ArtifactError */
  todoSelfDigest(record: Fields, field: string): string {
    return this.remember(record, field, () => selfDigestTodo(record, field));
  }

  private remember(value: object, field: string, digest: () => string): string {
    const known = this.todoDigests.get(value) ?? new Map<string, string>();
    this.todoDigests.set(value, known);
    const found = known.get(field) ?? digest();
    known.set(field, found);
    return found;
  }

  private measure(value: unknown, field: string): Measured {
    const known = this.measured.get(value) ?? new Map<string, Measured>();
    this.measured.set(value, known);
    const found = known.get(field) ?? attempt(() => measureArtifact(value, { dialect: this.dialect, omit: field, parsed: this.isParsed }));
    known.set(field, found);
    return found;
  }
}

/** Only for values that JSON.parse made, or that passed `measure`; iterative, since those that did not pass may be deep. */
function countAll(value: unknown): number {
  let count = 0;
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    count += 1;
    if (typeof next === "object" && next !== null) for (const member of Object.values(next)) open.push(member);
  }
  return count;
}
