/** What every example needs: a folder of its own, its processes, a clock, and a clean-up. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { createProcesses, type Processes } from "./processes.ts";

export interface ExampleContext {
  home: string;
  processes: Processes;
  say: (line: string) => void;
}

/** Runs an example and prints `moral` at its end; the process ends with 1 when an assertion failed. */
export async function runExample(
  name: string,
  summary: string,
  steps: (stage: ExampleContext) => Promise<void>,
): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), `plinth-${name}-`));
  const processes = createProcesses(home);
  const began = performance.now();
  const say = (line: string): void =>
    console.log(`${((performance.now() - began) / 1_000).toFixed(1).padStart(5)} s  ${line}`);
  try {
    await steps({ home, processes, say });
    say(summary);
  } catch (error) {
    console.error(error instanceof assert.AssertionError ? error.message : (error as Error).stack);
    process.exitCode = 1;
  } finally {
    await processes.stopAll();
    await rm(home, { recursive: true, force: true });
  }
}

export interface DataServer {
  /** Connection as the server's owner; the platform's data are in the same server. */
  owner: { host: string; port: number; user: string; password: string };
  adapterUrl: string;
}

/** A PostgreSQL with the database `products`, and the adapter that works in it. */
export async function startDataServer({ home, processes }: ExampleContext): Promise<DataServer> {
  const postgres = processes.start("postgres", "scripts/postgres.ts", ["--data-dir", join(home, "database")]);
  const started = await postgres.waitForLine("password");
  const [host = "", user = "", password = ""] = [started["host"], started["user"], started["password"]].map(
    String,
  );
  const owner = { host, port: Number(started["port"]), user, password };
  await query({ ...owner, database: "postgres" }, "create database products");
  const url = `postgres://${user}:${encodeURIComponent(password)}@${host}:${owner.port}/products`;
  const adapter = processes.start("adapter", "src/adapters/postgres/main.ts", [], {
    ...withPath(),
    POSTGRES_ADAPTER_DATABASE_URL: url,
  });
  return { owner, adapterUrl: String((await adapter.waitForLine("listening"))["listening"]) };
}

/** Starts the platform with a file of settings beside it, and answers its address. */
export async function startPlatform(
  { processes }: ExampleContext,
  { owner }: DataServer,
  args: readonly string[],
): Promise<string> {
  const plinth = processes.start("plinth", "src/cli/main.ts", ["start", "--config", "plinth.yaml", ...args], {
    ...withPath(),
    COORDINATOR_DB_HOST: owner.host,
    COORDINATOR_DB_PORT: String(owner.port),
    COORDINATOR_DB_USERNAME: owner.user,
    COORDINATOR_DB_PASSWORD: owner.password,
    COORDINATOR_DB_DBNAME: "plinth",
  });
  return String((await plinth.waitForLine("url"))["url"]);
}

export async function withClient<T>(
  config: pg.ClientConfig,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(config);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

export const query = (database: pg.ClientConfig, text: string): Promise<unknown> =>
  withClient(database, (client) => client.query(text));

export const withPath = (): Record<string, string> => ({ PATH: process.env["PATH"] ?? "" });

/** A port that nobody listens on, for a server whose address must be known before it starts. */
export function freePort(): Promise<number> {
  return new Promise((done) => {
    const server = createServer();
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => done(port));
    });
  });
}
