/** Custom views and the page of data contracts, over HTTP. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { send, startWholeServer, type Answer, type Call, type WholeServer } from "../support/server.ts";
import { storeDeployedUnit } from "../governance/deployed-rows.ts";

let server: WholeServer;
beforeAll(async () => {
  server = await startWholeServer({ workers: "off" });
  await storeDeployedUnit(server.db.database, unit("positions"));
  await storeDeployedUnit(server.db.database, unit("routes"));
});
afterAll(() => server.close());

const unit = (name: string) => ({
  id: `urn:dmb:dp:fleet:${name}:0`,
  name,
  domain: "fleet",
  kind: "dataproduct",
  dataProductOwner: "user:ada",
  components: [
    {
      id: `urn:dmb:cmp:fleet:${name}:0:latest`,
      name: "latest",
      version: "0.1.0",
      kind: "outputport",
      dataContract: { schema: [{ name: "ship", dataType: "text" }] },
    },
    { id: `urn:dmb:cmp:fleet:${name}:0:load`, name: "load", kind: "workload" },
  ],
});

const call = (request: Call): Promise<Answer> => send(server.url, request);
const view = "/api/builder/custom-views/dataProductPage";
const owner = { label: "Owner", path: "spec.owner", kind: "text" };
const put = (body: unknown, more: Partial<Call> = {}): Promise<Answer> =>
  call({ method: "PUT", path: view, body, ...more });

describe("custom views", () => {
  it("are the page's own until somebody publishes one", async () => {
    const { status, body } = await call({ path: view });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      pageId: "dataProductPage",
      revision: 0,
      isDefault: true,
      draft: null,
      updatedAt: null,
    });
    expect(body.side[0]).toEqual(owner);
  });

  it("are replaced as a whole, each time with a higher revision, and take the draft away", async () => {
    const { pool } = server.db.database;
    const path = "/api/builder/custom-views/outputPortPage";
    await pool.query(
      `insert into custom_views (page_id, revision, draft, updated_by) values ('outputPortPage', 0, '{"grid": "x"}', 'u')`,
    );
    expect((await call({ path })).body).toMatchObject({ revision: 0, isDefault: true, draft: { grid: "x" } });
    const content = { grid: [owner], side: [] };
    const first = await call({ method: "PUT", path, body: content });
    expect(first.body).toEqual({
      pageId: "outputPortPage",
      revision: 1,
      ...content,
      isDefault: false,
      draft: null,
      updatedAt: expect.stringMatching(/Z$/),
      updatedBy: expect.stringContaining("admin"),
    });
    expect((await call({ path })).body).toEqual(first.body);
    const second = await call({ method: "PUT", path, body: { grid: [], side: [], revision: 1 } });
    expect(second.body).toMatchObject({ revision: 2, grid: [] });
    const { rows } = await pool.query(
      "select operation, subject, detail from audit where operation = 'putCustomView' order by id",
    );
    expect(rows).toEqual(
      [1, 2].map((revision) => ({
        operation: "putCustomView",
        subject: "custom-view:outputPortPage",
        detail: { revision },
      })),
    );
  });

  it("of two who change the same revision one is refused", async () => {
    const answers = await Promise.all([0, 0].map((revision) => put({ grid: [], side: [], revision })));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.error.code).toBe("BUILDER_VIEW_CHANGED");
  });

  it.each<[string, Partial<Call>, number, string | undefined]>([
    ["an unknown page", { path: "/api/builder/custom-views/nothing" }, 404, "BUILDER_PAGE_NOT_FOUND"],
    ["an item without a path", { body: { grid: [{ label: "x" }], side: [] } }, 400, undefined],
    ["a path that is none", { body: { grid: [{ label: "x", path: "a..b" }], side: [] } }, 400, undefined],
    ["an unknown kind", { body: { grid: [], side: [{ ...owner, kind: "map" }] } }, 400, undefined],
    [
      "too many items",
      { body: { grid: Array.from({ length: 101 }, () => owner), side: [] } },
      400,
      undefined,
    ],
    ["another key", { body: { grid: [], side: [], top: [] } }, 400, undefined],
    ["a developer", { as: "developer" }, 403, undefined],
    [
      "a revision that was never there",
      { body: { grid: [], side: [], revision: 77 } },
      409,
      "BUILDER_VIEW_CHANGED",
    ],
  ])("refuses %s", async (_what, request, status, code) => {
    const answer = await put({ grid: [], side: [] }, request);
    expect(answer.status).toBe(status);
    if (code !== undefined) expect(answer.body.error.code).toBe(code);
  });
});

describe("data contracts", () => {
  const path = "/api/marketplace/v1/data-contracts";

  it("are those of deployed output ports, page by page", async () => {
    const first = await call({ path: `${path}?environment=development&limit=1`, as: "viewer" });
    expect(first.body).toEqual({
      data: [
        {
          dataProduct: { id: unit("positions").id, name: "positions", domain: "fleet", owner: "user:ada" },
          outputPort: { id: unit("positions").components[0]!.id, name: "latest", version: "0.1.0" },
          environment: "development",
          contract: { schema: [{ name: "ship", dataType: "text" }] },
        },
      ],
      next: expect.any(String),
    });
    const second = await call({
      path: `${path}?environment=development&limit=1&after=${encodeURIComponent(first.body.next)}`,
    });
    expect(second.body.data.map((each: { dataProduct: { name: string } }) => each.dataProduct.name)).toEqual([
      "routes",
    ]);
    expect((await call({ path: `${path}?environment=production` })).body).toEqual({ data: [], next: null });
  });

  it("of an environment that is none are refused, and without one", async () => {
    const moon = await call({ path: `${path}?environment=moon` });
    expect([moon.status, moon.body.error.code]).toEqual([400, "BUILDER_UNKNOWN_ENVIRONMENT"]);
    expect((await call({ path })).status).toBe(400);
  });

  it("are not there where the page is turned off", async () => {
    const off = await startWholeServer({
      workers: "off",
      configure(config) {
        config.mesh.marketplace.dataContracts.enabled = false;
      },
    });
    try {
      const answer = await send(off.url, { path: `${path}?environment=development` });
      expect([answer.status, answer.body.error.code]).toEqual([404, "BUILDER_PAGE_NOT_FOUND"]);
    } finally {
      await off.close();
    }
  });
});
