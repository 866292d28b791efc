import { InfiniteQueryObserver, QueryClient } from "@tanstack/react-query";
import { afterEach, expect, onTestFinished, test } from "vitest";
import {
  earlierPage,
  laterPage,
  readMessagePage,
  type MessagePageParam,
  type ReadFrom,
} from "./message-pages.ts";
import type { Message } from "./run/stored-run.ts";

const queries = new QueryClient();
afterEach(() => queries.clear());

const maxLimit = 100;

/** A session on a server, which gives at most a hundred messages at a time. */
const session = (length: number) => {
  const messages = Array.from({ length }, (_, index) => message(index));
  const read: ReadFrom = async (offset, limit) => ({
    data: messages.slice(offset, offset + Math.min(limit, maxLimit)),
    meta: { pagination: { total: messages.length } },
  });
  const say = (count: number): void => {
    for (let left = count; left > 0; left--) messages.push(message(messages.length));
  };
  return { read, say };
};

const message = (index: number): Message => ({
  id: String(index),
  run_id: `run-${Math.floor(index / 2)}`,
  role: index % 2 === 0 ? "user" : "assistant",
  content: "",
  tool_calls: [],
  skills: [],
  created_at: "2026-01-01T00:00:00.000Z",
});

const observe = (read: ReadFrom) => {
  const observer = new InfiniteQueryObserver(queries, {
    queryKey: ["messages"],
    initialPageParam: null as MessagePageParam,
    queryFn: ({ pageParam }) => readMessagePage(pageParam, read),
    getNextPageParam: (page, pages, param) => laterPage(page, pages, param),
    getPreviousPageParam: (page, pages, param) => earlierPage(page, pages, param),
  });
  onTestFinished(observer.subscribe(() => undefined));
  return observer;
};

const shown = (observer: ReturnType<typeof observe>): number[] =>
  (observer.getCurrentResult().data?.pages ?? []).flatMap(({ messages }) =>
    messages.map(({ id }) => Number(id)),
  );

const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, index) => from + index);

test("the last messages are read first, then those before them, up to the first one", async () => {
  const observer = observe(session(150).read);
  await observer.refetch();
  expect(shown(observer)).toEqual(range(90, 150));
  await observer.fetchPreviousPage();
  expect(shown(observer)).toEqual(range(30, 150));
  await observer.fetchPreviousPage();
  expect(shown(observer)).toEqual(range(0, 150));
  expect(observer.getCurrentResult().hasPreviousPage).toBe(false);
});

test("reading again gives all pages that were read, with what was said since", async () => {
  const { read, say } = session(250);
  const observer = observe(read);
  await observer.refetch();
  await observer.fetchPreviousPage();
  await observer.fetchPreviousPage();
  say(2);
  await observer.refetch();
  expect(shown(observer)).toEqual(range(70, 252));
  // More than the server gives at a time.
  say(150);
  await observer.refetch();
  expect(shown(observer)).toEqual(range(70, 402));
  await observer.fetchPreviousPage();
  expect(shown(observer)).toEqual(range(10, 402));
  expect(observer.getCurrentResult().hasNextPage).toBe(false);
});
