/** A pool over a database of its own, and the servers of others as real processes. */
import { spawn, type ChildProcess } from "node:child_process";
import { createRequire } from "node:module";
import { createMcpPool, type McpPool } from "../../../src/assistant/tools/mcp/pool.ts";
import { createPlatformTools } from "../../../src/assistant/tools/toolbox.ts";
import type { ToolResult } from "../../../src/assistant/tools/tool-source.ts";
import { loadConfig } from "../../../src/platform/config/load.ts";
import type { McpServerSettings } from "../../../src/platform/config/schema/schema-mcp.ts";
import type { Actor } from "../../../src/platform/lib/actor.ts";
import { newId, newTraceparent } from "../../../src/platform/lib/ids.ts";
import { silentLogger } from "../../../src/platform/lib/logger.ts";
import { openOutboundClients } from "../../../src/platform/outbound/outbound-clients.ts";
import { testDatabase, type TestDatabase } from "../../support/database.ts";
import { eventually } from "../../support/eventually.ts";
import { freePort } from "../../support/http-peer.ts";

export interface PoolFixture {
  pool: McpPool;
  db: TestDatabase;
  /** Names of the tools that are offered of a server. */
  offered(server: string): Promise<string[]>;
  call(tool: string, given?: Record<string, unknown>, more?: CallOptions): Promise<ToolResult>;
  close(): Promise<void>;
}

interface CallOptions {
  actor?: Actor;
  signal?: AbortSignal;
  timeoutMs?: number;
}

export const ada: Actor = { ref: "user:default/ada", roles: ["developer"], provider: "oidc" };

export const mcpServer = (server: Partial<McpServerSettings> & { name: string }): McpServerSettings => ({
  transport: "http",
  args: [],
  connectTimeoutMs: 60_000,
  callTimeoutMs: 60_000,
  maxAnswerBytes: 1_000_000,
  refreshSeconds: 60,
  approveFirst: true,
  ...server,
});

export async function openPool(
  servers: McpServerSettings[],
  options: { db?: TestDatabase } = {},
): Promise<PoolFixture> {
  const db = options.db ?? (await testDatabase());
  const { config } = loadConfig({ files: [], env: {}, cwd: "/" });
  const outbound = openOutboundClients(config.outbound, silentLogger).clients.mcpServers;
  const pool = createMcpPool({
    servers,
    database: db.database,
    outbound,
    log: silentLogger,
    now: () => new Date(),
    issuer: "http://plinth.test",
    platformTools: createPlatformTools(async () => ({ status: 404, headers: {}, body: "{}" })),
  });
  // A listing waits for the first attempts only so long, then it leaves their servers out.
  await eventually("an attempt at each server", () => {
    const tried = pool.health().filter(({ status }) => status !== "connecting");
    return tried.length === servers.length;
  });
  return {
    pool,
    db,
    offered: async (server) =>
      (await pool.list()).filter((tool) => tool.server === server).map(({ name }) => name),
    call(tool, given = {}, more = {}) {
      const { actor = ada, signal = new AbortController().signal, timeoutMs = 60_000 } = more;
      const [server = "", name = ""] = tool.split(":");
      const ctx = {
        actor,
        now: () => new Date(),
        log: silentLogger,
        signal,
        requestId: newId(),
        traceparent: newTraceparent(),
      };
      return pool.call(ctx, { server, name, arguments: given }, { signal, timeoutMs });
    },
    async close() {
      await pool.close();
      await outbound.close();
      if (options.db === undefined) await db.drop();
    },
  };
}

const require = createRequire(import.meta.url);

/** The program of a published server. */
export const program = (name: "everything" | "filesystem" | "memory", ...args: string[]) => ({
  command: process.execPath,
  args: [require.resolve(`@modelcontextprotocol/server-${name}/dist/index.js`), ...args],
});

/** The published server of everything, over HTTP. */
export async function startEverything(
  transport: "sse" | "streamableHttp",
): Promise<{ url: string; process: ChildProcess }> {
  const port = await freePort();
  const { command, args } = program("everything", transport);
  const child = spawn(command, args, {
    env: { PORT: String(port), PATH: process.env["PATH"] },
    stdio: ["ignore", "ignore", "pipe"],
  });
  await new Promise<void>((resolve, reject) => {
    child.once("exit", () => reject(new Error("The server has ended.")));
    child.stderr.on("data", (chunk: Buffer) => {
      if (/running on port|listening on port/.test(chunk.toString())) resolve();
    });
  });
  return { url: `http://127.0.0.1:${port}/${transport === "sse" ? "sse" : "mcp"}`, process: child };
}
