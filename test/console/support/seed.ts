/** What every page has to show: units in several states, plans that failed and that work, approvals, policies, templates. */
import type { Caller } from "./caller.ts";
import { addOperations } from "./seed-operations.ts";
import { adaRef, seedApprovals } from "./seed-approvals.ts";
import { seedTemplates } from "./seed-templates.ts";
import type { ConsoleServer } from "./server.ts";
import { until } from "./until.ts";
import { mockAdapterId, startBody, startPath, unitOf, type SomeUnit } from "./units.ts";

type Stage = Pick<ConsoleServer, "guest" | "ada" | "mock" | "url">;

export async function seed(stage: Stage, withUnits: boolean): Promise<void> {
  await registerAdapters(stage);
  if (!withUnits) return;
  await deployUnits(stage);
  await addPolicies(stage);
  await askForDecisions(stage);
  await addOperations(stage.guest);
  await seedTemplates(stage);
  await seedApprovals(stage);
}

async function registerAdapters({ guest, mock }: Stage): Promise<void> {
  for (const environment of ["development", "production"])
    await guest.call("POST", "/api/builder/register", mockOf(mock.url, environment));
}

/** The registration of the mock that listens there. */
export const mockOf = (url: string, environment: string): object => ({
  id: mockAdapterId,
  name: "Mock",
  description: "Does what a component's descriptor asks for",
  version: "1",
  url,
  environment,
});

const names = [
  "fleet-positions",
  "depot-stock",
  "ticket-sales",
  "weather-stations",
  "road-works",
  "charging-points",
];

async function deployUnits(stage: Stage): Promise<void> {
  const { guest } = stage;
  const deployed = names.map((name, index) =>
    unitOf(name, { domain: index % 2 === 0 ? "mobility" : "supply" }),
  );
  await Promise.all(deployed.map((unit) => provision(guest, unit, "COMPLETED")));
  await provision(guest, unitOf("fleet-positions", { version: "1.1.0" }), "COMPLETED");
  const broken = {
    mode: "async",
    outcome: "FAILED",
    result: "The bucket raw-parcels is owned by another account.",
  };
  await provision(guest, unitOf("parcel-tracking", { mock: { refine: broken } }), "FAILED");
  // At work for as long as the stories take.
  const slow = { mode: "async", runningMs: 3_600_000, logs: { lines: 4, style: "growing" } };
  await guest.call(
    "POST",
    startPath(unitOf("rail-delays")),
    startBody(unitOf("rail-delays", { mock: { refine: slow } })),
  );
}

/** Starts it and waits until its plan has that end. */
export async function provision(
  caller: Caller,
  unit: SomeUnit,
  end: "COMPLETED" | "FAILED",
): Promise<string> {
  const token = await caller.call<string>("POST", startPath(unit), startBody(unit));
  const path = `/api/coordinator/v1/execution-plans/${token}/status`;
  await until(
    () => caller.call("GET", path),
    ({ dag }) =>
      dag.status === end ? true : dag.status === "COMPLETED" || dag.status === "FAILED" ? fail(dag) : false,
  );
  return token;
}

const fail = (dag: unknown): never => {
  throw new Error(`A plan of the stories ended otherwise: ${JSON.stringify(dag)}`);
};

async function addPolicies({ guest }: Stage): Promise<void> {
  await guest.call("POST", "/v1/computational-governance/policies", {
    id: "output-ports-are-described",
    name: "Output ports are described",
    description: "Whoever looks for data finds out what a port has.",
    advice: "Add a description to the output port.",
    kind: "policy",
    severity: "warning",
    resourceType: "outputport",
    engine: "cel",
    spec: { assert: "has(resource.description)" },
    timing: "deployment",
    trigger: "active",
  });
}

/** Ada asks for access to an output port, and for a deployment in production. */
async function askForDecisions({ ada }: Stage): Promise<void> {
  const unit = unitOf("fleet-positions");
  await ada.call("POST", "/api/builder/access-requests", {
    operation: "GRANT",
    deploymentUnitId: unit.id,
    environment: unit.environment,
    outputPortUrns: [unit.components[2]?.id],
    identities: ["group:default/fleet-team"],
    reason: "The weekly report needs the last position of each vehicle.",
  });
  const production = unitOf("depot-stock", { domain: "supply", environment: "production", owner: adaRef });
  await ada.call("POST", startPath(production), startBody(production));
}
