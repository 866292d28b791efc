/** A client of the Chat Completions protocol: OpenAI, Azure OpenAI and compatible servers. */
import type { ModelConfig } from "../read-model.ts";
import { chatBody, completionParts, createChunkReader } from "./chat-wire.ts";
import { chatEndpoint } from "./endpoints.ts";
import { createSecretFilter, maskOf } from "./hide-secrets.ts";
import type { ModelClient, ModelPart } from "./model.ts";
import { failureOf, openAnswer, readWhole, type ModelDeps } from "./open-answer.ts";

export function createChatClient(deps: ModelDeps, config: ModelConfig): ModelClient {
  const { url, headers, model } = chatEndpoint(config);
  const mask = maskOf(config);
  return {
    model,
    async *stream(request, signal) {
      const body = JSON.stringify(chatBody(model, request));
      const hiding = createSecretFilter(mask);
      const answer = await openAnswer(deps, { url, headers, body, signal, mask });
      try {
        if (answer.headers["content-type"]?.startsWith("application/json") === true) {
          yield hiding.push(completionParts(await readWhole(answer)));
          return;
        }
        const read = recordReader(deps.limits.answerBytes);
        for await (const piece of answer.body) {
          const { parts, broken, isEnd } = read(piece);
          const shown = hiding.push(parts);
          if (shown.length > 0) yield shown;
          if (broken !== null) throw broken;
          if (isEnd) return;
        }
        const { parts, broken } = read(null);
        if (broken !== null) throw broken;
        yield hiding.push(parts);
      } catch (error) {
        const rest = hiding.rest();
        if (rest.length > 0) yield rest;
        throw failureOf(error) ?? error;
      }
    },
  };
}

interface Records {
  parts: ModelPart[];
  /** The error after these parts. */
  broken: Error | null;
  isEnd: boolean;
}

/** Takes one piece of the body after the other, and null at its end. */
function recordReader(maxBytes: number): (piece: Buffer | null) => Records {
  const lines = dataLines(maxBytes);
  const chunks = createChunkReader();
  return (piece) => {
    const parts: ModelPart[] = [];
    try {
      for (const data of piece === null ? ["[DONE]"] : lines.push(piece)) {
        if (data === "[DONE]") {
          parts.push(chunks.end());
          return { parts, broken: null, isEnd: true };
        }
        parts.push(...chunks.read(data));
      }
      return { parts, broken: null, isEnd: false };
    } catch (error) {
      return { parts, broken: error as Error, isEnd: true };
    }
  };
}

export interface LineReader {
  /** The data of the lines that this piece completes; pieces may be cut anywhere. */
  push(piece: Buffer): string[];
}

/** Reads Server-Sent Events. Only `data` lines matter: each record of a model is one. Lines longer than `maxChars` throw a RangeError. */
export function dataLines(maxChars: number): LineReader {
  const decoder = new TextDecoder();
  let rest = "";
  return {
    push(piece) {
      const text = rest + decoder.decode(piece, { stream: true });
      const found: string[] = [];
      let start = 0;
      for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", start)) {
        if (text.startsWith("data:", start)) found.push(text.slice(start + 5, end).trim());
        start = end + 1;
      }
      rest = text.slice(start);
      if (rest.length > maxChars) throw new RangeError("a line is too long");
      return found;
    },
  };
}
