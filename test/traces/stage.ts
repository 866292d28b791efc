/** The receiver, the adapter, a scripted model and processes of the product with the SDK, over a database of their own. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Connection } from "../../src/platform/db/database.ts";
import {
  databaseVariables,
  mockUrl,
  servedUrl,
  startChild,
  startMock,
  startServer,
  startWorker,
  stopChild,
  type Child,
  type Worker,
} from "../crash/processes.ts";
import { registerMock } from "../faults/registration.ts";
import { eventually } from "../support/eventually.ts";
import { startHttpPeer, type HttpPeer } from "../support/http-peer.ts";
import { startScriptedModel, type ScriptedModel } from "../support/scripted-model/server.ts";
import { send, testKeyVariables, type Answer, type Call } from "../support/server.ts";
import type { ReceivedSpan } from "./otlp.ts";
import { modelRules } from "./scripted-model-rules.ts";
import { template, templateName } from "./subjects.ts";

const root = resolve(import.meta.dirname, "../..");
export const currentSdk = join(root, "deploy/opentelemetry");

/** Values that must be in no span, wherever the product has them. */
export const canaries = {
  adapterSecret: "canary-adapter-secret-0123456789abcdef",
  modelKey: "canary-model-key",
  webhookPath: "canary-webhook-path",
  webhookSecret: `whsec_${Buffer.from("canary-webhook-secret-0000").toString("base64")}`,
  templateSecret: "canary-template-secret",
  query: "canary-in-the-query",
  prompt: "canary-in-the-prompt",
};

export interface StageOptions {
  connection: Connection;
  /** The program: a bundle or the sources. */
  program: string;
  /** Where the SDK is installed. */
  sdk: string;
  variables?: Record<string, string>;
}

export interface Stage {
  /** Calls the process that serves; a text in `headers` overrides. */
  call(request: Call): Promise<Answer>;
  worker(): Worker;
  /** Starts another worker. */
  startWorker(): Worker;
  /** All spans that the receiver has by now. */
  spans(): Promise<ReceivedSpan[]>;
  /** How many requests it got, by type of the content. */
  received(): Promise<Record<string, number>>;
  /** The headers of calls that the webhook got. */
  webhookCalls: Record<string, unknown>[];
  model: ScriptedModel;
  /** Calls that the adapter got. */
  journal: string;
  /** Stops the processes of the product by SIGTERM; their last spans are sent by then. */
  stop(): Promise<void>;
  close(): Promise<void>;
}

