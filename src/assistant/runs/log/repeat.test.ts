import { describe, expect, it } from "vitest";
import { partialAnswer, typeOf, type RunEvent } from "./ag-ui.ts";
import { encode } from "./encode.ts";
import { takeBack } from "./repeat.ts";

const run = "11111111-1111-4111-8111-111111111101";
const started: RunEvent = { type: "RUN_STARTED", threadId: "t", runId: run };
const text = (messageId: string, delta: string): RunEvent[] => [
  { type: "TEXT_MESSAGE_START", messageId, role: "assistant" },
  { type: "TEXT_MESSAGE_CONTENT", messageId, delta },
];
const lines = (events: readonly RunEvent[]): string[] => events.map((event) => JSON.stringify(event));

const broken: RunEvent[] = [
  ...text(`${run}-3`, "Half of"),
  { type: "TEXT_MESSAGE_END", messageId: `${run}-3` },
  { type: "TOOL_CALL_START", toolCallId: "call_111111111101_4", toolCallName: "ask_helper" },
  { type: "TOOL_CALL_END", toolCallId: "call_111111111101_4" },
  { type: "STEP_STARTED", stepName: "Helper (call_111111111101_4)" },
  { type: "TOOL_CALL_START", toolCallId: "call_111111111101_5", toolCallName: "load_skill" },
];

describe("taking a turn back", () => {
  it("ends what is open, and says what to discard", () => {
    expect(takeBack(lines(broken))).toEqual({
      lastMessage: 3,
      lastCall: 5,
      texts: ["Half of"],
      events: [
        { type: "TOOL_CALL_END", toolCallId: "call_111111111101_5" },
        { type: "STEP_FINISHED", stepName: "Helper (call_111111111101_4)" },
        {
          type: "CUSTOM",
          name: "turn_repeated",
          value: {
            message_ids: [`${run}-3`],
            tool_call_ids: ["call_111111111101_4", "call_111111111101_5"],
          },
        },
      ],
    });
  });

  it("that was repeated before takes back what came since, under numbers of its own", () => {
    const again = [...broken, ...takeBack(lines(broken)).events, ...text(`${run}-4`, "More")];
    const { events, lastMessage, texts } = takeBack(lines(again));
    expect(texts).toEqual(["Half of", "More"]);
    expect(events).toEqual([
      { type: "TEXT_MESSAGE_END", messageId: `${run}-4` },
      { type: "CUSTOM", name: "turn_repeated", value: { message_ids: [`${run}-4`], tool_call_ids: [] } },
    ]);
    expect(lastMessage).toBe(4);
  });

  it("leaves nothing of it in the answer of a run that ends then", () => {
    const events = lines([...broken, ...takeBack(lines(broken)).events]);
    expect(partialAnswer(events)).toBe("");
    expect(partialAnswer([...events, ...lines(text(`${run}-4`, "New"))])).toBe("New");
  });
});

const result = {
  message: "The whole answer",
  title: "",
  session_id: "t",
  request_id: "r",
  limited: false,
  usage: { input_tokens: 1, output_tokens: 1, cached_tokens: 0, cost: 0 },
};

async function encoded(format: "agui" | "ui" | "openai" | "responses"): Promise<any[]> {
  const half = text(`${run}-1`, "The wh");
  const events: RunEvent[] = [
    started,
    ...half,
    ...takeBack(lines(half)).events,
    ...text(`${run}-2`, "The whole answer"),
    { type: "TEXT_MESSAGE_END", messageId: `${run}-2` },
    { type: "RUN_FINISHED", threadId: "t", runId: run, result },
  ];
  const batch = lines(events).map((data, index) => ({ seq: index + 1, type: typeOf(data), data }));
  async function* batches() {
    yield batch;
  }
  const records = [];
  for await (const { data } of encode(format, batches(), { model: "m", at: new Date(0) }).records)
    records.push(data);
  return records;
}

describe("a repeated turn", () => {
  const note = "\n\n[The answer was interrupted and begins again.]\n\n";

  it("is announced to Chat Completions, which cannot take text back", async () => {
    const chunks = await encoded("openai");
    const said = chunks.flatMap(({ choices }) => choices?.[0]?.delta.content ?? []).join("");
    expect(said).toBe(`The wh${note}The whole answer`);
  });

  it("is not in the final text of Responses", async () => {
    const records = await encoded("responses");
    const deltas = records.flatMap(({ type, delta }) =>
      type === "response.output_text.delta" ? [delta] : [],
    );
    expect(deltas.join("")).toBe(`The wh${note}The whole answer`);
    expect(records.at(-1).response.output_text).toBe("The whole answer");
  });

  it("ends the text of the AI SDK and names it", async () => {
    const records = await encoded("ui");
    const repeated = records.findIndex(({ type }) => type === "data-turn-repeated");
    expect(records[repeated - 1]).toEqual({ type: "text-end", id: `${run}-1` });
    expect(records[repeated].data).toEqual({ message_ids: [`${run}-1`], tool_call_ids: [] });
  });
});
