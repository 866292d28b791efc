/** Locations of thousands of entities, and of more than a location may have. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { loadLimits } from "../../src/builder/catalogue/sources/file-reader.ts";
import { takeInFolder } from "./folder-of-many.ts";
import { entityText, startCatalogueFixture, type CatalogueFixture } from "./catalogue-fixture.ts";

let fixture: CatalogueFixture;

beforeAll(async () => {
  fixture = await startCatalogueFixture({ workers: "on" });
});
afterAll(() => fixture.close());

it("one file may hold as many entities as a location may, and the rest is left out and reported", async () => {
  const documents = Array.from({ length: loadLimits.entities + 3 }, (_, n) =>
    n === 5 ? "kind: {\n" : entityText("Domain", `d${n}`),
  );
  await fixture.write("domains.yaml", documents.join("---\n"));
  const { problems } = await fixture.takeIn("domains.yaml");
  expect(problems.map(({ where }: { where: string }) => where)).toEqual(["/target", "domains.yaml:31:7"]);
  expect(await fixture.count("kind=domain")).toBe(loadLimits.entities);
});

it("4,000 files of a folder are taken in but for the one that is broken, and all are listed at once", () =>
  takeInFolder(fixture, 4_000));
