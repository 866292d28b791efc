/** The product as processes that serve governance and evaluate, with callers that have tokens of their own. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Connection } from "../../../src/platform/db/database.ts";
import { databaseVariables, killChild, servedUrl, startChild, type Child } from "../processes.ts";

const roles = ["service", "operator", "admin"] as const;
export type Caller = (typeof roles)[number];
export const tokenOf = (caller: Caller): string => `crash-token-of-${caller}-0000`;

export interface Fleet {
  /** Where the server listens; another address after each start. */
  base: string;
  /** The server, then the workers. */
  children: Child[];
  killAndRestart(place: number): Promise<void>;
  close(): Promise<void>;
}

export interface FleetOptions {
  connection: Connection;
  program: string;
  home: string;
  workers: number;
}

export async function startFleet({ connection, program, home, workers }: FleetOptions): Promise<Fleet> {
  const config = join(home, "plinth.json");
  const tokens = roles.map((name) => ({ name, secret: tokenOf(name), roles: [name] }));
  await writeFile(
    config,
    JSON.stringify({
      server: { rateLimitPerMinute: 1_000_000_000 },
      governance: { evaluations: { pendingReports: 1_000 } },
      startupActions: { governance: { policies: false } },
      auth: { environment: "default", providers: { service: { default: { tokens } } } },
    }),
  );
  const settings = { cwd: home, env: databaseVariables(connection) };
  const startServer = (): Child => {
    const areas = ["--areas", "coordinator,governance", "--workers", "off", "--port", "0"];
    return startChild(program, ["start", ...areas, "--config", config], settings);
  };
  const startWorker = (): Child =>
    startChild(program, ["start", "--workers", "only", "--config", config], settings);
  const server = startServer();
  const fleet: Fleet = {
    base: await servedUrl(server),
    children: [server, ...Array.from({ length: workers }, startWorker)],
    async killAndRestart(place) {
      const child = fleet.children[place];
      if (child === undefined) throw new Error(`There is no process ${place}.`);
      await killChild(child);
      const next = place === 0 ? startServer() : startWorker();
      fleet.children[place] = next;
      if (place === 0) fleet.base = await servedUrl(next);
    },
    async close() {
      await Promise.all(fleet.children.map((child) => killChild(child)));
    },
  };
  return fleet;
}

export interface Answer {
  status: number;
  body: any;
}

/** Null when the process was gone before it answered: then it may have been done or not. */
export async function ask(
  fleet: Fleet,
  {
    method = "POST",
    path,
    body,
    as = "admin",
  }: { method?: string; path: string; body?: unknown; as?: Caller },
): Promise<Answer | null> {
  try {
    const response = await fetch(`${fleet.base}/v1/computational-governance${path}`, {
      method,
      headers: { "content-type": "application/json", authorization: `Bearer ${tokenOf(as)}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === "" ? null : JSON.parse(text) };
  } catch {
    return null;
  }
}
