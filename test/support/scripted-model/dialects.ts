/** The scripted model in the protocols of Anthropic, Google and Bedrock, as far as tests need them; always streamed. */
import { crc32 } from "node:zlib";
import type { ServerResponse } from "node:http";
import { tokensOf, type ChatMessage, type ChatRequest, type Turn } from "./script.ts";

export interface Dialect {
  contentType: string;
  /** The records of a turn, in order. */
  records(turn: Turn): (Buffer | string)[];
}

export function dialectOf(path: string): Dialect | null {
  if (path.endsWith("/messages")) return anthropic;
  if (path.includes(":streamGenerateContent")) return google;
  return path.endsWith("/converse-stream") ? bedrock : null;
}

export async function speak(response: ServerResponse, dialect: Dialect, turn: Turn): Promise<void> {
  response.writeHead(200, { "content-type": dialect.contentType });
  for (const [sent, record] of dialect.records(turn).entries()) {
    if (turn.cutAfter !== undefined && sent >= turn.cutAfter) return void response.destroy();
    response.write(record);
    if (turn.tokenMs !== undefined) await new Promise((done) => setTimeout(done, turn.tokenMs));
    if (response.destroyed) return;
  }
  response.end();
}

type Part = Record<string, any>;

const partsOf = (content: unknown): Part[] => (Array.isArray(content) ? content : [{ text: content }]);
const isResult = (part: Part): boolean =>
  part["type"] === "tool_result" || "toolResult" in part || "functionResponse" in part;

/** What rules ask for: roles, and texts or whatever stands in their place. */
export function readRequest(raw: any): ChatRequest {
  const system = partsOf(raw.system ?? raw.systemInstruction?.parts);
  const given: Part[] = raw.messages ?? raw.contents ?? [];
  const textOf = (parts: Part[]): string =>
    parts.map((part) => part["text"] ?? JSON.stringify(part)).join("");
  const messages = given.map(({ role, content, parts }): ChatMessage => {
    const all = partsOf(content ?? parts);
    return { role: all.some(isResult) ? "tool" : role, content: textOf(all) };
  });
  const tools = raw.tools ?? [];
  const first: ChatMessage = { role: "system", content: textOf(system) };
  return { model: raw.model ?? "", stream: true, messages: [first, ...messages], tools };
}

const callsOf = ({ calls = [] }: Turn) =>
  calls.map(({ id, name, arguments: given }, n) => ({ id: id ?? `call_${n}`, name, given }));

const event = (data: Part): string => `event: ${data["type"]}\ndata: ${JSON.stringify(data)}\n\n`;

const anthropic: Dialect = {
  contentType: "text/event-stream",
  records(turn) {
    const usage = { input_tokens: 10, output_tokens: 1, cache_read_input_tokens: 4 };
    const message = { id: "m", type: "message", role: "assistant", model: "scripted", content: [], usage };
    const texts = tokensOf(turn);
    const calls = callsOf(turn);
    const block = (index: number, start: Part, deltas: Part[]): Part[] => [
      { type: "content_block_start", index, content_block: start },
      ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
      { type: "content_block_stop", index },
    ];
    const stop = turn.finish ?? (calls.length > 0 ? "tool_use" : "end_turn");
    return [
      { type: "message_start", message },
      ...block(
        0,
        { type: "text", text: "" },
        texts.map((text) => ({ type: "text_delta", text })),
      ),
      ...calls.flatMap(({ id, name, given }, n) =>
        block(n + 1, { type: "tool_use", id, name, input: {} }, [
          { type: "input_json_delta", partial_json: JSON.stringify(given) },
        ]),
      ),
      { type: "message_delta", delta: { stop_reason: stop }, usage: { output_tokens: texts.length } },
      { type: "message_stop" },
    ].map(event);
  },
};

const google: Dialect = {
  contentType: "text/event-stream",
  records(turn) {
    const texts = tokensOf(turn);
    const usageMetadata = {
      promptTokenCount: 14,
      candidatesTokenCount: texts.length,
      cachedContentTokenCount: 4,
    };
    const chunk = (part: Part, more: Part = {}): Part => ({
      candidates: [{ content: { role: "model", parts: [part] }, ...more }],
    });
    return [
      ...texts.map((text) => chunk({ text })),
      ...callsOf(turn).map(({ name, given }) =>
        chunk({ functionCall: { name, args: given }, thoughtSignature: "signed" }),
      ),
      { ...chunk({ text: "" }, { finishReason: turn.finish ?? "STOP" }), usageMetadata },
    ].map((data) => `data: ${JSON.stringify(data)}\n\n`);
  },
};

const bedrock: Dialect = {
  contentType: "application/vnd.amazon.eventstream",
  records(turn) {
    const texts = tokensOf(turn);
    const calls = callsOf(turn);
    const stopReason = turn.finish ?? (calls.length > 0 ? "tool_use" : "end_turn");
    return [
      frame("messageStart", { role: "assistant" }),
      ...texts.map((text) => frame("contentBlockDelta", { contentBlockIndex: 0, delta: { text } })),
      ...calls.flatMap(({ id, name, given }, n) => {
        const at = { contentBlockIndex: n + 1 };
        const input = JSON.stringify(given);
        return [
          frame("contentBlockStart", { ...at, start: { toolUse: { toolUseId: id, name } } }),
          frame("contentBlockDelta", { ...at, delta: { toolUse: { input } } }),
          frame("contentBlockStop", at),
        ];
      }),
      frame("messageStop", { stopReason }),
      frame("metadata", {
        usage: { inputTokens: 10, outputTokens: texts.length, cacheReadInputTokens: 4 },
      }),
    ];
  },
};

/** One message of the binary event stream: lengths, a checksum of them, headers, the payload, a checksum of all. */
function frame(type: string, payload: Part): Buffer {
  const header = (name: string, value: string): Buffer => {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(value.length);
    return Buffer.concat([
      Buffer.from([name.length]),
      Buffer.from(name),
      Buffer.from([7]),
      length,
      Buffer.from(value),
    ]);
  };
  const headers = Buffer.concat([
    header(":event-type", type),
    header(":content-type", "application/json"),
    header(":message-type", "event"),
  ]);
  const body = Buffer.from(JSON.stringify(payload));
  const prelude = Buffer.alloc(8);
  prelude.writeUInt32BE(16 + headers.length + body.length, 0);
  prelude.writeUInt32BE(headers.length, 4);
  const sum = (bytes: Buffer): Buffer => {
    const buffer = Buffer.alloc(4);
    buffer.writeUInt32BE(crc32(bytes));
    return buffer;
  };
  const whole = Buffer.concat([prelude, sum(prelude), headers, body]);
  return Buffer.concat([whole, sum(whole)]);
}
