// Owns: what the commands need of a terminal, and the real one. The only place of this program that writes to the standard streams.
// Leaves to others: what is said.
import { createInterface } from "node:readline/promises";

export interface Terminal {
  /** One line (or several) to standard output. */
  write(text: string): void;
  /** One line (or several) to standard error. */
  complain(text: string): void;
  /** Whether somebody can answer. */
  readonly isInteractive: boolean;
  /** Milliseconds-free question; an empty text when the stream ended. Rejects with AbortError when `signal` aborts. */
  ask(question: string, signal: AbortSignal): Promise<string>;
}

export function nodeTerminal(): Terminal {
  return {
    write: (text) => void process.stdout.write(`${text}\n`),
    complain: (text) => void process.stderr.write(`${text}\n`),
    isInteractive: process.stdin.isTTY && process.stderr.isTTY,
    ask: async (question, signal) => {
      // The question goes to standard error, so that a redirected output stays clean.
      const reader = createInterface({ input: process.stdin, output: process.stderr });
      const ended = new Promise<string>((resolve) => reader.once("close", () => resolve("")));
      try {
        return await Promise.race([reader.question(question, { signal }), ended]);
      } finally {
        reader.close();
      }
    },
  };
}
