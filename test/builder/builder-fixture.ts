/** The builder over a database of its own, with a worker in this process and templates from a map. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Action } from "../../src/builder/actions/action.ts";
import { createActions } from "../../src/builder/actions/registry.ts";
import type { Entity } from "../../src/builder/entity.ts";
import type { BuilderDeps } from "../../src/builder/context.ts";
import {
  startInstantiationWorker,
  type InstantiationWorker,
} from "../../src/builder/instantiations/running/worker.ts";
import { builderSettings } from "../../src/builder/settings.ts";
import { createRenderer } from "../../src/builder/renderer.ts";
import { testBuilder } from "../../src/builder/testdata.ts";
import { authorize, isPolicyId, type PolicyId } from "../../src/platform/auth/policy.ts";
import { loadConfig } from "../../src/platform/config/load.ts";
import { createEventHub } from "../../src/platform/events/events.ts";
import { createHttpServer } from "../../src/platform/http/server.ts";
import { holdWorkerLease, type WorkerLease } from "../../src/platform/jobs/worker-lease.ts";
import type { Role } from "../../src/platform/lib/actor.ts";
import type { Logger } from "../../src/platform/lib/logger.ts";
import { silentLogger } from "../../src/platform/lib/logger.ts";
import { createSecretBox } from "../../src/platform/lib/secrets/secret-box.ts";
import { openOutboundClients } from "../../src/platform/outbound/outbound-clients.ts";
import { createInstantiationMetrics } from "../../src/builder/instantiations/running/metrics.ts";
import { createInstruments } from "../../src/platform/telemetry/instruments.ts";
import { createMetrics } from "../../src/platform/telemetry/metrics.ts";
import { testDatabase, type TestDatabase } from "../support/database.ts";

export interface BuilderAnswer {
  status: number;
  body: any;
  text: string;
}

export interface BuilderCall {
  method?: string;
  /** Below the server's root. */
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
  /** `role` or `role:name`; a developer named ada unless told. */
  as?: string;
}

export interface BuilderFixture {
  url: string;
  db: TestDatabase;
  deps: BuilderDeps;
  dataDir: string;
  /** Puts a template into the catalogue. */
  addTemplate(name: string, spec: Record<string, unknown>): void;
  addEntity(entity: Entity): void;
  call(call: BuilderCall): Promise<BuilderAnswer>;
  /** Starts a task of a template and answers its id. */
  instantiate(name: string, values?: object, more?: object): Promise<string>;
  /** All events of a task, once it has ended. */
  events(taskId: string, after?: number): Promise<StreamedEvent[]>;
  startWorker(): Promise<{ worker: InstantiationWorker; lease: WorkerLease }>;
  close(): Promise<void>;
}

export interface StreamedEvent {
  id: number;
  event: string;
  data: any;
}

export interface FixtureOptions {
  actions?: Action[];
  limits?: Partial<BuilderDeps["settings"]["instantiations"]>;
  renderTimeoutMs?: number;
  /** Starts without a worker. */
  idle?: boolean;
  log?: Logger;
}

