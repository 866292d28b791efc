/** Callers who deploy and undeploy units, each its own, follow what they have started, and read other things meanwhile. */
import type { RequestedBehaviour } from "../../../src/adapters/mock/behaviour.ts";
import { between, seededRandom, type Random } from "../../crash/random.ts";
import { environment, mockId } from "../registration.ts";
import { count, rest, type Client, type Observed } from "./client.ts";
import type { PlanRecord, StreamRecord } from "./records.ts";
import { followStream } from "./streams.ts";

export interface Load {
  accepted: PlanRecord[];
  streams: StreamRecord[];
  /** Starts nothing more, and resolves when all that was started has ended and every stream has been read. */
  finish(): Promise<void>;
  /** Gives up what still waits. */
  abandon(): void;
}

export interface LoadOptions {
  client: Client;
  observed: Observed;
  units: number;
  seed: number;
}

const componentsOfUnit = 5;
/** A plan takes two seconds where nothing is broken. */
const longestOperationMs = 180_000;
const shareOfStreams = 0.3;
const shareOfFailures = 0.1;

export function startLoad({ client, observed, units, seed }: LoadOptions): Load {
  const load: Pick<Load, "accepted" | "streams"> = { accepted: [], streams: [] };
  const stop = new AbortController();
  const giveUp = new AbortController();
  const readers = new Set<Promise<void>>();
  const operate = async (unit: Unit, random: Random): Promise<void> => {
    const plan = await start(client, unit, { random, signal: giveUp.signal });
    if (!plan) return rest(1_000, stop.signal);
    load.accepted.push(plan);
    if (random() < shareOfStreams) {
      const record: StreamRecord = { planId: plan.planId, ids: [], isWhole: false };
      load.streams.push(record);
      const reader = followStream(client, record, { observed, signal: giveUp.signal });
      readers.add(reader.finally(() => readers.delete(reader)));
    }
    await follow(client, plan, { observed, random, signal: giveUp.signal });
  };
  const work = async (number: number): Promise<void> => {
    const random = seededRandom(seed + number);
    const unit: Unit = { id: `unit-${number}`, version: 0, isDeployed: false };
    while (!stop.signal.aborted) await operate(unit, random);
  };
  const working = Promise.all(Array.from({ length: units }, (_, number) => work(number)));
  return {
    ...load,
    async finish() {
      stop.abort();
      await working;
      await Promise.all(readers);
    },
    abandon: () => giveUp.abort(),
  };
}

interface Unit {
  id: string;
  version: number;
  isDeployed: boolean;
}

type Deps = { random: Random; signal: AbortSignal };

/** Deploys, deploys a changed descriptor, or undeploys; null when the caller had to give up. */
async function start(client: Client, unit: Unit, { random, signal }: Deps): Promise<PlanRecord | null> {
  const deploys = !unit.isDeployed || random() < 0.3;
  unit.version++;
  const failing = new Set<string>();
  const components = Array.from({ length: componentsOfUnit }, (_, place) => {
    const id = `${unit.id}-${place}`;
    const fails = deploys && random() < shareOfFailures / componentsOfUnit;
    if (fails) failing.add(id);
    return {
      id,
      name: `Part ${place}`,
      kind: "storage",
      infrastructureTemplateId: mockId,
      dependsOn: place === 1 || place === 2 ? [`${unit.id}-${place - 1}`] : [],
      specific: { version: unit.version, mock: behaviourOf(random, fails) },
    };
  });
  const targetStatus = deploys ? "DEPLOYED" : "NOT_DEPLOYED";
  const text = await client.ask({
    name: "start",
    method: "POST",
    path: `/api/coordinator/v2/deployment-units/${unit.id}/provisioning?environment=${environment}`,
    headers: { "idempotency-key": `"${unit.id}-${unit.version}"` },
    body: {
      descriptor: { id: unit.id, name: unit.id, version: `1.${unit.version}`, environment, components },
      targetStatus: components.map(({ id }) => ({ componentId: id, targetStatus })),
    },
    wanted: 202,
    signal,
  });
  if (text === null) return null;
  unit.isDeployed = deploys;
  const planId = JSON.parse(text) as string;
  return { planId, unitId: unit.id, deploys, failing, components: components.map(({ id }) => id) };
}

function behaviourOf(random: Random, fails: boolean): RequestedBehaviour {
  const behaviour: RequestedBehaviour =
    random() < 0.5
      ? { delayMs: Math.floor(between(random, 0, 600)) }
      : { mode: "async", runningMs: Math.floor(between(random, 100, 1_200)) };
  return fails ? { ...behaviour, operations: { provision: { outcome: "FAILED" } } } : behaviour;
}

const ends = new Set(["COMPLETED", "FAILED", "TERMINATED"]);

/** Asks for the plan's status until it has ended, and for other things in between. */
async function follow(
  client: Client,
  plan: PlanRecord,
  { observed, random, signal }: Deps & { observed: Observed },
): Promise<void> {
  const path = `/api/coordinator/v1/execution-plans/${plan.planId}/status`;
  const until = performance.now() + longestOperationMs;
  while (!signal.aborted) {
    const text = await client.ask({ name: "status", path, wanted: 200, signal });
    const status = text === null ? null : (JSON.parse(text) as PlanStatus).dag.status;
    if (status !== null && ends.has(status)) return;
    if (performance.now() > until) {
      const why = text === null ? "it can't be read" : waitingReasons(text);
      count(
        observed.violations,
        `the plan of ${plan.unitId} was open after ${longestOperationMs} ms: ${why}`,
      );
      return;
    }
    const other = reads[Math.floor(random() * reads.length)];
    if (other)
      await client.ask({ ...other, path: other.path.replace("UNIT", plan.unitId), wanted: 200, signal });
    await rest(between(random, 100, 400), signal);
  }
}

interface PlanStatus {
  dag: { status: string };
}

/** What a plan waits for, in its own words. */
export const waitingReasons = (text: string): string =>
  [...new Set([...text.matchAll(/"reason":"([^"]+)"/g)].map(([, reason]) => reason))].slice(0, 5).join(" / ");

/** Reads of every area, so that each has to answer while the database is away. */
const reads = [
  { name: "adapters", path: "/api/coordinator/v1/tech-adapters?limit=5" },
  {
    name: "unit status",
    path: `/api/coordinator/v1/deployment-units/UNIT/provisioning-status?environment=${environment}`,
  },
  {
    name: "plans",
    path: `/api/coordinator/v1/provisioning-plans?data-product-id=UNIT&environments=${environment}&limit=2`,
  },
  { name: "entities", path: "/api/catalog/entities?limit=5" },
  { name: "agents", path: "/api/assistant/v2/agents" },
];
