import { expect, it } from "vitest";
import type { Db } from "../../../platform/db/database.ts";
import type { LoggedEvent, RunResult } from "../log/ag-ui.ts";
import { untilWaiting } from "./follow-waiting.ts";

const result: RunResult = {
  message: "This call of a tool waits.",
  title: "A title",
  session_id: "s",
  request_id: "q",
  limited: false,
  usage: { input_tokens: 0, output_tokens: 0, cached_tokens: 0, cost: 0 },
};
const waits: LoggedEvent = {
  seq: 7,
  type: "CUSTOM",
  data: JSON.stringify({ type: "CUSTOM", name: "waiting_for_approval", value: result }),
};

it("ends with what a run waits for, also after a look that failed", async () => {
  let looks = 0;
  const db = {
    async query() {
      if ((looks += 1) === 1) throw new Error("Connection terminated unexpectedly");
      return { rows: [{}] };
    },
  } as unknown as Db;
  const { signal } = new AbortController();
  const events: LoggedEvent[] = [];
  const options = { runId: "r", sessionId: "s", isSaid: false, signal };
  for await (const batch of untilWaiting(db, [[waits]], options)) events.push(...batch);
  expect([events.map(({ type }) => type), looks]).toEqual([["CUSTOM", "RUN_FINISHED"], 2]);
});
