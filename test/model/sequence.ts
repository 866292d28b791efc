/** Runs one sequence of commands against the system and the reference, and tells where they part. */
import { sql } from "../../src/platform/db/sql.ts";
import type { RequestedBehaviour } from "../../src/adapters/mock/behaviour.ts";
import { illegalMoves, storedEvents, unfaithfulRepeats } from "../engine/record.ts";
import type { Answer } from "../support/server.ts";
import type { Command } from "./commands.ts";
import {
  accept,
  conclude,
  expectPlan,
  isCertainlyActive,
  mayHang,
  newUnit,
  parts,
  unitStatus,
  type Behaviour,
  type Part,
  type SeenEnd,
  type TaskEnd,
  type UnitModel,
  type StartRequest,
} from "./reference.ts";
import { mockBehaviour, type System } from "./system.ts";

const environment = "development";
const ends = new Set(["COMPLETED", "FAILED", "TERMINATED"]);

interface UnitState {
  id: string;
  model: UnitModel;
  behaviours: Record<Part, Behaviour>;
  keyed: { key: string; body: object; path: string; token: string } | null;
}

interface SequenceState {
  system: System;
  adapterId: string;
  hasAdapter: boolean;
  units: UnitState[];
  worker: number;
}

let sequences = 0;

/** Rejects where the system does what the reference does not allow. */
export async function runSequence(system: System, commands: readonly Command[]): Promise<void> {
  const name = `s${++sequences}`;
  const sequence: SequenceState = {
    system,
    adapterId: `urn:test:itm:${name}:1`,
    hasAdapter: true,
    units: [0, 1].map((n) => ({
      id: `urn:test:dp:${name}:u${n}`,
      model: newUnit(),
      behaviours: { a: "done", b: "done", c: "done" },
      keyed: null,
    })),
    worker: 0,
  };
  perform(sequence);
  await system.first.registerMock(sequence.adapterId);
  for (const [index, command] of commands.entries()) {
    try {
      await run(sequence, command);
    } catch (error) {
      const which = `command ${index} ${JSON.stringify(command)}`;
      throw new Error(`${which}: ${(error as Error).message}`, { cause: error });
    }
  }
  for (const unit of sequence.units) {
    await finishPlan(sequence, unit);
    await readUnit(sequence, unit, 0);
    await readUnit(sequence, unit, 1);
    await checkRecords(sequence, unit);
  }
}

function run(sequence: SequenceState, command: Command): Promise<void> {
  const unit = sequence.units["unit" in command ? command.unit : 0]!;
  switch (command.do) {
    case "start":
      return start(sequence, unit, command);
    case "repeat":
      return repeat(sequence, unit, command.api);
    case "preview":
      return preview(sequence, unit, command);
    case "terminate":
      return terminate(sequence, unit, command);
    case "setBehaviour":
      return change(sequence, unit, command);
    case "adapter":
      return enable(sequence, command);
    case "access":
      return access(sequence, unit, command);
    case "look":
      return readUnit(sequence, unit, command.api);
    case "wait":
      return finishPlan(sequence, unit);
    default:
      return kill(sequence, command.worker);
  }
}

const partId = (unit: UnitState, part: Part): string => `${unit.id}:${part}`;

function bodyOf(sequence: SequenceState, unit: UnitState, request: StartRequest): object {
  const names = parts.filter((part) => part !== "c" || !request.dropsC);
  return {
    descriptor: {
      id: unit.id,
      name: unit.id,
      version: "1",
      environment,
      components: names.map((part) => ({
        id: partId(unit, part),
        name: part,
        kind: "storage",
        consumable: true,
        infrastructureTemplateId: sequence.adapterId,
        dependsOn: part === "a" ? [] : [partId(unit, "a")],
        specific: { version: request.versions[part] },
      })),
    },
    targetStatus: parts.flatMap((part) => {
      const targetStatus = request.targets[part];
      return targetStatus === null ? [] : [{ componentId: partId(unit, part), targetStatus }];
    }),
    removeData: request.removeData,
    preventRedeploy: request.preventRedeploy,
  };
}

const pathOf = (unit: UnitState, more = ""): string => `/v2/deployment-units/${unit.id}/provisioning${more}`;

