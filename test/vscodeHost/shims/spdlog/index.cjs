// Owns: the surface of @vscode/spdlog (an npm module without prebuilt binaries) that VS Code calls: loggers that append lines to a file.
// Leaves out: rotation. A test server lives for minutes.
"use strict";
const fs = require("node:fs");
const path = require("node:path");

const names = ["trace", "debug", "info", "warning", "error", "critical", "off"];
let globalLevel = 0;

class Logger {
  constructor(_type, name, file) {
    this.name = name;
    this.level = globalLevel;
    this.raw = false;
    if (file) {
      fs.mkdirSync(path.dirname(file), { recursive: true });
      this.fd = fs.openSync(file, "a");
    }
  }

  write(level, message) {
    if (level < this.level || this.fd === undefined) return;
    const time = new Date().toISOString().replace("T", " ").slice(0, 23);
    const line = this.raw ? String(message) : `${time} [${names[level]}] ${message}\n`;
    try {
      fs.writeSync(this.fd, line);
    } catch {
      // The log directory went away with the test that owned it.
    }
  }

  trace(message) { this.write(0, message); }
  debug(message) { this.write(1, message); }
  info(message) { this.write(2, message); }
  warn(message) { this.write(3, message); }
  error(message) { this.write(4, message); }
  critical(message) { this.write(5, message); }
  getLevel() { return this.level; }
  setLevel(level) { this.level = level; }
  setPattern() {}
  clearFormatters() { this.raw = true; }
  flush() {}
  drop() {
    if (this.fd === undefined) return;
    try {
      fs.closeSync(this.fd);
    } catch {
      // Closed already.
    }
    this.fd = undefined;
  }
}

const create = (type) => async (name, file) => new Logger(type, name, file);

exports.version = 0;
exports.setLevel = (level) => { globalLevel = level; };
exports.setFlushOn = () => {};
exports.Logger = Logger;
exports.createRotatingLogger = create("rotating");
exports.createAsyncRotatingLogger = create("rotating_async");
