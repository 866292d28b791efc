/** From an access request to what a role may read in the database, and back, through the postgres adapter. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { openTableStage, type TableStage } from "./support/table-stage.ts";

/** Roles belong to the whole server, so the name is this run's own. */
const person = `user:reader-${process.pid}-${Date.now()}`;

let stage: TableStage;
beforeAll(async () => {
  stage = await openTableStage("reads");
});
afterAll(() => stage.close());

const request = (requestId: string, identities: string[]): object => ({
  dataProductUrn: stage.unitId,
  outputPortId: 1,
  outputPortUrn: stage.tableId,
  requestId,
  identities,
  environment: "development",
});

it("who is granted access reads, who is revoked it is refused", async () => {
  const { client, run } = stage;
  const dataContract = { schema: [{ name: "id", dataType: "INT" }] };
  await stage.deploy({ consumable: true, dataContract });
  await client.query("insert into reads.trips values (7)");
  const token = await run("/v1/updateacl", request("grant", [person]));
  const role = (await stage.findRole(person)) ?? "";
  expect(role).not.toBe("");
  expect(await stage.readAs(role)).toEqual([{ id: 7 }]);
  const status = await stage.server.coordinator({ path: `/v1/execution-plans/${token}/status` });
  expect(status.body.dag.dependsOnTasks[0].result.message).toBe("1 references can read reads.trips.");
  await run("/v1/updateacl", request("revoke", []));
  // 42501: insufficient privilege.
  expect(await stage.readAs(role)).toBe("42501");
  await client.query(`drop role ${client.escapeIdentifier(role)}`);
});
