/** Decisions with something to look at: a deployment that changes what runs and that a policy warns of, an exception, granted access. */
import type { ConsoleServer } from "./server.ts";
import { until } from "./until.ts";
import { startBody, startPath, unitOf, type SomeUnit } from "./units.ts";

type Stage = Pick<ConsoleServer, "guest" | "ada">;

/** Who ada's token acts as. */
export const adaRef = "service:default/ada";

const policies = "/v1/computational-governance/policies";
const day = 86_400_000;

export async function seedApprovals(stage: Stage): Promise<void> {
  await warnOfMissingContacts(stage, "parking-lots");
  await askToDeployAgain(stage, "parking-lots");
  await askForException(stage, "contact-of-parking-lots", "parking-lots");
  await grant(stage, unitOf("ticket-sales"), ["user:default/ben", "group:default/fleet-team"]);
}

/** A policy in grace about units of that name, changed once. */
export async function warnOfMissingContacts({ guest }: Stage, name: string): Promise<string> {
  const id = `contact-of-${name}`;
  const content = {
    name: `Contacts of ${name} are named`,
    description: "Whoever has a question about the data finds somebody who answers.",
    advice: "Add contact with an address that is read by somebody.",
    severity: "warning",
    resourceType: "dataproduct",
    select: `resource.name == "${name}"`,
    engine: "cel",
    spec: { assert: "has(resource.contact)", message: "Nobody is named as a contact." },
    timing: "deployment",
    trigger: "active",
  };
  await guest.call("POST", policies, { id, kind: "policy", ...content });
  const stricter = {
    ...content,
    spec: { ...content.spec, assert: 'has(resource.contact) && resource.contact != ""' },
  };
  await guest.call("PUT", `${policies}/${id}`, { ...stricter, version: 1 });
  await guest.call("POST", `${policies}/${id}/status`, {
    status: "grace",
    graceUntil: new Date(Date.now() + 30 * day).toISOString(),
    reason: "New products name their contact from next month on.",
  });
  return id;
}

/** Deploys a unit of ada's in production, and asks to deploy a changed one; resolves to the id of the hook that waits. */
export async function askToDeployAgain(stage: Stage, name: string): Promise<string> {
  const { guest } = stage;
  const first = await askToDeploy(stage, unitOf(name, { environment: "production", owner: adaRef }));
  await guest.call("POST", `/api/builder/hooks/${first.hookId}/answer`, {
    status: "OK",
    reason: "The first one.",
  });
  await until(
    () => guest.call("GET", `/api/coordinator/v1/execution-plans/${first.planId}/status`),
    ({ dag }) => dag.status === "COMPLETED",
  );
  const next = unitOf(name, { environment: "production", owner: adaRef, version: "1.1.0" });
  for (const component of next.components)
    component["specific"] = { partitions: 8, retention: { days: 30 }, format: "parquet" };
  return (await askToDeploy(stage, next)).hookId;
}

async function askToDeploy(
  { guest, ada }: Stage,
  unit: SomeUnit,
): Promise<{ hookId: string; planId: string }> {
  const planId = await ada.call<string>("POST", startPath(unit), startBody(unit));
  const { data } = await guest.call("GET", "/api/builder/hooks?status=pending&limit=100");
  const hook = data.find(({ about }: any) => about.planId === planId);
  return { hookId: hook.hookId, planId };
}

export async function askForException({ ada }: Stage, policyId: string, name: string): Promise<string> {
  const { id } = await ada.call("POST", "/v1/computational-governance/exceptions", {
    policyId,
    resourceIds: [unitOf(name).id],
    reason: "The team is being put together.",
    until: new Date(Date.now() + 20 * day).toISOString(),
  });
  return id;
}

/** Access to the output port of a unit that is deployed. */
async function grant({ guest }: Stage, unit: SomeUnit, identities: string[]): Promise<void> {
  const request = await guest.call("POST", "/api/builder/access-requests", {
    operation: "GRANT",
    deploymentUnitId: unit.id,
    environment: unit.environment,
    outputPortUrns: [unit.components[2]?.id],
    identities,
    reason: "Sales are compared with the timetable.",
  });
  for (const { hookId } of request.hooks)
    await guest.call("POST", `/api/builder/hooks/${hookId}/answer`, { status: "OK" });
  await until(
    () => guest.call("GET", `/api/builder/access-requests/${request.id}`),
    ({ status }) => status === "GRANTED",
  );
}
