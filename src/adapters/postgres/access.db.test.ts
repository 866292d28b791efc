/** Who can read a component after access requests; reading a live schema back. */
import { expect, test } from "vitest";

import { testDatabase } from "../../../test/support/database.ts";
import { all, picture, provisionAll, readersOf, useAdapter } from "./db-testdata.ts";
import { column, storage, unitOf } from "./testdata.ts";

const { adapter } = useAdapter(testDatabase);

test("access ends in exactly the given references, again and again", async () => {
  await provisionAll(adapter);
  const long = `user:${"ü".repeat(60)}`;
  const sets = [
    ["user:ada", "group:ops"],
    ["user:ada", "user:ada", "user:bob/x"],
    [long, "group:ops"],
    [],
    ["user:a_b", "user:a b".replace(" ", "-")],
  ];
  await adapter.rows(
    "GRANT SELECT ON fleet.readers TO PUBLIC; GRANT SELECT (plate) ON fleet.readers TO pg_monitor",
  );
  for (const refs of sets) {
    for (const round of [1, 2]) {
      const { status, json } = await adapter.updateAcl(all, "readers", refs);
      expect({ round, status, json }).toMatchObject({ status: 200, json: { status: "COMPLETED" } });
      expect(json.info.aclInfo.map((entry: any) => entry.ref).sort()).toEqual([...new Set(refs)].sort());
      expect(await readersOf(adapter, "readers")).toEqual(
        json.info.aclInfo.map((entry: any) => entry.role).sort(),
      );
    }
    for (const ref of refs) {
      const [row] = await adapter.rows(
        `SELECT has_table_privilege(oid, 'fleet.readers', 'SELECT') AND has_schema_privilege(oid, 'fleet', 'USAGE') AS may, rolcanlogin
         FROM pg_roles WHERE shobj_description(oid, 'pg_authid') = 'plinth: ${ref}'`,
      );
      expect(row).toEqual({ may: true, rolcanlogin: false });
    }
  }
  await adapter.updateAcl(all, "readers", []);
  expect(await readersOf(adapter, "readers")).toEqual([]);
  const usage =
    await adapter.rows(`SELECT pg_get_userbyid(g.grantee)::text AS role FROM pg_namespace n, aclexplode(n.nspacl) g
    WHERE n.nspname = 'fleet' AND g.grantee <> n.nspowner`);
  expect(new Set(usage.map((row) => row.role))).toEqual(
    new Set(["system:development:urn:dmb:dp:mobility:fleet:0"]),
  );
});

test("access to what is not deployed, and references that are none, are refused", async () => {
  expect((await adapter.updateAcl(all, "readers", ["user:ada"])).json.errors[0]).toContain("is not deployed");
  expect((await adapter.updateAcl(all, "readers", ["postgres", "user:"])).json.errors).toHaveLength(2);
});

test("reverse provisioning reads the live schema back into the contract, and fits the table it was read from", async () => {
  const columns = [
    column("id", "BIGINT", { constraint: "PRIMARY_KEY", description: "key" }),
    column("code", "VARCHAR", { dataLength: 12, constraint: "UNIQUE" }),
    column("price", "DECIMAL", { precision: 10, scale: 2, constraint: "NOT_NULL" }),
    column("tags", "ARRAY", { arrayDataType: "STRING" }),
    column("at", "TIMESTAMPZ"),
  ];
  await adapter.provision(unitOf([storage("live", columns)]), "live");
  const ask = (params: object) =>
    adapter.post("/v1/reverse-provisioning", {
      useCaseTemplateId: "urn:t",
      environment: "development",
      params,
    });
  const { json } = await ask({ schema: "fleet", table: "live" });
  expect(json).toMatchObject({
    status: "COMPLETED",
    updates: {
      "spec.mesh.dataContract.schema": columns,
      "spec.mesh.specific.schema": "fleet",
      "spec.mesh.specific.table": "live",
    },
  });
  const before = await picture(adapter);
  await adapter.provision(unitOf([storage("live", json.updates["spec.mesh.dataContract.schema"])]), "live");
  expect(await picture(adapter)).toEqual(before);
  expect((await ask({ schema: "pg_catalog", table: "pg_authid" })).status).toBe(400);
  expect((await ask({ schema: "fleet", table: "nothing" })).status).toBe(400);
  expect((await ask({})).json.errors).toHaveLength(2);
});
