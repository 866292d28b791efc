/** Who may bring users and groups into the catalogue, and which groups somebody is in. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { groupsOf, readContacts } from "../../src/builder/catalogue/lookup.ts";
import { entityText, startCatalogueFixture, type CatalogueFixture } from "./catalogue-fixture.ts";

let fixture: CatalogueFixture;
beforeAll(async () => {
  fixture = await startCatalogueFixture({ workers: "on" });
});
afterAll(() => fixture.close());

const register = (target: string, as: "admin" | "developer" | "operator") =>
  fixture.catalog({ method: "POST", path: "/locations", body: { type: "file", target }, as });

const names = async (kind: string): Promise<string[]> =>
  (await fixture.catalog({ path: `/entities?filter=kind=${kind}&fields=metadata.name` })).body.map(
    ({ metadata }: { metadata: { name: string } }) => metadata.name,
  );

const mixed = (user: string, resource: string): string =>
  `${entityText("User", user, "{ memberOf: [owners] }")}---\n${entityText("Resource", resource, "{ type: x, owner: owners }")}`;

describe("users and groups", () => {
  it("of a developer or an operator are refused, with what to do", async () => {
    await fixture.write("mine.yaml", mixed("eve", "box"));
    await fixture.write(
      "group.yaml",
      entityText("Group", "owners", "{ type: team, children: [], members: [eve] }"),
    );
    for (const as of ["developer", "operator"] as const) {
      const refused = await register("mine.yaml", as);
      expect([refused.status, refused.body.error.code]).toEqual([400, "BUILDER_INVALID_LOCATION"]);
      expect(refused.body.error.problems).toEqual([
        {
          where: expect.stringContaining("mine.yaml"),
          message: "user:default/eve is not taken from this location: users and groups say who owns what.",
          solution: expect.stringContaining("administrator"),
        },
      ]);
      expect((await register("group.yaml", as)).status).toBe(400);
      const tried = await fixture.catalog({
        method: "POST",
        path: "/locations?dryRun=true",
        body: { type: "file", target: "mine.yaml" },
        as,
      });
      expect(tried.status).toBe(400);
    }
    expect([await names("user"), await names("group"), await names("resource")]).toEqual([[], [], []]);
  });

  it("that appear later in a developer's location are left out, and the location says so", async () => {
    await fixture.write("later.yaml", entityText("Resource", "barrel", "{ type: x, owner: owners }"));
    expect((await register("later.yaml", "developer")).status).toBe(201);
    await fixture.write("later.yaml", mixed("mallory", "keg"));
    const body = { entityRef: "resource:default/barrel" };
    await fixture.catalog({ method: "POST", path: "/refresh", body });
    await expect.poll(() => names("resource")).toContain("keg");
    expect(await names("user")).toEqual([]);
    const { body: locations } = await fixture.catalog({ path: "/locations" });
    const later = locations.find(({ data }: { data: { target: string } }) => data.target === "later.yaml");
    expect(later.data.problems).toMatchObject([{ message: expect.stringContaining("user:default/mallory") }]);
    // What is gone from it is an orphan all the same.
    const barrel = await fixture.catalog({ path: "/entities/by-name/resource/default/barrel" });
    expect(barrel.body.metadata.annotations["backstage.io/orphan"]).toBe("true");
  });

  it("of an administrator are taken, and again when the location is read again", async () => {
    await fixture.write("org.yaml", entityText("User", "ada", "{ memberOf: [] }"));
    expect((await register("org.yaml", "admin")).status).toBe(201);
    await fixture.write(
      "org.yaml",
      `${entityText("User", "ada", "{}")}---\n${entityText("User", "bob", "{}")}`,
    );
    await fixture.catalog({ method: "POST", path: "/refresh", body: { entityRef: "user:default/ada" } });
    await expect.poll(() => names("user")).toEqual(["ada", "bob"]);
  });
});

describe("groups in groups", () => {
  const group = (name: string, spec: object): string =>
    entityText("Group", name, JSON.stringify({ type: "team", children: [], ...spec }));

  it("count all the way up, by whichever side says so, and in a circle once", async () => {
    const texts = [
      entityText("User", "gus", "{ memberOf: [crew] }"),
      group("crew", { parent: "deck" }),
      group("deck", {}),
      group("ship", { children: ["deck", "engine"] }),
      group("engine", { members: ["ina"] }),
      group("fleet", { children: ["ship"], parent: "crew" }),
    ];
    await fixture.write("ships.yaml", texts.join("---\n"));
    const registered = await register("ships.yaml", "admin");
    expect(registered.status, registered.text).toBe(201);
    const { db } = fixture.server.db.database;
    const of = (...groups: string[]): string[] => groups.map((name) => `group:default/${name}`);
    expect(await groupsOf(db, "user:default/gus")).toEqual(of("crew", "deck", "ship", "fleet"));
    expect(await groupsOf(db, "user:default/ina")).toEqual(of("engine", "ship", "fleet", "crew", "deck"));
    expect(await groupsOf(db, "user:default/nobody")).toEqual([]);
  });

  it("count up to some levels and numbers", async () => {
    const chain = Array.from({ length: 15 }, (_, n) => group(`g${n}`, { parent: `g${n + 1}` }));
    const many = Array.from({ length: 300 }, (_, n) => `m${n}`);
    const users = [
      entityText("User", "low", "{ memberOf: [g0] }"),
      entityText("User", "wide", JSON.stringify({ memberOf: many })),
    ];
    await fixture.write("chain.yaml", [...chain, ...users].join("---\n"));
    expect((await register("chain.yaml", "admin")).status).toBe(201);
    const { db } = fixture.server.db.database;
    expect(await groupsOf(db, "user:default/low")).toHaveLength(11);
    expect(await groupsOf(db, "user:default/wide")).toHaveLength(200);
  });

  it("count while the file that declares them has them, and again when it has them back", async () => {
    const { db } = fixture.server.db.database;
    const lea = entityText("User", "lea", "{ memberOf: [pier], profile: { email: lea@x.test } }");
    const pier = group("pier", { parent: "harbour" });
    const harbour = group("harbour", { members: ["moe"], children: ["quay"] });
    const quay = group("quay", { profile: { email: "quay@x.test" } });
    const rest = [entityText("User", "kim", "{ memberOf: [quay] }")];
    const refresh = async (...texts: string[]): Promise<void> => {
      await fixture.write("harbour.yaml", [...rest, ...texts].join("---\n"));
      const body = { entityRef: "user:default/kim" };
      expect((await fixture.catalog({ method: "POST", path: "/refresh", body })).status).toBe(200);
    };
    const state = async () => {
      const contacts = await readContacts(db, ["user:default/lea", "group:default/harbour"]);
      return {
        lea: await groupsOf(db, "user:default/lea"),
        moe: await groupsOf(db, "user:default/moe"),
        kim: await groupsOf(db, "user:default/kim"),
        email: contacts.get("user:default/lea")?.email,
        members: contacts.get("group:default/harbour")?.members,
      };
    };
    const of = (...each: string[]): string[] => each.map((name) => `group:default/${name}`);
    const people = (...each: string[]): string[] => each.map((name) => `user:default/${name}`);
    const whole = {
      lea: of("pier", "harbour"),
      moe: of("harbour"),
      kim: of("quay", "harbour"),
      email: "lea@x.test",
      members: people("moe", "kim", "lea"),
    };
    await fixture.write("harbour.yaml", [...rest, lea, pier, harbour, quay].join("---\n"));
    expect((await register("harbour.yaml", "admin")).status).toBe(201);
    expect(await state()).toEqual(whole);

    await refresh(pier, harbour, quay);
    await expect.poll(state).toEqual({
      ...whole,
      lea: [],
      email: undefined,
      members: people("moe", "kim"),
    });
    await refresh(lea, pier, quay);
    await expect.poll(state).toEqual({ ...whole, moe: [], kim: of("quay"), members: undefined });
    await refresh(lea, pier, harbour, quay);
    await expect.poll(state).toEqual(whole);
  });
});
