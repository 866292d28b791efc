/** What clients get of a run's events in each stream format, where that differs from what their own tests cover. */
import { expect, it } from "vitest";
import { encode, type StreamFormat } from "./encode.ts";
import type { LoggedEvent, RunEvent } from "./ag-ui.ts";

const result = {
  message: "Good",
  title: "A title",
  session_id: "s",
  request_id: "q",
  limited: false,
  usage: { input_tokens: 10, output_tokens: 2, cached_tokens: 4, cost: 0 },
};
const events: RunEvent[] = [
  { type: "RUN_STARTED", threadId: "s", runId: "r" },
  { type: "TEXT_MESSAGE_START", messageId: "m", role: "assistant" },
  { type: "TEXT_MESSAGE_CONTENT", messageId: "m", delta: "Good" },
  { type: "TEXT_MESSAGE_END", messageId: "m" },
  { type: "RUN_FINISHED", threadId: "s", runId: "r", result },
];
const logged: LoggedEvent[] = events.map((event, n) => ({
  seq: n + 1,
  type: event.type,
  data: JSON.stringify(event),
}));
const options = { model: "main", at: new Date(0) };

async function* broken(): AsyncGenerator<LoggedEvent[]> {
  yield logged.slice(0, 3);
  throw new Error("lost");
}

async function all(records: AsyncIterable<{ data: unknown; id?: unknown }>, into: any[]): Promise<void> {
  for await (const record of records) into.push(record);
}

it.each<[StreamFormat, (records: any[]) => unknown, unknown]>([
  ["openai", (records) => records.at(-1).data.error.code, "run_interrupted"],
  ["responses", (records) => records.at(-1).data.response.status, "failed"],
  ["ui", (records) => records.slice(-3).map(({ data }) => data.type ?? data), ["error", "finish", "[DONE]"]],
  [
    "agui",
    (records) => [records.at(-1).id, JSON.parse(records.at(-1).data).code],
    [undefined, "run_interrupted"],
  ],
])("a %s stream whose source fails does not look whole", async (format, shown, wanted) => {
  const records: any[] = [];
  await expect(all(encode(format, broken(), options).records, records)).rejects.toThrow("lost");
  expect(shown(records)).toEqual(wanted);
});

it.each(["openai", "responses", "ui", "agui"] as const)(
  "a %s stream that the server ends says so, once",
  async (format) => {
    const { records, last } = encode(format, [logged.slice(0, 3)] as any, options);
    await records[Symbol.asyncIterator]().next();
    expect(JSON.stringify(last())).toMatch(/run_interrupted|can't be read here/);
    expect(last()).toEqual([]);
  },
);

it("nothing is said behind the end of a run", async () => {
  const { records, last } = encode("openai", [logged] as any, options);
  await all(records, []);
  expect(last()).toEqual([]);
});

it("a stream that is resumed by its ids just breaks off", async () => {
  const records: any[] = [];
  await expect(
    all(encode("agui", broken(), { ...options, isResumable: true }).records, records),
  ).rejects.toThrow();
  expect(records.map(({ id }) => id)).toEqual([1, 2, 3]);
});

it("a Chat Completions stream has its usage when it is asked for", async () => {
  const chunksOf = async (withUsage: boolean): Promise<any[]> => {
    const records: any[] = [];
    await all(encode("openai", [logged] as any, { ...options, withUsage }).records, records);
    expect(records.pop().data).toBe("[DONE]");
    return records.map(({ data }) => data);
  };
  const plain = await chunksOf(false);
  expect(plain.filter(({ choices }) => choices.length !== 1)).toEqual([]);
  expect(plain.filter((chunk) => "usage" in chunk)).toEqual([]);
  const counted = await chunksOf(true);
  const usage = {
    prompt_tokens: 10,
    completion_tokens: 2,
    total_tokens: 12,
    prompt_tokens_details: { cached_tokens: 4 },
  };
  expect(counted.pop()).toMatchObject({ choices: [], usage });
  expect(counted.map((chunk) => [chunk.choices.length, chunk.usage])).toEqual(plain.map(() => [1, null]));
});
