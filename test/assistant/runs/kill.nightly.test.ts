/** Turns that are repeated, stopped or killed in the middle. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { until } from "../../support/server.ts";
import { openKillStage, type KillStage } from "./kill-stage.ts";

let stage: KillStage;
beforeAll(async () => void (stage = await openKillStage()));
afterAll(() => stage.close());

describe("a turn that is repeated", () => {
  it("goes on elsewhere when its process is stopped", async () => {
    const asked = await stage.talkInProcess();
    stage.stop();
    await asked.done;
    const server = await stage.survive();
    await stage.followToEnd(server, asked);
    expect(await stage.usesOf(server, asked)).toBe(2);
  });

  it("may be killed as well", async () => {
    const asked = await stage.talkInProcess();
    await stage.killAndRepeat(asked, 1);
    const server = await stage.survive();
    await stage.followToEnd(server, asked);
    // A turn of which nothing was shown when its process died is not counted.
    const uses = await stage.usesOf(server, asked);
    expect([2, 3]).toContain(uses);
  });

  it("is given up where every process dies with it", async () => {
    const asked = await stage.talkInProcess();
    for (const repeats of [1, 2, 3]) await stage.killAndRepeat(asked, repeats);
    const server = await stage.survive();
    const path = `/runs/${asked.seen[0]!.data.runId}`;
    const { body } = await until(
      () => server.assistant({ path }),
      (answer) => ["completed", "interrupted"].includes(answer.body.status),
    );
    expect(body.status).toBe("interrupted");
  });
});
