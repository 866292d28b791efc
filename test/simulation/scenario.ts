/** Random units and requests, planned by the real planner, as the rows that a start leaves. */
import { idKey } from "../../src/coordinator/ids.ts";
import { readUnit } from "../../src/coordinator/planning/descriptor/unit.ts";
import { newTasks, planRequest, noticeTasks } from "../../src/coordinator/starts/acceptance/new-plan.ts";
import type { ComponentRow } from "../../src/coordinator/units/store.ts";
import type { PlanRow, TaskRow } from "../../src/coordinator/execution/types.ts";
import { planProvisioning } from "../../src/coordinator/planning/plan.ts";
import { between, type Random } from "../crash/random.ts";
import { epochMs } from "./clock.ts";
import type { StoredComponent } from "./storage.ts";

export interface Scenario {
  units: string[];
  /** Starts that are tried, each on a unit at a moment. */
  starts: { at: number; unit: string; operationTimeoutMs: number }[];
  terminations: { at: number; start: number; mode: "safe" | "forced" }[];
  /** What happens to the machine that is then at work. */
  blows: { at: number; kind: "crash" | "stop" | "hand over"; forMs: number }[];
  outages: { from: number; to: number }[];
  breaks: number;
  crashes: number;
  odd: number;
  async: number;
  fails: number;
  slots: { total: number; perAdapter: number };
  machines: number;
  /** The second adapter is asked for its validation under a token. */
  validatesLater: boolean;
  /** External services that are called at the end, and whether each blocks. */
  services: boolean[];
}

/** After so long without a sign of life a machine counts as lost. */
export const leaseMs = 1_000;

/** Until when trouble may begin. */
const troubledMs = 8_000;

const environment = "development";
const adapters = ["urn:sim:one", "urn:sim:two"];

export function drawScenario(random: Random): Scenario {
  const count = (most: number): number => Math.floor(random() * (most + 1));
  const at = (): number => random() * troubledMs;
  const rarely = <T>(value: T, otherwise: T): T => (random() < 0.3 ? value : otherwise);
  const units = Array.from({ length: 1 + count(1) }, (_, n) => `unit-${n}`);
  const starts = Array.from({ length: 1 + count(3) }, (_, n) => ({
    at: n === 0 ? 0 : at(),
    unit: units[count(units.length - 1)]!,
    operationTimeoutMs: rarely(between(random, 200, 3_000), 30_000),
  }));
  const list = <T>(most: number, make: () => T): T[] =>
    Array.from({ length: rarely(count(most), count(1)) }, make);
  return {
    units,
    starts,
    terminations: list(3, () => ({
      at: rarely(at(), random() * 500),
      start: count(starts.length - 1),
      mode: random() < 0.5 ? ("safe" as const) : ("forced" as const),
    })),
    blows: Array.from({ length: rarely(count(5), count(2)) }, () => ({
      at: rarely(at(), random() * 800),
      kind: (["crash", "stop", "stop", "hand over"] as const)[count(3)]!,
      // Who wakes soon after the lease meets the successor at work.
      forMs: random() < 0.5 ? between(random, 20, 3_000) : between(random, leaseMs, 1.6 * leaseMs),
    })),
    outages: list(2, () => {
      const from = at();
      return { from, to: from + random() * 1_500 };
    }),
    breaks: rarely(random() * 0.2, 0),
    crashes: rarely(random() * 0.05, 0),
    odd: rarely(random() * 0.6, random() * 0.1),
    async: random(),
    fails: rarely(random() * 0.5, 0),
    slots: { total: 1 + count(5), perAdapter: 1 + count(3) },
    machines: 1 + count(2),
    validatesLater: random() < 0.5,
    services: Array.from({ length: rarely(1 + count(1), 0) }, () => random() < 0.5),
  };
}

