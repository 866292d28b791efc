/** Tasks that are posted to a process that serves only: how soon a worker process has begun with each. */
import { setTimeout as wait } from "node:timers/promises";
import { stopChild } from "../crash/processes.ts";
import { sortedFigures, startTask, type Platform } from "./platform.ts";
import { workerUp } from "./takeovers.ts";

export interface StartReport {
  /** From the call to the first event of its first step; sorted. */
  startedMs: number[];
}

const template = {
  apiVersion: "scaffolder.backstage.io/v1beta3",
  kind: "Template",
  metadata: { name: "quick" },
  spec: {
    type: "system",
    owner: "user:default/guest",
    steps: [{ id: "first", action: "debug:log", input: { message: "begun" } }],
  },
};

export async function runStarts(platform: Platform, tasks: number): Promise<StartReport> {
  await platform.addTemplate(template);
  const worker = await workerUp(platform);
  const startedMs: number[] = [];
  for (let n = 0; n < tasks; n += 1) {
    const postedAt = Date.now();
    const events = await platform.events(await startTask(platform, "quick", {}));
    startedMs.push(Date.parse(events[0]?.data.createdAt) - postedAt);
    // Nobody posts in step with the worker's own rounds.
    await wait(Math.random() * 300);
  }
  await stopChild(worker.child);
  return { startedMs: sortedFigures(startedMs) };
}
