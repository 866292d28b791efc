/**
 * Runs `node <arguments>` on the Node.js that package.json pins, after making sure that what package-lock.json names is
 * installed. It is the one file that must run on an older Node (18 and up) and without any dependency, because it is
 * what `npm start`, `npm test` and `npm run demo` begin with on a fresh clone.
 *
 * A program gets the variables and the flags of Node.js that its own first line names, so that they stand in one place.
 *
 *   node scripts/with-runtime.mjs src/cli/main.ts start --port 7007
 *
 * After `--with-console` the web console is built first, where it is missing or older than its sources, for a server that stays.
 */
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, "node_modules");
const isWindows = process.platform === "win32";
const runtime = join(modules, ".bin", isWindows ? "node.cmd" : "node");
const forwarded = ["SIGINT", "SIGTERM", "SIGHUP"];

/**
 * Whether each package of the lock file is installed in its version, by npm's own record of what is
 * installed.
 */
function isCurrent() {
  const installedFile = join(modules, ".package-lock.json");
  if (!existsSync(installedFile) || !existsSync(runtime)) {
    return false;
  }
  const installed = readJson(installedFile)?.packages;
  const wanted = readJson(join(root, "package-lock.json"))?.packages;
  if (installed === undefined || wanted === undefined) {
    return false;
  }
  return Object.entries(wanted).every(([path, entry]) => {
    const isOurs = path === "" || !path.startsWith("node_modules/") || entry.link === true;
    const found = installed[path];
    return isOurs || (found === undefined ? isForOthers(entry) : found.version === entry.version);
  });
}

/** npm leaves out optional packages, most of them binaries of other platforms. */
function isForOthers(entry) {
  return entry.optional === true || entry.devOptional === true || entry.peer === true;
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}

/** Runs a command with our standard streams and resolves to its exit code; signals that we get go to it. */
function run(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: "inherit", shell: isWindows, ...options });
    const handlers = forwarded.map((signal) => {
      // A terminal sends Ctrl-C to the whole group, child included; what arrives here otherwise is passed on.
      const handler = () => {
        if (signal !== "SIGINT" || !process.stdin.isTTY) {
          child.kill(signal);
        }
      };
      process.on(signal, handler);
      return [signal, handler];
    });
    const finish = (code) => {
      for (const [signal, handler] of handlers) {
        process.off(signal, handler);
      }
      resolve(code);
    };
    child.on("error", (error) => {
      console.error(`${command} could not be started: ${error.message}`);
      finish(127);
    });
    child.on("exit", (code, signal) =>
      finish(signal === null ? (code ?? 1) : 128 + (constants.signals[signal] ?? 0)),
    );
  });
}

async function install() {
  console.error("Installing the dependencies of package-lock.json (once) …");
  // The output goes to standard error: what runs afterwards may print data on standard output.
  const stdio = ["ignore", process.stderr, "inherit"];
  const args = ["ci", "--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"];
  const npm = process.env.npm_execpath;
  const isScript = npm !== undefined && /\.c?js$/.test(npm) && existsSync(npm);
  const code = isScript
    ? await run(process.execPath, [npm, ...args], { cwd: root, stdio })
    : await run("npm", args, { cwd: root, stdio });
  if (code !== 0) {
    console.error("The dependencies could not be installed; nothing was started.");
    process.exit(code);
  }
  if (!existsSync(runtime)) {
    console.error(
      "The pinned Node.js is missing after the installation: its install script may not have run.",
    );
    process.exit(1);
  }
}

if (!isCurrent()) {
  await install();
}
/** What a program's `#!/usr/bin/env -S NAME=value node --flag` says; nothing for `-e` and files without such a line. */
function firstLineOf(program) {
  if (program === undefined || !existsSync(program)) {
    return { variables: {}, flags: [] };
  }
  const [first] = readFileSync(program, "utf8").split("\n", 1);
  const [, before = "", after = ""] = /^#!\S+ -S (.*?)\bnode( .*)?$/.exec(first) ?? [];
  const words = (text) => text.split(" ").filter((word) => word !== "");
  return { variables: Object.fromEntries(words(before).map((word) => word.split("="))), flags: words(after) };
}

const isWithConsole = process.argv[2] === "--with-console";
const args = process.argv.slice(isWithConsole ? 3 : 2);
// Whoever asked for help, or for a demo that ends by itself, opens no browser.
if (isWithConsole && !args.includes("--help") && (args.includes("start") || args.includes("--keep"))) {
  await run(runtime, [join(root, "scripts/console.ts")]);
}
const { variables, flags } = firstLineOf(args[0]);
process.exit(await run(runtime, [...flags, ...args], { env: { ...variables, ...process.env } }));