async function start(
  sequence: SequenceState,
  unit: UnitState,
  command: Extract<Command, { do: "start" }>,
): Promise<void> {
  const { request, api, worker } = command;
  await notice(sequence, unit);
  const wasCertain = unit.model.plan !== null && isCertainlyActive(unit.model.plan);
  const path = `${pathOf(unit)}?environment=${environment}&unsafe=${request.mode === "unsafe"}`;
  const body = bodyOf(sequence, unit, request);
  const key = command.key ? `${unit.id}-${unit.model.ended.length}-${Math.random()}` : null;
  const headers: Record<string, string> = key ? { "idempotency-key": key } : {};
  const answer = await sequence.system.call(api, { method: "POST", path, body, headers });
  if (answer.status === 409) {
    if (!unit.model.plan) diverge("a start at rest was refused as active", answer);
    return;
  }
  if (wasCertain) diverge("a start was not refused although a plan is active", answer);
  // The plan before has ended in the meantime.
  if (unit.model.plan) await mustHaveEnded(sequence, unit);
  const { verdict, actions } = expectPlan(unit.model, request, sequence.hasAdapter);
  const expected = verdict === "OK" ? 202 : 400;
  if (answer.status !== expected) diverge(`a start (${verdict}) should be answered ${expected}`, answer);
  if (answer.status !== 202) return;
  const token = answer.body as string;
  accept(unit.model, { token, request, actions }, unit.behaviours);
  if (key) unit.keyed = { key, body, path, token };
  sequence.worker = worker;
  sequence.system.drive(worker, token);
}

async function repeat(sequence: SequenceState, unit: UnitState, api: number): Promise<void> {
  if (!unit.keyed) return;
  const { key, body, path, token } = unit.keyed;
  const answer = await sequence.system.call(api, {
    method: "POST",
    path,
    body,
    headers: { "idempotency-key": key },
  });
  if (answer.status !== 202 || answer.body !== token) diverge(`a repeat should be answered ${token}`, answer);
}

async function preview(
  sequence: SequenceState,
  unit: UnitState,
  command: Extract<Command, { do: "preview" }>,
): Promise<void> {
  const { request, api, autofill } = command;
  await notice(sequence, unit);
  const wasAtRest = unit.model.plan === null;
  const path = `${pathOf(unit, "/preview")}?environment=${environment}&autofill-target-status=${autofill}`;
  const answer = await sequence.system.call(api, {
    method: "POST",
    path,
    body: bodyOf(sequence, unit, request),
  });
  if (answer.status !== 200 && answer.status !== 400) diverge("a preview is answered 200 or 400", answer);
  if (!wasAtRest || autofill) return;
  const { verdict, actions } = expectPlan(unit.model, { ...request, mode: "strict" }, sequence.hasAdapter);
  if (verdict === "invalid") {
    if (answer.status !== 400) diverge("the preview should be refused", answer);
    return;
  }
  const seen = (answer.body.operations ?? []).map(
    (each: any) => `${each.componentId.slice(-1)} ${each.action}`,
  );
  const wanted = [...actions].map(([part, action]) => `${part} ${action}`);
  if (answer.body.outcome !== verdict) diverge(`the outcome of the preview should be ${verdict}`, answer);
  if (verdict === "OK" && seen.toSorted().join() !== wanted.toSorted().join())
    diverge(`the preview should be ${wanted.join()}`, answer);
}

async function terminate(
  sequence: SequenceState,
  unit: UnitState,
  command: Extract<Command, { do: "terminate" }>,
): Promise<void> {
  const { api, mode, by } = command;
  await notice(sequence, unit);
  const { plan, ended } = unit.model;
  const token = by === "old plan" ? ended.at(-1) : plan?.token;
  const path =
    by === "unit"
      ? `${pathOf(unit, "/terminate")}?environment=${environment}&mode=${mode}`
      : `/v1/execution-plans/${token ?? "nothing"}/terminate?mode=${mode}`;
  const wasCertain = plan !== null && isCertainlyActive(plan);
  const answer = await sequence.system.call(api, { method: "POST", path });
  const isOfPlan = plan !== null && by !== "old plan";
  const allowed = isOfPlan ? (wasCertain ? [202] : [202, 400]) : by === "unit" || token ? [400] : [404];
  if (!allowed.includes(answer.status)) diverge(`a termination is answered ${allowed.join(" or ")}`, answer);
  if (!isOfPlan) return;
  if (answer.status === 400) await mustHaveEnded(sequence, unit);
  else plan.terminated = mode === "forced" ? "forced" : (plan.terminated ?? "safe");
}

