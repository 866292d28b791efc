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
  const open = isNative ? nativeEmbedder : createSdkEmbedder;
  // An incomplete configuration is refused before anything is embedded.
  open(deps, config);
  const embedder: Embedder = {
    async embed(texts, signal) {
      const last: LastAnswer = { status: null };
      try {
        return checked(await open(notingStatus(deps, last), config).embed(texts, signal), texts.length);
      } catch (error) {
        throw error instanceof Failure ? Object.assign(error, last) : error;
      }
    },
  };
  return tracedEmbedder(embedder, { model: config.model || config.deployment, provider: config.provider });
}

/** Of the last answer before a failure; the failure has it, too. */
interface LastAnswer {
  /** Null when the provider could not be reached. */
  status: number | null;
}

const notingStatus = (deps: ModelDeps, last: LastAnswer): ModelDeps => ({
  ...deps,
  outbound: {
    ...deps.outbound,
    async stream(request) {
      last.status = null;
      const answer = await deps.outbound.stream(request);
      last.status = answer.status;
      return answer;
    },
  },
});

/** Whether the text itself was refused, so that a retry is useless. */
export const isOfText = (error: unknown): boolean =>
  error instanceof Failure && (error.code === "context_too_long" || error.code === "content_filtered");

/** Providers refuse a text with these; 200 stands for vectors that are none. */
const textStatuses = new Set<unknown>([200, 400, 413, 422, 500]);

/** Whether the text may have been refused, in words that are not known to us. */
const mayBeOfText = (error: unknown): boolean =>
  isUnexplained(error) && "status" in error && textStatuses.has(error.status);

const isUnexplained = (error: unknown): error is Failure =>
  error instanceof Failure && error.code === "model_unavailable";

/** Every embedder takes it, so it tells a text that is refused from an embedder that fails. */
const plainText = "data";

/** Whether the embedder answers for another text than the one that it has failed with. */
export async function takesOthers(embedder: Embedder, error: unknown, signal: AbortSignal): Promise<boolean> {
  if (!isUnexplained(error)) return false;
  return embedder.embed([plainText], signal).then(
    () => true,
    () => false,
  );
}

/** The vectors of consecutive texts; null for a text that is refused. */
export interface EmbeddedPart {
  from: number;
  vectors: (number[] | null)[];
}

interface Part {
  signal: AbortSignal;
  from?: number;
  /** Whether it was asked for already, with other texts or alone. */
  isAgain?: boolean;
}

/**
 * Embeds texts in one call. When that is refused, each half is tried, down to the texts that are refused alone. The parts are
 * in order. Throws a Failure when the embedder takes no other text either.
 */
export async function* embedEach(
  embedder: Embedder,
  texts: readonly string[],
  { signal, from = 0, isAgain = false }: Part,
): AsyncGenerator<EmbeddedPart> {
  const vectors = await embedder.embed(texts, signal).catch(async (error: unknown) => {
    const isRefused = isOfText(error) || (mayBeOfText(error) && (await takesOthers(embedder, error, signal)));
    if (!isRefused) throw error;
    return null;
  });
  if (vectors !== null) yield { from, vectors };
  else if (texts.length > 1) {
    const half = Math.ceil(texts.length / 2);
    yield* embedEach(embedder, texts.slice(0, half), { signal, from, isAgain: true });
    yield* embedEach(embedder, texts.slice(half), { signal, from: from + half, isAgain: true });
  } else if (isAgain) yield { from, vectors: [null] };
  // The embedder may have failed for a moment, as while it loads its model.
  else yield* embedEach(embedder, texts, { signal, from, isAgain: true });
}

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
  return {
    async embed(texts, signal) {
      const model = await load(config, createFetch(deps, maskOf(config)));
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
