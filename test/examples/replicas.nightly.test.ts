/** The example of replicas with few plans, as a user runs it. */
import { expect, it } from "vitest";
import { runExample } from "./run-example.ts";

it("plans end right on two API processes and three workers, two of which are killed", async () => {
  const { code, text } = await runExample("replicas", "--plans", "20");
  expect(text).toContain("KILLED worker 2");
  expect(text).toMatch(/^worker 2 +killed$/m);
  expect(text).toMatch(/^worker 3 +killed$/m);
  expect(text).toMatch(/^result +all 20 plans ended right$/m);
  expect(text).toMatch(/^narrow adapter +at most 6 of \d+ calls at once, limit 6 for all workers together$/m);
  expect(text).toMatch(/^one caller +\d+ requests in a minute .* limit 600 for all API processes$/m);
  expect(code).toBe(0);
});
