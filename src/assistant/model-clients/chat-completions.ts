/** A model behind the Chat Completions protocol: OpenAI, Azure OpenAI, and all that speak the same. */
import type { OutboundStream } from "../../platform/outbound/stream.ts";
import type { ModelConfig } from "../models/read-model.ts";
import { chatBody, completionParts, createChunkReader } from "./chat-wire.ts";
import { chatEndpoint } from "./endpoints.ts";
import type { ModelClient, ModelPart } from "./model.ts";
import { failureOf, openAnswer, type ModelMeans } from "./open-answer.ts";
import { dataLines } from "./sse-lines.ts";

export function createChatClient(means: ModelMeans, config: ModelConfig): ModelClient {
  const { url, headers, model } = chatEndpoint(config);
  return {
    model,
    async *stream(request, signal) {
      const body = JSON.stringify(chatBody(model, request));
      const answer = await openAnswer(means, { url, headers, body, signal, apiKey: config.apiKey });
      yield* partsOf(answer, means.limits.answerBytes);
    },
  };
}

async function* partsOf(answer: OutboundStream, maxBytes: number): AsyncGenerator<ModelPart> {
  try {
    if (answer.headers["content-type"]?.startsWith("application/json") === true) {
      const parts: Buffer[] = [];
      for await (const part of answer.body) parts.push(part);
      yield* completionParts(Buffer.concat(parts).toString("utf8"));
      return;
    }
    const lines = dataLines(maxBytes);
    const chunks = createChunkReader();
    for await (const piece of answer.body) {
      for (const data of lines.push(piece)) {
        if (data === "[DONE]") {
          yield chunks.end();
          return;
        }
        yield* chunks.read(data);
      }
    }
    yield chunks.end();
  } catch (error) {
    throw failureOf(error) ?? error;
  }
}