export async function startBuilder(options: FixtureOptions = {}): Promise<BuilderFixture> {
  const db = await testDatabase();
  const { database } = db;
  const log = options.log ?? silentLogger;
  const dataDir = await mkdtemp(join(tmpdir(), "plinth-builder-"));
  const { config } = loadConfig({ files: [], env: {}, cwd: dataDir });
  config.dataDir = dataDir;
  const settings = builderSettings(config);
  settings.instantiations = { ...settings.instantiations, ...options.limits };
  settings.renderTimeoutMs = options.renderTimeoutMs ?? settings.renderTimeoutMs;
  const { clients: outbound, close: closeOutbound } = openOutboundClients(
    { ...config.outbound, allowPrivateNetworks: true },
    log,
  );
  const hub = await createEventHub(database);
  const renderer = createRenderer({ workers: 1, stepTimeoutMs: settings.renderTimeoutMs });
  const secrets = createSecretBox(Buffer.alloc(32, 7));
  const deps: BuilderDeps = { database, hub, outbound, renderer, settings, secrets };
  const actions = createActions(deps);
  for (const action of options.actions ?? []) actions.set(action.id, action);
  const entities = new Map<string, Entity>();
  const findEntity = async (ref: string) => entities.get(normal(ref)) ?? null;
  // The callers work in the same process and have many requests under way at once: nothing is refused for that.
  const admission = { ...config.server.admission, queueMs: 60_000, queuedRequests: 10_000 };
  const server = await createHttpServer({
    server: { ...config.server, admission, port: 0, rateLimitPerMinute: 0, shutdownGraceMs: 500 },
    areas: [
      testBuilder(renderer, {
        deps,
        actions,
        findEntity,
        environments: settings.environments,
      }),
    ],
    log,
    metrics: createMetrics({ processMetrics: false }),
    access: {
      authenticate({ authorization = "" }) {
        const [role = "", name = "ada"] = authorization.replace("Bearer ", "").split(":");
        return { ref: `user:default/${name}`, roles: [role as Role], provider: "test" };
      },
      authorize: (actor, rule) => authorize(actor, rule as PolicyId),
      hasRule: isPolicyId,
      isPublic: () => false,
    },
    readiness: async () => ({ ready: true, checks: [] }),
  });
  const { url } = await server.listen();
  const workers: { worker: InstantiationWorker; lease: WorkerLease }[] = [];
  const startWorker = async () => {
    // Long: a worker that a busy machine holds up is not taken for dead.
    const lease = await holdWorkerLease(database, 60_000, log);
    const now = () => new Date();
    const metrics = createInstantiationMetrics(createInstruments());
    const drive = { deps, actions, editActions: new Map(), findEntity, metrics, log, now };
    const worker = await startInstantiationWorker({ ...drive, workerId: lease.id, sweepMs: 100 });
    workers.push({ worker, lease });
    return { worker, lease };
  };
  if (options.idle !== true) await startWorker();
  const call = (request: BuilderCall) => send(url, request);
  return {
    url,
    db,
    deps,
    dataDir,
    addTemplate(name, spec) {
      const metadata = { name, etag: `${name}-${entities.size}-${JSON.stringify(spec).length}` };
      const entity = { apiVersion: "scaffolder.backstage.io/v1beta3", kind: "Template", metadata, spec };
      entities.set(`template:default/${name}`, entity);
    },
    addEntity(entity) {
      entities.set(
        `${entity.kind}:${entity.metadata.namespace ?? "default"}/${entity.metadata.name}`.toLowerCase(),
        entity,
      );
    },
    call,
    async instantiate(name, values = {}, more = {}) {
      const body = { templateRef: `template:default/${name}`, values, ...more };
      const answer = await call({ method: "POST", path: "/api/builder/templates/instantiate", body });
      if (answer.status !== 200) throw new Error(`refused: ${answer.status} ${answer.text}`);
      return answer.body.id;
    },
    async events(taskId, after = 0) {
      const path = `/api/builder/templates/tasks/${taskId}/eventstream?after=${after}`;
      return readEvents((await call({ path, as: "operator" })).text);
    },
    startWorker,
    async close() {
      for (const { worker, lease } of workers) {
        await worker.close(0);
        await lease.close();
      }
      await server.close();
      await renderer.close();
      hub.close();
      await closeOutbound();
      await db.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

const normal = (ref: string): string => {
  const [kind = "", rest = ""] = ref.toLowerCase().split(":");
  return `${kind}:${rest.includes("/") ? rest : `default/${rest}`}`;
};

export function readEvents(text: string): StreamedEvent[] {
  return text
    .split("\n\n")
    .filter((record) => record.includes("data: "))
    .map((record) => {
      const field = (name: string): string =>
        record
          .split("\n")
          .find((line) => line.startsWith(`${name}: `))
          ?.slice(name.length + 2) ?? "";
      return { id: Number(field("id")), event: field("event"), data: JSON.parse(field("data")) as unknown };
    });
}

async function send(url: string, request: BuilderCall): Promise<BuilderAnswer> {
  const { method = "GET", path, body, headers = {}, as = "developer" } = request;
  const response = await fetch(url + path, {
    method,
    headers: {
      authorization: `Bearer ${as}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
  return { status: response.status, body: isJson ? JSON.parse(text) : text, text };
}
