/** Has each task of a plan fail in turn, each time in another way, and compares the end state with the rules. */
import { expect } from "vitest";
import type { RequestedBehaviour } from "../../src/adapters/mock/behaviour.ts";
import type { Db } from "../../src/platform/db/database.ts";
import { sql } from "../../src/platform/db/sql.ts";
import type { TestEngine } from "./engine.ts";
import type { Lane } from "./lane.ts";
import { componentsOf, endState, expectFaithful, type EndState } from "./ledger.ts";
import { accept, type PlanFixture } from "./plan-fixtures.ts";

interface Failure {
  name: string;
  requested: RequestedBehaviour;
  /** The adapter may have touched something. */
  mayHaveActed: boolean;
}

const always = Number.MAX_SAFE_INTEGER;

const failures: Failure[] = [
  { name: "FAILED", requested: { outcome: "FAILED" }, mayHaveActed: true },
  { name: "500", requested: { odd: { start: { name: "500", times: always } } }, mayHaveActed: true },
  { name: "401", requested: { odd: { start: { name: "401", times: always } } }, mayHaveActed: false },
  { name: "400", requested: { odd: { start: { name: "400", times: always } } }, mayHaveActed: true },
  {
    name: "no usable answer",
    requested: { odd: { start: { name: "malformed-json", times: always } } },
    mayHaveActed: true,
  },
  {
    name: "a reset each time",
    requested: { odd: { start: { name: "reset-after", times: always } } },
    mayHaveActed: true,
  },
  { name: "404", requested: { odd: { start: { name: "404", times: always } } }, mayHaveActed: false },
];

const refusals: Failure[] = [
  { name: "not valid", requested: { validationErrors: ["no"] }, mayHaveActed: false },
  {
    name: "500",
    requested: { odd: { validate: { name: "500", times: always } } },
    mayHaveActed: false,
  },
];

const violations: Failure[] = [{ name: "violated", requested: {}, mayHaveActed: false }];

export interface PlannedTask {
  id: string;
  action: string;
  stage: number;
  componentId: string | null;
  dependsOn: string[];
}

let units = 0;

/** Returns how many failures were caused. */
export async function failEveryTask(lane: Lane, engine: TestEngine, fixture: PlanFixture): Promise<number> {
  let failureCount = 0;
  const unit = (): string => `failing-${++units}`;
  const whole = await runOnce({ lane, engine, fixture, unitId: unit() }, null);
  for (const [index, { id }] of whole.tasks.entries()) {
    const context = { lane, engine, fixture, unitId: unit() };
    const kinds = id.startsWith("policy:") ? violations : id.startsWith("validate:") ? refusals : failures;
    const failure = kinds[index % kinds.length]!;
    const run = await runOnce(context, { index, failure });
    const task = run.tasks[index]!;
    const wanted = expected(run, whole, { task, failure, fixture });
    expect(run.state, `${task.id}: ${failure.name}`).toEqual(wanted);
    await expectFree(context);
    failureCount++;
  }
  return failureCount;
}

interface CaseContext {
  lane: Lane;
  engine: TestEngine;
  fixture: PlanFixture;
  unitId: string;
}

interface Run {
  planId: string;
  tasks: PlannedTask[];
  before: Record<string, { status: string }>;
  state: EndState;
}

async function runOnce(context: CaseContext, plan: { index: number; failure: Failure } | null): Promise<Run> {
  const { lane, engine, fixture, unitId } = context;
  const db = lane.db.database.db;
  lane.setComponentBehaviours(fixture.allRequested ?? {});
  lane.service.failing = null;
  if (fixture.before) {
    const planId = await lane.start(fixture.before(unitId));
    await engine.drive(planId);
    await lane.read(planId);
  }
  const before = await componentsOf(db, unitId);
  const violated = plan?.failure.name === "violated" ? violating(context, plan.index) : fixture;
  const planId = await accept(lane, violated, unitId);
  const tasks = await plannedTasks(db, planId);
  const task = plan ? tasks[plan.index] : undefined;
  if (task && plan && isNotice(task))
    lane.service.failing = { path: pathOf(task), status: Number(plan.failure.name) || 500 };
  else if (task && plan) lane.setComponentBehaviours(behavioursFor(fixture, task, plan.failure));
  await engine.drive(planId);
  const seen = await lane.read(planId);
  await expectFaithful(db, planId, { seen, calls: lane.calls(planId) });
  return { planId, tasks, before, state: await endState(db, planId) };
}

/** The fixture with a descriptor that violates the policies of the task at that place. */
function violating({ fixture, unitId }: CaseContext, index: number): PlanFixture {
  const body = fixture.body?.(unitId);
  const unit = structuredClone(body?.descriptor) as { policy?: string; components: { specific: object }[] };
  if (index === 0) unit.policy = "error";
  else Object.assign(unit.components[index - 1]!.specific, { policy: "error" });
  return { ...fixture, body: () => ({ ...body!, descriptor: unit }) };
}

const isNotice = ({ action }: PlannedTask): boolean => action === "PUBLISH" || action === "UNPUBLISH";