async function change(
  sequence: SequenceState,
  unit: UnitState,
  { part, behaviour }: Extract<Command, { do: "setBehaviour" }>,
): Promise<void> {
  unit.behaviours[part] = behaviour;
  unit.model.plan?.behavioursDuring.get(part)?.add(behaviour);
  perform(sequence);
}

async function kill({ system, units }: SequenceState, worker: number): Promise<void> {
  for (const { model } of units) if (model.plan) model.plan.isMadeAgain = true;
  await system.kill(worker);
}

/** Tells the mock what it plays; those of other sequences are over. */
function perform({ system, units }: SequenceState): void {
  const components: Record<string, RequestedBehaviour> = {};
  for (const unit of units)
    for (const part of parts) components[partId(unit, part)] = mockBehaviour(unit.behaviours[part]);
  system.first.mock.setBehaviours({ components });
}

async function enable(
  sequence: SequenceState,
  { api, enabled }: Extract<Command, { do: "adapter" }>,
): Promise<void> {
  const path = `/v1/tech-adapters/${sequence.adapterId}/deployments/${environment}`;
  const body = { url: sequence.system.first.mock.url, enabled };
  const answer = await sequence.system.call(api, { method: "PUT", path, body });
  if (answer.status !== 200) diverge("the adapter's deployment should be taken", answer);
  sequence.hasAdapter = enabled;
}

async function access(
  sequence: SequenceState,
  unit: UnitState,
  command: Extract<Command, { do: "access" }>,
): Promise<void> {
  const { api, part, worker } = command;
  await notice(sequence, unit);
  const wasCertain = unit.model.plan !== null && isCertainlyActive(unit.model.plan);
  const body = {
    dataProductUrn: unit.id,
    outputPortId: 1,
    outputPortUrn: partId(unit, part),
    requestId: `r-${Math.random()}`,
    identities: ["user:ada"],
    environment,
  };
  const answer = await sequence.system.call(api, { method: "POST", path: "/v1/updateacl", body });
  if (unit.model.plan && (answer.status === 409 || (wasCertain && answer.status === 400))) return;
  if (wasCertain) diverge("an access request was taken although a plan is active", answer);
  if (unit.model.plan) await mustHaveEnded(sequence, unit);
  const isDeployed = unit.model.components.get(part)?.status === "DEPLOYED";
  const expected = isDeployed && sequence.hasAdapter ? 202 : 400;
  if (answer.status !== expected) diverge(`an access request should be answered ${expected}`, answer);
  if (answer.status !== 202) return;
  sequence.system.drive(worker, answer.body);
  const status = await endOf(sequence, answer.body);
  if (status !== "COMPLETED") diverge(`the change of access ended ${status}`, answer);
}

/** What anyone may see of the unit just now. */
async function readUnit(sequence: SequenceState, unit: UnitState, api: number): Promise<void> {
  await notice(sequence, unit);
  const path = `/v1/deployment-units/${unit.id}/provisioning-status?environment=${environment}`;
  const answer = await sequence.system.call(api, { path });
  if (answer.status !== 200) diverge("the status should be answered", answer);
  const { plan } = unit.model;
  if (plan && answer.body.status === "PROVISIONING_IN_PROGRESS") return;
  if (plan && isCertainlyActive(plan)) diverge("the unit should be in progress", answer);
  if (plan) await mustHaveEnded(sequence, unit);
  const expected = unitStatus(unit.model);
  if (answer.body.status !== expected) diverge(`the unit should be ${expected}`, answer);
  for (const part of parts) {
    const of = `/v1/deployment-units/${unit.id}/components/${partId(unit, part)}/provisioning-status`;
    const component = await sequence.system.call(api, { path: `${of}?environment=${environment}` });
    const status = unit.model.components.get(part)?.status ?? "NOT_DEPLOYED";
    if (component.body?.status !== status) diverge(`${part} should be ${status}`, component);
  }
}

