/** Policies over HTTP: records, versions, life cycle, refusals. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startWholeServer, type Answer, type WholeServer } from "../support/server.ts";

let server: WholeServer;
beforeAll(async () => {
  server = await startWholeServer();
});
afterAll(() => server.close());

const named = { name: "Named", engine: "cel", spec: { assert: "has(resource.name)" } };
let count = 0;
const create = (body: object = {}): Promise<Answer> =>
  server.governance({ method: "POST", path: "/policies", body: { ...named, id: `p${++count}`, ...body } });
const setStatus = (id: string, status: string, more: object = {}): Promise<Answer> =>
  server.governance({
    method: "POST",
    path: `/policies/${id}/status`,
    body: { status, reason: "Agreed.", ...more },
  });
const graceUntil = "2999-01-01T00:00:00.000Z";

describe("a policy", () => {
  it("is created as a draft, and read again", async () => {
    const made = await create({ id: "first", tags: ["a"], environments: ["production"] });
    expect(made.status, made.text).toBe(201);
    expect(made.body).toMatchObject({ id: "first", version: 1, status: "draft", environment: "production" });
    const read = await server.governance({ path: "/policies/first" });
    expect(read.body).toEqual(made.body);
  });

  it("is changed under the version that it has, and old versions stay", async () => {
    const { body } = await create();
    const change = (version: number): Promise<Answer> =>
      server.governance({
        method: "PUT",
        path: `/policies/${body.id}`,
        body: { ...named, version, name: "Renamed" },
      });
    expect((await change(1)).body).toMatchObject({ version: 2, name: "Renamed" });
    const stale = await change(1);
    expect([stale.status, stale.body.code]).toEqual([409, "CGP_VERSION_STALE"]);
    const versions = await server.governance({ path: `/policies/${body.id}/versions` });
    expect(versions.body.data.map(({ policy }: any) => policy.name)).toEqual(["Renamed", "Named"]);
  });

  it("may be sent back as it was read, and its status and version stay those of its life cycle", async () => {
    const { body: first } = await create({ status: "enabled", version: 7, createdBy: "user:default/eve" });
    expect(first).toMatchObject({ version: 1, status: "draft", createdBy: expect.not.stringMatching("eve") });
    const path = `/policies/${first.id}`;
    await setStatus(first.id, "enabled");
    await setStatus(first.id, "grace", { graceUntil });
    const { body: read } = await server.governance({ path });
    const changed = await server.governance({ method: "PUT", path, body: { ...read, name: "Sent back" } });
    expect(changed.body, changed.text).toMatchObject({ version: 2, status: "grace", graceUntil });
    expect((await setStatus(first.id, "enabled")).body.status).toBe("enabled");
    const { body: last } = await server.governance({ path });
    expect(last).toMatchObject({ name: "Sent back", version: 2, status: "enabled" });
    expect(Object.keys(last)).not.toContain("graceUntil");
    const { body: versions } = await server.governance({ path: `${path}/versions` });
    for (const { policy } of versions.data)
      expect(Object.keys(policy)).not.toEqual(expect.arrayContaining(["status"]));
  });

  it("of two changes at the same time takes one", async () => {
    const { body } = await create();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () =>
        server.governance({ method: "PUT", path: `/policies/${body.id}`, body: { ...named, version: 1 } }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409, 409]);
  });

  it("that is changed and deleted at the same time is changed before it is deleted, or not at all", async () => {
    const ids = await Promise.all(Array.from({ length: 10 }, async () => (await create()).body.id as string));
    const ends = await Promise.all(
      ids.map(async (id) => {
        const path = `/policies/${id}`;
        const [changed, removed] = await Promise.all([
          server.governance({ method: "PUT", path, body: { ...named, version: 1 } }),
          server.governance({ method: "DELETE", path }),
        ]);
        expect(removed.status).toBe(204);
        expect((await server.governance({ path })).status).toBe(404);
        const { body } = await server.governance({ path: `${path}/versions` });
        return [changed.status, body.data.length];
      }),
    );
    for (const end of ends)
      expect([
        [200, 2],
        [404, 1],
      ]).toContainEqual(end);
  });

  it("of one id that is created by several at the same time is there once", async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => create({ id: "raced" })));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409, 409, 409]);
  });

  it("that is enabled and deleted at the same time is one of both", async () => {
    const ids = await Promise.all(Array.from({ length: 10 }, async () => (await create()).body.id as string));
    const ends = await Promise.all(
      ids.map(async (id, n) => {
        const path = `/policies/${id}`;
        const work = [
          () => setStatus(id, "enabled"),
          () => server.governance({ method: "DELETE", path }),
        ] as const;
        // Either is sent first as often as the other.
        const first = n % 2 === 0 ? work[0]() : work[1]();
        const second = n % 2 === 0 ? work[1]() : work[0]();
        const [enabled, removed] = n % 2 === 0 ? [await first, await second] : [await second, await first];
        return [enabled.status, removed.status, (await server.governance({ path })).status];
      }),
    );
    const possible = [
      [200, 409, 200],
      [404, 204, 404],
      [409, 204, 404],
    ];
    for (const end of ends) expect(possible).toContainEqual(end);
  });

  it.each([
    [[], "grace", 200],
    [[], "enabled", 200],
    [[], "disabled", 409],
    [["grace"], "enabled", 200],
    [["grace"], "disabled", 200],
    [["grace"], "draft", 409],
    [["enabled"], "grace", 200],
    [["enabled"], "disabled", 200],
    [["enabled"], "draft", 409],
    [["enabled", "disabled"], "draft", 200],
    [["enabled", "disabled"], "enabled", 409],
  ])("after %j becomes %s: %i", async (before, to, status) => {
    const { body } = await create();
    const go = (each: string): Promise<Answer> =>
      setStatus(body.id, each, each === "grace" ? { graceUntil } : {});
    for (const each of before) expect((await go(each)).status).toBe(200);
    const answer = await go(to);
    expect(answer.status, answer.text).toBe(status);
    if (status === 200) expect(answer.body.status).toBe(to);
    else expect(answer.body.code).toBe("CGP_STATUS_CHANGE");
  });

  it("is deleted as a draft only; its versions stay, and its id can be used again", async () => {
    const { body } = await create();
    await setStatus(body.id, "enabled");
    const remove = (): Promise<Answer> =>
      server.governance({ method: "DELETE", path: `/policies/${body.id}` });
    const refused = await remove();
    expect([refused.status, refused.body.code]).toEqual([409, "CGP_NOT_DRAFT"]);
    expect(refused.body.moreInfo.solutions).toEqual(["Disable it and make it a draft first."]);
    await setStatus(body.id, "disabled");
    await setStatus(body.id, "draft");
    expect((await remove()).status).toBe(204);
    expect((await server.governance({ path: `/policies/${body.id}` })).status).toBe(404);
    expect((await server.governance({ path: `/policies/${body.id}/versions` })).body.data).toHaveLength(1);
    expect((await create({ id: body.id })).body).toMatchObject({ version: 2, status: "draft" });
  });
});

describe("a list", () => {
  it("filters, sorts and pages", async () => {
    const tag = "listed";
    for (const name of ["b", "a", "c"]) await create({ name, tags: [tag], resourceType: "storage" });
    const list = async (query: string): Promise<string[]> => {
      const { status, body, text } = await server.governance({ path: `/policies?text=${tag}&${query}` });
      expect(status, text).toBe(200);
      return body.data.map(({ name }: any) => name);
    };
    expect(await list("")).toEqual(["a", "b", "c"]);
    expect(await list("sort-order=desc&limit=2")).toEqual(["c", "b"]);
    expect(await list("offset=2")).toEqual(["c"]);
    expect(await list("resource-type=Storage,workload&status=draft&kind=policy&engine=cel")).toHaveLength(3);
    expect(await list("resource-type=workload")).toEqual([]);
    expect(await list("env=production&trigger=active")).toHaveLength(3);
  });

  it.each(["status=bogus", "status=draft,enable", "kind=rule", "engine=rego", "trigger=always"])(
    "by %s is refused, which no policy can have",
    async (query) => {
      const { status, text } = await server.governance({ path: `/policies?${query}` });
      expect(status, text).toBe(400);
      expect(text).toContain("must be one of");
    },
  );

  it("holds a thousand", async () => {
    // More at a time than the pool has connections.
    const some = await Promise.all(
      Array.from({ length: 40 }, (_, n) => create({ name: `many ${n}`, tags: ["many"] })),
    );
    for (const made of some) expect(made.status, made.text).toBe(201);
    const { pool } = server.db.database;
    await pool.query(`with more as (select n, 'copy' || n as id from generate_series(1, 960) as n),
      copied as (insert into coordinator.policies select more.id, p.version, p.status, p.grace_until, p.deleted_at,
        p.created_at, p.created_by, p.updated_at, p.updated_by
        from more, coordinator.policies p where p.id = '${some[0]?.body.id}' returning id)
      insert into coordinator.policy_versions select copied.id, v.version, v.name, v.content, v.created_at, v.created_by
        from copied, coordinator.policy_versions v where v.policy_id = '${some[0]?.body.id}'`);
    const { body } = await server.governance({ path: "/policies?text=many&limit=1000" });
    expect(body.data).toHaveLength(1_000);
    expect(body.meta.pagination.total).toBe(1_000);
    const paged: string[] = [];
    for (let offset = 0; offset < 1_000; offset += 300) {
      const page = await server.governance({ path: `/policies?text=many&limit=300&offset=${offset}` });
      paged.push(...page.body.data.map(({ id }: any) => id));
    }
    expect(paged).toEqual(body.data.map(({ id }: any) => id));
    const beyond = await server.governance({ path: "/policies?text=many&offset=1000" });
    expect(beyond.body).toEqual({
      data: [],
      meta: { pagination: { offset: 1_000, limit: 25, total: 1_000 } },
    });
    expect((await server.governance({ path: "/policies?limit=1001" })).status).toBe(400);
  });
});

describe("a policy is refused", () => {
  const schema = { engine: "json-schema", spec: { schema: {} } };
  const remote = { engine: "remote", spec: { url: "http://127.0.0.1:9" } };
  it.each([
    ["whose expression can't be parsed", { spec: { assert: "resource.name ==" } }, "/spec/assert:1:17"],
    ["that names what is not there", { spec: { assert: "\n  secret == 1" } }, "/spec/assert:2:3"],
    ["whose selection can't be parsed", { select: "((" }, "/select:1:3"],
    ["with a spec of another engine", { engine: "cue" }, "/spec"],
    ["with a schema that is none", { engine: "json-schema", spec: { schema: { type: 7 } } }, "/spec/schema"],
    ["for an environment that is none", { environments: ["moon"] }, "/environments/0"],
    ["that is passive at deployments", { trigger: "passive" }, "/timing"],
    ["with thresholds without being a metric", { thresholds: [{ label: "a" }] }, "/thresholds"],
    ["with a schedule at deployments", { schedule: "0 6 * * *" }, "/schedule"],
    ["that is local and names the unit", { spec: { assert: "unit.domain == 'sea'" } }, "/spec/assert:1:1"],
    [
      "that compares nothing and names what was",
      { spec: { assert: "original != null" } },
      "/spec/assert:1:1",
    ],
    ["that selects by the unit", { select: "unit.domain == 'sea'", context: "global" }, "/select:1:1"],
    ["whose schema would see the unit", { ...schema, context: "global" }, "/context"],
    ["whose schema would compare", { ...schema, strategy: "previous_vs_current" }, "/strategy"],
    ["whose remote engine would see the unit", { ...remote, context: "global" }, "/context"],
    ["whose remote engine would compare", { ...remote, strategy: "previous_vs_current" }, "/strategy"],
    ["that is a metric of a schema", { ...schema, kind: "metric" }, "/engine"],
  ])("%s", async (_what, body, where) => {
    const answer = await create(body);
    expect(answer.status, answer.text).toBe(400);
    expect(answer.body.code).toBe("CGP_INVALID_POLICY");
    expect(answer.body.inputErrorField).toBe(where);
    expect(answer.body.moreInfo.solutions.length).toBeGreaterThan(0);
  });

  it("by a role that may only read", async () => {
    const answer = await server.governance({
      method: "POST",
      path: "/policies",
      body: named,
      as: "developer",
    });
    expect(answer.status).toBe(403);
  });
});

it("whose expression would be refused by now goes on as before, and is refused when it is written again", async () => {
  const { body } = await create({ spec: { assert: "resource == resource" } });
  await server.db.database.pool.query(
    `update coordinator.policy_versions set content = jsonb_set(content, '{spec,assert}', '"unit == null"')
     where policy_id = $1`,
    [body.id],
  );
  expect((await setStatus(body.id, "enabled")).status).toBe(200);
  const descriptor = { id: "urn:a", kind: "dataproduct" };
  const tested = await server.governance({
    method: "POST",
    path: "/policies/test",
    body: { policyId: body.id, environment: "development", descriptor },
  });
  expect(tested.body.summary, tested.text).toEqual({ ok: 1, warning: 0, error: 0, failed: 0 });
  const path = `/policies/${body.id}`;
  const { body: read } = await server.governance({ path });
  const again = await server.governance({ method: "PUT", path, body: read });
  expect([again.status, again.body.inputErrorField]).toEqual([400, "/spec/assert:1:1"]);
  await setStatus(body.id, "disabled");
});

it("leaves an audit row of each change", async () => {
  const { body } = await create();
  await setStatus(body.id, "enabled");
  const { rows } = await server.db.database.pool.query(
    "select operation, actor from coordinator.audit where subject = $1 order by id",
    [`policy:${body.id}`],
  );
  expect(rows.map(({ operation }) => operation)).toEqual(["createPolicy", "setPolicyStatus"]);
});

it.each([
  ["/evaluation-reports", "/results"],
  ["/resources/x/policy-violations", "/results"],
  ["/resources/policy-violations/count", "/results/count"],
  ["/resources/x/metric-results", "/results"],
])("says of %s that it was removed for %s", async (path, replacement) => {
  const { status, body } = await server.governance({ path });
  expect([status, body.code]).toEqual([410, "CGP_REMOVED"]);
  expect(body.moreInfo.solutions).toEqual([`Use /v1/computational-governance${replacement}.`]);
});

it("is served where older clients look for it", async () => {
  for (const base of ["/governance-platform", "/datamesh.provisioningcoordinator"]) {
    const answer = await fetch(`${server.url}${base}/v1/computational-governance/policies`, {
      headers: { authorization: `Bearer ${server.token("viewer")}` },
    });
    expect(answer.status).toBe(200);
  }
});
