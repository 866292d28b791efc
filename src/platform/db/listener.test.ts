/** The watch over the server behind the listener's connection; what it hears is tried on a database in database.db.test.ts. */
import { EventEmitter } from "node:events";
import { DatabaseError } from "pg";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { silentLogger } from "../lib/logger.ts";
import type { LimitedClient } from "./limited-client.ts";
import { createListener, type Listener } from "./listener.ts";

/** A server answers when it started, until it is silent or refuses. */
interface FakeServer {
  started: string;
  isSilent: boolean;
  refuses?: boolean;
}

let server: FakeServer;
let clients: EventEmitter[];
let moved: number[];
let listener: Listener;

/** Gives up a question without an answer after 5 s, as a connection with that limit does. */
function connect(): Promise<LimitedClient> {
  const at = server;
  const client = new EventEmitter();
  const query = (text: string): Promise<unknown> =>
    new Promise((answer, fail) => {
      if (at.refuses) return fail(new DatabaseError("canceling statement due to user request", 0, "error"));
      if (!at.isSilent) return answer({ rows: text.includes("start_time") ? [{ started: at.started }] : [] });
      setTimeout(() => {
        client.emit("end");
        fail(new Error("no answer"));
      }, 5_000);
    });
  clients.push(client);
  return Promise.resolve(
    Object.assign(client, { query, abandon() {}, end: () => Promise.resolve() }) as never,
  );
}

beforeEach(async () => {
  vi.useFakeTimers();
  server = { started: "monday", isSilent: false };
  clients = [];
  moved = [];
  listener = createListener(connect, silentLogger);
  listener.onMoved((before) => moved.push(before));
  await listener.listen("a", () => undefined);
});
afterEach(async () => {
  await listener.close();
  vi.useRealTimers();
});

it("asks all the time, and says nothing while the server answers", async () => {
  await vi.advanceTimersByTimeAsync(60_000);
  expect(clients).toHaveLength(1);
  expect(moved).toEqual([]);
});

it("says that another server is there once its connection has been replaced, and since when the first was not heard", async () => {
  const lastAsked = performance.now() + 5_000;
  server.isSilent = true;
  server = { started: "tuesday", isSilent: false };
  await vi.advanceTimersByTimeAsync(12_000);
  expect(clients).toHaveLength(2);
  expect(moved).toEqual([lastAsked]);
});

it("says nothing when its connection broke and the server is the same", async () => {
  clients[0]?.emit("end");
  await vi.advanceTimersByTimeAsync(1_000);
  expect(clients).toHaveLength(2);
  expect(moved).toEqual([]);
});

it("is at the time of the break where the server said goodbye", async () => {
  await vi.advanceTimersByTimeAsync(7_000);
  server = { started: "tuesday", isSilent: false };
  const brokeAt = performance.now();
  clients[0]?.emit("end");
  await vi.advanceTimersByTimeAsync(1_000);
  expect(moved).toEqual([brokeAt]);
});

it("goes on asking a connection on which a question was refused, and counts that as heard", async () => {
  server.refuses = true;
  await vi.advanceTimersByTimeAsync(6_000);
  server.refuses = false;
  await vi.advanceTimersByTimeAsync(6_000);
  expect(clients).toHaveLength(1);
  const lastAsked = performance.now() + 3_000;
  server.isSilent = true;
  server = { started: "tuesday", isSilent: false };
  await vi.advanceTimersByTimeAsync(12_000);
  expect(clients).toHaveLength(2);
  expect(moved).toEqual([lastAsked]);
});
