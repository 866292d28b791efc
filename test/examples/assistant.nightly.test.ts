/** The story of the example, as `npm run example:assistant` tells it; it asserts each of its steps itself. */
import { expect, it } from "vitest";
import { runExample } from "./run-example.ts";

it("deploys after an approval only, and explains why a deployment failed", async () => {
  const story = await runExample("assistant");
  expect(story.text).toContain("the assistant did what it says");
  expect(story.code).toBe(0);
});
