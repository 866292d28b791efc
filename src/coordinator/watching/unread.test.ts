import { expect, it } from "vitest";
import { unreadFinding } from "./unread.ts";

const unread = { reader: "webhooks", oldestSeconds: 1_200 } as const;

it("names who holds the events back, and how to end them", () => {
  const writers = [
    { pid: 12, prepared: null, seconds: 1_300 },
    { pid: null, prepared: "left", seconds: 90 },
    { pid: 13, prepared: null, seconds: null },
  ];
  const { found, advice } = unreadFinding(unread, writers);
  expect(found).toBe(
    "Events have not been read for 20 minutes: transactions that have written events are open: process 12 (22 minutes), " +
      "prepared transaction left (90 s), process 13.",
  );
  expect(advice).toContain("pg_terminate_backend");
});

it("says what else to look for where nobody does", () => {
  const { found, advice } = unreadFinding(unread, []);
  expect(found).toMatch(
    /^Events have not been read for 20 minutes, and no transaction .* holds them back\.$/,
  );
  expect(advice).not.toContain("pg_terminate_backend");
});
