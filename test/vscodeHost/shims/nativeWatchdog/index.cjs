// Owns: the one function of native-watchdog (an npm module without prebuilt binaries) that VS Code calls:
// the extension host ends soon after the server that forked it.
"use strict";

const lookEveryMs = 1000;
const graceMs = 6000;

exports.start = (pid) => {
  const timer = setInterval(() => {
    try {
      process.kill(pid, 0);
    } catch {
      clearInterval(timer);
      setTimeout(() => process.exit(87), graceMs);
    }
  }, lookEveryMs);
  timer.unref();
};
