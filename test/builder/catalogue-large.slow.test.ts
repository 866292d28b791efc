/** A location of a thousand files; the nightly lane has larger ones. */
import { afterAll, beforeAll, it } from "vitest";
import { startCatalogueFixture, type CatalogueFixture } from "./catalogue-fixture.ts";
import { takeInFolder } from "./folder-of-many.ts";

let fixture: CatalogueFixture;

beforeAll(async () => {
  fixture = await startCatalogueFixture({ workers: "on" });
});
afterAll(() => fixture.close());

it("1,000 files of a folder are taken in but for the one that is broken, and all are listed at once", () =>
  takeInFolder(fixture, 1_000));
