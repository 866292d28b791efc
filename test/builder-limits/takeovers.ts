/** kill -9 of a worker in the middle of a step: how long until another goes on, and whether it repeats what was recorded. */
import { startWorker, stopChild, type Worker } from "../crash/processes.ts";
import { eventually } from "../support/eventually.ts";
import { sortedFigures, startTask, type Platform } from "./platform.ts";

export interface TakeoverReport {
  kills: number;
  tasks: number;
  /** From the kill to the event `recovered`; sorted. */
  recoveredMs: number[];
  violations: string[];
}

const template = {
  apiVersion: "scaffolder.backstage.io/v1beta3",
  kind: "Template",
  metadata: { name: "slow" },
  spec: {
    type: "system",
    owner: "user:default/guest",
    steps: [
      { id: "before", action: "debug:log", input: { message: "before" } },
      // Long enough for another worker to start meanwhile, on a busy machine too.
      { id: "held", action: "debug:wait", input: { seconds: 10 } },
      { id: "after", action: "debug:log", input: { message: "after" } },
    ],
  },
};

/** Kills the worker that has the tasks, again and again, while another one lives. */
export async function runTakeovers(
  platform: Platform,
  { kills, tasksAtOnce }: { kills: number; tasksAtOnce: number },
): Promise<TakeoverReport> {
  await platform.addTemplate(template);
  const violations: string[] = [];
  const recoveredMs: number[] = [];
  let victim = await workerUp(platform);
  for (let kill = 0; kill < kills; kill += 1) {
    const ids = await Promise.all(Array.from({ length: tasksAtOnce }, () => startTask(platform, "slow", {})));
    await Promise.all(ids.map((id) => untilHeld(platform, id)));
    const other = await workerUp(platform);
    const killedAt = Date.now();
    victim.child.process.kill("SIGKILL");
    for (const id of ids) {
      const events = await platform.events(id);
      const recovered = events.filter(({ event }) => event === "recovered");
      const begun = (step: string): number =>
        events.filter(({ data }) => data.stepId === step && data.status === "processing").length;
      const seen = [
        recovered.length,
        begun("before"),
        begun("held"),
        begun("after"),
        events.at(-1)?.data.status,
      ];
      if (seen.join() !== "1,1,2,1,completed")
        violations.push(`task ${id}: recovered, begun before/held/after, end: ${seen.join()}`);
      recoveredMs.push(Date.parse(recovered[0]?.data.createdAt) - killedAt);
    }
    await victim.child.gone;
    victim = other;
  }
  await stopChild(victim.child);
  return { kills, tasks: kills * tasksAtOnce, recoveredMs: sortedFigures(recoveredMs), violations };
}

export async function workerUp({ options }: Platform): Promise<Worker> {
  const worker = startWorker(options);
  await eventually("the worker", () => worker.id);
  return worker;
}

async function untilHeld(platform: Platform, id: string): Promise<void> {
  await eventually("the held step", async () => {
    const { body } = await platform.call(`/api/scaffolder/v2/tasks/${id}/events`);
    return body.some((event: { body: { stepId?: string } }) => event.body.stepId === "held");
  });
}
