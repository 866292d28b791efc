/**
 * A PostgreSQL as a process of its own, from the binaries among the dependencies, for trying several processes of
 * the product on one machine: `node scripts/postgres.ts --data-dir ./database`. Prints one JSON line with host, port,
 * user and password once it takes connections, and stops the server on SIGTERM and SIGINT.
 */
import { parseArgs } from "node:util";
import { startEmbedded } from "../src/platform/db/start/embedded.ts";

const { values } = parseArgs({ options: { "data-dir": { type: "string" } } });
const dataDir = values["data-dir"];
if (dataDir === undefined) {
  console.error("--data-dir is missing");
  process.exit(2);
}
const stopped = Promise.withResolvers<void>();
for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => stopped.resolve());
const server = await startEmbedded({ dataDir });
const { host, port, user, password } = server;
console.log(JSON.stringify({ host, port, user, password }));
// A promise alone keeps no process alive.
const alive = setInterval(() => undefined, 2 ** 30);
await stopped.promise;
clearInterval(alive);
await server.stop();
