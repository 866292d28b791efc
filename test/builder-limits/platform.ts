/** The product as processes of their own over one database: one that serves, and workers. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { startEmbedded } from "../../src/platform/db/start/embedded.ts";
import { ensureDatabase } from "../../src/platform/db/migrations/migrate.ts";
import { readEvents, type StreamedEvent } from "../builder/builder-fixture.ts";
import {
  databaseVariables,
  servedUrl,
  sourceProgram,
  startChild,
  stopChild,
  type ChildOptions,
} from "../crash/processes.ts";

export interface Answer {
  status: number;
  text: string;
  body: any;
}

export interface Platform {
  options: ChildOptions;
  url: string;
  /** As a guest, whom a server on this machine accepts. */
  call(path: string, body?: unknown): Promise<Answer>;
  /** Puts a template into the catalogue. */
  addTemplate(entity: object): Promise<void>;
  /** The same as `call`, again and again while the server says that it is busy. */
  insist(path: string, body: unknown): Promise<Answer>;
  /** All events of a task, once it has ended. */
  events(taskId: string): Promise<StreamedEvent[]>;
  close(): Promise<void>;
}

export async function startPlatform(workers: "on" | "off"): Promise<Platform> {
  const cwd = await mkdtemp(join(tmpdir(), "plinth-limits-"));
  const templates = join(cwd, "templates");
  await mkdir(templates);
  const postgres = await startEmbedded({ dataDir: join(cwd, "postgres") });
  const connection = { ...postgres, dbname: "limits", schema: "cgp" };
  await ensureDatabase(connection);
  const settings = {
    mesh: { builder: { catalogue: { folders: [templates], refreshSeconds: 0 } } },
    server: { rateLimitPerMinute: 1_000_000 },
  };
  await writeFile(join(cwd, "plinth.yaml"), JSON.stringify(settings));
  const options = { cwd, env: databaseVariables(connection) };
  const child = startChild(sourceProgram, ["start", "--workers", workers, "--port", "0"], options);
  const url = await servedUrl(child);
  const call = (path: string, body?: unknown): Promise<Answer> => send(url + path, body);
  return {
    options,
    url,
    call,
    async addTemplate(entity) {
      const { name } = (entity as { metadata: { name: string } }).metadata;
      const target = join(templates, name, "template.yaml");
      await mkdir(join(templates, name), { recursive: true });
      await writeFile(target, JSON.stringify(entity));
      const answer = await call("/api/catalog/locations", { type: "file", target });
      if (answer.status !== 201)
        throw new Error(`${name} was not registered: ${answer.status} ${answer.text}`);
    },
    async insist(path, body) {
      for (;;) {
        const answer = await call(path, body);
        if (answer.status !== 429 && answer.status !== 503) return answer;
        await wait(50);
      }
    },
    async events(taskId) {
      return readEvents((await call(`/api/builder/templates/tasks/${taskId}/eventstream`)).text);
    },
    async close() {
      await stopChild(child);
      await postgres.stop();
      await rm(cwd, { recursive: true, force: true });
    },
  };
}

async function send(url: string, body: unknown): Promise<Answer> {
  const response = await fetch(url, {
    method: body === undefined ? "GET" : "POST",
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
  return { status: response.status, text, body: isJson ? JSON.parse(text) : text };
}

export const instantiatePath = "/api/builder/templates/instantiate";

export async function startTask(platform: Platform, templateRef: string, values: object): Promise<string> {
  const answer = await platform.insist(instantiatePath, { templateRef, values });
  if (answer.status !== 200) throw new Error(`${templateRef} was refused: ${answer.status} ${answer.text}`);
  return answer.body.id;
}

/** The figure at this share of sorted figures (a quantile). */
export const atShare = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

export const sortedFigures = (figures: Iterable<number>): number[] => [...figures].toSorted((a, b) => a - b);
