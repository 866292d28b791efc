/** A small deployment unit for the tests of the coordinator's operations. */
import { onTestFinished } from "vitest";
import { openWire } from "../faults/wire.ts";
import { mockAdapterId, registerAdapter, type Answer, type WholeServer } from "../support/server.ts";

export const unitId = "urn:dmb:dp:sea:ships:0";
export const hullId = "urn:dmb:cmp:sea:ships:0:hull";
export const mastId = "urn:dmb:cmp:sea:ships:0:mast";
export const sailId = "urn:dmb:cmp:sea:ships:0:sail";

export interface ShipPart {
  id: string;
  name: string;
  kind: string;
  version: string;
  infrastructureTemplateId?: string;
  dependsOn: string[];
  [more: string]: unknown;
}

const part = (id: string, kind: string, dependsOn: string[]): ShipPart => ({
  id,
  name: id.slice(id.lastIndexOf(":") + 1),
  kind,
  version: "1.2.0",
  infrastructureTemplateId: mockAdapterId,
  dependsOn,
});

/** The mast needs the hull, the sail needs the mast. */
export const ships = (id = unitId) => ({
  id,
  name: "ships",
  version: "1.2.0",
  environment: "development",
  components: [
    part(hullId, "storage", []),
    part(mastId, "workload", [hullId]),
    part(sailId, "outputport", [mastId]),
  ],
});

export type Ships = ReturnType<typeof ships>;

export const wanted = (unit: { components: { id: string }[] }, targetStatus = "DEPLOYED") =>
  unit.components.map(({ id }) => ({ componentId: id, targetStatus }));

export const provisioning = (unit: Ships = ships(), more: object = {}) => ({
  descriptor: unit,
  targetStatus: wanted(unit),
  ...more,
});

export const provisioningPath = (id = unitId, environment = "development"): string =>
  `/v2/deployment-units/${id}/provisioning?environment=${environment}`;

export const previewPath = (id = unitId, environment = "development"): string =>
  `/v2/deployment-units/${id}/provisioning/preview?environment=${environment}`;

/** Starts the unit and answers the token. */
export async function start(server: WholeServer, unit: Ships = ships()): Promise<string> {
  const answer = await server.coordinator({
    method: "POST",
    path: provisioningPath(unit.id, unit.environment),
    body: provisioning(unit),
  });
  if (answer.status !== 202) throw new Error(`The start was refused: ${answer.status} ${answer.text}`);
  return answer.body;
}

/** Does something while no call of an adapter is heard, so that plans stay at work; afterwards each one arrives. */
export async function whileAdapterIsHeld<T>(
  server: WholeServer,
  work: () => Promise<T>,
  id = mockAdapterId,
): Promise<T> {
  const wire = await openWire("127.0.0.1", Number(new URL(server.mock.url).port));
  // What was called over it is polled over it.
  onTestFinished(() => wire.close());
  const environments = ["development", "production"];
  await registerAdapter(server, { id, environments, url: `http://127.0.0.1:${wire.port}` });
  wire.stall();
  try {
    return await work();
  } finally {
    wire.flow();
    await registerAdapter(server, { id, environments, url: server.mock.url });
  }
}

const ends = new Set(["COMPLETED", "FAILED", "TERMINATED"]);

/** Waits for the last event of the plan and answers the status it ended with. */
export async function ended(server: WholeServer, token: string): Promise<string> {
  const stream: Answer = await server.coordinator({ path: `/v1/execution-plans/${token}/events` });
  const last = stream.text.trim().split("\n").at(-1) ?? "";
  const { status } = JSON.parse(last.slice("data: ".length)) as { status: string };
  if (!ends.has(status)) throw new Error(`The stream ended with ${last}`);
  return status;
}
