/** A worker and server of its own that a test kills; its argument says where database, model and data folder are. */
import { startPlinth } from "../../../src/app.ts";
import { silentLogger } from "../../../src/platform/lib/logger.ts";
import type { Connection } from "../../../src/platform/db/database.ts";
import { wholeServerConfig } from "../../support/server.ts";
import { testPorts, testTools } from "./agents.ts";

const { connection, model, dataDir } = JSON.parse(process.argv[2] ?? "{}") as {
  connection: Connection;
  model: string;
  dataDir: string;
};
const config = wholeServerConfig(connection, dataDir);
config.assistant.titles = "message";
config.assistant.approvals.rules = [{ tool: "unit:act", decision: "auto" }];
const replaced = { runs: testPorts(model), tools: testTools() };
const role = { areas: ["assistant"], workers: "on" } as const;
const running = await startPlinth(config, role, silentLogger, replaced);
console.log(running.url);
