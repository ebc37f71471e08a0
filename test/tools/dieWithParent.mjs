// Owns: the end of a process group whose starter is gone. Preloaded (node --import) into the group's first process by processGroup.mjs.
// The starter holds the other end of our stdin. When it dies, even by SIGKILL, that end closes: the whole group goes with it.
const mark = "RUN_STATE_GROUP_LEADER";

// Forked children inherit this preload and the environment: only the first process of a group may act.
if (process.env[mark] === undefined) {
  process.env[mark] = String(process.pid);
  const die = () => {
    try {
      process.kill(-process.pid, "SIGKILL");
    } catch {
      process.exit(1);
    }
  };
  process.stdin.on("end", die).on("error", die).resume();
  process.stdin.unref();
}
