import { route, type AreaApp } from "../../platform/http/operation.ts";
import type { AssistantExtra } from "../context.ts";
import type { ModelKind } from "./providers.ts";
import { modelAnswer, modelBody, modelWithProbe, type ProbeResult } from "./schema.ts";
import { getModel, saveModel } from "./service.ts";

const tags = ["Models"];

interface Names {
  kind: ModelKind;
  path: string;
  create: string;
  get: string;
  what: string;
}

const all: readonly Names[] = [
  { kind: "llm", path: "/llm/config", create: "createLlmConfig", get: "getLlmConfig", what: "llm" },
  {
    kind: "embedder",
    path: "/embedder/config",
    create: "createEmbedderConfig",
    get: "getEmbedderConfig",
    what: "embedder",
  },
];

export function addModelRoutes(app: AreaApp<AssistantExtra>): void {
  for (const names of all) addOne(app, names);
}

function addOne(app: AreaApp<AssistantExtra>, { kind, path, create, get, what }: Names): void {
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
  route(app, {
    id: get,
    method: "GET",
    path,
    summary: `Get the ${what} config`,
    description: "All fields are empty while none has been saved.",
    tags,
    rule: "readAssistant",
    response: { 200: modelWithProbe },
    handler: (ctx) => getModel(ctx, kind),
  });
}

const toHeader = ({ outcome, reason }: ProbeResult): string =>
  reason === "" ? outcome : `${outcome} ${reason}`;
