/** One simulation: a drawn scenario on simulated machines, storage and adapters, held against the judge. */
import { createPlanMetrics } from "../../src/coordinator/plan-metrics.ts";
import { createInstruments } from "../../src/platform/telemetry/instruments.ts";
import { createAdapterClient } from "../../src/coordinator/adapters/protocol/client.ts";
import { createGroupWriter } from "../../src/coordinator/execution/group-writer.ts";
import type { ExecutionLimits } from "../../src/coordinator/execution/tasks/plan-run.ts";
import { drivePlan, type Drive, type DrivenPlan } from "../../src/coordinator/execution/run.ts";
import type { PlanRow } from "../../src/coordinator/execution/types.ts";
import { createPollPace } from "../../src/coordinator/execution/tasks/poll-pace.ts";
import { createSlots } from "../../src/coordinator/execution/slots.ts";
import { createServiceClient } from "../../src/coordinator/adapters/protocol/service-client.ts";
import type { PolicyResult } from "../../src/coordinator/ports.ts";
import { Failure } from "../../src/platform/errors/failure.ts";
import { silentLogger } from "../../src/platform/lib/logger.ts";
import { createDrivenWorks, type DrivenWorks } from "../../src/platform/run-engine/driven-work.ts";
import type { Outbound } from "../../src/platform/outbound/outbound.ts";
import { between, seededRandom, type Random } from "../crash/random.ts";
import { createAdapters, type Adapters } from "./adapter.ts";
import { epochMs, withVirtualClock, type Machine, type VirtualClock } from "./clock.ts";
import { createJudge } from "./judge.ts";
import { drawPlan, drawScenario, leaseMs, type Scenario } from "./scenario.ts";
import { createStorage, isActive, type Storage, type StorageFlaws } from "./storage.ts";

/** Mistakes that a test plants, to see that the judge finds them. */
export interface Flaws {
  storage?: StorageFlaws;
  outbound?: (real: Outbound) => Outbound;
  slots?: { total: number; perAdapter: number };
  ignoresTerminations?: boolean;
}

export interface SimulationReport {
  seed: number;
  breaches: string[];
  /** What the scenario came to, for the sum over many seeds. */
  counts: Record<string, number>;
}

const limits: ExecutionLimits = {
  callTimeoutMs: 300,
  taskTimeoutMs: 3_000,
  pollInitialMs: 20,
  pollFactor: 1.5,
  pollMaxMs: 200,
  callAttempts: 3,
  retryDelayMs: 20,
  connectRetryMs: 60,
  terminateGraceMs: 500,
};
const sweepMs = 400;
/** Grace, the shortest call, one sweep, and the ways there and back of the last writes. */
const cutMs = limits.terminateGraceMs + 100 + 2 * sweepMs + 600;
const longestMs = 120_000;

export const simulate = (seed: number, flaws: Flaws = {}): Promise<SimulationReport> =>
  withVirtualClock((clock) => run(clock, seed, flaws));

/** A machine with what it is doing. */
interface Worker extends Machine {
  beatAt: number;
  plans: DrivenWorks<PlanRow, DrivenPlan>;
}

interface World {
  clock: VirtualClock;
  random: Random;
  scenario: Scenario;
  storage: Storage;
  adapters: Adapters;
  judge: ReturnType<typeof createJudge>;
  workers: Worker[];
  flaws: Flaws;
  /** Evaluations of policies so far. */
  evaluations: number;
}

