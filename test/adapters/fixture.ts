/** A running product with the four miniatures as its only adapters, and the unit that they deploy together. */
import { registerAdapter, type Answer, type WholeServer } from "../support/server.ts";
import { miniatureNames, type MiniatureName, type Miniatures } from "./miniatures/all.ts";

export const environment = "development";

export const templateOf = (name: MiniatureName): string => `urn:dmb:itm:miniature-${name}:1`;

export interface Component {
  id: string;
  name: string;
  kind: string;
  infrastructureTemplateId: string;
  dependsOn: string[];
  specific: Record<string, unknown>;
  [more: string]: unknown;
}

export interface Unit {
  id: string;
  name: string;
  version: string;
  environment: string;
  components: Component[];
}

/** The storage, a workload and a port over it, and a collection over the port. */
export function unitOf(number: number): Unit {
  const id = `urn:dmb:dp:miniature:unit-${number}:0`;
  const component = (
    name: string,
    kind: string,
    [adapter, dependsOn = []]: [MiniatureName, string[]?],
  ): Component => ({
    id: `${id.replace(":dp:", ":cmp:")}:${name}`,
    name,
    kind,
    version: "1.0.0",
    infrastructureTemplateId: templateOf(adapter),
    dependsOn,
    specific: {},
  });
  const store = component("store", "storage", ["fastapi"]);
  const load = component("load", "workload", ["akka", [store.id]]);
  const files = { ...component("files", "outputport", ["spring", [store.id]]), consumable: true };
  const views = { ...component("views", "outputport", ["collection", [files.id]]), consumable: true };
  return {
    id,
    name: `unit-${number}`,
    version: "1.0.0",
    environment,
    components: [store, load, files, views],
  };
}

export const idOf = (unit: Unit, name: string): string => `${unit.id.replace(":dp:", ":cmp:")}:${name}`;

export async function register(server: WholeServer, miniatures: Miniatures): Promise<void> {
  for (const name of miniatureNames) {
    // Those that have /v2/validate are asked by it; one that has not after all is asked as any other.
    const properties = { asyncValidation: name === "spring" || name === "akka" };
    const id = templateOf(name);
    await registerAdapter(server, { id, environments: [environment], url: miniatures[name].url, properties });
  }
}

const ends = new Set(["COMPLETED", "FAILED", "TERMINATED"]);

export interface Ended {
  status: string;
  /** Results of the tasks of the execution stage and before, by id. */
  results: Map<string, { status: string; result: string }>;
}

/** Sends a request that is answered with a token, and waits for the end of its plan. */
export async function runPlan(server: WholeServer, path: string, body: unknown): Promise<Ended> {
  const started: Answer = await server.coordinator({ method: "POST", path, body });
  if (started.status !== 202) throw new Error(`POST ${path} answered ${started.status}: ${started.text}`);
  const token = started.body as string;
  // The stream ends with the plan.
  await server.coordinator({ path: `/v1/execution-plans/${token}/events` });
  const plan = await server.coordinator({ path: `/v1/execution-plans/${token}?include-descriptors=false` });
  const { dag } = plan.body as { dag: TaskNode };
  if (!ends.has(dag.status))
    throw new Error(`The plan ${token} is ${dag.status} although its stream has ended.`);
  const results: Ended["results"] = new Map();
  const visit = (node: TaskNode): void => {
    for (const task of node.dependsOnTasks) {
      if (!results.has(task.id)) results.set(task.id, { status: task.status, result: task.result });
      visit(task);
    }
  };
  visit(dag);
  return { status: dag.status, results };
}

interface TaskNode {
  id: string;
  status: string;
  result: string;
  dependsOnTasks: TaskNode[];
}

export function provision(
  server: WholeServer,
  unit: Unit,
  targetStatus = "DEPLOYED",
  more = {},
): Promise<Ended> {
  const path = `/v2/deployment-units/${unit.id}/provisioning?environment=${environment}`;
  const wanted = unit.components.map(({ id }) => ({ componentId: id, targetStatus }));
  return runPlan(server, path, { descriptor: unit, targetStatus: wanted, ...more });
}
