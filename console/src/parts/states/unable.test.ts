import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, expect, onTestFinished, test } from "vitest";
import { ApiError } from "../../api/error.ts";
import { areRefused } from "./unable.ts";

const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
afterEach(() => queries.clear());

const refusalOf = (status: number, code: string): ApiError =>
  new ApiError(new Response(null, { status }), { code, userMessage: "Not now." });

const shown = () => queries.getQueryCache().findAll({ type: "active" });

async function show(key: string, read: () => Promise<string>) {
  const observer = new QueryObserver(queries, { queryKey: [key], queryFn: read });
  onTestFinished(observer.subscribe(() => undefined));
  await observer.refetch();
  return observer;
}

test("a server without its database is told from one of which a single area refuses", async () => {
  await show("a", async () => "a");
  await show("b", () => Promise.reject(refusalOf(503, "model_not_configured")));
  await show("c", () => Promise.reject(refusalOf(500, "PLATFORM_INTERNAL")));
  expect(areRefused(false, shown())).toBe(false);
  await show("d", () => Promise.reject(refusalOf(503, "PLATFORM_DATABASE_UNAVAILABLE")));
  expect(areRefused(false, shown())).toBe(true);
});

test("what was refused stays refused until its next answer is there", async () => {
  const answer = Promise.withResolvers<string>();
  const answers = [Promise.reject(refusalOf(503, "PLATFORM_OVERLOADED")), answer.promise];
  const observer = await show("a", () => answers.shift() ?? Promise.resolve("more"));
  expect(areRefused(false, shown())).toBe(true);
  const second = observer.refetch();
  expect(areRefused(true, shown())).toBe(true);
  answer.resolve("a");
  await second;
  expect(areRefused(true, shown())).toBe(false);
});
