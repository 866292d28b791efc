/** The PostgreSQL adapter as a process. Prints one line of JSON on standard output once it listens. */
import { parseArgs } from "node:util";

import { pino } from "pino";

import { runUntilStopped } from "../kit/serve.ts";
import { startPostgresAdapter } from "./server.ts";

const usage = `Usage: node src/adapters/postgres/main.ts --port <n> --database-url <postgres://…>
  --host <address>   address to listen on (default 127.0.0.1; others need the secret)
  --async            answer every call with a token to poll
  --sync             answer every call when it is done
The secret that callers must present is read from CORE_BACKEND_PLUGIN_AUTH_SECRET, and one of before that is still taken
from CORE_BACKEND_PLUGIN_AUTH_FORMER_SECRET; the database URL may be given as POSTGRES_ADAPTER_DATABASE_URL, which keeps its
password out of the list of processes.`;

const { values } = parseArgs({
  options: {
    port: { type: "string", default: "0" },
    host: { type: "string", default: "127.0.0.1" },
    "database-url": { type: "string" },
    async: { type: "boolean", default: false },
    sync: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
const port = Number(values.port);
const databaseUrl = values["database-url"] ?? process.env["POSTGRES_ADAPTER_DATABASE_URL"];
const secret = process.env["CORE_BACKEND_PLUGIN_AUTH_SECRET"] ?? "";
const formerSecret = process.env["CORE_BACKEND_PLUGIN_AUTH_FORMER_SECRET"] ?? "";

if (values.help) {
  process.stdout.write(`${usage}\n`);
} else if (databaseUrl === undefined || !Number.isInteger(port) || port < 0 || port > 65_535) {
  process.stderr.write(`${usage}\n`);
  process.exitCode = 2;
} else {
  const log = pino({ level: "info", redact: ["*.password", "*.secret"] }, pino.destination(2));
  const adapter = await startPostgresAdapter({
    databaseUrl,
    host: values.host,
    port,
    log,
    ...(secret === "" ? {} : { secret: [secret, formerSecret] }),
    ...(values.async || values.sync ? { async: values.async } : {}),
  });
  runUntilStopped(adapter);
}
