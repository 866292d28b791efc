/** A stream that is cut after any of its events, and in the middle of the next one, goes on as if it had not been. */
import { EventSource } from "eventsource";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startScriptedModel, type ScriptedModel } from "../../support/scripted-model/server.ts";
import { startWholeServer, tokenOf, type WholeServer } from "../../support/server.ts";
import { testPorts, testTools } from "./agents.ts";
import { openStream } from "./stream.ts";

let server: WholeServer;
let model: ScriptedModel;

beforeAll(async () => {
  model = await startScriptedModel([
    { system: "Write a title", turn: { text: "A fine title" } },
    {
      role: "user",
      turn: { text: "I look there.", tokenMs: 30, calls: [{ name: "unit__look", arguments: { at: "⛵" } }] },
    },
    { turn: { text: "It is blue \n\n and wide ✓", tokenMs: 30 } },
  ]);
  server = await startWholeServer({ replaced: { runs: testPorts(model.url), tools: testTools() } });
});
afterAll(async () => {
  await server.close();
  await model.close();
});

interface Followed {
  /** The bytes of the whole records that came. */
  bytes: string;
  connections: number;
}

/** Follows a run to its end; the first connection breaks off amid the record after the `cutAfter`th. */
function follow(url: string, cutAfter: number): Promise<Followed> {
  let bytes = "";
  let connections = 0;
  const { promise, resolve } = Promise.withResolvers<Followed>();
  const source = new EventSource(url, {
    async fetch(given, init) {
      connections += 1;
      const left = connections === 1 ? cutAfter : Infinity;
      const headers = { ...init.headers, authorization: `Bearer ${tokenOf("admin")}` };
      const response = await fetch(given, { ...init, headers });
      return { ...pick(response), body: cutBody(response.body, left, (record) => (bytes += record)) };
    },
  });
  const end = (): void => {
    source.close();
    resolve({ bytes, connections });
  };
  source.addEventListener("RUN_FINISHED", end);
  source.addEventListener("RUN_ERROR", end);
  return promise;
}

const pick = ({ url, status, redirected, headers }: Response) => ({ url, status, redirected, headers });

function cutBody(
  body: ReadableStream<Uint8Array> | null,
  records: number,
  onRecord: (record: string) => void,
): ReadableStream<Uint8Array> {
  let rest = Buffer.alloc(0);
  let left = records;
  const reader = body!.getReader();
  return new ReadableStream({
    async pull(controller) {
      while (!rest.includes("\n\n")) {
        const { value, done } = await reader.read();
        if (done) return controller.close();
        rest = Buffer.concat([rest, value]);
      }
      for (let end = rest.indexOf("\n\n"); end !== -1; end = rest.indexOf("\n\n")) {
        const record = rest.subarray(0, end + 2);
        rest = rest.subarray(end + 2);
        if (left === 0) {
          controller.enqueue(record.subarray(0, record.length / 2));
          controller.close();
          return reader.cancel();
        }
        left -= 1;
        onRecord(record.toString());
        controller.enqueue(record);
      }
    },
  });
}

it("gives every byte once, wherever it is cut", async () => {
  const task = await openStream(`${server.url}/api/assistant/v2/task`, { body: { message: "Look" } });
  const { value } = await task.records.next();
  task.close();
  const url = `${server.url}/api/assistant/v2/runs/${value?.data.runId}/events`;
  // All follow the same run while it is written. Into how many events its texts are cut is a matter of time.
  const cuts = Array.from({ length: 40 }, (_, index) => index);
  const [uncut, ...cut] = await Promise.all([Infinity, ...cuts].map((at) => follow(url, at)));
  const events = (uncut?.bytes.split("\n\n").length ?? 0) - 1;
  expect(events).toBeGreaterThan(12);
  expect(events).toBeLessThan(cuts.length);
  expect(uncut?.connections).toBe(1);
  for (const [at, followed] of cut.entries()) {
    expect(followed.bytes).toBe(uncut?.bytes);
    expect(followed.connections).toBe(at < events ? 2 : 1);
  }
});
