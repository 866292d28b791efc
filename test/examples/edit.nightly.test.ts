/** The story of the example, as `npm run example:edit` tells it; it asserts each of its steps itself. */
import { expect, it } from "vitest";
import { runExample } from "./run-example.ts";

it("redeploys only what was edited", async () => {
  const story = await runExample("edit");
  expect(story.text).toContain("every step did what it says");
  expect(story.code).toBe(0);
});
