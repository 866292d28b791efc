/** Limits of the whole installation: an adapter's parallel tasks with three workers, a caller's requests with three API processes. */
import { followPlan, isOver, registerAdapter, startPlan, type Plan } from "./plans.ts";
import { startNarrowAdapter } from "./narrow-adapter.ts";

export const narrowTechnology = "urn:example:itm:narrow:1";
/** What `plinth.yaml` of every process says. */
export const tasksOfNarrow = 6;
export const requestsPerMinute = 600;

export interface LimitsFindings {
  rows: Record<string, string>;
  problems: string[];
}

/** Plans whose tasks all need the narrow adapter; another worker joins while they run. */
export async function measureTasks(
  apis: readonly string[],
  { join, signal }: { join: () => Promise<void>; signal: AbortSignal },
): Promise<LimitsFindings> {
  const adapter = await startNarrowAdapter();
  try {
    await registerAdapter(apis[0]!, adapter.url, narrowTechnology);
    const plans: Plan[] = [];
    for (let n = 0; n < 30; n++)
      plans.push(await startPlan(apis[n % apis.length]!, `urn:example:narrow:${n}`, narrowTechnology));
    const ended = Promise.all(plans.map((plan) => followPlan(apis[0]!, plan, signal)));
    await join();
    await ended;
    const most = adapter.mostAtOnce();
    const problems: string[] = [];
    if (most > tasksOfNarrow)
      problems.push(`the adapter had ${most} calls at once, although its limit is ${tasksOfNarrow}`);
    if (most < tasksOfNarrow)
      problems.push(`the adapter had at most ${most} calls at once, although ${tasksOfNarrow} were allowed`);
    for (const plan of plans)
      if (!isOver(plan) || plan.status !== "COMPLETED") problems.push(`the plan of ${plan.unitId} is ${plan.status}`);
    const tasks = `at most ${most} of ${adapter.calls()} calls at once, limit ${tasksOfNarrow} for all workers together`;
    return { rows: { "narrow adapter": tasks }, problems };
  } finally {
    await adapter.close();
  }
}

/** So many callers at each API process: the limit has to go where the requests arrive. */
const callersOf = [6, 2, 1];
/** How long answers are counted after the limit was reached. */
const afterwardsMs = 2_000;
const minuteMs = 60_000;
/** A measurement that begins later in a minute waits for the next one. */
const neededMs = 25_000;

export async function measureRequests(apis: readonly string[], signal: AbortSignal): Promise<LimitsFindings> {
  const left = minuteMs - (Date.now() % minuteMs);
  if (left < neededMs) await new Promise((next) => setTimeout(next, left + 100));
  const minute = (): number => Math.floor(Date.now() / minuteMs);
  const began = minute();
  const answered = apis.map(() => 0);
  const total = (): number => answered.reduce((sum, each) => sum + each, 0);
  const allowed = { least: requestsPerMinute * 0.9, most: requestsPerMinute * 1.1 };
  let reachedAt = Number.POSITIVE_INFINITY;
  let refused = 0;
  const isOpen = (): boolean =>
    !signal.aborted && minute() === began && performance.now() - reachedAt < afterwardsMs;
  const call = async (index: number): Promise<void> => {
    while (isOpen()) {
      const { status, body } = await fetch(`${apis[index]!}/v1/tech-adapters`, { signal });
      await body?.cancel();
      if (status === 200 && minute() === began) answered[index]!++;
      if (status === 429) refused++;
      if (total() >= allowed.least) reachedAt = Math.min(reachedAt, performance.now());
    }
  };
  await Promise.all(callersOf.flatMap((count, index) => Array.from({ length: count }, () => call(index))));
  const problems: string[] = [];
  if (total() > allowed.most || total() < allowed.least)
    problems.push(`${total()} requests of one caller were answered in a minute; the limit is ${requestsPerMinute}`);
  const parts = `${answered.join(" + ")} answered, ${refused} refused`;
  return {
    rows: { "one caller": `${total()} requests in a minute (${parts}), limit ${requestsPerMinute} for all API processes` },
    problems,
  };
}
