/**
 * The mock as a process: `node src/adapters/mock/main.ts --port 4101`. Prints one JSON line with its address as
 * soon as it listens, and leaves on SIGTERM and SIGINT. The secret comes from CORE_BACKEND_PLUGIN_AUTH_SECRET, that of before
 * from CORE_BACKEND_PLUGIN_AUTH_FORMER_SECRET.
 */
import { parseArgs } from "node:util";
import { runUntilStopped } from "../kit/serve.ts";
import { startMockAdapter } from "./server.ts";

const secretVariable = "CORE_BACKEND_PLUGIN_AUTH_SECRET";
const secretOfBefore = "CORE_BACKEND_PLUGIN_AUTH_FORMER_SECRET";
const formerVariable = "BACKEND_PLUGIN_AUTH_SECRET";

const usage = `Usage: main.ts [--port N] [--host H] [--journal-file F] [--no-behaviours-from-descriptor]
--port N  0 (the default) takes a free one
--host H  default 127.0.0.1
--journal-file F  appends one JSON line for each call
--behaviours-from-descriptor  \`specific.mock\` of a component decides how it is played (the default)`;

function readArguments() {
  const { values } = parseArgs({
    allowNegative: true,
    options: {
      port: { type: "string", default: "0" },
      host: { type: "string", default: "127.0.0.1" },
      "journal-file": { type: "string" },
      "behaviours-from-descriptor": { type: "boolean", default: true },
      help: { type: "boolean", default: false },
    },
  });
  const port = Number(values.port);
  if (!/^\d+$/.test(values.port) || port > 65_535) throw new Error("--port must be a number from 0 to 65535");
  return { ...values, port };
}

/** The shared secrets; an empty variable counts as unset. Throws for the variable that older set-ups used. */
function readSecrets(env: NodeJS.ProcessEnv): string[] {
  const secret = env[secretVariable] ?? "";
  if (secret !== "") return [secret, env[secretOfBefore] ?? ""];
  if ((env[formerVariable] ?? "") === "") return [];
  throw new Error(`${formerVariable} is no longer read. Set ${secretVariable} to the same value instead.`);
}

async function main(): Promise<void> {
  const wanted = readArguments();
  if (wanted.help) return console.log(usage);
  const adapter = await startMockAdapter({
    port: wanted.port,
    host: wanted.host,
    secret: readSecrets(process.env),
    journalFile: wanted["journal-file"],
    behavioursFromDescriptor: wanted["behaviours-from-descriptor"],
  });
  runUntilStopped(adapter);
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : "The mock adapter could not start.");
  process.exit(1);
}
