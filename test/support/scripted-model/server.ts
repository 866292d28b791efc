/**
 * A scripted model as an HTTP server. A TEST PROGRAM, never started by the product: it speaks Chat Completions (streamed
 * and whole), embeddings and the list of models, and says what its script says.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { dialectOf, readRequest, speak } from "./dialects.ts";
import { embed, type Embedding } from "./embedding.ts";
import { tokensOf, turnPicker, type ChatRequest, type Script, type Turn } from "./script.ts";
import { startHttpPeer } from "../http-peer.ts";

export interface SeenRequest {
  path: string;
  headers: IncomingMessage["headers"];
  body: ChatRequest;
  /** The request as received, for other protocols than Chat Completions. */
  raw?: unknown;
  /** The client was gone before the answer had ended. */
  isCut: boolean;
}

export interface ScriptedModel {
  /** With `/v1` at its end, as an `endpoint` is configured. */
  url: string;
  requests: SeenRequest[];
  /** What it was asked for as an embedder, and how it answers from now on. */
  embedding: Embedding;
  /** From now on it follows another script. */
  follow(script: Script): void;
  close(): Promise<void>;
}

export async function startScriptedModel(script: Script, port = 0): Promise<ScriptedModel> {
  let pick = turnPicker(script);
  const requests: SeenRequest[] = [];
  const embedding: Embedding = { inputs: [], synonyms: {} };
  const peer = await startHttpPeer((request, response) => {
    answer(request, response, { requests, embedding, pick: (body, number) => pick(body, number) }).catch(() =>
      response.destroy(),
    );
  }, port);
  return {
    url: `${peer.url}/v1`,
    requests,
    embedding,
    follow(next) {
      pick = turnPicker(next);
    },
    close: peer.close,
  };
}

interface Answering {
  requests: SeenRequest[];
  embedding: Embedding;
  pick: (request: ChatRequest, number: number) => Turn;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { requests, embedding, pick }: Answering,
): Promise<void> {
  const path = request.url ?? "/";
  if (path === "/v1/models") return sendJson(response, 200, { object: "list", data: [{ id: "scripted" }] });
  const raw = (await json(request)) as ChatRequest;
  if (/embed/i.test(path)) return embed(request, response, { raw, embedding });
  const dialect = dialectOf(path);
  const body = dialect === null ? raw : readRequest(raw);
  const seen: SeenRequest = { path, headers: request.headers, body, isCut: false };
  if (dialect !== null) seen.raw = raw;
  response.on("close", () => (seen.isCut = !response.writableFinished));
  requests.push(seen);
  const turn = pick(body, requests.length - 1);
  if (turn.delayMs !== undefined) await pause(turn.delayMs);
  if (turn.status !== undefined) {
    if (turn.retryAfter !== undefined) response.setHeader("retry-after", turn.retryAfter);
    return sendJson(response, turn.status, turn.error ?? { error: { message: `Scripted ${turn.status}.` } });
  }
  if (dialect !== null) await speak(response, dialect, turn);
  else if (body.stream) await stream(response, body, turn);
  else sendJson(response, 200, whole(body, turn));
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

const callsOf = ({ calls = [] }: Turn, request: ChatRequest) =>
  calls.map(({ id, name, arguments: given }, index) => ({
    index,
    id: id ?? `call_${request.messages.length}_${index}`,
    type: "function",
    function: { name, arguments: typeof given === "string" ? given : JSON.stringify(given) },
  }));

const finishOf = (turn: Turn): string =>
  turn.finish ?? ((turn.calls?.length ?? 0) > 0 ? "tool_calls" : "stop");

const usageOf = (turn: Turn) =>
  turn.usage ?? { prompt_tokens: 10, completion_tokens: tokensOf(turn).length, total_tokens: 0 };

const whole = (request: ChatRequest, turn: Turn): object => ({
  id: "chatcmpl-scripted",
  object: "chat.completion",
  model: request.model,
  choices: [
    {
      index: 0,
      message: { role: "assistant", content: tokensOf(turn).join(""), tool_calls: callsOf(turn, request) },
      finish_reason: finishOf(turn),
    },
  ],
  usage: usageOf(turn),
});

async function stream(response: ServerResponse, request: ChatRequest, turn: Turn): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.flushHeaders();
  let sent = 0;
  const send = async (choice: object, more: object = {}): Promise<boolean> => {
    if (turn.cutAfter !== undefined && sent >= turn.cutAfter) {
      response.destroy();
      return false;
    }
    sent += 1;
    const chunk = { id: "chatcmpl-scripted", object: "chat.completion.chunk", model: request.model, ...more };
    const choices = Object.keys(choice).length === 0 ? [] : [{ index: 0, finish_reason: null, ...choice }];
    response.write(`data: ${JSON.stringify({ ...chunk, choices })}\n\n`);
    if (turn.tokenMs !== undefined) await pause(turn.tokenMs);
    return !response.destroyed;
  };
  const tokens = tokensOf(turn);
  for (const content of tokens) if (!(await send({ delta: { content } }))) return;
  if (turn.raw !== undefined) response.write(`data: ${turn.raw}\n\n`);
  while (turn.endless === true) {
    if (!(await send({ delta: { content: tokens.at(-1) ?? "on " } }))) return;
    if (turn.tokenMs === undefined) await pause(1);
  }
  for (const call of callsOf(turn, request)) {
    const { name, arguments: text } = call.function;
    const half = Math.ceil(text.length / 2);
    const start = { ...call, function: { name, arguments: text.slice(0, half) } };
    if (!(await send({ delta: { tool_calls: [start] } }))) return;
    const rest = { index: call.index, function: { arguments: text.slice(half) } };
    if (!(await send({ delta: { tool_calls: [rest] } }))) return;
  }
  if (!(await send({ delta: {}, finish_reason: finishOf(turn) }))) return;
  if (!(await send({}, { usage: usageOf(turn) }))) return;
  response.end("data: [DONE]\n\n");
}
