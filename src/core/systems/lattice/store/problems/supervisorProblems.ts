// Owns: problems of who runs a run: registrations that do not fit, a restart pointer that names something else, a socket that is gone.
// Leaves to others: whether the processes live (supervisorDetail.ts).
import { join } from "node:path";
import { isPlainObject } from "../../../../artifact/syntax.js";
import { problem, type RunProblem } from "../problemCatalog.js";
import { acceptedValue } from "../readDocument.js";
import type { RunView } from "../runView.js";
import { entriesOf } from "../listDirectories.js";

export function supervisorProblems(view: RunView): RunProblem[] {
  return [...registrationProblems(view), ...restartProblems(view), ...socketProblems(view)];
}

function registrationProblems({ run, store }: RunView): RunProblem[] {
  return run.controllers.flatMap(({ descriptor, registration }) => {
    const described = acceptedValue(descriptor);
    const registered = acceptedValue(registration);
    if (described === null || registered === null) return [];
    const isOfDescriptor = registered.controller_descriptor_digest === described.descriptor_digest;
    const isOfRun = store === null || registered.run_id === store.runId;
    if (isOfDescriptor && isOfRun) return [];
    const pointer = isOfDescriptor ? "/run_id" : "/controller_descriptor_digest";
    return [problem("registration-mismatch", { path: registration.path, pointer, evidence: { descriptor_digest: described.descriptor_digest, run_id: registered.run_id } })];
  });
}

function restartProblems({ run }: RunView): RunProblem[] {
  const pointer = acceptedValue(run.activePointer);
  const supervisor = acceptedValue(run.supervisor);
  if (pointer === null || (supervisor !== null && supervisor.descriptor_digest === pointer.descriptor_digest && supervisor.session_nonce_digest === pointer.session_nonce_digest)) return [];
  return [problem("supervisor-restart-pointer-mismatch", { path: run.activePointer.path, pointer: "/descriptor_digest", evidence: { candidate_ref: pointer.candidate_ref, found: run.supervisor.kind } })];
}

function socketProblems(view: RunView): RunProblem[] {
  const { run } = view;
  if (acceptedValue(run.supervisor) === null || view.isClosed || hasStopped(view) || isSocketPresent(view)) return [];
  return [problem("supervisor-socket-missing", { path: join(run.directory, "supervisor", "control.sock") })];
}

export function isSocketPresent({ run }: RunView): boolean {
  return entriesOf(run.listings, "supervisor").some(({ name, type }) => name === "control.sock" && type === "socket");
}

/** Whether the last that the journal says of a supervisor is that it stopped. */
export function hasStopped({ controlEvents }: RunView): boolean {
  const last = controlEvents.findLast((event) => isPlainObject(event) && (event["kind"] === "supervisor_stopped" || event["kind"] === "supervisor_activated"));
  return isPlainObject(last) && last["kind"] === "supervisor_stopped";
}
