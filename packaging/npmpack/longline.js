#!/usr/bin/env node
// Starts the longline that npm installed for this platform.
"use strict";
const { spawnSync } = require("node:child_process");
const path = require("node:path");

const name = `NPM-NAME-${process.platform}-${process.arch}`;
let program;
try {
  program = path.join(path.dirname(require.resolve(`${name}/package.json`)), "bin", "longline");
} catch {
  console.error(`longline: there is no package for ${process.platform} on ${process.arch}, or npm left out optional dependencies`);
  console.error(`  hint: npm install --include=optional NPM-NAME`);
  process.exit(2);
}
const run = spawnSync(program, process.argv.slice(2), { stdio: "inherit" });
if (run.error) {
  console.error(`longline: ${program}: ${run.error.message}`);
  process.exit(2);
}
if (run.signal) {
  process.kill(process.pid, run.signal);
}
process.exit(run.status ?? 2);
