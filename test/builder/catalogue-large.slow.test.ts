/** Locations of thousands of entities: whole, in parts, and with something broken among them. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { loadLimits } from "../../src/builder/catalogue/sources/file-reader.ts";
import { entityText, startCatalogueFixture, type CatalogueFixture } from "./catalogue-fixture.ts";

let fixture: CatalogueFixture;

beforeAll(async () => {
  fixture = await startCatalogueFixture({ workers: "on" });
});
afterAll(() => fixture.close());

/** Waits for the worker that reads a large location; returns the location as it is shown then. */
async function takenIn(target: string) {
  const registered = await fixture.register(target);
  expect(registered.status, registered.text.slice(0, 500)).toBe(201);
  const { location, entities } = registered.body;
  expect([location.refreshedAt, entities]).toEqual([null, []]);
  const read = () => fixture.catalog({ path: `/locations/${location.id}` });
  await expect.poll(async () => (await read()).body.refreshedAt, { timeout: 120_000 }).not.toBeNull();
  return (await read()).body;
}

const count = async (filter: string): Promise<number> =>
  (await fixture.catalog({ path: `/entities/by-query?filter=${filter}&limit=0` })).body.totalItems;

it("4,000 files of a folder are taken in but for the one that is broken, and all are listed at once", async () => {
  const files = Array.from({ length: 4_000 }, (_, n) => n);
  for (const n of files) {
    const text = entityText("Component", `sea.fleet.0.c${n}`, "{ type: table, system: sea.fleet.0 }");
    await fixture.write(`fleet/c${n}/catalog-info.yaml`, n === 7 ? "kind: [Component\n" : text);
  }
  const { problems } = await takenIn("fleet");
  expect(problems).toEqual([{ where: "c7/catalog-info.yaml:1:7", message: expect.stringContaining("YAML") }]);
  const { status, headers, body } = await fixture.catalog({
    path: "/entities?filter=kind=component&fields=metadata.name",
  });
  expect([status, headers.get("link"), headers.get("content-length")]).toEqual([200, null, null]);
  expect(new Set(body.map((each: { metadata: { name: string } }) => each.metadata.name)).size).toBe(3_999);
  // Nothing that was read is read or written again.
  await fixture.catalog({
    method: "POST",
    path: "/refresh",
    body: { entityRef: "component:default/sea.fleet.0.c1" },
  });
  expect(await count("kind=component")).toBe(3_999);
}, 180_000);

it("one file may hold as many entities as a location may, and the rest is left out and reported", async () => {
  const documents = Array.from({ length: loadLimits.entities + 3 }, (_, n) =>
    n === 5 ? "kind: {\n" : entityText("Domain", `d${n}`),
  );
  await fixture.write("domains.yaml", documents.join("---\n"));
  const { problems } = await takenIn("domains.yaml");
  expect(problems.map(({ where }: { where: string }) => where)).toEqual(["/target", "domains.yaml:31:7"]);
  expect(await count("kind=domain")).toBe(loadLimits.entities);
}, 180_000);
