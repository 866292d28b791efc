/** One short request to a model, which shows the user who saves its configuration whether it works. */
import { OutboundError } from "../../platform/outbound/outbound-error.ts";
import type { AssistantContext } from "../context.ts";
import { answerLimit, chatEndpoint, chatProviders } from "./open-answer.ts";
import type { ModelKind } from "./providers.ts";
import type { ModelConfig } from "./read-model.ts";
import type { ProbeResult } from "./schema.ts";

const probeTimeoutMs = 5_000;
const maxAnswerBytes = 1024 * 1024;

/** Errors of the request are the result. It never contains the response's text, since some providers repeat the key. */
export async function probeModel(
  ctx: AssistantContext,
  kind: ModelKind,
  config: ModelConfig,
): Promise<ProbeResult> {
  const request = probeRequest(kind, config);
  if (typeof request === "string") {
    const isWithout = kind === "embedder" && config.provider === "anthropic";
    return result(ctx, isWithout ? ["failed", withoutVectors, request] : ["skipped", "incomplete", request]);
  }
  try {
    const { status, body } = await ctx.assistant.outbound.request({
      method: "POST",
      url: request.url,
      headers: request.headers,
      body: JSON.stringify(request.body),
      timeoutMs: probeTimeoutMs,
      maxResponseBytes: maxAnswerBytes,
      signal: ctx.signal,
    });
    const { host } = new URL(request.url);
    if (kind === "embedder" && saysNoVector(status, body))
      return result(ctx, [
        "failed",
        withoutVectors,
        `${host} answered ${status} without a vector: it offers no embeddings.`,
      ]);
    return result(ctx, verdict(status, host));
  } catch (error) {
    if (error instanceof OutboundError) return result(ctx, ["failed", "unreachable", error.message]);
    throw error;
  }
}

/** The reason of an embedder that answers and has no embeddings; the configuration is refused for it. */
export const withoutVectors = "no_embeddings";

/** Refusals that say that there is nothing to embed with. Others, such as a wrong key or an overload, say nothing about that. */
const noSuchThing: ReadonlySet<number> = new Set([400, 404, 405, 422, 501]);

function saysNoVector(status: number, body: Uint8Array): boolean {
  if (status < 200 || status >= 300) return noSuchThing.has(status);
  try {
    const answer = JSON.parse(Buffer.from(body).toString("utf8")) as {
      data?: { embedding?: unknown }[];
      embedding?: { values?: unknown };
    };
    const vector = answer.data?.[0]?.embedding ?? answer.embedding?.values;
    return (
      !Array.isArray(vector) || vector.length === 0 || !vector.every((value) => typeof value === "number")
    );
  } catch {
    return true;
  }
}

type Verdict = [outcome: ProbeResult["outcome"], reason: string, message: string];

function verdict(status: number, host: string): Verdict {
  if (status >= 200 && status < 300) return ["ok", "", `${host} answered.`];
  const answered = `${host} answered ${status}`;
  if (status === 401 || status === 403)
    return ["failed", "unauthorized", `${answered}: it does not take the key.`];
  if (status === 404)
    return ["failed", "not_found", `${answered}: the endpoint, the model or the deployment is unknown.`];
  if (status === 429) return ["failed", "rate_limited", `${answered}: the limit of the account is reached.`];
  if (status >= 500) return ["failed", "unavailable", `${answered}.`];
  return ["failed", "refused", `${answered}: it does not take the call as it is.`];
}

const result = (ctx: AssistantContext, [outcome, reason, message]: Verdict): ProbeResult => ({
  outcome,
  reason,
  message,
  checked_at: ctx.now().toISOString(),
});

// The shortest request that shows whether a model works.

interface ProbeRequest {
  url: string;
  headers: Record<string, string>;
  body: object;
}

const word = "ping";
const messages = [{ role: "user", content: word }];

/** Returns the reason as text when the configuration is incomplete or there is no short request. */
function probeRequest(kind: ModelKind, config: ModelConfig): ProbeRequest | string {
  const { provider, model, deployment, endpoint } = config;
  if (model === "" && deployment === "") return "The configuration names no model.";
  if (chatProviders.some((each) => each === provider)) return nativeRequest(kind, config);
  if (kind === "embedder" && provider === "anthropic") return "Anthropic offers no embeddings.";
  if (kind === "embedder" && provider === "bedrock")
    return "Embeddings of Bedrock have no form of their own to ask in.";
  if (provider === "bedrock" && endpoint === "") return "Bedrock needs the endpoint of a region.";
  const made = kind === "llm" ? chatRequest(config) : embeddingRequest(config);
  const headers = {
    "content-type": "application/json",
    ...made.headers,
    ...Object.fromEntries(config.customHeaders),
  };
  return { ...made, headers };
}

/** For providers that runs call without a package: at the address, and with the headers and the model, of those calls. */
function nativeRequest(kind: ModelKind, config: ModelConfig): ProbeRequest | string {
  const { provider, endpoint } = config;
  if (endpoint === "" && provider === "openai-compatible") return "The provider needs an endpoint.";
  if (endpoint === "" && provider === "azure_openai")
    return "Azure OpenAI needs the endpoint of the resource.";
  const { url, headers, model } = chatEndpoint(config, kind === "llm" ? "chat/completions" : "embeddings");
  const asked = { ...headers, accept: "application/json" };
  if (kind === "embedder") return { url, headers: asked, body: { model, input: word } };
  const tokens = provider === "openai-compatible" ? 1 : 16;
  return { url, headers: asked, body: { model, messages, ...answerLimit(config, tokens) } };
}

/** For providers that runs call by a package, which makes its requests itself. */
function chatRequest(config: ModelConfig): ProbeRequest {
  const { provider, apiKey, apiVersion, model } = config;
  if (provider === "anthropic") {
    return {
      url: `${base(config, "https://api.anthropic.com").replace(/\/v1$/, "")}/v1/messages`,
      headers: { "x-api-key": apiKey, "anthropic-version": apiVersion === "" ? "2023-06-01" : apiVersion },
      body: { model, messages, max_tokens: 1 },
    };
  }
  if (provider === "google") {
    return google(config, "generateContent", {
      contents: [{ role: "user", parts: [{ text: word }] }],
      generationConfig: { maxOutputTokens: 1 },
    });
  }
  return {
    url: `${base(config, "")}/model/${encodeURIComponent(model)}/converse`,
    headers: { authorization: `Bearer ${apiKey}` },
    body: { messages: [{ role: "user", content: [{ text: word }] }], inferenceConfig: { maxTokens: 1 } },
  };
}

const embeddingRequest = (config: ModelConfig): ProbeRequest =>
  google(config, "embedContent", { content: { parts: [{ text: word }] } });

const base = ({ endpoint }: ModelConfig, usual: string): string =>
  (endpoint === "" ? usual : endpoint).replace(/\/+$/, "");

function google(config: ModelConfig, operation: string, body: object): ProbeRequest {
  const root = base(config, "https://generativelanguage.googleapis.com/v1beta");
  const url = `${root}/models/${encodeURIComponent(config.model)}:${operation}`;
  return { url, headers: { "x-goog-api-key": config.apiKey }, body };
}
