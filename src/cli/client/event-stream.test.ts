import fc from "fast-check";
import { expect, test } from "vitest";
import { readEvents, type StreamEvent } from "./event-stream.ts";

async function read(...chunks: Uint8Array[]): Promise<StreamEvent[]> {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  const events: StreamEvent[] = [];
  for await (const event of readEvents(body)) events.push(event);
  return events;
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

test("fields, comments, several data lines, and what is cut off at the end", async () => {
  const text = ": hi\n\nid: 1\nevent: task\ndata: {\ndata: }\n\nevent: none\n\ndata:x\ndata\n\ndata: cut";
  expect(await read(bytes(text))).toEqual([
    { id: "1", type: "task", data: "{\n}" },
    { id: undefined, type: "message", data: "x\n" },
  ]);
});

test("however it is cut into pieces, and whatever ends its lines", async () => {
  const lines = ["id: 7", "event: log", 'data: {"message":"näher 🚚"}', "", "data: b", "", ""];
  const expected = await read(bytes(lines.join("\n")));
  expect(expected).toHaveLength(2);
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom("\n", "\r\n"),
      fc.array(fc.nat(90), { maxLength: 8 }),
      async (end, cuts) => {
        const whole = bytes(lines.join(end));
        const at = [0, ...cuts.map((cut) => Math.min(cut, whole.length)).sort((a, b) => a - b), whole.length];
        const chunks = at.slice(1).map((to, index) => whole.slice(at[index], to));
        expect(await read(...chunks)).toEqual(expected);
      },
    ),
  );
});
