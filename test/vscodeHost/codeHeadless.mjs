#!/usr/bin/env node
// Owns: nothing but the entry: @vscode/test-electron launches this file in place of a desktop `code` executable.
import { register } from "tsx/esm/api";

register();
await import("./headlessTests.ts");
