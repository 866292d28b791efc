/** A whole server, the PostgreSQL adapter with a database of its own, and a unit of one table in it. */
import pg from "pg";
import { expect } from "vitest";
import { startPostgresAdapter } from "../../src/adapters/postgres/server.ts";
import { ended } from "../coordinator/ships.ts";
import { testDatabase } from "./database.ts";
import { registerAdapter, startWholeServer, type WholeServer, type WholeServerOptions } from "./server.ts";

const templateId = "urn:dmb:itm:postgres:1";

export interface TableStage {
  server: WholeServer;
  /** An administrator of the database with the table. */
  client: pg.Client;
  unitId: string;
  tableId: string;
  /** Deploys the unit; `more` is of the table's component. */
  deploy(more: object): Promise<void>;
  /** Starts an operation of the coordinator and waits for its end without a warning; its token. */
  run: (path: string, body: object) => Promise<string>;
  /** The role that the adapter has made for somebody. */
  findRole(person: string): Promise<string | undefined>;
  /** What the role gets to see of the table, or the code of the refusal. */
  readAs: (role: string) => Promise<unknown>;
  close(): Promise<void>;
}

/** @param name of the unit and of the schema; the table is `trips`. */
export async function openTableStage(
  name: string,
  configure?: WholeServerOptions["configure"],
): Promise<TableStage> {
  const server = await startWholeServer(configure ? { configure } : {});
  const store = await testDatabase();
  const adapter = await startPostgresAdapter({ databaseUrl: store.url });
  const client = new pg.Client({ connectionString: store.url });
  await client.connect();
  await registerAdapter(server, { id: templateId, url: adapter.url });
  const unitId = `urn:dmb:dp:mobility:${name}:0`;
  const tableId = `urn:dmb:cmp:mobility:${name}:0:trips`;
  const run: TableStage["run"] = async (path, body) => {
    const answer = await server.coordinator({ method: "POST", path, body });
    expect([answer.status, answer.text]).toEqual([202, expect.any(String)]);
    const end = await ended(server, answer.body);
    const { text } = await server.coordinator({ path: `/v1/logs/${answer.body}?level=WARNING` });
    expect(`${end} ${text}`).toBe("COMPLETED []");
    return answer.body;
  };
  return {
    server,
    client,
    unitId,
    tableId,
    run,
    async deploy(more) {
      const table = {
        id: tableId,
        name: "trips",
        kind: "storage",
        version: "1.0.0",
        infrastructureTemplateId: templateId,
        dependsOn: [],
        specific: { schema: name, table: "trips" },
        ...more,
      };
      const descriptor = {
        id: unitId,
        name,
        version: "1.0.0",
        environment: "development",
        components: [table],
      };
      const targetStatus = [{ componentId: tableId, targetStatus: "DEPLOYED" }];
      const path = `/v2/deployment-units/${unitId}/provisioning?environment=development`;
      await run(path, { descriptor, targetStatus });
    },
    async findRole(person) {
      const { rows } = await client.query<{ role: string }>(
        "select rolname as role from pg_roles where shobj_description(oid, 'pg_authid') = $1",
        [`plinth: ${person}`],
      );
      return rows[0]?.role;
    },
    async readAs(role) {
      try {
        await client.query(`set role ${client.escapeIdentifier(role)}`);
        return (await client.query(`select * from ${client.escapeIdentifier(name)}.trips`)).rows;
      } catch (error) {
        return (error as { code: string }).code;
      } finally {
        await client.query("reset role");
      }
    },
    async close() {
      await client.end();
      await adapter.close();
      await server.close();
      await store.drop();
    },
  };
}
