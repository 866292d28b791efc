/** A unit with ports of every kind, deployed with an adapter that records its calls. */
import type { HookSettings } from "../../src/platform/config/schema/schema-hooks.ts";
import { startRecorder, type Recorder } from "../support/recorder.ts";
import {
  registerAdapter,
  startWholeServer,
  type Answer,
  type Call,
  type WholeServer,
} from "../support/server.ts";
import { ended } from "../coordinator/ships.ts";
import { eventually } from "../support/eventually.ts";

export const templateId = "urn:dmb:itm:recorder:1";
export const unitId = "urn:dmb:dp:sea:ports:0";
export const portId = "urn:dmb:cmp:sea:ports:0:harbour";
export const otherPortId = "urn:dmb:cmp:sea:ports:0:quay";
export const closedPortId = "urn:dmb:cmp:sea:ports:0:shipyard";
export const closedPartId = `${portId}:crane`;
export const openPartId = `${closedPortId}:slip`;

export const unit = (id = unitId) => ({
  id,
  name: "ports",
  version: "1.0.0",
  environment: "development",
  // A token of the test, so that it can sign in.
  dataProductOwner: "service:default/developer",
  components: [
    component(portId, { components: [{ id: closedPartId, name: "crane", consumable: false }] }),
    component(otherPortId, {}),
    component(closedPortId, {
      consumable: false,
      components: [{ id: openPartId, name: "slip", consumable: true }],
    }),
  ],
});

const component = (id: string, more: object) => ({
  id,
  name: id.split(":").at(-1),
  kind: "outputport",
  infrastructureTemplateId: templateId,
  dependsOn: [],
  ...more,
});

export const hook = (name: string, more: Partial<HookSettings> = {}): HookSettings => ({
  name,
  kind: "notification",
  timeoutMs: 500,
  retryDelaysMs: [20, 40],
  expiresAfterMs: 3_600_000,
  ...more,
});

export interface Harbour {
  server: WholeServer;
  recorder: Recorder;
  request(more?: object, call?: Partial<Call>): Promise<Answer>;
  /** Opens a request and answers what the server said of it. */
  opened(more?: object, call?: Partial<Call>): Promise<any>;
  read(id: string, as?: Call["as"]): Promise<any>;
  /** Waits until it is so. */
  reached(id: string, status: string): Promise<any>;
  access(componentId?: string): Promise<string[]>;
  close(): Promise<void>;
}

export async function openHarbour(options: Parameters<typeof startWholeServer>[0] = {}): Promise<Harbour> {
  const recorder = await startRecorder();
  recorder.answers.set("/v1/validate", { status: 200, body: { valid: true } });
  const server = await startWholeServer(options);
  await registerAdapter(server, { id: templateId, url: recorder.url });
  return {
    server,
    recorder,
    ...requests(server),
    async close() {
      await server.close();
      await recorder.close();
    },
  };
}

const deployed = { status: 200, body: { status: "COMPLETED", result: "done", info: {} } };

export async function deployHarbour(
  { server, recorder }: Pick<Harbour, "server" | "recorder">,
  more: object = {},
): Promise<void> {
  for (const path of ["/v1/provision", "/v1/unprovision", "/v1/updateacl"])
    recorder.answers.set(path, deployed);
  const targetStatus = unit().components.map(({ id }) => ({ componentId: id, targetStatus: "DEPLOYED" }));
  const answer = await server.coordinator({
    method: "POST",
    path: `/v2/deployment-units/${unitId}/provisioning?environment=development`,
    body: { descriptor: { ...unit(), ...more }, targetStatus },
  });
  if (answer.status !== 202 || (await ended(server, answer.body)) !== "COMPLETED")
    throw new Error(`The harbour was not deployed: ${answer.text}`);
}

export function requests(
  server: WholeServer,
): Pick<Harbour, "request" | "opened" | "read" | "reached" | "access"> {
  const request: Harbour["request"] = (more = {}, call = {}) =>
    server.builder({
      method: "POST",
      path: "/access-requests",
      body: {
        deploymentUnitId: unitId,
        environment: "development",
        outputPortUrns: [portId],
        identities: ["user:ada"],
        ...more,
      },
      ...call,
    });
  const read: Harbour["read"] = async (id, as = "admin") =>
    (await server.builder({ path: `/access-requests/${id}`, as })).body;
  return {
    request,
    read,
    async opened(more, call) {
      const answer = await request(more, call);
      if (answer.status !== 201) throw new Error(`The request was refused: ${answer.status} ${answer.text}`);
      return answer.body;
    },
    reached: (id, status) =>
      eventually(`${status} of ${id}`, async () => {
        const found = await read(id);
        return found.status === status ? found : null;
      }),
    async access(componentId = portId) {
      const { rows } = await server.db.database.pool.query<{ identity: string }>(
        "select identity from acls where component_id = $1 order by 1",
        [componentId],
      );
      return rows.map(({ identity }) => identity);
    },
  };
}