/** The rows of a start, or null when what was drawn is not a plan. */
export function drawPlan(
  random: Random,
  known: Map<string, StoredComponent>,
  {
    planId,
    unitId,
    nowMs,
    operationTimeoutMs,
    scenario,
  }: { planId: string; unitId: string; nowMs: number; operationTimeoutMs: number; scenario: Scenario },
): { row: PlanRow; tasks: TaskRow[] } | null {
  const descriptor = drawDescriptor(random, unitId);
  const { unit, problems } = readUnit(descriptor);
  if (!unit) throw new Error("the drawn unit can't be read");
  const rows = [...known.values()].map((component, index) => componentRow(component, index));
  const unitKey = idKey(unitId);
  const lastKnown = rows.map((row) => ({
    componentId: row.id,
    status: row.status,
    hash: row.hash,
    dependsOn: row.dependsOn,
    infrastructureTemplateId: row.infrastructureTemplateId ?? undefined,
  }));
  const undeploysAll = random() < 0.25;
  const plan = planProvisioning({
    unit,
    problems,
    last: {
      components: lastKnown.filter((row) => idKey(row.componentId) !== unitKey),
      root: lastKnown.find((row) => idKey(row.componentId) === unitKey),
    },
    targets: unit.components.map(({ id }) => ({
      componentId: id,
      targetStatus: undeploysAll || random() < 0.05 ? "NOT_DEPLOYED" : "DEPLOYED",
    })),
    mode: "strict",
    preventRedeploy: random() < 0.4,
    removeData: random() < 0.5,
    configured: { environment, environments: [environment], hasAdapter: () => true, pathUnitId: unitId },
  });
  if (plan.problems || plan.outcome === "KO") return null;
  const material = {
    planId,
    plan,
    unit,
    known: rows,
    componentTypes: {},
    hasPolicies: unit.components.length % 2 === 0,
    adapters: new Map(
      adapters.map((adapterId) => [
        adapterId,
        {
          adapterId,
          url: `http://${adapterId.slice(8)}.test`,
          properties: adapterId === adapters[1] && scenario.validatesLater ? { asyncValidation: true } : null,
        },
      ]),
    ),
  };
  const row = {
    id: planId,
    kind: "PROVISIONING",
    unitKey,
    unitId,
    environment,
    action: "PROVISION",
    status: "WAITING",
    request: planRequest(material),
    traceparent: "00-00000000000000000000000000000001-0000000000000001-01",
    terminateMode: null,
    terminateAt: null,
    deadlineAt: new Date(epochMs + nowMs + operationTimeoutMs),
    fence: 0,
    writeSeq: 0,
  } as PlanRow;
  const services = scenario.services.map((isBlocking, n) => {
    return { id: `service-${n}`, name: `Service ${n}`, baseUrl: `http://service-${n}.test`, isBlocking };
  });
  const endsDeployed = plan.operations.some(({ targetStatus }) => targetStatus === "DEPLOYED");
  const tasks = [...newTasks(material), ...noticeTasks({ planId, endsDeployed, services })];
  return { row, tasks: tasks.map(taskRow) };
}

function drawDescriptor(random: Random, unitId: string): object {
  const size = 1 + Math.floor(random() * 7);
  const needs = random() * 0.7;
  const ids = Array.from({ length: size }, (_, n) => `c${n}`);
  return {
    id: unitId,
    name: unitId,
    version: "1.0",
    environment,
    ...(random() < 0.2 ? { infrastructureTemplateId: adapters[0] } : {}),
    components: ids.map((id, n) => ({
      id,
      name: id,
      kind: "storage",
      infrastructureTemplateId: adapters[random() < 0.7 ? 0 : 1],
      dependsOn: ids.slice(0, n).filter(() => random() < needs),
      specific: { version: Math.floor(random() * 2) },
    })),
  };
}

const componentRow = ({ member, status, info, planId }: StoredComponent, index: number): ComponentRow =>
  ({
    ...member,
    status,
    info,
    lastOperation: null,
    planId,
    updatedAt: new Date(epochMs + index),
  }) as ComponentRow;

/** The row as the database returns it: fields that are not given at the start have their defaults. */
function taskRow(task: object, position: number): TaskRow {
  const camel = (name: string): string =>
    name.replace(/_(.)/g, (_all, letter: string) => letter.toUpperCase());
  const given = Object.fromEntries(
    Object.entries(task).map(([name, value]) => [camel(name), value as unknown]),
  );
  const rest = { attempts: 0, mayHaveActed: false, token: null, result: null, info: null, startedAt: null };
  return { ...rest, ...given, position, status: "WAITING" } as unknown as TaskRow;
}