/** The service of a task stands behind the colon of its id, and before the path that is called. */
const pathOf = ({ id }: PlannedTask): string =>
  id.endsWith(":access-sync") ? "/access" : `/${id.split(":")[1]}/`;

function behavioursFor(
  fixture: PlanFixture,
  task: PlannedTask,
  failure: Failure,
): Record<string, RequestedBehaviour> {
  const allRequested = fixture.allRequested ?? {};
  const operations = {
    VALIDATE_COMPONENT: "validate",
    PROVISION: "provision",
    UNPROVISION: "unprovision",
    UPDATE_ACL: "updateacl",
    REVERSE_PROVISION: "reverse-provisioning",
  };
  const operation = operations[task.action as keyof typeof operations] as "validate";
  // A task about no component has the name of a template behind the colon.
  const id = task.componentId ?? task.id.split(":")[1] ?? "";
  const own: RequestedBehaviour = { ...allRequested[id], operations: { [operation]: failure.requested } };
  return { ...allRequested, [id]: own };
}

async function plannedTasks(db: Db, planId: string): Promise<PlannedTask[]> {
  const { rows } = await sql<PlannedTask>`select task_id as id, action, stage, component_id as "componentId",
    depends_on as "dependsOn" from plan_tasks where plan_id = ${planId} order by position`.execute(db);
  return rows;
}

/** The expected end state, derived from the undisturbed run and the rules, not from the engine. */
function expected(
  run: Run,
  whole: Run,
  { task, failure, fixture }: { task: PlannedTask; failure: Failure; fixture: PlanFixture },
): EndState {
  const unitId = run.tasks.find((each) => each.componentId?.startsWith("failing-"))?.componentId ?? "";
  const short = (id: string): string => id.replace(unitId || "none", "unit");
  const skipped = new Set(skippedBy(run.tasks, task));
  const tasks: Record<string, string> = {};
  const components = { ...whole.state.components };
  for (const each of run.tasks) {
    const isFailed = each.id === task.id;
    tasks[short(each.id)] = isFailed ? "FAILED" : skipped.has(each.id) ? "SKIPPED" : "COMPLETED";
    if (each.componentId === null || !/^(un)?provision:/.test(each.id)) continue;
    if (!isFailed && !skipped.has(each.id)) continue;
    const key = short(each.componentId);
    const previous = run.before[key];
    // A 400 says that nothing has begun, and there was nothing before.
    const isRefused = failure.name === "400" && each.action === "PROVISION" && previous === undefined;
    if (isFailed && failure.mayHaveActed && !isRefused)
      components[key] = expect.objectContaining({ status: "CORRUPT" }) as { status: string };
    else if (previous) components[key] = previous;
    else delete components[key];
  }
  const isAside =
    isNotice(task) &&
    !fixture.services?.some(({ id, isBlocking }) => isBlocking && task.id.endsWith(`:${id}`));
  if (isAside) return { ...whole.state, tasks };
  const isOperation = whole.state.plan.operation !== null;
  const reached = !isOperation || run.tasks.some((each) => each.stage > 0 && !skipped.has(each.id));
  const failed = { status: "FAILED", failure: expect.stringContaining("Failed: ") as string };
  const shared = { plan: { ...failed, operation: isOperation ? "FAILED" : null }, access: [], audit: [] };
  if (!isOperation) return { ...shared, unit: whole.state.unit, tasks, components };
  return {
    ...shared,
    unit: reached
      ? { ...whole.state.unit, lastPlan: "FAILED" }
      : (expect.objectContaining({ lastPlan: "FAILED" }) as object),
    tasks,
    components,
  };
}

function skippedBy(tasks: PlannedTask[], failed: PlannedTask): string[] {
  if (failed.stage <= 0) return tasks.filter((each) => each.stage > failed.stage).map((each) => each.id);
  const lost = new Set([failed.id]);
  // The tasks are listed with what they need before them.
  for (const each of tasks)
    if (each.stage > failed.stage || each.dependsOn.some((id) => lost.has(id))) lost.add(each.id);
  lost.delete(failed.id);
  return [...lost];
}

/** A start is accepted again and puts everything right. */
async function expectFree({ lane, engine, fixture, unitId }: CaseContext): Promise<void> {
  lane.setComponentBehaviours(fixture.allRequested ?? {});
  lane.service.failing = null;
  const planId = await accept(lane, fixture, unitId);
  await engine.drive(planId);
  await lane.read(planId);
  const state = await endState(lane.db.database.db, planId);
  const operation = fixture.body ? "SUCCEEDED" : null;
  expect(state.plan).toEqual({ status: "COMPLETED", failure: null, operation });
  if (!fixture.body) return;
  const wanted = new Set(
    fixture
      .body(unitId)
      .targetStatus.map(({ componentId, targetStatus }) => `${componentId} ${targetStatus}`),
  );
  for (const [key, { status }] of Object.entries(state.components) as [string, { status: string }][]) {
    if (wanted.has(`${key} DEPLOYED`)) expect(status, key).toBe("DEPLOYED");
    else if (key !== "unit") expect(status, key).toBe("NOT_DEPLOYED");
  }
}
