/** Embedders of Google and Bedrock, through those providers' packages. */
import type { GoogleProvider } from "@ai-sdk/google";
import type { ModelConfig } from "../models/read-model.ts";
import { maskOf } from "./hide-secrets.ts";
import type { Embedder } from "./model.ts";
import { failureOf, type ModelDeps } from "./open-answer.ts";
import { unavailable } from "./refusals.ts";
import { bedrockProvider, createFetch, googleProvider } from "./sdk-client.ts";

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
          throw failureOf(error) ?? unavailable("The embedder answered with something that is no vector.");
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
