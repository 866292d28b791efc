import { expect, test } from "vitest";
import { readStart } from "./read-start.ts";

const bytes = new TextEncoder();
const started = 'data: {"type":"RUN_STARTED","threadId":"s1","runId":"r1"}\n\n';

/** An answer whose headers have come, with what comes in its body. */
function answerOf(...parts: string[]) {
  let isLeft = false;
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      for (const part of parts) controller.enqueue(bytes.encode(part));
    },
    cancel() {
      isLeft = true;
    },
  });
  return { stream, isLeft: () => isLeft };
}

test("the first event names the run, whatever pieces it comes in, and the rest is left", async () => {
  const { stream, isLeft } = answerOf(":\n\n", started.slice(0, 20), started.slice(20));
  expect(await readStart(stream)).toEqual({ runId: "r1", sessionId: "s1" });
  expect(isLeft()).toBe(true);
});

test.each([
  ["behind its headers", []],
  ["behind a comment", [":\n\n"]],
])("a connection that dies %s is given up, so that one can ask again", async (_where, parts) => {
  const { stream, isLeft } = answerOf(...parts);
  await expect(readStart(stream, 20)).rejects.toThrow("Ask again");
  expect(isLeft()).toBe(true);
});
