import { expect, test } from "vitest";

import { appendLog, createOperations } from "./operations.ts";
import type { Operation, Operations } from "./operations.ts";

const request = (key?: string, run = async (): Promise<object> => ({})) => ({
  action: "provision" as const,
  idempotencyKey: key,
  body: { a: 1 },
  run: async () => ({ ...(await run()) }),
});

async function finish(operations: Operations, key?: string): Promise<Operation> {
  const operation = operations.start(request(key));
  await operation.done;
  return operation;
}

test("the oldest finished operations are forgotten, running ones never", async () => {
  const operations = createOperations({ running: 10, finished: 2 });
  const running = operations.start(request("slow", () => new Promise(() => {})));
  const [first, second, third] = [
    await finish(operations),
    await finish(operations),
    await finish(operations),
  ];
  expect(operations.find(first.token)).toBeUndefined();
  expect([second, third].map((each) => operations.find(each.token)?.status)).toEqual([
    "COMPLETED",
    "COMPLETED",
  ]);
  expect(operations.start(request("slow"))).toBe(running);
});

test("more running operations than allowed are refused as unavailable", () => {
  const operations = createOperations({ running: 1, finished: 2 });
  operations.start(request("a", () => new Promise(() => {})));
  expect(() => operations.start(request("b"))).toThrow("as many operations");
  expect(operations.running()).toHaveLength(1);
});

test("logs are bounded in entries and characters", async () => {
  const operation = await finish(createOperations({ running: 1, finished: 1 }));
  for (let i = 0; i < 1100; i += 1) appendLog(operation, { level: "INFO", message: "x".repeat(5000) });
  expect(operation.logs).toHaveLength(1001);
  expect(operation.logs[0]?.message).toHaveLength(2000);
  expect(operation.logs.at(-1)?.message).toMatch(/left out/);
});

test("an operation that took long is remembered from its end, not from its start", async () => {
  const operations = createOperations({ running: 10, finished: 2 });
  const { promise, resolve } = Promise.withResolvers<object>();
  const slow = operations.start(request("slow", () => promise));
  const [, second, third] = [await finish(operations), await finish(operations), await finish(operations)];
  resolve({});
  await slow.done;
  expect([slow, second, third].map((each) => operations.find(each.token)?.status)).toEqual([
    "COMPLETED",
    undefined,
    "COMPLETED",
  ]);
  expect(operations.start(request("slow"))).toBe(slow);
});
