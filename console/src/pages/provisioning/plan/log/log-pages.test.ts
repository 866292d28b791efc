import { InfiniteQueryObserver, QueryClient, type InfiniteData } from "@tanstack/react-query";
import { afterEach, expect, onTestFinished, test } from "vitest";
import { fullPage, type LogPage } from "./log-pages.ts";

const queries = new QueryClient();
afterEach(() => queries.clear());

const limit = 10;

test("a log that is read again has all pages that were read, its new lines, and asks for no page that was full", async () => {
  let length = 25;
  const asked: number[] = [];
  const observer = new InfiniteQueryObserver(queries, {
    queryKey: ["log"],
    initialPageParam: 0,
    queryFn: async ({ client, queryKey, pageParam: after }): Promise<LogPage> => {
      const full = fullPage(client.getQueryData<InfiniteData<LogPage, number>>(queryKey), after);
      if (full !== undefined) return full;
      asked.push(after);
      const end = Math.min(after + limit, length);
      const lines = Array.from({ length: end - after }, (_, index) => line(after + index));
      return { lines, next: end < length ? end : null };
    },
    getNextPageParam: ({ next }) => next,
  });
  onTestFinished(observer.subscribe(() => undefined));
  const shown = (): number =>
    (observer.getCurrentResult().data?.pages ?? []).flatMap(({ lines }) => lines).length;
  await observer.refetch();
  await observer.fetchNextPage();
  await observer.fetchNextPage();
  expect(shown()).toBe(25);
  asked.length = 0;
  length = 28;
  await queries.invalidateQueries({ queryKey: ["log"] });
  expect([shown(), asked]).toEqual([28, [20]]);
  asked.length = 0;
  length = 35;
  await queries.invalidateQueries({ queryKey: ["log"] });
  expect([shown(), asked, observer.getCurrentResult().hasNextPage]).toEqual([30, [20], true]);
  await observer.fetchNextPage();
  expect(shown()).toBe(35);
});

const line = (index: number) => ({
  timestamp: "2026-01-01T00:00:00.000Z",
  severity: "INFO" as const,
  task: null,
  message: String(index),
  phase: "PROVISIONING" as const,
});
