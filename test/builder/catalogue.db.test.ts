/** Locations and entities over HTTP, on real files. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findEntity, registerLocation } from "../../src/builder/catalogue/lookup.ts";
import { builderFailure } from "../../src/builder/errors.ts";
import { builderSettings } from "../../src/builder/settings.ts";
import { createRenderer } from "../../src/builder/renderer.ts";
import { systemActor } from "../../src/platform/lib/actor.ts";
import { silentLogger } from "../../src/platform/lib/logger.ts";
import { openOutboundClients } from "../../src/platform/outbound/outbound-clients.ts";
import {
  entityText,
  namesOf,
  registerFruit,
  startCatalogueFixture,
  type CatalogueFixture,
} from "./catalogue-fixture.ts";

let fixture: CatalogueFixture;

beforeAll(async () => {
  fixture = await startCatalogueFixture();
});
afterAll(() => fixture.close());

const system = `apiVersion: plinth.io/v1
kind: System
metadata:
  name: finance.orders.0
  annotations: { team.io/colour: blue }
  tags: [gold]
spec:
  owner: user:default/ada
  domain: finance
`;
const component = `kind: Component
apiVersion: plinth.io/v1
metadata: { name: finance.orders.0.table }
spec: { type: table, owner: group:ops, system: finance.orders.0, dependsOn: [raw] }
`;

describe("a location of files", () => {
  it("is registered with its entities", async () => {
    await fixture.write("orders/catalog-info.yaml", `${system}---\n${component}`);
    const answer = await fixture.register("orders/catalog-info.yaml");
    expect(answer).toMatchObject({
      status: 201,
      body: { exists: false, location: { type: "file", problems: [] } },
    });
    const read = await fixture.catalog({ path: "/entities/by-name/SYSTEM/default/finance.orders.0" });
    expect(read.body).toEqual({
      apiVersion: "plinth.io/v1",
      kind: "System",
      metadata: {
        name: "finance.orders.0",
        namespace: "default",
        tags: ["gold"],
        uid: expect.stringMatching(/^[0-9a-f-]{36}$/),
        etag: expect.stringMatching(/^[0-9a-f]{32}$/),
        annotations: {
          "team.io/colour": "blue",
          "backstage.io/managed-by-location": expect.stringMatching(
            /^file:\/.*\/orders\/catalog-info\.yaml$/,
          ),
          "backstage.io/managed-by-origin-location": "file:orders/catalog-info.yaml",
        },
      },
      spec: { owner: "user:default/ada", domain: "finance" },
      relations: [
        { type: "hasPart", targetRef: "component:default/finance.orders.0.table" },
        { type: "ownedBy", targetRef: "user:default/ada" },
        { type: "partOf", targetRef: "domain:default/finance" },
      ],
    });
    const table = await fixture.catalog({
      path: "/entities/by-name/component/default/finance.orders.0.table",
    });
    expect(table.body.relations).toEqual([
      { type: "dependsOn", targetRef: "component:default/finance.orders.0.raw" },
      { type: "ownedBy", targetRef: "group:default/ops" },
      { type: "partOf", targetRef: "system:default/finance.orders.0" },
    ]);
    const byUid = await fixture.catalog({ path: `/entities/by-uid/${table.body.metadata.uid}` });
    expect(byUid.body).toEqual(table.body);
    const { db } = fixture.server.db.database;
    expect(await findEntity(db, "Component:Finance.orders.0.table")).toEqual(table.body);
    expect(await findEntity(db, "finance.orders.0.table")).toBeNull();
    const again = await fixture.register("orders/catalog-info.yaml");
    expect(again).toMatchObject({
      status: 409,
      body: { error: { code: "BUILDER_LOCATION_EXISTS", name: "ConflictError" } },
    });
  });

  it("is refused with the line of every problem, and nothing is registered", async () => {
    await fixture.write(
      "bad/catalog-info.yaml",
      "apiVersion: v1\nkind: System\nmetadata:\n  name: 'no good'\n  tags: [Upper]\n---\nkind: 7\n",
    );
    const { status, body } = await fixture.register("bad/catalog-info.yaml");
    expect([status, body.error.code]).toEqual([400, "BUILDER_INVALID_LOCATION"]);
    expect(body.error.problems.map(({ where }: { where: string }) => where)).toEqual([
      "catalog-info.yaml:4:3#/metadata/name",
      "catalog-info.yaml:5:10#/metadata/tags/0",
      "catalog-info.yaml:7:1#/apiVersion",
      "catalog-info.yaml:7:1#/kind",
      "catalog-info.yaml:7:1#/metadata",
    ]);
    const { body: locations } = await fixture.catalog({ path: "/locations" });
    expect(JSON.stringify(locations)).not.toContain("bad/");
  });

  it("loses nothing but what is broken in it", async () => {
    const texts = [
      entityText("Domain", "sound-one"),
      entityText("Domain", "'not sound'"),
      "kind: Domain\nmetadata: { name: open\napiVersion: v1\n",
      entityText("Domain", "sound-two"),
    ];
    await fixture.write("partly.yaml", texts.join("---\n"));
    const { status, body } = await fixture.register("partly.yaml");
    expect(status).toBe(201);
    expect(body.entities.map(({ metadata }: { metadata: { name: string } }) => metadata.name)).toEqual([
      "sound-one",
      "sound-two",
    ]);
    // Lines of the file, and of an open bracket the line that it is in.
    expect(body.location.problems.map(({ where }: { where: string }) => where).toSorted()).toEqual([
      "partly.yaml:10:3#/metadata/name",
      "partly.yaml:14:11",
    ]);
    const location = await fixture.catalog({ path: `/locations/${body.location.id}` });
    expect(location.body.problems).toHaveLength(2);
  });

  it("tells a person the line of what is wrong in a template", async () => {
    const text =
      "%SKELETON\napiVersion: v1\nkind: Domain\nmetadata:\n  name: ${{ parameters.name }}\n  tags: [a\nspec: {}\n";
    await fixture.write("tpl/catalog-info.yaml", text);
    await fixture.write("tpl/parameters.yaml", "parameters: { name: tpl }\n");
    const { body } = await fixture.register("tpl/catalog-info.yaml");
    expect(body.error.problems).toEqual([
      { where: "catalog-info.yaml:6:9", message: expect.stringMatching(/^YAML: .*\w\.$/) },
    ]);
  });

  it("takes texts of templates as YAML does", async () => {
    const steps = "steps: [{ id: a, action: debug:log, input: { hosts: [ {{ host }} ] } }]";
    await fixture.write("hosts.yaml", entityText("Template", "hosts", `{ type: x, ${steps} }`));
    expect((await fixture.register("hosts.yaml")).status).toBe(201);
    const read = await fixture.catalog({ path: "/entities/by-name/template/default/hosts" });
    expect(read.body.spec.steps[0].input).toEqual({ hosts: [{ "{ host }": null }] });
  });

  it.each([
    ["../outside.yaml", "/target"],
    ["/etc/passwd", "/target"],
    ["none.yaml", "/target"],
  ])("cannot be %s", async (target, where) => {
    const { status, body } = await fixture.register(target);
    expect([status, body.error.problems[0].where]).toEqual([400, where]);
  });

  it("takes in what it includes, within its own folder only", async () => {
    await fixture.write("secret.yaml", "a: 1");
    await fixture.write("inc/schema.yaml", "type: object\nnested: { $text: ./words/note.txt }\n");
    await fixture.write("inc/words/note.txt", "hello");
    await fixture.write(
      "inc/catalog-info.yaml",
      entityText(
        "API",
        "inc",
        "{ type: openapi, definition: { $text: ./words/note.txt }, more: { $yaml: ./schema.yaml } }",
      ),
    );
    expect((await fixture.register("inc/catalog-info.yaml")).status).toBe(201);
    const read = await fixture.catalog({ path: "/entities/by-name/api/default/inc" });
    expect(read.body.spec.definition).toBe("hello");
    expect(read.body.spec.more).toEqual({ type: "object", nested: "hello" });
    await fixture.write("inc/out.yaml", entityText("Domain", "out", "{ a: { $yaml: ../secret.yaml } }"));
    const { body } = await fixture.register("inc/out.yaml");
    expect(body.error.problems).toEqual([
      {
        where: "out.yaml:5:9#/spec/a",
        message: '$yaml may only name a file of the same location; it is "../secret.yaml".',
      },
    ]);
    await fixture.write("inc/loop.yaml", entityText("Domain", "loop", "{ a: { $yaml: ./self.yaml } }"));
    await fixture.write("inc/self.yaml", "a: { $yaml: ./self.yaml }");
    const looped = await fixture.register("inc/loop.yaml");
    expect(looped.body.error.problems[0].message).toContain("deeper than 5 levels");
  });

  it("follows the targets of a Location, and takes a folder as all its entity files", async () => {
    await fixture.write(
      "many/all.yaml",
      entityText("Location", "all", "{ targets: [./one/catalog-info.yaml, ./two/catalog-info.yaml] }"),
    );
    await fixture.write("many/one/catalog-info.yaml", entityText("Domain", "one"));
    await fixture.write("many/two/catalog-info.yaml", entityText("Domain", "two", "{ subdomainOf: one }"));
    await fixture.write("many/two/skeleton/catalog-info.yaml", "${{ not yaml");
    const { body } = await fixture.catalog({
      method: "POST",
      path: "/locations?dryRun=true",
      body: { type: "file", target: "many/all.yaml" },
    });
    expect(body.entities.map((each: { metadata: { name: string } }) => each.metadata.name)).toEqual([
      "all",
      "one",
      "two",
    ]);
    const folder = await fixture.register("many");
    expect(folder.body.entities.map((each: { metadata: { name: string } }) => each.metadata.name)).toEqual([
      "one",
      "two",
    ]);
    await fixture.write(
      "tree/root.yaml",
      entityText("Location", "tree", "{ targets: [./branch.yaml, ./leaf.yaml] }"),
    );
    await fixture.write("tree/branch.yaml", entityText("Location", "branch", "{ target: ./leaf.yaml }"));
    await fixture.write("tree/leaf.yaml", entityText("Domain", "leaf"));
    await fixture.register("tree/root.yaml");
    const ancestry = await fixture.catalog({ path: "/entities/by-name/Domain/default/leaf/ancestry" });
    expect(ancestry.body.rootEntityRef).toBe("domain:default/leaf");
    expect(
      ancestry.body.items.map(
        (item: { entity: { metadata: { name: string } }; parentEntityRefs: string[] }) => [
          item.entity.metadata.name,
          item.parentEntityRefs,
        ],
      ),
    ).toEqual([
      ["leaf", ["location:default/branch", "location:default/tree"]],
      ["branch", ["location:default/tree"]],
      ["tree", []],
    ]);
    const one = await fixture.catalog({ path: "/entities/by-name/domain/default/one" });
    expect(one.body.metadata.annotations["backstage.io/managed-by-location"]).toMatch(
      /^file:\/.*\/many\/one\/catalog-info\.yaml$/,
    );
    expect(one.body.relations).toEqual([{ type: "hasPart", targetRef: "domain:default/two" }]);
  });

  it("leaves to the first what two of them claim, and gives it on when that goes", async () => {
    await fixture.write("first.yaml", entityText("Domain", "claimed", "{ from: first }"));
    await fixture.write(
      "second.yaml",
      `${entityText("Domain", "claimed", "{ from: second }")}---\n${entityText("Domain", "free")}`,
    );
    const first = await fixture.register("first.yaml");
    const second = await fixture.register("second.yaml");
    expect(second.status).toBe(201);
    expect(second.body.location.problems).toEqual([
      {
        where: "second.yaml",
        message: "The entity domain:default/claimed belongs to another location, which had it first.",
        solution: "Rename it, or unregister the other location.",
      },
    ]);
    const read = () => fixture.catalog({ path: "/entities/by-name/domain/default/claimed" });
    expect((await read()).body.spec).toEqual({ from: "first" });
    const gone = await fixture.catalog({ method: "DELETE", path: `/locations/${first.body.location.id}` });
    expect(gone.status).toBe(204);
    expect((await read()).status).toBe(404);
  });
});

it("is registered by the builder itself any number of times, readable or not when it is optional", async () => {
  const renderer = createRenderer({ workers: 1 });
  const { clients, close } = openOutboundClients(fixture.config.outbound, silentLogger);
  const ctx = {
    actor: systemActor,
    now: () => new Date(),
    log: silentLogger,
    signal: new AbortController().signal,
    requestId: "test",
    traceparent: "",
    builder: {
      database: fixture.server.db.database,
      outbound: clients,
      settings: builderSettings(fixture.config),
      renderer,
    },
  };
  await fixture.write("by-action.yaml", entityText("Domain", "by-action", "{ at: 1 }"));
  const target = { type: "file", target: "by-action.yaml" };
  const first = await registerLocation(ctx, target);
  await fixture.write("by-action.yaml", entityText("Domain", "by-action", "{ at: 2 }"));
  const second = await registerLocation(ctx, target);
  expect([first.exists, second.exists, first.location.id]).toEqual([false, true, second.location.id]);
  expect(second.entities[0]).toMatchObject({
    spec: { at: 2 },
    metadata: { uid: first.entities[0]?.metadata.uid },
  });
  const later = { type: "file", target: "later.yaml" };
  await expect(registerLocation(ctx, later)).rejects.toMatchObject({ code: "BUILDER_INVALID_LOCATION" });
  const waiting = await registerLocation(ctx, { ...later, optional: true });
  expect(waiting).toMatchObject({ entities: [], location: { refreshedAt: null } });
  const { builder } = ctx;
  const busy = { run: () => Promise.reject(builderFailure("BUILDER_BUSY", { message: "Busy." })) };
  const whileBusy = { ...ctx, builder: { ...builder, renderer: { ...renderer, ...busy } } };
  // A caller that may wait does so itself.
  for (const optional of [false, true])
    await expect(registerLocation(whileBusy, { ...target, optional })).rejects.toMatchObject({
      code: "BUILDER_BUSY",
    });
  await close();
  await renderer.close();
});

describe("the list of entities", () => {
  beforeAll(() => registerFruit(fixture));

  it.each([
    ["filter=kind=RESOURCE", ["apple", "Berry", "cherry", "date"]],
    ["filter=kind=resource,spec.type=blue", ["Berry", "date"]],
    ["filter=metadata.name=apple&filter=metadata.name=BERRY", ["apple", "Berry"]],
    ["filter=kind=resource,metadata.name=apple,metadata.name=date", ["apple", "date"]],
    ["filter=kind=resource,relations.ownedBy=group:default/team-1", ["Berry", "date"]],
    ["filter=spec.rank,kind=resource&limit=2", ["apple", "Berry"]],
    ["filter=kind=resource&limit=2&offset=3", ["date"]],
    ["filter=kind=resource&order=desc:spec.rank", ["date", "cherry", "Berry", "apple"]],
    [
      "filter=kind=resource&order=asc:spec.type&order=desc:metadata.name",
      ["date", "Berry", "cherry", "apple"],
    ],
    ["filter=kind=nothing", []],
  ])("answers %s", async (query, expected) => {
    const { status, body } = await fixture.catalog({ path: `/entities?${query}` });
    expect([status, namesOf(body)]).toEqual([200, expected]);
  });

  it("goes on where a page ended", async () => {
    const seen: string[] = [];
    let path: string | undefined = "/entities?filter=kind=resource&limit=1&order=desc:spec.type";
    while (path !== undefined) {
      const { body, headers } = await fixture.catalog({ path });
      seen.push(...namesOf(body));
      path = /<\/api\/catalog(.*)>; rel="next"/.exec(headers.get("link") ?? "")?.[1];
    }
    expect(seen).toEqual(["apple", "cherry", "Berry", "date"]);
  });

  it.each([
    ["", ["apple", "Berry", "cherry", "date"]],
    ["&orderField=spec.type,desc&orderField=metadata.name,asc", ["apple", "cherry", "Berry", "date"]],
    ["&orderField=metadata.title,asc", ["apple", "Berry", "cherry", "date"]],
    ["&orderField=relations.OWNEDBY,desc", ["Berry", "date", "apple", "cherry"]],
  ])("is leafed through, there and back, with order %s", async (order, expected) => {
    type Page = { items: { metadata: { name: string } }[]; pageInfo: Record<string, string> };
    const page = async (query: string): Promise<Page> =>
      (await fixture.catalog({ path: `/entities/by-query?${query}` })).body;
    for (const limit of [1, 2, 3, 4]) {
      const there = [await page(`filter=kind=resource${order}&limit=${limit}`)];
      for (let next = there[0]?.pageInfo["nextCursor"]; next !== undefined;) {
        const body = await page(`cursor=${next}&limit=${limit}`);
        there.push(body);
        next = body.pageInfo["nextCursor"];
      }
      expect(there.flatMap(({ items }) => namesOf(items))).toEqual(expected);
      expect(there[0]?.pageInfo["prevCursor"]).toBeUndefined();
      const back: string[][] = [];
      let previous = there.at(-1)?.pageInfo["prevCursor"];
      while (previous !== undefined) {
        const body = await page(`cursor=${previous}&limit=${limit}`);
        back.unshift(namesOf(body.items));
        const again = await page(`cursor=${body.pageInfo["nextCursor"]}&limit=${limit}`);
        expect(namesOf(again.items)).toEqual(namesOf(there.at(-back.length)?.items ?? []));
        previous = body.pageInfo["prevCursor"];
      }
      expect(back).toEqual(there.slice(0, -1).map(({ items }) => namesOf(items)));
    }
  });

  it("shows only the wanted fields", async () => {
    const { body } = await fixture.catalog({
      path: "/entities?filter=metadata.name=apple&fields=kind,metadata.name,metadata.annotations.backstage.io/managed-by-location",
    });
    expect(body).toEqual([
      {
        kind: "Resource",
        metadata: {
          name: "apple",
          annotations: { "backstage.io/managed-by-location": expect.stringMatching(/fruit\.yaml$/) },
        },
      },
    ]);
  });

  it("counts values, finds text, and answers by reference", async () => {
    const facets = await fixture.catalog({
      path: "/entity-facets?facet=spec.type&facet=relations.ownedBy&filter=kind=resource",
    });
    expect(facets.body).toEqual({
      facets: {
        "spec.type": [
          { value: "Blue", count: 2 },
          { value: "red", count: 2 },
        ],
        "relations.ownedBy": [
          { value: "group:default/team-0", count: 2 },
          { value: "group:default/team-1", count: 2 },
        ],
      },
    });
    const first = await fixture.catalog({
      path: "/entities/by-query?filter=kind=resource&limit=1&orderField=metadata.name,desc&fullTextFilterTerm=ERR&fields=metadata.name",
    });
    expect(first.body).toEqual({
      items: [{ metadata: { name: "cherry" } }],
      totalItems: 2,
      pageInfo: { nextCursor: expect.any(String) },
    });
    const second = await fixture.catalog({
      path: `/entities/by-query?cursor=${first.body.pageInfo.nextCursor}&fields=metadata.name`,
    });
    expect(second.body).toEqual({
      items: [{ metadata: { name: "Berry" } }],
      totalItems: 2,
      pageInfo: { prevCursor: expect.any(String) },
    });
    const byRefs = await fixture.catalog({
      method: "POST",
      path: "/entities/by-refs",
      body: { entityRefs: ["Resource:apple", "resource:default/none", "???"], fields: ["metadata.name"] },
    });
    expect(byRefs.body).toEqual({ items: [{ metadata: { name: "apple" } }, null, null] });
  });

  it.each([
    ["GET", "/entities?filter=%3Dx", 400, "BUILDER_INVALID_QUERY"],
    ["GET", "/entities?after=nonsense", 400, "BUILDER_INVALID_QUERY"],
    ["GET", "/entities?order=up:name", 400, "BUILDER_INVALID_QUERY"],
    ["GET", "/entities/by-query?cursor=e30", 400, "BUILDER_INVALID_QUERY"],
    ["GET", "/entities?limit=0", 400, "PLATFORM_INPUT"],
    ["GET", "/entity-facets", 400, "PLATFORM_INPUT"],
    ["GET", "/entities/by-name/system/default/none", 404, "BUILDER_ENTITY_NOT_FOUND"],
    ["GET", "/entities/by-uid/none", 404, "BUILDER_ENTITY_NOT_FOUND"],
    ["DELETE", "/entities/by-uid/00000000-0000-0000-0000-000000000000", 404, "BUILDER_ENTITY_NOT_FOUND"],
    ["GET", "/locations/none", 404, "BUILDER_LOCATION_NOT_FOUND"],
    ["DELETE", "/locations/00000000-0000-0000-0000-000000000000", 404, "BUILDER_LOCATION_NOT_FOUND"],
    ["GET", "/locations/by-entity/system/default/none", 404, "BUILDER_ENTITY_NOT_FOUND"],
    ["GET", "/nowhere", 404, "PLATFORM_NOT_FOUND"],
  ])("%s %s answers %i", async (method, path, status, code) => {
    const answer = await fixture.catalog({ method, path });
    expect([answer.status, answer.body.error.code]).toEqual([status, code]);
  });

  it("checks a document without keeping it", async () => {
    const check = (entity: unknown) =>
      fixture.catalog({
        method: "POST",
        path: "/validate-entity",
        body: { entity, location: "url:http://x.test/a" },
      });
    expect((await check({ apiVersion: "v1", kind: "Group", metadata: { name: "a" }, spec: {} })).status).toBe(
      200,
    );
    const bad = await check({
      apiVersion: "v1",
      kind: "Template",
      metadata: { name: "a_" },
      spec: { owner: 7 },
    });
    expect(bad.status).toBe(400);
    expect(bad.body.errors.map(({ message }: { message: string }) => message.split(":")[0])).toEqual([
      "/entity/metadata/name",
      "/entity/spec/owner",
      "/entity/spec/type",
      "/entity/spec/steps",
    ]);
  });

  it.each([
    ["viewer", "GET", "/entities", 200],
    ["viewer", "POST", "/locations", 403],
    ["developer", "DELETE", "/locations/x", 403],
  ] as const)("a %s may %s %s: %i", async (as, method, path, status) => {
    const body = method === "POST" ? { type: "file", target: "x" } : undefined;
    expect((await fixture.catalog({ as, method, path, body })).status).toBe(status);
  });
});