async function run(clock: VirtualClock, seed: number, flaws: Flaws): Promise<SimulationReport> {
  const random = seededRandom(seed);
  const scenario = drawScenario(random);
  const workers: Worker[] = [];
  const storage = createStorage({
    clock,
    random,
    conditions: scenario,
    flaws: flaws.storage ?? {},
    onTrouble: () => world.judge.violation(clock.nowMs()),
    onExchange(machine) {
      if (random() < scenario.crashes)
        clock.after(random() * 6, () => strike(world, machine as Worker, "crash", between(random, 20, 500)));
    },
  });
  const behaviour = { odd: scenario.odd, async: scenario.async, fails: scenario.fails, slowestMs: 600 };
  const adapters = createAdapters({ clock, random, behaviour, watch: () => world.judge.adapterWatch });
  const slots = scenario.slots;
  const judge = createJudge({ clock, storage, works: adapters.works, slots, cutMs });
  storage.watchWith(judge.storageWatch);
  const world: World = { clock, random, scenario, storage, adapters, judge, workers, flaws, evaluations: 0 };
  for (const { from, to } of scenario.outages) judge.violation(from, to);
  for (let n = 0; n < scenario.machines; n++) startWorker(world);
  const open = { starts: scenario.starts.length };
  for (const start of scenario.starts) clock.after(start.at, () => tryStart(world, start, open));
  for (const { at, start, mode } of scenario.terminations) {
    const from = scenario.starts[start]?.at ?? 0;
    clock.after(Math.max(at, from + random() * 400), () => terminate(world, start, mode));
  }
  for (const { at, kind, forMs } of scenario.blows) {
    clock.after(at, () => {
      const alive = workers.filter((worker) => !worker.isDead);
      const victim = alive[Math.floor(random() * alive.length)];
      if (victim) strike(world, victim, kind, forMs);
    });
  }
  let overAt = Infinity;
  await clock.runUntil(longestMs, () => {
    const isOver = open.starts === 0 && ![...storage.plans.values()].some(isActive);
    if (!isOver) overAt = Infinity;
    else overAt = Math.min(overAt, clock.nowMs() + 3_000);
    return clock.nowMs() >= overAt;
  });
  judge.finish();
  return { seed, breaches: judge.breaches, counts: countsOf(world) };
}

function tryStart(
  { clock, random, scenario, storage }: World,
  start: Scenario["starts"][number],
  open: { starts: number },
): void {
  open.starts--;
  const { unit, operationTimeoutMs } = start;
  const isBusy = [...storage.plans.values()].some((plan) => plan.row.unitId === unit && isActive(plan));
  if (isBusy) return;
  const planId = `plan-${scenario.starts.indexOf(start)}`;
  const at = { planId, unitId: unit, nowMs: clock.nowMs(), operationTimeoutMs, scenario };
  const drawn = drawPlan(random, storage.unitOf(unit), at);
  if (!drawn) return;
  storage.insert(drawn.row, drawn.tasks);
}

function terminate(
  { clock, random, storage, workers, flaws }: World,
  start: number,
  mode: "safe" | "forced",
): void {
  const planId = `plan-${start}`;
  if (flaws.ignoresTerminations) {
    storage.plans.get(planId)?.terminations.push({ at: clock.nowMs(), mode });
    return;
  }
  if (!storage.terminate(planId, mode)) return;
  for (const worker of workers) {
    clock.after(random() * 20, () => void worker.plans.notice(planId), worker);
  }
}

function strike(world: World, worker: Worker, kind: "crash" | "stop" | "hand over", forMs: number): void {
  if (worker.isDead || worker.plans.isClosed()) return;
  const { clock, judge } = world;
  const now = clock.nowMs();
  if (kind === "stop") {
    worker.stoppedUntil = Math.max(worker.stoppedUntil, now + forMs);
    return judge.violation(now, Math.max(now + leaseMs, worker.stoppedUntil));
  }
  const replace = (): void => {
    const atOnce = kind === "hand over";
    judge.violation(now, atOnce ? clock.nowMs() : now + forMs);
    clock.after(atOnce ? 0 : forMs, () => startWorker(world));
  };
  if (kind === "crash") {
    worker.isDead = true;
    return replace();
  }
  // As on SIGTERM.
  clock.as(worker, () => {
    void worker.plans.close(200).then(() => {
      worker.isDead = true;
      replace();
    });
  });
}

