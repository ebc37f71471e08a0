// Owns: the types of setup.mjs, which must run before npm ci and hence is plain JavaScript.

/** The first Chromium found, or CHROMIUM_PATH. */
export function chromiumPath(): string | undefined;
export function findOnPath(program: string): string | undefined;
/** Whether node_modules of `directory` holds what its lock file names. */
export function isInstalled(directory: string): boolean;
export function setUp(options: { readonly browser: "required" | "wanted" }): Promise<void>;

/** Something is missing that set-up cannot bring; the message says what to do. */
export class SetupError extends Error {}
/** Prints what stopped a command. */
export function printFailure(error: unknown): void;
