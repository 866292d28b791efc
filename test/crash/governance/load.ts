/** What callers do with governance while its processes are killed, and what they were answered. */
import { setTimeout as sleep } from "node:timers/promises";
import { between, type Random } from "../random.ts";
import { ask, type Answer, type Fleet } from "./processes.ts";

export interface Requested {
  id: string;
  /** Id of the resource; null for a trial. */
  resource: string | null;
}

export interface StatusCall {
  to: string;
  /** Null: nobody knows whether it was done. */
  status: number | null;
}

export interface DecidedException {
  id: string;
  until: number;
  /** Of the two who decide at once: approve (operator), then reject (admin). */
  answers: (number | null)[];
  resource: string;
}

export interface Ledger {
  reports: Requested[];
  /** Evaluations of which nobody knows whether they were accepted, by resource. */
  unknown: Set<string>;
  statusCalls: StatusCall[];
  changes: StatusCall[];
  exceptions: DecidedException[];
  /** What should never be answered. */
  odd: string[];
}

export const newLedger = (): Ledger => ({
  reports: [],
  unknown: new Set(),
  statusCalls: [],
  changes: [],
  exceptions: [],
  odd: [],
});

/** Ids of the policies of the load. */
export const ids = {
  /** About topics: each is evaluated by all of them. */
  topics: ["topic-a", "topic-b", "topic-c"],
  /** Violated by every topic, in grace for seconds and then enabled. */
  graces: "topic-grace",
  /** Goes through its life cycle and its versions. */
  cycled: "cycled",
  /** Violated by what exceptions excuse. */
  excused: "excused",
  scheduled: "every-minute",
} as const;

const described = { name: "Described", engine: "cel", spec: { assert: "has(resource.description)" } };

export async function createPolicies(fleet: Fleet, graceUntil: Date): Promise<void> {
  const done = async (path: string, body: object, status: number): Promise<void> => {
    const answer = await ask(fleet, { path, body });
    if (answer?.status !== status) throw new Error(`${path} was answered ${JSON.stringify(answer)}`);
  };
  const make = async (id: string, more: object, status: object | null): Promise<void> => {
    await done("/policies", { id, ...described, ...more }, 201);
    if (status) await done(`/policies/${id}/status`, { reason: "The test.", ...status }, 200);
  };
  const enabled = { status: "enabled" };
  for (const id of ids.topics) await make(id, { resourceType: "topic" }, enabled);
  await make(
    ids.graces,
    { resourceType: "topic" },
    { status: "grace", graceUntil: graceUntil.toISOString() },
  );
  await make(ids.excused, { resourceType: "queue" }, enabled);
  await make(ids.cycled, { resourceType: "nothing" }, null);
  const schedule = { timing: "runtime", schedule: "* * * * *", environments: ["development"] };
  await make(ids.scheduled, { resourceType: "outputport", ...schedule }, enabled);
}

export interface Load {
  fleet: Fleet;
  ledger: Ledger;
  random: Random;
}

/** Until it is stopped; resolves when the last request was answered. */
export function keepBusy(load: Load): { stop: () => Promise<void> } {
  const stopped = new AbortController();
  const repeat = async (work: (load: Load, n: number) => Promise<void>): Promise<void> => {
    for (let n = 0; !stopped.signal.aborted; n++) {
      await work(load, n);
      await sleep(between(load.random, 20, 150));
    }
  };
  const running = Promise.all([
    repeat((own, n) => evaluate(own, `ext:topic:a${n}`)),
    repeat((own, n) => evaluate(own, `ext:topic:b${n}`)),
    repeat(tryOnAll),
    repeat(cycle),
    repeat(except),
  ]);
  return {
    async stop() {
      stopped.abort();
      await running;
    },
  };
}

async function evaluate({ fleet, ledger }: Load, resource: string): Promise<void> {
  const body = {
    id: resource,
    environment: "development",
    resourceType: "topic",
    descriptor: { name: resource },
  };
  const answer = await ask(fleet, { path: "/evaluate", body });
  if (answer?.status === 202) ledger.reports.push({ id: answer.body.reportId, resource });
  else ledger.unknown.add(resource);
  note(ledger, "an evaluation", answer, [202]);
}

async function tryOnAll({ fleet, ledger, random }: Load): Promise<void> {
  await sleep(between(random, 200, 800));
  const body = { policy: described, everything: true, environment: "development" };
  const answer = await ask(fleet, { path: "/policies/test", body });
  if (answer?.status === 202) ledger.reports.push({ id: answer.body.reportId, resource: null });
  note(ledger, "a trial", answer, [202]);
}

const cycleOf = ["grace", "enabled", "disabled", "draft"] as const;

/** Each change follows from the status that was read before; another caller there is none. */
async function cycle({ fleet, ledger, random }: Load): Promise<void> {
  const path = `/policies/${ids.cycled}`;
  const read = await ask(fleet, { method: "GET", path });
  if (read?.status !== 200) return;
  const { status, version } = read.body as { status: (typeof cycleOf)[number]; version: number };
  if (random() < 0.4) {
    const body = { ...described, resourceType: "nothing", version, name: `Version ${version + 1}` };
    const answer = await ask(fleet, { method: "PUT", path, body });
    ledger.changes.push({ to: String(version + 1), status: answer?.status ?? null });
    note(ledger, "a change", answer, [200]);
    return;
  }
  const to = cycleOf[(cycleOf.indexOf(status) + 1) % cycleOf.length] ?? "grace";
  const graceUntil = new Date(Date.now() + 60_000).toISOString();
  const body = { status: to, reason: "The test.", ...(to === "grace" ? { graceUntil } : {}) };
  const answer = await ask(fleet, { path: `${path}/status`, body });
  ledger.statusCalls.push({ to, status: answer?.status ?? null });
  note(ledger, "a change of status", answer, [200]);
}

/** An exception that two decide at once, and evaluations of what it is about, until after its end. */
async function except({ fleet, ledger, random }: Load, n: number): Promise<void> {
  const resource = `ext:queue:${n}`;
  const until = Date.now() + between(random, 1_000, 5_000);
  const body = {
    policyId: ids.excused,
    resourceIds: [resource],
    reason: "The test.",
    until: new Date(until).toISOString(),
  };
  const asked = await ask(fleet, { path: "/exceptions", body, as: "service" });
  note(ledger, "an exception", asked, [201]);
  if (asked?.status !== 201) return;
  const { id } = asked.body as { id: string };
  const path = `/exceptions/${id}/decision`;
  const answers = await Promise.all([
    ask(fleet, { path, body: { approve: true, reason: "Yes." }, as: "operator" }),
    ask(fleet, { path, body: { approve: false, reason: "No." }, as: "admin" }),
  ]);
  for (const answer of answers) note(ledger, "a decision", answer, [200, 409]);
  ledger.exceptions.push({ id, until, resource, answers: answers.map((answer) => answer?.status ?? null) });
  const evaluation = {
    id: resource,
    environment: "development",
    resourceType: "queue",
    descriptor: { name: "q" },
  };
  for (let time = 0; time < 3; time++) {
    await ask(fleet, { path: "/evaluate", body: evaluation });
    await sleep(between(random, 100, 900));
  }
}

/** 503 while the server starts or stops is no answer. */
function note({ odd }: Ledger, what: string, answer: Answer | null, expected: readonly number[]): void {
  if (answer === null || expected.includes(answer.status) || answer.status === 503) return;
  odd.push(`${what} was answered ${answer.status} ${JSON.stringify(answer.body).slice(0, 300)}`);
}
