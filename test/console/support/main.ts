/** Starts the server of the stories and stays until Ctrl-C: `node test/console/support/main.ts --port 7107`. */
import { parseArgs } from "node:util";
import { startConsoleServer } from "./server.ts";

const { values } = parseArgs({ options: { port: { type: "string", default: "7107" } } });
const server = await startConsoleServer({ port: Number(values.port) });
console.log(`The server of the stories listens on ${server.url}; Ctrl-C ends it.`);
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => void server.close().then(() => process.exit(0)));
