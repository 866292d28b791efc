/** `catalog` against a server that plays its answers: what it sends, prints and ends with. */
import { describe, expect, test } from "vitest";
import { playServer, run } from "../testdata.ts";

const id = "0e2f4c1e-5f0b-4a53-9c0e-1d2b3c4d5e6f";
const location = {
  id,
  type: "url",
  target: "https://example.test/all.yaml",
  problems: [{ where: "all.yaml:3:1", message: "There is no such file." }],
  refreshedAt: null,
};
const orders = {
  kind: "Component",
  metadata: { name: "Orders", title: "All orders" },
  spec: { type: "table" },
};
const base = "/api/catalog";

describe("catalog locations", () => {
  test("list shows each with its problems", async () => {
    await using server = await playServer({ [`GET ${base}/locations`]: { body: [{ data: location }] } });
    const { code, out } = await run(["catalog", "locations", "list", "--url", server.url]);
    expect(code).toBe(0);
    expect(out).toMatch(
      /^ID +TYPE +TARGET +READ +PROBLEMS\n0e2f4c1e\S+ +url +https:\S+ +not yet +1 problem\n/,
    );
    expect(out).toContain("https://example.test/all.yaml all.yaml:3:1: There is no such file.\n");
  });

  test("add registers and says what came with it", async () => {
    const body = { location, entities: [orders], exists: false };
    await using server = await playServer({ [`POST ${base}/locations`]: { status: 201, body } });
    const args = ["catalog", "locations", "add", location.target, "--type", "git", "--url", server.url];
    expect(await run(args)).toEqual({
      code: 0,
      out: `Registered as ${id}, with 1 entity:\n  component:default/orders\n`,
      err: "",
    });
    expect(JSON.parse(server.received[0]!.body)).toEqual({ type: "git", target: location.target });
    const tried = await run([...args, "--dry-run"]);
    expect([tried.out.split("\n")[0], server.received[1]?.path]).toEqual([
      "Would be registered, with 1 entity:",
      `${base}/locations?dryRun=true`,
    ]);
  });

  test.each([
    [["https://example.test/all.yaml"], "url"],
    [["git@example.test:a.git"], "url"],
    [["/srv/templates/lake/template.yaml"], "file"],
    [["templates/lake"], "file"],
    [["/srv/templates/lake/template.yaml", "--type", "url"], "url"],
  ])("add %j is of the type %s", async (given, type) => {
    const body = { location, entities: [orders], exists: false };
    await using server = await playServer({ [`POST ${base}/locations`]: { status: 201, body } });
    const ran = await run(["catalog", "locations", "add", ...given, "--url", server.url]);
    expect([ran.code, JSON.parse(server.received[0]!.body)]).toEqual([0, { type, target: given[0] }]);
  });

  test("remove unregisters", async () => {
    await using server = await playServer({ [`DELETE ${base}/locations/${id}`]: { status: 204 } });
    const { code, out } = await run(["catalog", "locations", "remove", id, "--url", server.url]);
    expect([code, out]).toEqual([0, `The location ${id} is unregistered.\n`]);
  });
});

describe("catalog entities", () => {
  test("list goes on to the limit, and says when there are more", async () => {
    const entities = Array.from({ length: 700 }, () => orders);
    await using server = await playServer((path) => {
      const { searchParams } = new URL(path, "http://x");
      const [offset = 0, limit = 0] = ["offset", "limit"].map((name) => Number(searchParams.get(name)));
      return { body: { items: entities.slice(offset, offset + limit), totalItems: 0, pageInfo: {} } };
    });
    const args = ["catalog", "entities", "list", "--filter", "kind=component,spec.type=table"];
    const cut = await run([...args, "--limit", "1", "--url", server.url]);
    expect(cut.out).toMatch(/^ENTITY +TYPE +TITLE\ncomponent:default\/orders +table +All orders\n$/);
    expect(cut.err).toContain("There are more than these 1");
    expect(new URL(server.received[0]!.path, server.url).searchParams.get("filter")).toBe(
      "kind=component,spec.type=table",
    );
    const whole = await run([...args, "--limit", "700", "--json", "--url", server.url]);
    expect(JSON.parse(whole.out)).toEqual({ data: entities, more: false });
    expect((await run([...args, "--limit", "x", "--url", server.url])).code).toBe(2);
  });

  test("get shows one", async () => {
    await using server = await playServer({
      [`GET ${base}/entities/by-name/component/default/orders`]: { body: orders },
    });
    const { code, out } = await run(["catalog", "entities", "get", "component:orders", "--url", server.url]);
    expect([code, JSON.parse(out)]).toEqual([0, orders]);
  });

  test("get takes references only", async () => {
    const { code, err } = await run(["catalog", "entities", "get", "orders", "--url", "http://127.0.0.1:9"]);
    expect([code, err]).toEqual([2, expect.stringContaining("is no reference of an entity")]);
  });
});

test("catalog refresh asks for a reading", async () => {
  await using server = await playServer({ [`POST ${base}/refresh`]: { status: 200 } });
  const { code, out } = await run(["catalog", "refresh", "component:orders", "--url", server.url]);
  expect([code, out]).toEqual([0, "The location of component:default/orders will be read soon.\n"]);
  expect(JSON.parse(server.received[0]!.body)).toEqual({ entityRef: "component:default/orders" });
});
