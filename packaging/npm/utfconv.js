#!/usr/bin/env node
// The command `utfconv` of the npm package: runs the program of the package for this platform.
"use strict";
const { spawnSync } = require("node:child_process");
const { signals } = require("node:os").constants;

const name = `@utfconv/${process.platform}-${process.arch}`;
let program;
try {
  program = require.resolve(`${name}/bin/utfconv${process.platform === "win32" ? ".exe" : ""}`);
} catch {
  console.error(`utfconv: ${name} is not installed; there are packages for Linux and macOS (x64, arm64) and Windows (x64), and npm must install optional dependencies`);
  process.exit(2);
}
const ran = spawnSync(program, process.argv.slice(2), { stdio: "inherit" });
if (ran.error) {
  console.error(`utfconv: cannot run ${program}: ${ran.error.message}`);
  process.exit(2);
}
// End in the same way as the program. Node ignores SIGPIPE, so exit with a shell's status for a signal.
if (ran.signal) process.kill(process.pid, ran.signal);
process.exitCode = ran.status ?? 128 + signals[ran.signal];
