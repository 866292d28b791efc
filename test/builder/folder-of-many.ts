/** A folder with so many files that it is taken in by parts: whole, and with something broken among them. */
import { expect } from "vitest";
import { entityText, type CatalogueFixture } from "./catalogue-fixture.ts";

export async function takeInFolder(fixture: CatalogueFixture, count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    const text = entityText("Component", `sea.fleet.0.c${n}`, "{ type: table, system: sea.fleet.0 }");
    await fixture.write(`fleet/c${n}/catalog-info.yaml`, n === 7 ? "kind: [Component\n" : text);
  }
  const { problems } = await fixture.takeIn("fleet");
  expect(problems).toEqual([{ where: "c7/catalog-info.yaml:1:7", message: expect.stringContaining("YAML") }]);
  const { status, headers, body } = await fixture.catalog({
    path: "/entities?filter=kind=component&fields=metadata.name",
  });
  expect([status, headers.get("link"), headers.get("content-length")]).toEqual([200, null, null]);
  expect(new Set(body.map((each: { metadata: { name: string } }) => each.metadata.name)).size).toBe(
    count - 1,
  );
  // Nothing that was read is read or written again.
  await fixture.catalog({
    method: "POST",
    path: "/refresh",
    body: { entityRef: "component:default/sea.fleet.0.c1" },
  });
  expect(await fixture.count("kind=component")).toBe(count - 1);
}