export async function openStage({ connection, program, sdk, ...options }: StageOptions): Promise<Stage> {
  const home = await mkdtemp(join(tmpdir(), "plinth-traces-"));
  const children: Child[] = [];
  const peers: HttpPeer[] = [];
  const webhookCalls: Record<string, unknown>[] = [];
  const plain = { cwd: home, env: { CORE_BACKEND_PLUGIN_AUTH_SECRET: canaries.adapterSecret } };
  const receiver = startChild("test/traces/receiver.ts", [currentSdk], { cwd: home, env: {} });
  children.push(receiver);
  const receiverUrl = await receiver.waitForLine(({ listening }) => listening as string | undefined);
  const journal = join(home, "journal.jsonl");
  const mock = startMock(plain, journal);
  children.push(mock);
  const model = await startScriptedModel(modelRules);
  const webhook = await startHttpPeer((request, response) => {
    webhookCalls.push(request.headers);
    request.resume();
    response.writeHead(204).end();
  });
  peers.push(webhook);
  await mkdir(join(home, "templates"));
  await writeFile(join(home, "templates/template.yaml"), JSON.stringify(template));
  await writeFile(join(home, "plinth.yaml"), JSON.stringify(settings(home, webhook.url)));
  const product = {
    cwd: home,
    logFile: join(home, "plinth.log"),
    env: {
      ...plain.env,
      ...databaseVariables(connection),
      ...testKeyVariables,
      NODE_OPTIONS: `--import=${pathToFileURL(join(sdk, "register.mjs")).href}`,
      OTEL_EXPORTER_OTLP_ENDPOINT: receiverUrl,
      OTEL_BSP_SCHEDULE_DELAY: "200",
      ...options.variables,
    },
  };
  const workers: Worker[] = [];
  const startAnother = (): Worker => {
    const worker = startWorker(product, program);
    workers.push(worker);
    return worker;
  };
  const server = startServer(product, ["--workers", "off"], program);
  const url = await servedUrl(server);
  const ask = async <K extends "spans" | "received">(what: K) =>
    (
      (await (await fetch(`${receiverUrl}/spans`)).json()) as {
        spans: ReceivedSpan[];
        received: Record<string, number>;
      }
    )[what];
  const stop = async (): Promise<void> => {
    await Promise.all([server, ...workers.map(({ child }) => child)].map((child) => stopChild(child)));
  };
  startAnother();
  const stage: Stage = {
    call: (request) => send(url, { ...request, as: null }),
    worker: () => workers.at(-1)!,
    startWorker: startAnother,
    spans: () => ask("spans"),
    received: () => ask("received"),
    webhookCalls,
    model,
    journal,
    stop,
    async close() {
      await stop();
      await Promise.all(children.map((child) => stopChild(child)));
      await Promise.all([...peers, model].map((peer) => peer.close()));
      await rm(home, { recursive: true, force: true });
    },
  };
  try {
    await registerMock(`${url}/api/coordinator`, await mockUrl(mock));
    await prepare(stage, home);
    return stage;
  } catch (error) {
    await stage.close();
    throw error;
  }
}

const settings = (home: string, webhookUrl: string): object => ({
  server: { rateLimitPerMinute: 100_000, shutdownGraceMs: 2_000 },
  outbound: { allowPrivateNetworks: true },
  assistant: { titles: "message" },
  mesh: { builder: { catalogue: { folders: [join(home, "templates")] } } },
  startupActions: {
    governance: { policies: false },
    catalog: { practiceShaperLocations: [], accessRequestLocations: [], locations: [] },
  },
  coordinator: {
    execution: { pollInitialMs: 30, pollMaxMs: 100, callAttempts: 2, retryDelayMs: 20 },
    webhooks: [
      {
        name: "warehouse",
        url: `${webhookUrl}/${canaries.webhookPath}?key=${canaries.query}`,
        secrets: [canaries.webhookSecret],
        events: ["plinth.plan.status-changed"],
      },
    ],
  },
});

/** A template in the catalogue; a model, an embedder, and an agent with a tool of the platform. */
// oxlint-disable-next-line typescript/unbound-method -- it uses no this
async function prepare({ call, model }: Stage, home: string): Promise<void> {
  const post = (path: string, body: object): Call => ({ method: "POST", path, body });
  const assistant = "/api/assistant/v2";
  const config = { provider: "openai", endpoint: model.url, api_key: canaries.modelKey, model: "scripted" };
  const tools = [{ server: "platform", name: "search_templates" }];
  const described = { label: "Tester", description: "Answers.", instructions: "Answer.", is_default: true };
  for (const request of [
    post("/api/catalog/locations", { type: "file", target: join(home, "templates/template.yaml") }),
    post(`${assistant}/llm/config`, config),
    post(`${assistant}/embedder/config`, { ...config, model: "scripted-embedder" }),
    post(`${assistant}/agents`, { name: "Tester", mcp_tools: tools, ...described }),
  ]) {
    const { status, text } = await call(request);
    if (status >= 300) throw new Error(`${request.path} was answered ${status}: ${text}`);
  }
  await eventually("the template in the catalogue", async () => {
    const { body } = await call({ path: `/api/catalog/entities/by-name/template/default/${templateName}` });
    return (body as { kind?: string }).kind === "Template";
  });
}
