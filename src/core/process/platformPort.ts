// Owns: the port through which the observers meet the platform. Everything they learn comes through it, so that a test can
// play any platform, any fault and any race on any machine.
// Leaves to others: the real platform (nodePlatformPort.ts), what the answers mean (the observers).

/** One run of an external command: no shell, the arguments as they are. */
export interface CommandRequest {
  /** Absolute path. */
  readonly file: string;
  readonly args: readonly string[];
  /** The command gets these variables and no others. */
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Most bytes of standard output; more is a failure with code `overflow`. */
  readonly maxBytes: number;
}

/** `failed`: could not be started, was killed, or said too much. Code: errno name, `timeout`, `overflow` or `signal`. */
export type CommandResult =
  | { readonly kind: "exited"; readonly status: number; readonly stdout: string }
  | { readonly kind: "failed"; readonly code: string };

/**
 * The synchronous members are for `/proc` and `/etc` only: the former is answered from memory, both never wait for a network.
 * Whatever a person chose (the directory of a claim) is asked asynchronously. Failures are NodeJS.ErrnoException, except where said.
 */
export interface PlatformPort {
  /** `process.platform`. */
  readonly platform: string;
  readonly ownPid: number;
  readonly execPath: string;
  /** As it was at start-up; the name of a host may change, that of a running process's records may not. */
  readonly hostname: string;
  /** An environment variable of this process. */
  variable(name: string): string | undefined;
  /** Sends signal 0. Gives `ok` or the errno name; the pid must be representable. */
  probe(pid: number): string;
  /** Whole text of a file of `/proc`, one character a byte. @throws EFBIG above `maxBytes`. */
  readText(path: string, maxBytes: number): string;
  readLink(path: string): string;
  /** Names in a directory. */
  list(path: string): readonly string[];
  /** Follows links. */
  fileKey(path: string): { readonly device: bigint; readonly inode: bigint };
  deviceOf(path: string): Promise<bigint>;
  /** `f_type` of statfs(2). */
  filesystemType(path: string): Promise<number>;
  realPath(path: string): Promise<string>;
  /** Never rejects. */
  execute(request: CommandRequest): Promise<CommandResult>;
}

/** What the platform answers, or null when it refuses or fails. For questions where every failure means the same: not known. */
export function orNull<Value>(ask: () => Value): Value | null {
  try {
    return ask();
  } catch (error) {
    errnoOf(error);
    return null;
  }
}

export async function orNullLater<Value>(ask: () => Promise<Value>): Promise<Value | null> {
  try {
    return await ask();
  } catch (error) {
    errnoOf(error);
    return null;
  }
}

/** Errno name of a failure of the port. @throws what is none: that is a bug, and must not be taken for an answer of the kernel. */
export function errnoOf(error: unknown): string {
  if (error instanceof Error && "code" in error && typeof error.code === "string") return error.code;
  throw error;
}
