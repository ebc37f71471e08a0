// Owns: what a host test knows about the demo workspace it runs in: the runner hands it over in the environment.
// Leaves to others: making it (test/demo/makeDemo.ts, in the runner's process).
import type { DemoCase, DemoClaim } from "../demo/demoCases.js";
import type { Demo } from "../demo/makeDemo.js";

const demoVariable = "RUN_STATE_DEMO";

export type HostDemo = Pick<Demo, "workspace" | "projects" | "claims">;

export function demoEnvironment(demo: HostDemo): NodeJS.ProcessEnv {
  return { [demoVariable]: JSON.stringify({ workspace: demo.workspace, projects: demo.projects, claims: [...demo.claims] }) };
}

/** The demo that this window has open. */
export function hostDemo(): HostDemo {
  const text = process.env[demoVariable];
  if (text === undefined) throw new Error(`${demoVariable} is not set: host tests are started by test/host/run.ts.`);
  const { claims, ...rest } = JSON.parse(text) as Omit<HostDemo, "claims"> & { readonly claims: readonly [DemoCase, DemoClaim][] };
  return { ...rest, claims: new Map(claims) };
}

/** One claim of the demo; a test that asks for one that this platform lacks fails. */
export function hostClaim(name: DemoCase): DemoClaim {
  const claim = hostDemo().claims.get(name);
  if (claim === undefined) throw new Error(`The demo has no claim "${name}" on this platform.`);
  return claim;
}
