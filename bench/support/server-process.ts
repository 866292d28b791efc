/** The server as a process of its own, as a user starts it, with data of its own. */
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { programFlags, programVariables } from "../../scripts/first-line.ts";
import { residentMb } from "./process-use.ts";

export interface ServerProcess {
  url: string;
  pid: number;
  dataDir: string;
  /** Resident memory in MB. */
  residentMb(): Promise<number>;
  close(): Promise<void>;
}

const sources = join(import.meta.dirname, "../../src/cli/main.ts");
const ownVariables = Object.fromEntries(programVariables.map((word) => word.split("=")));

/** Starts the bench again with the variables and flags of the program, for one that measures code of the product in its own process. */
export function withProductFlags(): void {
  if (programFlags.every((flag) => process.execArgv.includes(flag))) return;
  const args = [...programFlags, ...process.argv.slice(1)];
  const env = { ...ownVariables, ...process.env };
  process.exit(spawnSync(process.execPath, args, { stdio: "inherit", env }).status ?? 1);
}

/** Settings of a server that refuses no request, even where other programs keep the processor from it. */
export const patientServer = { rateLimitPerMinute: 1_000_000, admission: { queueMs: 60_000 } };

/** The same of the limit of requests, for a server that takes its other settings as they are. */
export const unlimitedRequests = {
  PLINTH_SERVER_RATE_LIMIT_PER_MINUTE: String(patientServer.rateLimitPerMinute),
};

const builtFolder = join(import.meta.dirname, "../../dist");
/** What images run, see `buildBundle`. */
export const bundle = join(builtFolder, "plinth.js");

/** As `npm run build` does. The bundler is loaded for this only. */
export async function buildBundle(): Promise<void> {
  const scripts = await import("../../scripts/bundle.ts");
  await rm(builtFolder, { recursive: true, force: true });
  await scripts.bundle(builtFolder);
}

export async function startServerProcess(
  variables: Record<string, string> = {},
  extra: string[] = [],
  command = sources,
): Promise<ServerProcess> {
  const dataDir = await mkdtemp(join(tmpdir(), "plinth-bench-"));
  const child = spawn(
    process.execPath,
    [...programFlags, command, "start", "--port", "0", "--data-dir", dataDir, ...extra],
    {
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...ownVariables, ...process.env, ...variables },
    },
  );
  const url = await urlOf(child);
  return {
    url,
    pid: child.pid ?? 0,
    dataDir,
    residentMb: () => residentMb(child.pid ?? 0),
    async close() {
      child.kill("SIGTERM");
      await once(child, "exit");
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function urlOf(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error("the server has no output");
  for await (const line of createInterface(child.stdout)) {
    const url = /"url":"([^"]+)"/.exec(line)?.[1];
    if (!url) continue;
    child.stdout.resume();
    return url;
  }
  throw new Error("the server ended before it was up");
}

export async function callJson(url: string, method: string, body?: unknown): Promise<unknown> {
  const answer = await fetch(url, {
    method,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${text}`);
  return text === "" ? null : JSON.parse(text);
}

export interface BenchUnit {
  id: string;
  /** Token of its last plan. */
  token: string;
  coordinator: string;
}

/** Registers an adapter and starts a unit of some independent components on it. */
export async function startUnit(serverUrl: string, adapterUrl: string, mocks: object[]): Promise<BenchUnit> {
  const coordinator = `${serverUrl}/api/coordinator`;
  const template = "urn:dmb:itm:mock:1";
  await callJson(`${coordinator}/v1/tech-adapters`, "POST", { id: template, version: "1", name: "Mock" });
  await callJson(`${coordinator}/v1/tech-adapters/${template}/deployments/development`, "PUT", {
    url: adapterUrl,
  });
  const id = "bench:1";
  const components = mocks.map((mock, n) => ({
    id: `part-${n}`,
    name: `Part ${n}`,
    infrastructureTemplateId: template,
    dependsOn: [],
    specific: { mock },
  }));
  const descriptor = { id, name: "Bench", version: "1", environment: "development", components };
  const targetStatus = components.map((part) => ({ componentId: part.id, targetStatus: "DEPLOYED" }));
  const start = `${coordinator}/v2/deployment-units/${id}/provisioning?environment=development`;
  const token = String(await callJson(start, "POST", { descriptor, targetStatus }));
  return { id, token, coordinator };
}
