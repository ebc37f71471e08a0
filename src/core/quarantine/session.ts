// Owns: the options of every quarantine operation, and the session in which they are all settled.
// Leaves to others: what is done with them.
import { hostname, userInfo } from "node:os";
import type { ClaimSnapshot } from "../claims/claim.js";
import { silentLogger, systemClock, systemRandom, type Clock, type Logger, type Random } from "../ports.js";
import type { ProcessObserver } from "../process/processInspector.js";
import type { FilePort } from "../storage/filePort.js";
import { nodeFilePort } from "../storage/nodeFilePort.js";
import { defaultObserver, defaultReinspect } from "./defaults.js";
import type { RecordAuthor } from "./quarantineRecord.js";
import { toolVersion } from "./toolVersion.js";

export interface QuarantineOptions {
  readonly port?: FilePort | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
  readonly logger?: Logger | undefined;
  readonly observer?: ProcessObserver | undefined;
  /** Looks at the claim again, uncached. Default: the inspection of the claim's own system. */
  readonly reinspect?: ((claim: ClaimSnapshot) => Promise<ClaimSnapshot>) | undefined;
  /** Who is recorded as the author. Default: the user and host of this process. */
  readonly user?: string | undefined;
  readonly hostname?: string | undefined;
  readonly toolVersion?: string | undefined;
  readonly platform?: NodeJS.Platform | undefined;
  /** Honoured until the claim is moved; after that the operation completes. */
  readonly signal?: AbortSignal | undefined;
  /** The person typed this id to displace what the normal command would not. It must equal the claim's. */
  readonly force?: { readonly typedId: string } | undefined;
  /** The person typed this token to override a guard whose holder cannot be judged (never one whose holder is live). */
  readonly breakGuard?: { readonly typedId: string } | undefined;
  /** Milliseconds; how long a runtime that judged before the freeze gets for its own rename. */
  readonly drainMs?: number | undefined;
}

export interface Session {
  readonly port: FilePort;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly observer: ProcessObserver;
  readonly reinspect: (claim: ClaimSnapshot) => Promise<ClaimSnapshot>;
  readonly author: RecordAuthor;
  readonly platform: NodeJS.Platform;
  readonly signal: AbortSignal | null;
  readonly force: { readonly typedId: string } | null;
  readonly breakGuard: { readonly typedId: string } | null;
  readonly drainMs: number;
}

const defaultDrainMs = 1_000;

export function openSession(options: QuarantineOptions): Session {
  const port = options.port ?? nodeFilePort;
  const observer = options.observer ?? defaultObserver();
  const clock = options.clock ?? systemClock;
  return {
    port,
    clock,
    random: options.random ?? systemRandom,
    logger: options.logger ?? silentLogger,
    observer,
    reinspect: options.reinspect ?? defaultReinspect({ port, observer, clock }),
    author: {
      user: options.user ?? userName(),
      hostname: options.hostname ?? hostname(),
      toolVersion: options.toolVersion ?? toolVersion,
    },
    platform: options.platform ?? process.platform,
    signal: options.signal ?? null,
    force: options.force ?? null,
    breakGuard: options.breakGuard ?? null,
    drainMs: options.drainMs ?? defaultDrainMs,
  };
}

/** A process can run under a uid that no account has. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return "";
  }
}
