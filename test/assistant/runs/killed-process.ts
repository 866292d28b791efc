/** A worker and server of its own that a test kills; told by its environment where database and model are. */
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPlinth } from "../../../src/app.ts";
import { silentLogger } from "../../../src/platform/lib/logger.ts";
import type { Connection } from "../../../src/platform/db/database.ts";
import { wholeServerConfig } from "../../support/server.ts";
import { testPorts, testTools } from "./agents.ts";

const { connection, model } = JSON.parse(process.argv[2] ?? "{}") as {
  connection: Connection;
  model: string;
};
const config = wholeServerConfig(connection, await mkdtemp(join(tmpdir(), "plinth-killed-")));
config.assistant.titles = "message";
const replaced = { runs: testPorts(model), tools: testTools() };
const role = { areas: ["assistant"], workers: "on" } as const;
const running = await startPlinth(config, role, silentLogger, replaced);
console.log(running.url);
