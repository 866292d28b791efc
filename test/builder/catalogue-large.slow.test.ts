/** A location of more files than are read while its registration waits; the nightly lane has larger ones. */
import { afterAll, beforeAll, it } from "vitest";
import { startCatalogueFixture, type CatalogueFixture } from "./catalogue-fixture.ts";
import { takeInFolder } from "./folder-of-many.ts";

let fixture: CatalogueFixture;

beforeAll(async () => {
  fixture = await startCatalogueFixture({ workers: "on" });
});
afterAll(() => fixture.close());

it("2,100 files of a folder are taken in but for the one that is broken, and all are listed at once", () =>
  takeInFolder(fixture, 2_100));
