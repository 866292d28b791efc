/** Kills the worker at every write of a plan in turn, before and after it, and has another one finish. */
import { expect } from "vitest";
import { startEngine, type TestEngine } from "./engine.ts";
import type { Moment } from "./killable-database.ts";
import { openLane, type Lane } from "./lane.ts";
import { endState, expectFaithful, type EndState } from "./ledger.ts";
import { accept, type PlanFixture } from "./plan-fixtures.ts";
import { eventually } from "../support/eventually.ts";

export interface CrashReport {
  runs: number;
  /** Adapter calls that were made again because of a crash. */
  repeats: number;
}

const maxMoments = 200;

export async function crashAfterEveryEvent(lane: Lane, fixture: PlanFixture): Promise<CrashReport> {
  // It takes only what the dead leave; making a fresh one each time would cost more than all the rest.
  const survivor = await startEngine(lane.db.connection);
  const report: CrashReport = { runs: 0, repeats: 0 };
  try {
    const undisturbed = await crashAt({ lane, fixture, survivor }, null);
    for (const side of ["after", "before"] as const) {
      for (let number = 1; number <= maxMoments; number++) {
        const run = await crashOwn({ lane, fixture, survivor }, { number, side });
        if (!run.killed) break;
        report.runs++;
        report.repeats += run.repeats;
        expect(run.state, `killed ${side} write ${number}`).toEqual(undisturbed.state);
      }
    }
    return report;
  } finally {
    await survivor.close();
  }
}

/** Those with the most writes, and those whose kinds of tasks the others have too; only `npm run test:nightly` has them. */
const longOnes = new Set([
  "chain",
  "diamond",
  "wide",
  "layered",
  "removed",
  "root",
  "unprovision",
  "unprovision with root",
  "asynchronous",
  "validation",
  "policies",
  "external services",
  "reverse provisioning",
]);
export const isLongWhenCrashed = ({ name }: PlanFixture): boolean => longOnes.has(name);

export async function expectNoTrace(fixture: PlanFixture): Promise<void> {
  const lane = await openLane();
  try {
    const report = await crashAfterEveryEvent(lane, fixture);
    // A claim, an end, and at least a start and an outcome between them where there is something to do.
    expect(report.runs).toBeGreaterThanOrEqual(fixture.name === "empty" ? 4 : 8);
    if (fixture.name !== "empty") expect(report.repeats).toBeGreaterThan(0);
  } finally {
    await lane.close();
  }
}

interface CaseContext {
  lane: Lane;
  fixture: PlanFixture;
  survivor: TestEngine;
}

interface CrashRun {
  killed: boolean;
  /** Whether the surviving worker wrote anything of the plan. */
  isTaken: boolean;
  state: EndState;
  repeats: number;
}

/** On a busy machine the surviving worker may take the plan before the other one dies. Such a run proves nothing and is repeated. */
async function crashOwn(context: CaseContext, moment: Moment): Promise<CrashRun> {
  for (;;) {
    const run = await crashAt(context, moment);
    if (run.killed || !run.isTaken) return run;
  }
}

let units = 0;

async function crashAt({ lane, fixture, survivor }: CaseContext, moment: Moment | null): Promise<CrashRun> {
  const unitId = `unit-${++units}`;
  lane.setComponentBehaviours(fixture.allRequested ?? {});
  if (fixture.before) {
    const planId = await lane.start(fixture.before(unitId));
    await survivor.drive(planId);
    await lane.read(planId);
  }
  const engine = await startEngine(lane.db.connection);
  try {
    engine.killable.arm(moment);
    survivor.killable.arm(null);
    const planId = await accept(lane, fixture, unitId);
    const reading = lane.read(planId);
    void engine.drive(planId);
    await Promise.race([engine.killable.death, reading.then(() => isIdle(engine))]);
    const killed = engine.killable.isDead();
    const seen = await reading;
    const calls = lane.calls(planId);
    await expectFaithful(lane.db.database.db, planId, { seen, calls });
    const keys = new Set(calls.map((call) => call.idempotencyKey));
    return {
      killed,
      isTaken: survivor.killable.passed() > 0,
      state: await endState(lane.db.database.db, planId),
      repeats: calls.length - keys.size,
    };
  } finally {
    await engine.close();
  }
}

/** It has nothing left to write; or it has died over its last write. */
const isIdle = ({ worker, killable }: TestEngine): Promise<boolean> =>
  eventually("an idle worker", () => worker.driving() === 0 || killable.isDead());
