// Owns: the port through which the core asks who is running, and the shapes of its answers (spec/pi-amq.md section 13).
// Leaves to others: the observers themselves (createProcessInspector.ts picks one), judging (systems/*).

/** Identity of one process; compared for equality only. Never holds an empty string. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Opaque token: `linux:starttime:<ticks>`, `darwin:lstart:<epoch s>`, `win32:created:<FILETIME>`. */
  readonly processStartIdentity: string;
  /** Opaque token, or null where this boot cannot be named. */
  readonly bootIdentity: string | null;
  readonly executable: string;
  readonly hostname: string;
}

/**
 * `absent` is only ever concluded from the kernel saying so (ESRCH, a thread id, an ended process not yet collected),
 * never from a file that could not be read; whatever cannot be observed is `unknown` with a diagnostic.
 */
export type ProcessInspection =
  | { readonly kind: "live"; readonly identity: ProcessIdentity }
  | { readonly kind: "absent"; readonly why?: "no-such-process" | "zombie" | "thread-id" }
  | { readonly kind: "unknown"; readonly diagnostic: string };

export interface ProcessInspector {
  /** The process that runs this code; equal to what `inspect(process.pid)` observes. */
  current(): Promise<ProcessIdentity>;
  inspect(pid: number): Promise<ProcessInspection>;
}

/**
 * When a process started, as an instant and in the zone that its own `ps` would have used.
 * Needed for lattice locks only, whose record is `ps -o lstart=` text (design/quarantine.md).
 */
export interface StartInstant {
  /** Seconds since the epoch, as `ps` would compute it; whole seconds. */
  readonly epochSeconds: number;
  /** TZ of the process's own environment; null when unset or unreadable. */
  readonly ownerTimeZone: string | null;
  /** Whether the environment could be read at all. */
  readonly environmentReadable: boolean;
  /** Zone that a process without TZ uses there (name behind /etc/localtime); null when it could not be found out. */
  readonly systemTimeZone: string | null;
}

/**
 * Whether any process has the very file open, this process included (close your own handle before you ask).
 * `unknown` when some process could not be looked into; its diagnostic is then `fd_unreadable`, or
 * `fd_unreadable_of_other_users` when every process of our own user could.
 */
export type OpenFileEvidence =
  | { readonly kind: "open"; readonly pids: readonly number[] }
  | { readonly kind: "not-open" }
  | { readonly kind: "unknown"; readonly diagnostic: string };

/** Facts about where processes and files live; what `judge` needs besides the process (spec/pi-amq.md section 14). */
export interface ObservationEnvironment {
  /** False also when it could not be found out. */
  readonly localFilesystem: boolean;
  readonly pidNamespace: "initial" | "nested" | "unknown" | "not_applicable";
  /** Nested, and the directory is on the same device as `/`. */
  readonly exclusiveToThisNamespace: boolean;
  /** The recorded pid is the innermost number of a process of a child namespace. */
  readonly nsPidMatch: boolean;
}

/** The real observer of this platform offers more than the port: what lattice locks and ownerless files need. */
export interface ProcessObserver extends ProcessInspector {
  readonly platform: string;
  startInstant(pid: number): Promise<StartInstant | null>;
  whoHasOpen(file: { readonly device: string; readonly inode: string }): Promise<OpenFileEvidence>;
  /** `directory` is where the claim lies; `pid` the recorded one. */
  environment(directory: string, pid: number): Promise<ObservationEnvironment>;
  /** Drops every cached observation. Called between a confirmation and the re-check. */
  forget(): void;
}
