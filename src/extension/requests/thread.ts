// Owns: the real worker thread behind WorkerPort.
// Leaves to others: the conversation (workerClient.ts), the work (worker/main.ts).
import { Worker } from "node:worker_threads";
import type { FromWorker } from "./protocol.js";
import type { StartWorker } from "./workerClient.js";

/** Enough for the largest text that is looked at; a hostile one ends the thread instead of the extension host. */
const maxHeapMiB = 1024;

/** `file`: absolute path of the bundled worker. */
export function threadOf(file: string): StartWorker {
  return ({ onMessage, onEnd }) => {
    const worker = new Worker(file, { name: "run-state-requests", resourceLimits: { maxOldGenerationSizeMb: maxHeapMiB } });
    let reason: string | null = null;
    worker.on("message", (message: FromWorker) => onMessage(message));
    worker.on("error", (error) => {
      reason = error.message;
    });
    worker.on("exit", (code) => onEnd(reason ?? `exit code ${code}`));
    return {
      post: (message) => worker.postMessage(message),
      terminate: () => {
        worker.removeAllListeners();
        // A late error of a thread that is being ended has nobody to tell; without a listener it would be thrown.
        worker.on("error", () => {});
        void worker.terminate();
      },
    };
  };
}
