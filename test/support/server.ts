/** A whole server in this process: all areas, the workers, a database of its own and the mock adapter. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startMockAdapter, type MockAdapter } from "../../src/adapters/mock/server.ts";
import type { ReplacedParts } from "../../src/assistant/module.ts";
import { startPlinth, type Running } from "../../src/app.ts";
import { loadConfig } from "../../src/platform/config/load.ts";
import type { Config } from "../../src/platform/config/schema/schema.ts";
import type { Connection } from "../../src/platform/db/database.ts";
import { silentLogger, type Logger } from "../../src/platform/lib/logger.ts";
import { eventually } from "./eventually.ts";
import { testDatabase, type TestDatabase } from "./database.ts";

export const testRoles = ["viewer", "developer", "operator", "admin", "service"] as const;
export type TestRole = (typeof testRoles)[number];

export const mockAdapterId = "urn:dmb:itm:mock:1";

export interface WholeServer {
  /** `http://127.0.0.1:<port>`. */
  url: string;
  mock: MockAdapter;
  db: TestDatabase;
  /** As it was started with. */
  config: Config;
  /** The bearer token of a caller with that role alone. */
  token(role: TestRole): string;
  /** Calls an operation of the coordinator; `admin` unless told. */
  coordinator(request: Call): Promise<Answer>;
  /** Calls an operation of the builder, likewise. */
  builder(request: Call): Promise<Answer>;
  /** Calls an operation of the assistant, likewise. */
  assistant(request: Call): Promise<Answer>;
  /** Calls an operation of governance, likewise. */
  governance(request: Call): Promise<Answer>;
  /** Sends a query to the data layer, likewise. */
  graphql(query: string, call?: Partial<Call> & { variables?: object }): Promise<Answer>;
  /** Calls an operation of the builder's catalogue, likewise. */
  catalog(request: Call): Promise<Answer>;
  /** Takes another configuration, as SIGHUP does. */
  reload(next: Config): Promise<{ changed: string[]; needRestart: string[] }>;
  /** Puts the mock into the catalogue, for both environments. */
  registerMock(id?: string): Promise<void>;
  close(): Promise<void>;
}

export interface Call {
  method?: string;
  /** Below the prefix, sent as it is written: percent signs and all. */
  path: string;
  /** A text goes out as it is, anything else as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
  /** null sends no credentials. */
  as?: TestRole | null;
}

export interface Answer {
  status: number;
  headers: Headers;
  /** Parsed when it is JSON, the text otherwise. */
  body: any;
  text: string;
}

export interface WholeServerOptions {
  /** Changes the configuration before the start. */
  configure?: (config: Config) => void | Promise<void>;
  workers?: "on" | "off";
  /** Put in place of parts of the product. */
  replaced?: ReplacedParts;
  /** Nothing is logged unless given. */
  log?: Logger;
  /** A database with its migrations, dropped at the end; one of the run's own unless given. */
  db?: TestDatabase;
}

