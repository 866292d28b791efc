/** Drift of a real table: what somebody changed by hand is told, with its place in the descriptor. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { until } from "./support/server.ts";
import { openTableStage, type TableStage } from "./support/table-stage.ts";

let stage: TableStage;
beforeAll(async () => {
  stage = await openTableStage("drifts");
});
afterAll(() => stage.close());

async function checkDrift(): Promise<any> {
  const { server, unitId } = stage;
  const path = `/v1/deployment-units/${unitId}/drift-checks?environment=development`;
  const begun = await server.coordinator({ method: "POST", path });
  expect(begun.status).toBe(202);
  const { body } = await until(
    () => server.coordinator({ path: `/v1/drift-checks/${begun.body}` }),
    (answer) => answer.body.status === "COMPLETED",
  );
  return body;
}

it("a table that somebody changed by hand has drifted, and deploying it again mends it", async () => {
  const columns = [
    { name: "id", dataType: "BIGINT", constraint: "PRIMARY_KEY" },
    { name: "plate", dataType: "VARCHAR", dataLength: 12 },
  ];
  const component = {
    useCaseTemplateId: "urn:dmb:utm:postgres-storage:1",
    dataContract: { schema: columns },
  };
  await stage.deploy(component);
  const sound = {
    result: "NO_DRIFT",
    components: [
      { componentId: stage.tableId, checkedBy: ["VALIDATION", "REVERSE_PROVISIONING"], pointers: [] },
    ],
  };
  expect(await checkDrift()).toMatchObject(sound);
  await stage.client.query("alter table drifts.trips drop column plate");
  expect(await checkDrift()).toMatchObject({
    result: "DRIFTED",
    components: [{ componentId: stage.tableId, result: "DRIFTED", pointers: ["/dataContract/schema/1"] }],
  });
  await stage.deploy(component);
  expect(await checkDrift()).toMatchObject(sound);
});
