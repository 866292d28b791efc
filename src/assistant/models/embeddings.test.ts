import { afterEach, expect, it } from "vitest";
import { startModelFixture } from "../../../test/support/model-fixture.ts";
import type { ScriptedModel } from "../../../test/support/scripted-model/server.ts";
import type { ModelConfig } from "./read-model.ts";
import type { Embedder } from "./model.ts";
import { createEmbedder } from "./embeddings.ts";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

const limits = {
  timeoutMs: 5_000,
  idleMs: 5_000,
  answerBytes: 1_000_000,
  attempts: 1,
  retryAfterMaxMs: 100,
  contextTokens: 1_000,
};

async function start(
  change: (url: string) => Partial<ModelConfig>,
): Promise<{ model: ScriptedModel; embedder: Embedder }> {
  const { model, outbound, close } = await startModelFixture([]);
  cleanups.push(close);
  const config: ModelConfig = {
    provider: "openai",
    endpoint: model.url,
    apiKey: "sk-canary-0001",
    deployment: "",
    apiVersion: "",
    model: "amazon.titan-embed-text-v2:0",
    customHeaders: [],
    ...change(model.url),
  };
  return { model, embedder: createEmbedder({ outbound, limits, now: () => new Date() }, config) };
}

const signal = (): AbortSignal => AbortSignal.timeout(10_000);

it.each<[string, (url: string) => Partial<ModelConfig>]>([
  ["openai", () => ({})],
  ["openai-compatible", () => ({ provider: "openai-compatible", apiKey: "" })],
  [
    "azure_openai",
    (url) => ({
      provider: "azure_openai",
      endpoint: url.replace("/v1", ""),
      deployment: "d",
      apiVersion: "v1",
    }),
  ],
  ["google", () => ({ provider: "google" })],
  ["bedrock", () => ({ provider: "bedrock" })],
])("gets a vector for each text from %s", async (_, change) => {
  const { model, embedder } = await start(change);
  const [tide, moon, same] = await embedder.embed(["the tide", "a moon", "the tide"], signal());
  expect(tide).toHaveLength(256);
  expect(tide).toEqual(same);
  expect(tide).not.toEqual(moon);
  expect(await embedder.embed(["the tide"], signal())).toEqual([tide]);
  expect(model.embedding.inputs).toEqual(["the tide", "a moon", "the tide", "the tide"]);
});

it.each([
  [401, "model_auth"],
  [429, "model_rate_limited"],
  [500, "model_unavailable"],
  [413, "context_too_long"],
])("tells %i by its code, without the key", async (status, code) => {
  const { model, embedder } = await start(() => ({}));
  model.embedding.status = status;
  const failure = await embedder.embed(["x"], signal()).catch((error: unknown) => error);
  expect(failure).toMatchObject({ code });
  expect(String(failure)).not.toContain("canary");
});

it("says that Anthropic has none", async () => {
  await expect(start(() => ({ provider: "anthropic" }))).rejects.toThrow("Anthropic offers no embeddings.");
});
