import { route, type AreaApp } from "../../platform/http/operation.ts";
import type { AssistantExtra } from "../context.ts";
import type { ModelKind } from "./providers.ts";
import { embedderWithProbe, modelAnswer, modelBody, modelWithProbe, type ProbeResult } from "./schema.ts";
import { getEmbedder, getModel, saveModel } from "./service.ts";

const tags = ["Models"];

interface Names {
  kind: ModelKind;
  path: string;
  create: string;
  what: string;
}

const all: readonly Names[] = [
  { kind: "llm", path: "/llm/config", create: "createLlmConfig", what: "llm" },
  {
    kind: "embedder",
    path: "/embedder/config",
    create: "createEmbedderConfig",
    what: "embedder",
  },
];

export function addModelRoutes(app: AreaApp<AssistantExtra>): void {
  for (const names of all) addSave(app, names);
  addReads(app);
}

function addSave(app: AreaApp<AssistantExtra>, { kind, path, create, what }: Names): void {
  route(app, {
    id: create,
    method: "POST",
    path,
    summary: `Create ${what} config`,
    description:
      "Replaces the present one. The model is called once with a short request; the header x-model-probe says how that " +
      "went (`ok`, or `failed` or `skipped` with a short reason); the stored configuration has more details.",
    tags,
    rule: "writeModels",
    body: modelBody,
    response: { 200: modelAnswer },
    handler: async (ctx, { body, reply }) => {
      const { config, probe } = await saveModel(ctx, kind, body);
      reply.header("x-model-probe", toHeader(probe));
      return config;
    },
  });
}

function addReads(app: AreaApp<AssistantExtra>): void {
  const of = (what: string) => ({
    method: "GET" as const,
    summary: `Get the ${what} config`,
    tags,
    rule: "readAssistant" as const,
  });
  route(app, {
    ...of("llm"),
    id: "getLlmConfig",
    path: "/llm/config",
    description: "All fields are empty while none has been saved.",
    response: { 200: modelWithProbe },
    handler: (ctx) => getModel(ctx, "llm"),
  });
  route(app, {
    ...of("embedder"),
    id: "getEmbedderConfig",
    path: "/embedder/config",
    description:
      "All fields are empty while none has been saved. Also says how much its vectors count in searches, once that is measured.",
    response: { 200: embedderWithProbe },
    handler: (ctx) => getEmbedder(ctx),
  });
}

const toHeader = ({ outcome, reason }: ProbeResult): string =>
  reason === "" ? outcome : `${outcome} ${reason}`;
