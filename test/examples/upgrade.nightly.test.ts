/** The story of the example, as `npm run example:upgrade` tells it; it asserts each of its steps itself. */
import { expect, it } from "vitest";
import { runExample } from "./run-example.ts";

it("ends with an upgraded installation that works", async () => {
  const story = await runExample("upgrade");
  expect(story.text).toContain("every step did what it says");
  expect(story.code).toBe(0);
});
