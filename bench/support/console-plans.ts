/** Plans whose adapter brings a steady number of events, for the page that shows them. */
import type { ConsoleServer } from "../../test/console/support/server.ts";
import { mockAdapterId, startBody, startPath, type SomeUnit } from "../../test/console/support/units.ts";

/** With its policy, its validation and its provisioning each component has three tasks, and the unit one. */
const components = 333;

export interface LargePlan {
  id: string;
  tasks: number;
}

/** A plan of 1,000 tasks that is at work on its components. */
export async function startLargePlan({ guest }: ConsoleServer): Promise<LargePlan> {
  const mock = { mode: "async", runningPolls: 3, logs: { lines: 2, style: "growing" } };
  const unit = unitOf("large", components, mock);
  const id = await guest.call<string>("POST", startPath(unit), startBody(unit));
  const running = (): Promise<any> =>
    guest.call(
      "GET",
      `/api/coordinator/v2/provisioning-operations?execution-plan-id=${id}&include-progress=true`,
    );
  for (;;) {
    const [entry] = (await running()).data;
    const { completed = 0, total = 0 } = entry?.progress ?? {};
    if (total > 0 && completed > (2 * total) / 3 + 5) return { id, tasks: total };
    await new Promise((next) => setTimeout(next, 100));
  }
}

/** Tasks that write a line with each poll, for as long as the memory is watched. */
export async function startLongPlan({ guest }: ConsoleServer, minutes: number): Promise<string> {
  const mock = { mode: "async", runningMs: (minutes + 2) * 60_000, logs: { lines: 2, style: "growing" } };
  const unit = unitOf("long", 12, mock);
  return guest.call<string>("POST", startPath(unit), startBody(unit));
}

/** Layers of ten components, each of which needs two of the layer before. */
function unitOf(name: string, count: number, mock: object): SomeUnit {
  const idOf = (index: number): string => `urn:dmb:cmp:bench:${name}:0:part-${index}`;
  return {
    id: `urn:dmb:dp:bench:${name}:0`,
    name,
    kind: "dataproduct",
    domain: "bench",
    version: "1.0.0",
    environment: "development",
    dataProductOwner: "user:default/guest",
    components: Array.from({ length: count }, (_, index) => ({
      id: idOf(index),
      name: `part-${index}`,
      kind: "workload",
      version: "1.0.0",
      infrastructureTemplateId: mockAdapterId,
      dependsOn: [index - 24, index - 29].filter((before) => before >= 0).map(idOf),
      specific: { mock },
    })),
  };
}

export interface EventRate {
  /** Events a second since it began. */
  stop(): Promise<number>;
}

/** Counts what the stream of a plan brings from now on. */
export function eventRate(url: string, planId: string): EventRate {
  const end = new AbortController();
  let began = 0;
  let count = 0;
  let last = 0;
  const run = async (): Promise<void> => {
    const response = await fetch(`${url}/api/coordinator/v1/execution-plans/${planId}/events`, {
      signal: end.signal,
    });
    const decoder = new TextDecoder();
    // What has happened already comes in one go.
    const settled = Date.now() + 1500;
    for await (const chunk of response.body ?? []) {
      if (Date.now() < settled) continue;
      if (began === 0) began = Date.now();
      last = Date.now();
      count += decoder.decode(chunk, { stream: true }).split("\nevent: ").length - 1;
    }
  };
  const done = run().catch((error: unknown) => {
    if (!end.signal.aborted) throw error;
  });
  return {
    async stop() {
      end.abort();
      await done;
      return count / Math.max(0.001, (last - began) / 1000);
    },
  };
}
