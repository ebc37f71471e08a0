// Owns: the worker thread: connects the service to the port of its parent. Never imports `vscode`.
// Leaves to others: everything else.
import { parentPort } from "node:worker_threads";
import type { ToWorker } from "../protocol.js";
import { RequestService } from "./requestService.js";

const port = parentPort;
if (port === null) throw new Error("This file is the entry of a worker thread.");
const service = new RequestService((message) => port.postMessage(message));
port.on("message", (message: ToWorker) => service.receive(message));