export async function startWholeServer(options: WholeServerOptions = {}): Promise<WholeServer> {
  const db = options.db ?? (await testDatabase());
  const dataDir = await mkdtemp(join(tmpdir(), "plinth-server-"));
  const mock = await startMockAdapter();
  const config = wholeServerConfig(db.connection, dataDir);
  await options.configure?.(config);
  const role = {
    areas: ["builder", "assistant", "coordinator", "governance", "data-layer"],
    workers: options.workers ?? "on",
  } as const;
  // Most servers of the tests render nothing, and two threads each are a good part of what their start costs.
  const more = { lateThreads: true, ...options.replaced };
  let running: Running | undefined = await startPlinth(config, role, options.log ?? silentLogger, more);
  const url = running.url ?? "";
  const coordinator = (call: Call): Promise<Answer> => send(`${url}/api/coordinator`, call);
  return {
    url,
    mock,
    db,
    config,
    token: tokenOf,
    coordinator,
    builder: (call) => send(`${url}/api/builder`, call),
    assistant: (call) => send(`${url}/api/assistant/v2`, call),
    governance: (call) => send(`${url}/v1/computational-governance`, call),
    graphql: (query, { variables, ...call } = {}) =>
      send(`${url}/graphql`, { method: "POST", path: "", body: { query, variables }, ...call }),
    catalog: (call) => send(`${url}/api/catalog`, call),
    async reload(next) {
      if (running === undefined) throw new Error("The server is closed.");
      return running.reloads.reload(next);
    },
    async registerMock(id = mockAdapterId) {
      const environments = ["development", "production"];
      await registerAdapter({ coordinator }, { id, name: "Mock", environments, url: mock.url });
    },
    async close() {
      await running?.close();
      // A worker holds the variables of all its files to its end, and a server is some megabytes.
      running = undefined;
      await mock.close();
      await db.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export interface RegisteredAdapter {
  id: string;
  name?: string;
  environments?: string[];
  url: string;
  enabled?: boolean;
  properties?: object;
}

/** Puts an adapter into the catalogue, or says anew where one that is there is deployed. */
export async function registerAdapter(
  { coordinator }: Pick<WholeServer, "coordinator">,
  { id, name = id, environments = ["development"], ...deployment }: RegisteredAdapter,
): Promise<void> {
  await coordinator({ method: "POST", path: "/v1/tech-adapters", body: { id, name, version: "1" } });
  for (const environment of environments) {
    const path = `/v1/tech-adapters/${id}/deployments/${environment}`;
    const { status, text } = await coordinator({ method: "PUT", path, body: deployment });
    if (status !== 200) throw new Error(`${id} was not put into the catalogue: ${status} ${text}`);
  }
}

/** The configuration of a whole server over that database, for processes of their own too. */
export function wholeServerConfig(connection: Connection, dataDir: string): Config {
  const { config } = loadConfig({ files: [], env: {}, cwd: dataDir });
  // The callers work in the same process and have many requests under way at once: nothing is refused for that.
  const admission = { ...config.server.admission, queueMs: 60_000, queuedRequests: 10_000 };
  config.server = { ...config.server, port: 0, shutdownGraceMs: 1_000, rateLimitPerMinute: 0, admission };
  config.dataDir = dataDir;
  // Tests of the index look more often, others never.
  config.assistant.retrieval.lookEveryMs = 3_600_000;
  // Tests read what they have just changed.
  config.metrics.databaseEveryMs = 100;
  // Several servers of a test share a database and no data directory.
  config.mesh.builder.instantiations.secretKey = testSecretKey;
  config.database.embedded = false;
  // Everything that tests call is on this machine.
  config.outbound.allowPrivateNetworks = true;
  // Tests have the catalogue to themselves, unless they ask for these.
  config.startupActions.governance.policies = false;
  config.startupActions.catalog = { practiceShaperLocations: [], accessRequestLocations: [], locations: [] };
  config.database.coordinator = { ...config.database.coordinator, ...connection };
  config.auth = {
    environment: "default",
    providers: {
      service: {
        default: { tokens: testRoles.map((role) => ({ name: role, secret: tokenOf(role), roles: [role] })) },
      },
    },
  };
  const { execution } = config.coordinator;
  const retries = { retryDelayMs: 20, callAttempts: 2, connectRetryMs: 50 };
  Object.assign(execution, { pollInitialMs: 20, pollMaxMs: 50, ...retries });
  return config;
}

/** How long requests may wait for the database; on a busy machine some need more than the usual 4 s of a read. */
export function setDatabaseWait(config: Config, databaseWaitMs: { read: number; write: number }): void {
  config.server = Object.assign({ ...config.server }, { databaseWaitMs });
}

export const testSecretKey = Buffer.from("key of the installation in tests").toString("base64");

/** For programs that work beside such a server. */
export const testKeyVariables = { PLINTH_MESH_BUILDER_INSTANTIATIONS_SECRET_KEY: testSecretKey };

/** The bearer token of a caller with that role alone. */
export const tokenOf = (role: TestRole): string => `test-token-of-${role}-0000`;

export async function send(
  base: string,
  { method = "GET", path, body, headers = {}, as = "admin" }: Call,
): Promise<Answer> {
  const isRaw = typeof body === "string";
  const response = await fetch(base + path, {
    method,
    headers: {
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(as === null ? {} : { authorization: `Bearer ${tokenOf(as)}` }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: isRaw ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = text !== "" && response.headers.get("content-type")?.startsWith("application/json");
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text, text };
}

/** Asks again until the answer fits; fails with the last answer. */
export async function until(ask: () => Promise<Answer>, fits: (answer: Answer) => boolean): Promise<Answer> {
  let last: Answer | undefined;
  const what = () => `The answer that fits (the last was ${last?.status} ${last?.text})`;
  return eventually(what, async () => {
    last = await ask();
    return fits(last) ? last : null;
  });
}
