// Owns: `npm start`: sets up what is missing, builds, then hands over to the demo (test/demo/serve.ts) and ends with it.
// No dependencies: it works on a fresh clone. Options: --check (start, verify, stop), --browser (never a desktop VS Code).
import { endOnSignals, endProcess, repositoryRoot, startNode } from "./processGroup.mjs";
import { printFailure, setUp } from "./setup.mjs";

async function runNode(args) {
  return (await startNode(args, { cwd: repositoryRoot }).exited).code;
}

async function main() {
  await setUp({ browser: "wanted" });
  const built = await runNode(["esbuild.mjs"]);
  return built === 0 ? runNode(["--import", "tsx", "test/demo/serve.ts", ...process.argv.slice(2)]) : built;
}

endOnSignals();
await endProcess(
  await main().catch((error) => {
    printFailure(error);
    return 1;
  }),
);
