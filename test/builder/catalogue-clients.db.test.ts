/** What newer clients of the catalogue ask for: predicates, and locations that are looked for, moved and looked at. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { setDatabaseWait } from "../support/server.ts";
import {
  entityText,
  namesOf,
  registerFruit,
  startCatalogueFixture,
  type CatalogueFixture,
} from "./catalogue-fixture.ts";

let fixture: CatalogueFixture;

beforeAll(async () => {
  fixture = await startCatalogueFixture({
    onConfig(config) {
      // Values by the ten thousand are counted; a busy machine needs more than the 4 s of a read for them.
      setDatabaseWait(config, { read: 120_000, write: 120_000 });
    },
  });
});
afterAll(() => fixture.close());

describe("a registered location", () => {
  const post = (path: string, body: unknown, as?: "developer") =>
    fixture.catalog({ method: "POST", path, body, ...(as && { as }) });

  it("can lead to another target, with what both have kept", async () => {
    await fixture.write("old.yaml", `${entityText("Domain", "both")}---\n${entityText("Domain", "old-one")}`);
    await fixture.write("new.yaml", `${entityText("Domain", "both")}---\n${entityText("Domain", "new-one")}`);
    const { body: registered } = await fixture.register("old.yaml");
    const read = (name: string) => fixture.catalog({ path: `/entities/by-name/domain/default/${name}` });
    const before = await read("both");
    const put = (target: string, id = registered.location.id, as: "admin" | "developer" = "admin") =>
      fixture.catalog({ method: "PUT", path: `/locations/${id}`, body: { type: "file", target }, as });
    expect((await put("new.yaml", undefined, "developer")).status).toBe(403);
    expect((await put("none.yaml")).body.error.code).toBe("BUILDER_INVALID_LOCATION");
    expect((await put("new.yaml", "none")).body.error.code).toBe("BUILDER_LOCATION_NOT_FOUND");
    const moved = await put("new.yaml");
    expect([moved.status, moved.body]).toMatchObject([
      200,
      { id: registered.location.id, type: "file", target: "new.yaml", problems: [] },
    ]);
    const after = await read("both");
    expect(after.body.metadata.uid).toBe(before.body.metadata.uid);
    expect(after.body.metadata.annotations["backstage.io/managed-by-origin-location"]).toBe("file:new.yaml");
    expect((await read("new-one")).status).toBe(200);
    expect((await read("old-one")).body.metadata.annotations["backstage.io/orphan"]).toBe("true");
    await fixture.write("third.yaml", entityText("Domain", "third"));
    await fixture.register("third.yaml");
    expect((await put("third.yaml")).body.error.code).toBe("BUILDER_LOCATION_EXISTS");
  });

  it("is read again when that is what a conflict means", async () => {
    await fixture.write("again.yaml", entityText("Domain", "again", "{ at: 1 }"));
    await fixture.register("again.yaml");
    await fixture.write("again.yaml", entityText("Domain", "again", "{ at: 2 }"));
    const answer = await post("/locations?onConflict=refresh", { type: "file", target: "again.yaml" });
    expect([answer.status, answer.body.exists, answer.body.entities[0].spec]).toEqual([201, true, { at: 2 }]);
  });

  it("is found by a predicate, page by page", async () => {
    for (const name of ["q1", "q2", "q3"]) {
      await fixture.write(`${name}.yaml`, entityText("Domain", name));
      await fixture.register(`${name}.yaml`);
    }
    const query = { $all: [{ type: "file" }, { target: { $hasPrefix: "Q" } }] };
    const first = await post("/locations/by-query", { query, limit: 2 });
    expect([first.status, first.body.items.length, first.body.totalItems]).toEqual([200, 2, 3]);
    const rest = await post("/locations/by-query", { cursor: first.body.pageInfo.nextCursor });
    expect(rest.body).toMatchObject({ totalItems: 3, pageInfo: {} });
    const targets = [...first.body.items, ...rest.body.items].map(({ target }): string => target);
    expect(targets.toSorted()).toEqual(["q1.yaml", "q2.yaml", "q3.yaml"]);
    const wrong = await post("/locations/by-query", { query: { type: { $like: "x" } } });
    expect([wrong.status, wrong.body.error.problems[0].where]).toEqual([400, "/query/type"]);
    expect((await post("/locations/by-query", { cursor: "e30" })).body.error.code).toBe(
      "BUILDER_INVALID_QUERY",
    );
  });

  it("names the entities at an address, or suggests one", async () => {
    await fixture.write("look/catalog-info.yaml", entityText("Domain", "look"));
    await fixture.write("look/none.yaml", "# nothing yet\n");
    const look = (target: string, more: object = {}) =>
      post("/analyze-location", { location: { type: "file", target }, ...more }, "developer");
    const found = await look("look");
    expect(found.body).toEqual({
      existingEntityFiles: [
        {
          location: { type: "file", target: expect.stringMatching(/\/look\/catalog-info\.yaml$/) },
          isRegistered: false,
          entity: expect.objectContaining({ kind: "Domain" }),
        },
      ],
      generateEntities: [],
    });
    await fixture.register("look");
    expect((await look("look")).body.existingEntityFiles[0].isRegistered).toBe(true);
    const other = await look("look", { catalogFileName: "other.yaml" });
    expect(other.body.existingEntityFiles).toEqual([]);
    expect((await look("look/none.yaml")).body.generateEntities).toEqual([
      {
        entity: {
          apiVersion: "backstage.io/v1alpha1",
          kind: "Component",
          metadata: { name: "none.yaml" },
          spec: { type: "other", lifecycle: "unknown" },
        },
        fields: [],
      },
    ]);
    expect((await look("nowhere")).status).toBe(400);
  });
});

describe("a predicate", () => {
  beforeAll(() => registerFruit(fixture));

  it.each<[unknown, string[]]>([
    [{ kind: "RESOURCE" }, ["apple", "Berry", "cherry", "date"]],
    [{ kind: "resource", "spec.type": "Blue" }, ["Berry", "date"]],
    [{ $all: [{ kind: "resource" }, { "spec.rank": { $in: [0, 3] } }] }, ["apple", "date"]],
    [
      { $any: [{ "metadata.name": "apple" }, { "metadata.name": { $hasPrefix: "CHER" } }] },
      ["apple", "cherry"],
    ],
    [{ $all: [{ kind: "resource" }, { $not: { "spec.type": "red" } }] }, ["Berry", "date"]],
    [{ kind: "resource", "spec.owner": { $exists: false } }, []],
    [
      { kind: "resource", "spec.rank": { $exists: true }, "spec.type": { $contains: "red" } },
      ["apple", "cherry"],
    ],
    [
      {
        kind: "resource",
        relations: { $contains: { type: "ownedBy", targetRef: "Group:default/team-1" } },
      },
      ["Berry", "date"],
    ],
    [{ kind: "resource", "relations.ownedBy": "group:default/team-0" }, ["apple", "cherry"]],
    [{ kind: "resource", "relations.ownedBy": { $hasPrefix: "Group:default/team-0" } }, ["apple", "cherry"]],
    [{ kind: "resource", "relations.ownedBy": { $hasPrefix: "group:default/%" } }, []],
    [{ kind: "resource", "relations.partOf": { $exists: true } }, []],
    [{ $all: [] }, []],
  ])("answers the predicate %j", async (query, expected) => {
    const post = (path: string, body: object) => fixture.catalog({ method: "POST", path, body });
    const orderBy = [{ field: "metadata.name", order: "asc" }];
    const found: string[] = [];
    let answer = await post("/entities/by-query", { query, orderBy, limit: 1 });
    for (;;) {
      expect([answer.status, answer.body.totalItems]).toEqual([200, expected.length]);
      found.push(...namesOf(answer.body.items));
      const { nextCursor } = answer.body.pageInfo;
      if (nextCursor === undefined) break;
      // As the official client looks into it, to know which operation takes it.
      expect(JSON.parse(atob(nextCursor)).query).toEqual(query);
      answer = await post("/entities/by-query", { cursor: nextCursor, limit: 1 });
    }
    expect(found).toEqual(expected);
    const facets = await post("/entity-facets", { facets: ["kind"], query });
    expect(facets.body.facets.kind).toEqual(
      expected.length === 0 ? [] : [{ value: "Resource", count: expected.length }],
    );
    const refs = await post("/entities/by-refs", { entityRefs: ["resource:default/apple"], query });
    expect(refs.body.items[0] === null).toBe(!expected.includes("apple"));
  });

  it("of a predicate has no total, and refuses what is wrong with its place", async () => {
    const post = (body: object) => fixture.catalog({ method: "POST", path: "/entities/by-query", body });
    const query = { kind: "resource" };
    expect((await post({ query, totalItems: "exclude", fields: ["metadata.name"] })).body).toMatchObject({
      items: [{ metadata: { name: "apple" } }, {}, {}, {}],
      totalItems: 0,
    });
    const byFilter = "/entities/by-query?filter=kind=resource&fields=metadata.name&totalItems=exclude";
    expect((await fixture.catalog({ path: byFilter })).body).toMatchObject({
      items: [{ metadata: { name: "apple" } }, {}, {}, {}],
      totalItems: 0,
    });
    const found = await post({ query, fullTextFilter: { term: "err", fields: ["metadata.name"] } });
    expect(namesOf(found.body.items).toSorted()).toEqual(["Berry", "cherry"]);
    const searched = async (term: string, ...fields: string[]): Promise<string[]> => {
      const answer = await post({ query, fullTextFilter: { term, fields } });
      expect(answer.body.totalItems).toBe(answer.body.items.length);
      return namesOf(answer.body.items).toSorted();
    };
    expect(await searched("TEAM-1", "relations.ownedBy")).toEqual(["Berry", "date"]);
    expect(await searched("e", "relations.partOf", "metadata.name")).toEqual([
      "Berry",
      "apple",
      "cherry",
      "date",
    ]);
    expect(await searched("team-0", "spec.type", "metadata.name", "relations.ownedBy")).toEqual([
      "apple",
      "cherry",
    ]);
    const wrong = await post({ query: { $any: [{ kind: { $exists: 1 } }] } });
    expect([wrong.status, wrong.body.error.code, wrong.body.error.problems]).toEqual([
      400,
      "BUILDER_INVALID_QUERY",
      [{ where: "/query/$any/0/kind", message: "$exists needs true or false." }],
    ]);
  });
});

describe("facets", () => {
  /** Gives an entity that many values of a field. */
  const addValues = (key: string, count: number) =>
    fixture.server.db.database.pool.query(
      `insert into catalogue_search (uid, key, value, shown)
        select uid, $1, 'v' || n, 'v' || n from catalogue_entities, generate_series(1, $2::int) n
        where ref = 'domain:default/facets'`,
      [key, count],
    );
  const facets = (...keys: string[]) =>
    fixture.catalog({ path: `/entity-facets?${keys.map((key) => `facet=${key}`).join("&")}` });

  beforeAll(async () => {
    await fixture.write("facets.yaml", entityText("Domain", "facets"));
    await fixture.register("facets.yaml");
  });

  it("have all values, or are refused where those of an answer are too many", async () => {
    await addValues("spec.some", 1_500);
    const answer = await facets("spec.some", "kind");
    expect(answer.body.facets["spec.some"]).toHaveLength(1_500);
    await addValues("spec.many", 60_000);
    await addValues("spec.more", 60_000);
    const counts = async (...keys: string[]) =>
      Object.values<object[]>((await facets(...keys)).body.facets).map(({ length }) => length);
    expect(await counts("spec.many")).toEqual([60_000]);
    const body = { facets: ["spec.many", "spec.more"] };
    const refused = [
      await facets(...body.facets),
      await fixture.catalog({ method: "POST", path: "/entity-facets", body }),
    ];
    const message =
      "The fields have more than 100000 values together; count fewer fields, or fewer entities.";
    expect(refused.map(({ status, body: { error } }) => [status, error.code, error.problems])).toEqual([
      [400, "BUILDER_INVALID_QUERY", [{ where: "facet", message }]],
      [400, "BUILDER_INVALID_QUERY", [{ where: "facets", message }]],
    ]);
  });
});
