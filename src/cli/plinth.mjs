#!/usr/bin/env node
/**
 * The entry of the command line. This file alone must also be readable by Node.js 14 and later, so that an old Node.js prints
 * which version is needed instead of a syntax error.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const read = (path) => readFileSync(fileURLToPath(new URL(path, import.meta.url)), "utf8");
const numbersOf = (version) => version.replace(/^\D+/, "").split(".").map(Number);

const needed = numbersOf(JSON.parse(read("../../package.json")).engines.node);
const [major, minor] = numbersOf(process.versions.node);

if (major < needed[0] || (major === needed[0] && minor < needed[1])) {
  console.error(
    `error: plinth needs Node.js ${needed.join(".")} or newer, and this is ${process.versions.node} (${process.execPath}).\n` +
      "  → Install a newer one, or run `npm run -s plinth -- <command>` in the clone, which brings its own.",
  );
  process.exitCode = 2;
} else start();

function start() {
  const main = fileURLToPath(new URL("./main.ts", import.meta.url));
  const args = process.argv.slice(2);
  // A server gets the variables and flags of the first line of main.ts; other commands end too soon to need them. Windows cannot replace a process.
  const isServer = args[0] === "start" || args[0] === "demo";
  if (isServer && process.platform !== "win32") {
    const [, variables, flags] = /^#!\S+ -S (.+) node (.+)$/m.exec(read("./main.ts"));
    const env = Object.assign(
      Object.fromEntries(variables.split(" ").map((word) => word.split("="))),
      process.env,
    );
    // Node.js warns that replacing a process is a new feature, which is of no use to who starts a server.
    process.removeAllListeners("warning");
    process.execve(
      process.execPath,
      [process.execPath, ...process.execArgv, ...flags.split(" "), main, ...args],
      env,
    );
  } else void import("./main.ts");
}
