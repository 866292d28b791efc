/** The story of the example, as `npm run example:governed` tells it; it asserts each of its steps itself. */
import { expect, it } from "vitest";
import { runExample } from "./run-example.ts";

it("ends with a unit that the policies let pass", async () => {
  const story = await runExample("governed");
  expect(story.text).toContain("every step did what it says");
  expect(story.code).toBe(0);
});
