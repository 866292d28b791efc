/** Locations of thousands of entities: whole, in parts, and with something broken among them. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { entityText, startCatalogueFixture, type CatalogueFixture } from "./catalogue-fixture.ts";

let fixture: CatalogueFixture;

beforeAll(async () => {
  fixture = await startCatalogueFixture({ workers: "on" });
});
afterAll(() => fixture.close());

it("4,000 files of a folder are taken in but for the one that is broken, and all are listed at once", async () => {
  const files = Array.from({ length: 4_000 }, (_, n) => n);
  for (const n of files) {
    const text = entityText("Component", `sea.fleet.0.c${n}`, "{ type: table, system: sea.fleet.0 }");
    await fixture.write(`fleet/c${n}/catalog-info.yaml`, n === 7 ? "kind: [Component\n" : text);
  }
  const { problems } = await fixture.takeIn("fleet");
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
  expect(await fixture.count("kind=component")).toBe(3_999);
});
