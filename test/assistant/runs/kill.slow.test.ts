/** kill -9 in the middle of 50 runs: each ends in a defined state, and its stream goes on elsewhere without gap or repeat. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { ask, has, isUnderWay, openKillStage, type KillStage } from "./kill-stage.ts";

let stage: KillStage;
beforeAll(async () => void (stage = await openKillStage()));
afterAll(() => stage.close());

it("leaves no run undefined and no stream with a gap", async () => {
  const { child, url } = await stage.startNext();
  const kinds = ["talk", "talk", "look", "slow", "act", "remove"];
  const asked = Array.from({ length: 45 }, (_, n) => ask(url, kinds[n % kinds.length]!));
  const talking = asked.filter(({ kind }) => kind === "talk").slice(0, 5);
  await expect.poll(() => talking.every(({ seen }) => seen.length > 0)).toBe(true);
  asked.push(...talking.map(({ seen }) => ask(url, "queued", seen[0]?.data.threadId)));
  await expect.poll(() => asked.every(isUnderWay), { interval: 20 }).toBe(true);
  await expect.poll(() => stage.underWay("act", 0), { interval: 20 }).toBe(7);
  child.kill("SIGKILL");
  await Promise.all(asked.map(({ done }) => done));
  expect(asked.some((each) => has(each, "RUN_FINISHED"))).toBe(false);

  const survivor = await stage.survive();
  for (const { kind, seen } of asked) {
    if (kind !== "remove") continue;
    const { value } = seen.find(({ event }) => event === "CUSTOM")!.data;
    const path = `/runs/${seen[0]!.data.runId}/approvals/${value.approval_id}`;
    const answer = await survivor.assistant({ method: "POST", path, body: { approved: true } });
    expect(answer.status).toBe(200);
  }
  await Promise.all(asked.map((each) => stage.followToEnd(survivor, each)));
});