/** Lets the unit's plan come to its end, with force where it would never. */
async function finishPlan(sequence: SequenceState, unit: UnitState): Promise<void> {
  await notice(sequence, unit);
  const { plan } = unit.model;
  if (!plan) return;
  if (mayHang(plan)) {
    await terminate(sequence, unit, { do: "terminate", unit: 0, api: 0, mode: "forced", by: "plan" });
    if (!unit.model.plan) return;
  }
  await endOf(sequence, plan.token);
  await mustHaveEnded(sequence, unit);
}

async function statusOf({ system }: SequenceState, token: string): Promise<string> {
  const answer = await system.call(0, { path: `/v1/execution-plans/${token}/status` });
  const { rows } = await sql<{
    status: string;
  }>`select status from execution_plans where id = ${token}`.execute(system.first.db.database.db);
  if (answer.status !== 200) diverge("the plan's status should be answered", answer);
  return rows[0]?.status ?? "none";
}

async function endOf(sequence: SequenceState, token: string): Promise<string> {
  const { waitLimitMs } = sequence.system;
  const giveUpAt = performance.now() + waitLimitMs;
  for (;;) {
    const status = await statusOf(sequence, token);
    if (ends.has(status)) return status;
    if (performance.now() > giveUpAt)
      throw new Error(`the plan ${token} is still ${status} after ${waitLimitMs} ms`);
    await new Promise((next) => setTimeout(next, 5));
  }
}

/** Takes note of a plan that has ended by itself. */
async function notice(sequence: SequenceState, unit: UnitState): Promise<void> {
  const { plan } = unit.model;
  if (plan && ends.has(await statusOf(sequence, plan.token))) await settle(sequence, unit);
}

async function mustHaveEnded(sequence: SequenceState, unit: UnitState): Promise<void> {
  const { plan } = unit.model;
  if (!plan) return;
  const status = await statusOf(sequence, plan.token);
  if (!ends.has(status)) throw new Error(`the plan ${plan.token} should have ended, it is ${status}`);
  await settle(sequence, unit);
}

async function settle(sequence: SequenceState, unit: UnitState): Promise<void> {
  const token = unit.model.plan!.token;
  const db = sequence.system.first.db.database.db;
  const tasks = await sql<{ id: string; status: TaskEnd; wasStarted: boolean }>`select task_id as id, status,
      started_at is not null as "wasStarted" from plan_tasks where plan_id = ${token}`.execute(db);
  const components = await sql<{
    id: string;
    status: any;
  }>`select component_id as id, status from unit_components
    where unit_key = ${unit.id}`.execute(db);
  const operations = await sequence.system.call(1, {
    path: `/v2/provisioning-operations?deployment-unit-id=${encodeURIComponent(unit.id)}`,
  });
  const operation = operations.body.data.find((each: any) => each.operation.executionPlanId === token);
  const short = (id: string): string => id.replace(`:${unit.id}:`, ":");
  const seen: SeenEnd = {
    status: await statusOf(sequence, token),
    operation: operation?.operation.status ?? "none",
    tasks: new Map(tasks.rows.map((task) => [short(task.id), task])),
    components: new Map(components.rows.map(({ id, status }) => [id.slice(-1) as Part, status])),
  };
  const wrong = conclude(unit.model, seen);
  if (wrong.length > 0) throw new Error(`of plan ${token}: ${wrong.join("; ")}`);
}

/** What was written down of the unit's plans, and what the adapter saw of them. */
async function checkRecords({ system }: SequenceState, unit: UnitState): Promise<void> {
  for (const token of unit.model.ended) {
    const moves = illegalMoves(await storedEvents(system.first.db.database.db, token));
    const calls = system.first.mock
      .journal()
      .filter(
        ({ operation, idempotencyKey }) =>
          !["poll", "terminate"].includes(operation) && idempotencyKey?.startsWith(`${token}:`),
      );
    const wrong = [...moves, ...unfaithfulRepeats(calls)];
    if (wrong.length > 0) throw new Error(`the records of ${token}: ${wrong.join("; ")}`);
  }
}

function diverge(what: string, { status, text }: Answer): never {
  throw new Error(`${what}: ${status} ${text.slice(0, 600)}`);
}
