/** A reader of a run's log while the database is away. */
import { expect, it } from "vitest";
import { createFollowers, type EventsRead } from "./follow.ts";
import type { LoggedEvent } from "./ag-ui.ts";

const end: LoggedEvent = { seq: 1, type: "RUN_FINISHED", data: "{}" };
const lost = (): Error => new Error("Connection terminated unexpectedly");

async function read(
  readAfter: () => Promise<EventsRead>,
  signal = new AbortController().signal,
): Promise<LoggedEvent[]> {
  const events: LoggedEvent[] = [];
  for await (const batch of createFollowers(readAfter).follow("run", { after: 0, signal }))
    events.push(...batch);
  return events;
}

it("goes on to the end after reads that failed", async () => {
  let reads = 0;
  const events = await read(async () => {
    if ((reads += 1) < 3) throw lost();
    return { events: [end], isAll: true, isGone: false };
  });
  expect([events, reads]).toEqual([[end], 3]);
});

it("stops trying when its reader has gone", async () => {
  const stop = new AbortController();
  let reads = 0;
  const events = await read(async () => {
    if ((reads += 1) === 2) stop.abort();
    throw lost();
  }, stop.signal);
  expect([events, reads]).toEqual([[], 2]);
});

it("passes on an error that no repeat mends", async () => {
  await expect(
    read(async () => {
      throw new Error("a defect");
    }),
  ).rejects.toThrow("a defect");
});
