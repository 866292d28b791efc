/** Who has access to a unit: as it is answered, in pages, and to whom what is shown. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../src/platform/db/sql.ts";
import { startWholeServer, type TestRole, type WholeServer } from "../support/server.ts";
import { input, testRefusals } from "./refusals.ts";

const unitId = "urn:dmb:dp:sea:ports:0";
const portId = `${unitId}:harbour`;
const path = `/v1/deployment-units/${unitId}/access`;
const asked = "0b0f7c0e-7c1f-4a3e-9d3b-0f3a1c5e7d11";

let server: WholeServer;
/** Test callers are services with the name of their role. */
const developer = "service:default/developer";

beforeAll(async () => {
  server = await startWholeServer({ workers: "off" });
  const { db } = server.db.database;
  await sql`insert into execution_plans (id, kind, unit_key, unit_id, environment, action, status, originator, request, traceparent, deadline_at)
    values ('plan-1', 'ACCESS', ${unitId}, ${unitId}, 'production', 'UPDATE_ACL', 'COMPLETED', 'user:default/ada', '{}', '', now())`.execute(
    db,
  );
  for (const [environment, ownerGroup] of [
    ["development", developer],
    ["production", "group:fleet"],
  ] as const) {
    await sql`insert into units (unit_key, environment, unit_id, descriptor) values (${unitId}, ${environment}, ${unitId},
      ${JSON.stringify({ ownerGroup })}::json)`.execute(db);
    await sql`insert into unit_components (unit_key, environment, component_key, component_id, name, status, descriptor, hash, plan_id, consumable)
      values (${unitId}, ${environment}, ${portId}, ${portId}, 'harbour', 'DEPLOYED', '{}', '', 'plan-1', true)`.execute(
      db,
    );
  }
  await sql`insert into acl_requests (request_id, body_hash, plan_id, unit_key, environment, component_key, component_id,
      identities, originator, http_request_id, created_at)
    values (${`${asked}:7:1`}, '', 'plan-1', ${unitId}, 'production', ${portId}, ${portId}, '{user:ada}',
      'user:default/ada', 'r', '2026-01-01T00:00:00.000Z')`.execute(db);
  await sql`insert into acls (unit_key, environment, component_key, component_id, identity, request_id, granted_at)
    select ${unitId}, environment, ${portId}, ${portId}, identity, request_id, timestamptz '2026-01-01T00:00:05Z'
    from (values ('development', 'user:bob', 'gone'), ('production', 'group:crew', 'gone'),
      ('production', 'user:ada', ${`${asked}:7:1`}),
      ('production', ${developer.replace("default/", "")}, 'gone')) as a (environment, identity, request_id)`.execute(
    db,
  );
});
afterAll(() => server.close());

const list = async (query = "", as: TestRole = "admin"): Promise<any> => {
  const { status, body, text } = await server.coordinator({ path: path + query, as });
  expect(status, text).toBe(200);
  return body;
};
const seen = ({ data }: any): string[] =>
  data.map(({ environment, identity }: any) => `${environment} ${identity}`);

it("is answered with the request that granted it", async () => {
  const body = await list("?identity=USER:Ada");
  expect(body).toEqual({
    data: [
      {
        environment: "production",
        outputPortUrn: portId,
        outputPortName: "harbour",
        identity: "user:ada",
        grantedAt: "2026-01-01T00:00:05.000Z",
        request: {
          id: `${asked}:7:1`,
          accessRequestId: asked,
          executionPlanId: "plan-1",
          requestedBy: "user:default/ada",
          requestedAt: "2026-01-01T00:00:00.000Z",
        },
      },
    ],
    meta: { visible: "ALL", pagination: { limit: 20, next: null } },
  });
});

it("comes in pages, without a request that is no longer stored", async () => {
  const all: string[] = [];
  let query = "?limit=1";
  for (;;) {
    const body = await list(query);
    all.push(...seen(body));
    if (body.meta.pagination.next === null) break;
    query = `?limit=1&cursor=${encodeURIComponent(body.meta.pagination.next)}`;
  }
  expect(all).toEqual(seen(await list()));
  expect(all).toHaveLength(4);
  expect((await list("?environment=development")).data[0].request).toBeNull();
});

it("shows owners everybody where they own the unit, and elsewhere themselves", async () => {
  const own = developer.replace("default/", "");
  expect(seen(await list("", "developer"))).toEqual(["development user:bob", `production ${own}`]);
  expect((await list("", "developer")).meta.visible).toBe("OWN");
  const owned = await list("?environment=development", "developer");
  expect([seen(owned), owned.meta.visible]).toEqual([["development user:bob"], "ALL"]);
});

it("shows others nothing of others, and operators all", async () => {
  const none = await list("", "viewer");
  expect([none.data, none.meta.visible]).toEqual([[], "OWN"]);
  expect(seen(await list("", "operator"))).toHaveLength(4);
});

it("is empty for a unit that is not known", async () => {
  const { status, body } = await server.coordinator({ path: "/v1/deployment-units/urn:none/access" });
  expect([status, body.data]).toEqual([200, []]);
});

describe("listUnitAccess refuses", () => {
  testRefusals(
    () => server,
    [
      [
        "an unknown environment",
        { path: `${path}?environment=moon` },
        400,
        "COORD_UNKNOWN_ENVIRONMENT",
        "environment",
      ],
      ["a cursor of its own", { path: `${path}?cursor=mine` }, 400, "COORD_INVALID_CURSOR", "cursor"],
      input("a limit beyond the longest page", { path: `${path}?limit=101` }, "limit"),
      input("an empty identity", { path: `${path}?identity=` }, "identity"),
      input("NUL in the unit's id", { path: "/v1/deployment-units/%00/access" }, "deployment-unit-id"),
    ],
  );
});
