/** A small system for the adapter's tests, and a client that calls an adapter over HTTP as the coordinator does. */
import { Client } from "pg";

import type { JsonObject } from "../kit/protocol.ts";
import { startPostgresAdapter } from "./server.ts";
import type { PostgresAdapterOptions } from "./server.ts";

export const unitId = "urn:dmb:dp:mobility:fleet:0";
export const idOf = (name: string): string => `urn:dmb:cmp:mobility:fleet:0:${name}`;

export type Part = JsonObject & { name: string };

const part = (name: string, kind: string, rest: JsonObject): Part => ({
  id: idOf(name),
  name,
  kind,
  version: "0.1.0",
  infrastructureTemplateId: `urn:dmb:itm:postgres-${kind}:1`,
  dependsOn: [],
  ...rest,
});

export const column = (name: string, dataType: string, rest: JsonObject = {}): JsonObject => ({
  name,
  dataType,
  ...rest,
});

export const storage = (name: string, columns: JsonObject[], rest: JsonObject = {}): Part =>
  part(name, "storage", {
    specific: { schema: "fleet", table: name },
    dataContract: { schema: columns },
    ...rest,
  });

export const workload = (name: string, specific: JsonObject, dependsOn: string[] = []): Part =>
  part(name, "workload", { specific: { schema: "fleet", ...specific }, dependsOn: dependsOn.map(idOf) });

/** @param dependsOn by default the source, taken as the name of a component. */
export const port = (
  name: string,
  source: string,
  { columns, dependsOn }: { columns: JsonObject[]; dependsOn?: string[] },
): Part =>
  part(name, "outputport", {
    specific: { schema: "fleet", view: name, source: { table: source } },
    dataContract: { schema: columns },
    dependsOn: (dependsOn ?? [source]).map(idOf),
  });

export const vehicleColumns = [
  column("id", "INT", { constraint: "PRIMARY_KEY" }),
  column("plate", "VARCHAR", { dataLength: 10, constraint: "NOT_NULL", description: "as on the car" }),
];
export const vehicles = storage("vehicles", vehicleColumns);
export const loadSpecific = {
  mode: "once",
  target: "vehicles",
  sql: "SELECT n AS id, 'B-' || n AS plate FROM generate_series(1, 5) AS n",
};
export const load = workload("load", loadSpecific, ["vehicles"]);
export const latest = workload(
  "latest",
  { mode: "materialized-view", target: "latest", sql: "SELECT id, plate FROM vehicles WHERE id > 2" },
  ["vehicles", "load"],
);
export const readers = port("readers", "latest", {
  columns: [column("plate", "VARCHAR", { dataLength: 10 })],
});
export const system: Part[] = [vehicles, load, latest, readers];

export const unitOf = (parts: JsonObject[], rest: JsonObject = {}): JsonObject => ({
  id: unitId,
  name: "fleet",
  version: "0.1.0",
  environment: "development",
  components: parts,
  ...rest,
});

export interface Answer {
  status: number;
  json: any;
}

export interface TestAdapter {
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
  get(path: string): Promise<Answer>;
  remove(path: string): Promise<Answer>;
  validate(unit: JsonObject, name: string): Promise<string[]>;
  provision(unit: JsonObject, name: string): Promise<Answer>;
  unprovision(unit: JsonObject, name: string, removeData?: boolean): Promise<Answer>;
  updateAcl(unit: JsonObject, name: string, refs: string[]): Promise<Answer>;
  /** Rows of a query, as the database's own user. */
  rows(sql: string): Promise<any[]>;
  close(): Promise<void>;
}

/** @param queryUrl for `rows`, when the adapter itself is given another database. */
export async function startTestAdapter(
  databaseUrl: string,
  options: Partial<PostgresAdapterOptions> = {},
  queryUrl = databaseUrl,
): Promise<TestAdapter> {
  const adapter = await startPostgresAdapter({ databaseUrl, async: false, ...options });
  const client = new Client({ connectionString: queryUrl });
  await client.connect();
  const send = async (path: string, init: RequestInit): Promise<Answer> => {
    const response = await fetch(adapter.url + path, init);
    return { status: response.status, json: await response.json() };
  };
  const post: TestAdapter["post"] = (path, body, headers = {}) =>
    send(path, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
  const text = (unit: JsonObject, name: string): string =>
    JSON.stringify({ dataProduct: unit, componentIdToProvision: idOf(name) });
  const call = (unit: JsonObject, name: string, removeData = false): JsonObject => ({
    descriptorKind: "COMPONENT_DESCRIPTOR",
    descriptor: text(unit, name),
    removeData,
  });
  return {
    post,
    get: (path) => send(path, {}),
    remove: (path) => send(path, { method: "DELETE" }),
    validate: async (unit, name) => (await post("/v1/validate", call(unit, name))).json.error?.errors ?? [],
    provision: (unit, name) => post("/v1/provision", call(unit, name)),
    unprovision: (unit, name, removeData) => post("/v1/unprovision", call(unit, name, removeData)),
    updateAcl: (unit, name, refs) =>
      post("/v1/updateacl", { refs, provisionInfo: { request: text(unit, name), result: "" } }),
    rows: async (sql) => (await client.query(sql)).rows,
    close: async () => {
      await client.end();
      await adapter.close();
    },
  };
}
