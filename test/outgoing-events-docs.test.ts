/** The pages about outgoing events say what the code does. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { outgoingEventTypes, webhooks } from "../src/platform/config/schema/schema-watching.ts";

it("the reference has every type, and no other", () => {
  const page = readFileSync("docs/reference/events.md", "utf8");
  const headings = [...page.matchAll(/^## `(plinth\.[a-z.-]+)`$/gm)].map(([, type]) => type);
  expect(headings).toEqual([...outgoingEventTypes]);
});

it("the guide has the default waits between attempts", () => {
  const page = readFileSync("docs/guides/webhooks.md", "utf8");
  const units: Record<string, number> = { s: 1_000, min: 60_000, h: 3_600_000 };
  const waits = [...page.matchAll(/^\| \d+ +\| (\d+) (s|min|h) +\|$/gm)].map(
    ([, amount, unit]) => Number(amount) * (units[unit ?? ""] ?? Number.NaN),
  );
  const { retryDelaysMs } = webhooks.items.properties;
  expect(waits).toEqual("default" in retryDelaysMs ? retryDelaysMs.default : []);
});