function startWorker(world: World): void {
  const { clock, storage, adapters, workers, flaws, scenario } = world;
  const machine: Machine = { name: `worker-${workers.length}`, isDead: false, stoppedUntil: 0 };
  const now = (): Date => new Date(epochMs + clock.nowMs());
  const network = adapters.outbound(machine);
  const outbound = flaws.outbound?.(network) ?? network;
  const pool = storage.pool(machine) as unknown as Parameters<typeof createGroupWriter>[0]["pool"];
  const drive: Drive = {
    rows: storage.rows(machine),
    metrics: createPlanMetrics(createInstruments(), 100),
    writer: createGroupWriter({ pool, log: silentLogger, retryForMs: 2_000 }),
    pace: createPollPace(),
    slots: createSlots(flaws.slots ?? scenario.slots),
    adapters: createAdapterClient({ outbound, now }),
    services: createServiceClient({ outbound, now, secretOf: () => undefined }),
    policies: { evaluate: createPolicies(world), onUnavailable: "warn" },
    limits,
    log: silentLogger,
    now,
  };
  const plans = createDrivenWorks<PlanRow, DrivenPlan>({
    log: silentLogger,
    name: "a plan",
    idField: "planId",
    parallel: Number.MAX_SAFE_INTEGER,
    drive: (row) => drivePlan(drive, row),
    release: ({ id, fence }) => storage.release(machine, id, fence),
    async control(driven) {
      for (const [planId, plan] of driven) {
        const wanted = storage.plans.get(planId)?.row.terminateMode;
        if (!wanted) continue;
        world.judge.terminationNotified(planId, machine, storage.groupsOf(machine));
        plan.terminate(wanted);
      }
    },
  });
  const worker: Worker = Object.assign(machine, { beatAt: clock.nowMs(), plans });
  workers.push(worker);
  clock.as(worker, () => {
    beat(worker, clock);
    void sweep(world, worker);
  });
}

/** Policies that take their time, find something wrong with half of the components, and can't be reached now and then. */
function createPolicies(world: World): NonNullable<Drive["policies"]["evaluate"]> {
  return async (_, { unitId, componentIds }) => {
    const number = (world.evaluations += 1);
    await new Promise<void>((done) => setTimeout(done, (number * 37) % 300));
    if (number % 5 === 0)
      throw new Failure({ kind: "unavailable", code: "CGP_AWAY", message: "It is away." });
    const results = [unitId, ...componentIds].map((resourceId, index): PolicyResult => ({
      policyId: "p",
      policyVersion: 1,
      policyName: "P",
      resourceId,
      outcome: index % 2 === 0 ? "ok" : number % 9 === 0 ? "error" : "warning",
      blocking: index % 2 === 1 && number % 9 === 0,
      errors: [],
      advice: null,
    }));
    return { fingerprint: "p", results, report: {} };
  };
}

function beat(worker: Worker, clock: VirtualClock): void {
  worker.beatAt = clock.nowMs();
  setTimeout(() => beat(worker, clock), leaseMs / 5);
}

async function sweep(world: World, worker: Worker): Promise<void> {
  const { storage, clock } = world;
  const isLost = (owner: Machine): boolean =>
    owner.isDead || clock.nowMs() > (owner as Worker).beatAt + leaseMs;
  for (;;) {
    for (const plan of storage.plans.values()) {
      const isFree = plan.owner === null || plan.owner === worker || isLost(plan.owner);
      const { id } = plan.row;
      // A claim that the storage does not answer is made again.
      if (isActive(plan) && isFree)
        void worker.plans.take(id, () => storage.claim(worker, id, isLost)).catch(() => {});
    }
    await new Promise<void>((next) => setTimeout(next, sweepMs * world.random()));
  }
}

function countsOf({ storage, adapters, workers }: World): Record<string, number> {
  const counts: Record<string, number> = { machines: workers.length };
  const add = (name: string, more = 1): void => void (counts[name] = (counts[name] ?? 0) + more);
  for (const plan of storage.plans.values()) {
    add(`plans ${plan.row.status}`);
    add("takeovers", Math.max(0, plan.row.fence - 1));
    for (const task of plan.tasks.values()) {
      add(`tasks ${task.status}`);
      add("repeated calls", Math.max(0, task.attempts - 1));
    }
  }
  for (const work of adapters.works.values()) add(work.acted ? "acted" : "untouched");
  return counts;
}
