/** The search over everything: what it finds of each kind, for whom, and what it answers while an area is away. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../src/platform/db/sql.ts";
import { beginningsOf } from "../../src/platform/db/word-search.ts";
import { planSearch, unitSearch } from "../../src/coordinator/search/store.ts";
import { entitySearch } from "../../src/builder/catalogue/feed-store.ts";
import { mockAdapterId, startWholeServer, type TestRole, type WholeServer } from "../support/server.ts";
import { input, testRefusals } from "./refusals.ts";

const unitId = "urn:dmb:dp:sea:harbour_trips:0";
const planId = "5a6ad0cd-1d4b-4e0c-9a53-0c6f6f6f2b11";
let server: WholeServer;

beforeAll(async () => {
  server = await startWholeServer({ workers: "off" });
  await server.registerMock();
  const { db } = server.db.database;
  const descriptor = JSON.stringify({ name: "Harbour Trips", kind: "dataproduct", domain: "sea" });
  await sql`insert into units (unit_key, environment, unit_id, descriptor)
    select ${unitId}, environment, ${unitId}, ${descriptor}::json from unnest('{development,production}'::text[]) e (environment)`.execute(
    db,
  );
  await sql`insert into execution_plans (id, kind, unit_key, unit_id, environment, action, status, originator, request,
      traceparent, deadline_at, created_at)
    values (${planId}, 'UNIT', ${unitId}, ${unitId}, 'production', 'DEPLOY', 'COMPLETED', 'user:default/ada', '{}', '', now(),
      '2026-01-01T00:00:00.000Z')`.execute(db);
  await sql`with location as (insert into catalogue_locations (id, type, target, registered_by, created_at)
      values (gen_random_uuid(), 'url', 'a', 'user:default/ada', now()) returning id),
    entities as (insert into catalogue_entities (uid, ref, kind, location_id, raw, processed, hash, updated_at)
      select gen_random_uuid(), kind || ':default/' || name, kind, location.id, '{}', '{}', '', now() from location,
        (values ('component', 'harbour-table'), ('template', 'harbour-product'), ('location', 'harbour-file')) as e (kind, name)
      returning uid, ref)
    insert into catalogue_search (uid, key, value, shown)
      select uid, 'metadata.name', split_part(ref, '/', 2), split_part(ref, '/', 2) from entities
      union all select uid, 'metadata.title', 'arrivals and departures', 'Arrivals and departures' from entities
        where ref like 'component%'`.execute(db);
  await sql`insert into coordinator.policies (id, version, status, created_at, created_by, updated_at, updated_by)
    values ('harbour-names', 1, 'enabled', now(), '', now(), '')`.execute(db);
  await sql`insert into coordinator.policy_versions (policy_id, version, name, content, created_at, created_by)
    values ('harbour-names', 1, 'Names in the harbour', '{}', now(), '')`.execute(db);
});
afterAll(() => server.close());

const search = async (query: string, as: TestRole = "viewer"): Promise<any> => {
  const { status, body, text } = await server.coordinator({ path: `/v1/search?${query}`, as });
  expect(status, text).toBe(200);
  return body;
};
const group = (body: any, kind: string): any => body.data.find((each: any) => each.kind === kind);
const score = expect.any(Number);

it("answers a group for each kind, in the same order", async () => {
  const body = await search("q=harb&limit=3");
  expect(body.data.map(({ kind }: any) => kind)).toEqual([
    "UNIT",
    "PLAN",
    "ADAPTER",
    "ENTITY",
    "TEMPLATE",
    "POLICY",
    "AGENT",
    "PAGE",
  ]);
  expect(group(body, "UNIT")).toEqual({
    kind: "UNIT",
    items: [
      {
        id: unitId,
        title: "Harbour Trips",
        subtitle: `dataproduct · sea · development, production · ${unitId}`,
        environment: null,
        score,
        link: { unitId },
      },
    ],
    more: false,
    unavailable: null,
  });
  expect(group(body, "TEMPLATE").items).toEqual([
    {
      id: "template:default/harbour-product",
      title: "harbour-product",
      subtitle: "template · template:default/harbour-product",
      environment: null,
      score,
      link: { entityRef: "template:default/harbour-product" },
    },
  ]);
  expect(group(body, "ENTITY").items.map(({ title }: any) => title)).toEqual(["Arrivals and departures"]);
  expect(group(body, "POLICY").items[0]).toMatchObject({
    id: "harbour-names",
    link: { policyId: "harbour-names" },
  });
  expect(body.meta).toEqual({ limit: 3 });
});

it.each([
  ["UNIT", "trip%20HARB", unitId],
  ["UNIT", encodeURIComponent(unitId.toUpperCase()), unitId],
  ["PLAN", planId.slice(0, 6).toUpperCase(), planId],
  ["ADAPTER", "moc", mockAdapterId],
  ["ENTITY", "depart", "component:default/harbour-table"],
])("finds a %s by %s", async (kind, q, id) => {
  const [found] = group(await search(`q=${q}&kind=${kind}`), kind).items;
  expect(found.id).toBe(id);
});

it("finds agents that are shipped", async () => {
  const { items } = group(await search("q=orch&kind=AGENT"), "AGENT");
  expect(items[0].link.agentId).toMatch(/^[0-9a-f-]{36}$/);
});

it.each(["!!!", "a & | b", ":*", "'", "\\", "%", "_", "\u{1F600}", "5a6"])(
  "takes %s for no operator",
  async (q) => {
    const body = await search(`q=${encodeURIComponent(q)}`);
    expect(body.data.map(({ unavailable }: any) => unavailable)).toEqual(
      Array.from({ length: 8 }, () => null),
    );
    expect(group(body, "PLAN").items).toEqual([]);
  },
);

it("leaves the others alone when one fails", async () => {
  const { db } = server.db.database;
  await sql`alter table coordinator.policy_versions rename to policy_versions_away`.execute(db);
  try {
    const body = await search("q=harb");
    expect(group(body, "POLICY")).toEqual({
      kind: "POLICY",
      items: [],
      more: false,
      unavailable: "It could not be searched.",
    });
    expect(group(body, "UNIT").items).toHaveLength(1);
  } finally {
    await sql`alter table coordinator.policy_versions_away rename to policy_versions`.execute(db);
  }
});

it("finds for a token what its scopes may read", async () => {
  const made = await fetch(`${server.url}/api/auth/v1/tokens`, {
    method: "POST",
    headers: { authorization: `Bearer ${server.token("developer")}`, "content-type": "application/json" },
    body: JSON.stringify({
      name: "search",
      scopes: ["coordinator:searchEverything", "coordinator:listUnits"],
      expiresInDays: 1,
    }),
  });
  const token = (await made.json()) as any;
  const get = (query: string) =>
    fetch(`${server.url}/api/coordinator/v1/search?${query}`, {
      headers: { authorization: `Bearer ${token.token ?? token.secret}` },
    });
  const body = (await (await get("q=harb")).json()) as any;
  expect(
    body.data?.map(({ kind }: any) => kind),
    JSON.stringify([token, body]),
  ).toEqual(["UNIT"]);
  expect((await get("q=harb&kind=POLICY")).status).toBe(403);
});

it("uses an index for each, and every kind answers over 10,000 entities and units", async () => {
  const { db } = server.db.database;
  await sql`with many as (insert into catalogue_entities (uid, ref, kind, location_id, raw, processed, hash, updated_at)
      select gen_random_uuid(), 'component:default/table-' || n, 'component', (select id from catalogue_locations limit 1), '{}', '{}',
        '', now() from generate_series(1, 10000) n returning uid, ref)
    insert into catalogue_search (uid, key, value, shown)
      select uid, key, split_part(ref, '/', 2), split_part(ref, '/', 2) from many,
        unnest('{metadata.name,metadata.title,spec.type,spec.owner}'::text[]) as k (key)`.execute(db);
  await sql`insert into units (unit_key, environment, unit_id, descriptor)
    select 'urn:dmb:dp:sea:many' || n, 'development', 'urn:dmb:dp:sea:many' || n, '{"name": "Table"}'
    from generate_series(1, 10000) n`.execute(db);
  await sql`vacuum analyze catalogue_search, catalogue_entities, units`.execute(db);
  const words = beginningsOf("harb")!;
  const uses = async (statement: ReturnType<typeof sql>): Promise<string> => {
    const { rows } = await sql<any>`explain (format json) ${statement}`.execute(db);
    return JSON.stringify(rows);
  };
  expect(await uses(unitSearch({ typed: "", words, limit: 1 }))).toContain("units_words");
  expect(await uses(entitySearch({ typed: "", words, templates: false, limit: 1 }))).toContain(
    "catalogue_search_words",
  );
  const { rows } = await sql<{ name: string }>`select indexname as name from pg_indexes
    where indexname in ('execution_plans_token', 'assistant_messages_words')`.execute(db);
  expect(rows).toHaveLength(2);
  expect(planSearch({ beginning: "abcd", limit: 1 }).compile().text).toContain("id ~>=~ $1");
  for (let round = 0; round < 3; round += 1)
    for (const q of ["tab", "table-7", "t", "many12", "harb", "dp%20sea"]) {
      const body = await search(`q=${q}`);
      expect(body.data.every(({ unavailable }: any) => unavailable === null)).toBe(true);
    }
});

it("finds what is named exactly as typed among more than are compared", async () => {
  const { db } = server.db.database;
  await sql`with many as (insert into catalogue_entities (uid, ref, kind, location_id, raw, processed, hash, updated_at)
      select gen_random_uuid(), 'component:default/' || name, 'component', (select id from catalogue_locations limit 1), '{}', '{}',
        '', now() from (select case when n = 3000 then 'ferry' else 'ferry-' || n end as name from generate_series(1, 3000) n) names
      returning uid, ref)
    insert into catalogue_search (uid, key, value, shown)
      select uid, 'metadata.name', split_part(ref, '/', 2), split_part(ref, '/', 2) from many`.execute(db);
  await sql`insert into units (unit_key, environment, unit_id, descriptor)
    select 'urn:dmb:dp:sea:line' || n, 'development', 'urn:dmb:dp:sea:line' || n,
      json_build_object('name', case when n = 3000 then 'Ferry' else 'Ferry line' end) from generate_series(1, 3000) n`.execute(
    db,
  );
  const body = await search("q=ferry&limit=1");
  expect(group(body, "UNIT").items[0].id).toBe("urn:dmb:dp:sea:line3000");
  expect(group(body, "ENTITY").items[0].id).toBe("component:default/ferry");
});

describe("searchEverything refuses", () => {
  testRefusals(
    () => server,
    [
      input("nothing to look for", { path: "/v1/search" }, "q"),
      input("an empty text", { path: "/v1/search?q=" }, "q"),
      input("a long text", { path: `/v1/search?q=${"a".repeat(201)}` }, "q"),
      input("a limit beyond the longest group", { path: "/v1/search?q=a&limit=21" }, "limit"),
      input("an unknown kind", { path: "/v1/search?q=a&kind=SHIP" }, "kind/0"),
    ],
  );
});
