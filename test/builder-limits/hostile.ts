/** Hostile templates instantiated and tried at the same time: how each is stopped, and what everybody else feels. */
import { setTimeout as wait } from "node:timers/promises";
import type { StreamedEvent } from "../builder/builder-fixture.ts";
import { entityOf, hostileTemplates, largeTemplate, type HostileTemplate } from "./hostile-templates.ts";
import { instantiatePath, sortedFigures, type Platform } from "./platform.ts";

export interface HostileReport {
  /** Delay of the server's event loop during the run, in ms. */
  loop: { p50: number; p99: number; max: number };
  /** From the beginning of the step to its end, with no more at a time than there are threads; sorted. */
  stoppedMs: number[];
  slowest: string;
  /** The same when many more are at work, which wait for a thread. */
  crowdedMs: number[];
  /** Times of unrelated calls while many templates are rendered. */
  otherCallsMs: number[];
  tasks: number;
  dryRuns: number;
  violations: string[];
}

export interface HostileOptions {
  /** Times that each template is run in the crowd, by either way. */
  rounds: number;
  /** At a time, in the crowd. */
  width: number;
}

/** As many as the server has threads that render. */
const threads = 2;

export async function runHostile(platform: Platform, options: HostileOptions): Promise<HostileReport> {
  for (const template of [...hostileTemplates, largeTemplate]) await platform.addTemplate(entityOf(template));
  const violations: string[] = [];
  const state = { platform, violations, tasks: 0, dryRuns: 0 };
  // What is loaded once and kept is not what this asks about.
  for (const template of hostileTemplates) await instantiate(state, template);
  await loopDelay(platform);
  const alone: { name: string; ms: number }[] = [];
  await inParallel(
    threads,
    hostileTemplates.flatMap((template) => [template, template]),
    async (template) => {
      const ms = await instantiate(state, template);
      if (ms !== null) alone.push({ name: template.name, ms });
    },
  );
  const crowdedMs: number[] = [];
  const otherCallsMs: number[] = [];
  let isOver = false;
  const others = (async () => {
    while (!isOver) {
      const from = performance.now();
      const { status } = await platform.call("/api/builder/templates/tasks?limit=1");
      if (status !== 200) violations.push(`a list of tasks was answered ${status} in the crowd`);
      otherCallsMs.push(performance.now() - from);
      await wait(20);
    }
  })();
  const manyTemplates = Array.from({ length: options.rounds }, () => hostileTemplates).flat();
  await Promise.all([
    inParallel(options.width, manyTemplates, async (template) => {
      const ms = await instantiate(state, template);
      if (ms !== null) crowdedMs.push(ms);
    }),
    inParallel(2, manyTemplates, (template) => tryOut(state, template)),
    inParallel(1, Array.from({ length: options.rounds }), () => carryLarge(state)),
  ]);
  const loop = await loopDelay(platform);
  isOver = true;
  await others;
  const slowest = alone.toSorted((a, b) => b.ms - a.ms)[0];
  return {
    loop,
    stoppedMs: sortedFigures(alone.map(({ ms }) => ms)),
    slowest: slowest === undefined ? "" : slowest.name,
    crowdedMs: sortedFigures(crowdedMs),
    otherCallsMs: sortedFigures(otherCallsMs),
    tasks: state.tasks,
    dryRuns: state.dryRuns,
    violations,
  };
}

interface State {
  platform: Platform;
  violations: string[];
  tasks: number;
  dryRuns: number;
}

/** How long its step took to be stopped; null when it never began. */
async function instantiate(state: State, template: HostileTemplate): Promise<number | null> {
  const { platform, violations } = state;
  state.tasks += 1;
  const answer = await platform.insist(instantiatePath, { templateRef: template.name, values: {} });
  if (answer.status !== 200) {
    judgeRefusal(state, template, answer);
    return null;
  }
  const events = await platform.events(answer.body.id);
  const step = events.filter(({ data }) => data.stepId === "bad");
  const failed = step.find(({ data }) => data.status === "failed");
  judgeEnd(violations, template, failed?.data.message);
  const end = failed ?? step.at(-1);
  return end === undefined ? null : timeOf(end) - timeOf(step[0] ?? end);
}

const timeOf = ({ data }: StreamedEvent): number => Date.parse(data.createdAt);

async function tryOut(state: State, template: HostileTemplate): Promise<void> {
  const { platform, violations } = state;
  state.dryRuns += 1;
  const body = { template: entityOf(template), values: {}, directoryContents: besides };
  const answer = await platform.insist("/api/builder/templates/dry-run", body);
  if (answer.status !== 200) return judgeRefusal(state, template, answer);
  judgeEnd(violations, template, answer.body.error ?? undefined);
}

/** Without a file beside it a template has no place of its own. */
const besides = [{ path: "read-me.txt", base64Content: "eA==" }];

async function carryLarge({ platform, violations }: State): Promise<void> {
  const answer = await platform.insist(instantiatePath, { templateRef: largeTemplate.name, values: {} });
  const events = answer.status === 200 ? await platform.events(answer.body.id) : [];
  const status = events.at(-1)?.data.status;
  if (status !== "completed") violations.push(`${largeTemplate.name}: ${answer.status} ${status}`);
}

function judgeRefusal(
  { violations }: State,
  { name, end, key }: HostileTemplate,
  { status, text, body }: { status: number; text: string; body: any },
): void {
  const where = `/spec/steps/0/input/${key.replaceAll(".", "/")}:`;
  const problems: { where?: string; message: string }[] = body?.error?.problems ?? [];
  const isReported = problems.some(
    (problem) => problem.where?.startsWith(where) === true && problem.message.includes(`Step "bad"`),
  );
  if (end !== "refused" || status !== 400 || !isReported)
    violations.push(`${name}: answered ${status} ${text.slice(0, 300)}`);
}

function judgeEnd(
  violations: string[],
  { name, end, key }: HostileTemplate,
  error: string | undefined,
): void {
  const place = new RegExp(`^step "bad", input\\.${key.replaceAll(".", "\\.")} \\(line 1, column \\d+\\): `);
  if (end === "nothing" ? error === undefined : end === "stopped" && place.test(error ?? "")) return;
  violations.push(
    `${name}: ${end} was to come of it, and it ended with: ${(error ?? "no failure").slice(0, 300)}`,
  );
}

async function inParallel<T>(
  width: number,
  items: readonly T[],
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const waiting = items.values();
  const take = async (): Promise<void> => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: width }, take));
}

/** Since it was last asked. */
async function loopDelay(platform: Platform): Promise<HostileReport["loop"]> {
  const { text } = await platform.call("/metrics");
  const figure = (name: string): number =>
    Number(new RegExp(`^nodejs_eventloop_lag_${name}_seconds (\\S+)$`, "m").exec(text)?.[1]) * 1_000;
  return { p50: figure("p50"), p99: figure("p99"), max: figure("max") };
}
