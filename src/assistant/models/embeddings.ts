/** Embedders: OpenAI, Azure OpenAI and compatible servers over HTTP, Google and Bedrock through their packages. */
import { Failure } from "../../platform/errors/failure.ts";
import type { ModelConfig } from "./read-model.ts";
import {
  chatEndpoint,
  chatProviders,
  failureOf,
  openAnswer,
  readWhole,
  type ModelDeps,
  unavailable,
  maskOf,
} from "./open-answer.ts";
import { tracedEmbedder, type Embedder } from "./model.ts";
import type { GoogleProvider } from "@ai-sdk/google";
import { bedrockProvider, createFetch, googleProvider } from "./sdk-client.ts";

/** Throws a Failure when the provider has no embeddings or the configuration is incomplete. */
export function createEmbedder(deps: ModelDeps, config: ModelConfig): Embedder {
  const isNative = chatProviders.some((provider) => provider === config.provider);
  const ask = isNative ? nativeEmbedder(deps, config) : createSdkEmbedder(deps, config);
  const embedder: Embedder = {
    embed: async (texts, signal) => checked(await ask.embed(texts, signal), texts.length),
  };
  return tracedEmbedder(embedder, { model: config.model || config.deployment, provider: config.provider });
}

/** Whether the text itself was refused, so that a retry is useless. */
export const isOfText = (error: unknown): boolean =>
  error instanceof Failure && (error.code === "context_too_long" || error.code === "content_filtered");

function nativeEmbedder(deps: ModelDeps, config: ModelConfig): Embedder {
  const { url, headers, model } = chatEndpoint(config, "embeddings");
  const mask = maskOf(config);
  return {
    async embed(texts, signal) {
      const body = JSON.stringify({ model, input: texts });
      const asked = { ...headers, accept: "application/json" };
      const answer = await openAnswer(deps, { url, headers: asked, body, signal, mask });
      const text = await readWhole(answer).catch((error: unknown) => {
        throw failureOf(error) ?? error;
      });
      return readEmbeddings(text);
    },
  };
}

function readEmbeddings(text: string): number[][] {
  try {
    const { data } = JSON.parse(text) as { data: { index?: number; embedding: number[] }[] };
    const vectors: number[][] = [];
    for (const [place, { index = place, embedding }] of data.entries()) vectors[index] = embedding;
    return vectors;
  } catch {
    throw unavailable("The embedder's answer is not a list of vectors.");
  }
}

const maxDimensions = 16_384;

function checked(vectors: number[][], count: number): number[][] {
  const dimensions = vectors[0]?.length ?? 0;
  const isSound =
    vectors.length === count &&
    dimensions > 0 &&
    dimensions <= maxDimensions &&
    Array.from(vectors).every(
      (vector) =>
        Array.isArray(vector) &&
        vector.length === dimensions &&
        vector.every((value) => typeof value === "number"),
    );
  if (!isSound) throw unavailable("The embedder's answer is not a list of vectors.");
  return vectors;
}

type SdkEmbedder = ReturnType<GoogleProvider["embeddingModel"]>;

export function createSdkEmbedder(deps: ModelDeps, config: ModelConfig): Embedder {
  if (config.provider === "anthropic") throw unavailable("Anthropic offers no embeddings.");
  let loaded: Promise<SdkEmbedder> | undefined;
  return {
    async embed(texts, signal) {
      const model = await (loaded ??= load(config, createFetch(deps, maskOf(config))));
      const most = Math.min((await model.maxEmbeddingsPerCall) ?? texts.length, texts.length) || 1;
      const vectors: number[][] = [];
      for (let start = 0; start < texts.length; start += most) {
        const values = texts.slice(start, start + most);
        try {
          vectors.push(...(await model.doEmbed({ values, abortSignal: signal })).embeddings);
        } catch (error) {
          signal.throwIfAborted();
          throw failureOf(error) ?? unavailable("The embedder's answer is not a vector.");
        }
      }
      return vectors;
    },
  };
}

async function load(config: ModelConfig, fetch: typeof globalThis.fetch): Promise<SdkEmbedder> {
  const model = config.model || config.deployment;
  if (config.provider === "google") return (await googleProvider(config, fetch)).embeddingModel(model);
  return (await bedrockProvider(config, fetch)).embeddingModel(model);
}
