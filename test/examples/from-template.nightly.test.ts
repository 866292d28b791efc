/** The story of the example, as `npm run example:from-template` tells it; it asserts each of its steps itself. */
import { expect, it } from "vitest";
import { runExample } from "./run-example.ts";

it("ends with data that somebody may read", async () => {
  const story = await runExample("from-template");
  expect(story.text).toContain("every step did what it says");
  expect(story.code).toBe(0);
});
