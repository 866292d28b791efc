/** What the data layer tracks over an upgrade: exported and reset, restored where a later step fails, and what the audit says. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { run, type Ran } from "../../src/cli/testdata.ts";
import { metadataService } from "../../src/data-layer/metadata-database.ts";
import { openDatabase } from "../../src/platform/db/database.ts";
import { migrate } from "../../src/platform/db/migrations/migrate.ts";
import { silentLogger } from "../../src/platform/lib/logger.ts";
import { emptyTestDatabase, type TestDatabase } from "../support/database.ts";
import { fillOldDatabase, fillTrackedDatabase, trackedBefore } from "./old-database.ts";

let folder = "";
let db: TestDatabase;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "plinth-upgrade-"));
  db = await emptyTestDatabase();
  variables = {};
});
afterEach(async () => {
  await db.drop();
  await rm(folder, { recursive: true, force: true });
});

/** Besides where the platform's database is. */
let variables: Record<string, string> = {};

const openOwn = ({ connection }: TestDatabase) => {
  const database = openDatabase({
    connection: { ...connection, schema: "plinth_data_layer" },
    log: silentLogger,
  });
  onTestFinished(() => database.close());
  return database;
};

const apply = (...args: string[]): Promise<Ran> =>
  run(["upgrade", "apply", "--execute", ...args], {
    cwd: folder,
    env: {
      COORDINATOR_DB_HOST: db.connection.host,
      COORDINATOR_DB_PORT: String(db.connection.port),
      COORDINATOR_DB_USERNAME: db.connection.user,
      COORDINATOR_DB_PASSWORD: db.connection.password,
      COORDINATOR_DB_DBNAME: db.connection.dbname,
      ...variables,
    },
  });
const confirmed = "--backup-confirmed";

const rows = async (text: string): Promise<Record<string, unknown>[]> =>
  (await db.database.pool.query<Record<string, unknown>>(text)).rows;
const metadata = () => rows("select revision, hash, sources from cgp.data_layer_metadata");
const audited = async (step: string): Promise<unknown[]> =>
  (await rows(`select detail from cgp.audit where subject = 'upgrade:2.2.0/${step}' order by id`)).map(
    ({ detail }) => detail,
  );
const exported = async (): Promise<unknown> =>
  JSON.parse(await readFile(join(folder, "data-layer-metadata.json"), "utf8"));

/** The migration that makes this table fails where it is there. */
const inTheWay = () => db.database.pool.query("create table cgp.custom_views (id int)");
const outOfTheWay = () => db.database.pool.query("drop table cgp.custom_views");

const file = () => join(folder, "data-layer-metadata.json");

describe("what the data layer tracks", () => {
  test("is exported and reset before the databases change, once", async () => {
    await fillTrackedDatabase(db.database);
    const first = await apply(confirmed);
    expect([first.code, first.out]).toEqual([
      0,
      expect.stringContaining("data-layer: 1 tables of 2 sources"),
    ]);
    expect(await exported()).toEqual({ revision: 7, sources: trackedBefore });
    expect(await metadata()).toEqual([{ revision: 8, hash: "", sources: [] }]);
    expect(await audited("data-layer")).toEqual([{ change: "reset", revision: 7, tables: 1, file: file() }]);
    // As a start after it does.
    await db.database.pool.query("update cgp.data_layer_metadata set hash = 'anew', revision = 9");
    expect((await apply(confirmed)).out).toContain("data-layer: nothing to do");
    expect(await metadata()).toEqual([{ revision: 9, hash: "anew", sources: [] }]);
  });

  test("is restored when a later step fails, and reset by the run that succeeds", async () => {
    await fillTrackedDatabase(db.database);
    await inTheWay();
    const failed = await apply(confirmed);
    expect([failed.code, failed.err]).toEqual([
      1,
      expect.stringContaining(`data-layer: restored from ${file()}`),
    ]);
    expect(await metadata()).toEqual([{ revision: 9, hash: "restored", sources: trackedBefore }]);
    expect(await audited("data-layer")).toEqual([
      expect.objectContaining({ change: "reset" }),
      { change: "restored", revision: 7, file: file() },
    ]);
    await outOfTheWay();
    expect((await apply(confirmed)).code).toBe(0);
    expect(await exported()).toEqual({ revision: 9, sources: trackedBefore });
    expect(await metadata()).toEqual([{ revision: 10, hash: "", sources: [] }]);
  });

  test("is restored by the next run when the one that reset it was killed", async () => {
    await fillTrackedDatabase(db.database);
    await writeFile(file(), JSON.stringify({ revision: 7, sources: trackedBefore }));
    await db.database.pool.query(
      "update cgp.data_layer_metadata set revision = 8, hash = '', sources = '[]'",
    );
    await inTheWay();
    const failed = await apply(confirmed);
    expect(failed.err).toContain("data-layer: nothing to do");
    expect(failed.err).toContain("data-layer: restored");
    expect(await metadata()).toEqual([{ revision: 9, hash: "restored", sources: trackedBefore }]);
  });

  test("stays reset where somebody else reset it, or tracked since", async () => {
    await fillTrackedDatabase(db.database);
    await writeFile(file(), JSON.stringify({ revision: 3, sources: trackedBefore }));
    await db.database.pool.query(
      "update cgp.data_layer_metadata set revision = 8, hash = '', sources = '[]'",
    );
    await inTheWay();
    expect((await apply(confirmed)).err).not.toContain("restored");
    await rm(file());
    expect((await apply(confirmed)).err).not.toContain("restored");
    expect(await metadata()).toEqual([{ revision: 8, hash: "", sources: [] }]);
  });

  test("says so when its export cannot be read, and the error is that of the step", async () => {
    await fillTrackedDatabase(db.database);
    await writeFile(file(), "{ no json");
    await db.database.pool.query("update cgp.data_layer_metadata set hash = '', sources = '[]'");
    await inTheWay();
    const { code, err } = await apply(confirmed);
    expect(code).toBe(1);
    expect(err).toContain("data-layer: could not be restored; the next run of apply goes on from here");
    expect(err).toMatch(/The database \S+ at \S+ cannot be used: .*custom_views.* already exists/);
  });

  test("is left alone where it does not follow the databases, and goes where it is told to", async () => {
    await fillTrackedDatabase(db.database);
    await writeFile(join(folder, "off.yaml"), "dataLayer: {autoTracking: false}\n");
    expect((await apply(confirmed, "--config", "off.yaml")).code).toBe(0);
    expect(await metadata()).toEqual([{ revision: 7, hash: "tracked", sources: trackedBefore }]);
  });

  describe("in a database of its own", () => {
    let own: TestDatabase;
    beforeEach(async () => {
      await fillTrackedDatabase(db.database);
      own = await emptyTestDatabase();
      variables = { ENGINE_GRAPHQL_METADATA_DATABASE_URL: own.url };
    });
    afterEach(() => own.drop());
    const theirs = async () =>
      (
        await own.database.pool.query(
          "select revision, hash, sources from plinth_data_layer.data_layer_metadata",
        )
      ).rows;

    test("is reset and restored there, and audited by the platform", async () => {
      await migrate(openOwn(own), { service: metadataService });
      await own.database.pool.query(
        `insert into plinth_data_layer.data_layer_metadata (revision, hash, sources, updated_at, updated_by)
         values (4, 'tracked', $1, now(), 'u')`,
        [JSON.stringify(trackedBefore)],
      );
      await inTheWay();
      expect((await apply(confirmed)).err).toContain("data-layer: restored");
      expect(await theirs()).toEqual([{ revision: 6, hash: "restored", sources: trackedBefore }]);
      await outOfTheWay();
      expect((await apply(confirmed)).code).toBe(0);
      expect(await theirs()).toEqual([{ revision: 7, hash: "", sources: [] }]);
      expect(await audited("data-layer")).toHaveLength(3);
      expect(await metadata()).toEqual([{ revision: 7, hash: "tracked", sources: trackedBefore }]);
    });

    test("that is not there yet, is away, or has no address", async () => {
      expect((await apply(confirmed)).out).toContain("data-layer: nothing to do");
      await db.database.pool.query("delete from cgp.schema_migrations where name like '0036%'");
      await outOfTheWay();
      for (const [url, words] of [
        [
          "postgres://u:hunter2@127.0.0.1:9/x",
          "The database with what the data layer tracks does not answer.",
        ],
        [
          "127.0.0.1:9/x-hunter2",
          "dataLayer.metadataUrl must be postgres://user:password@host:port/database",
        ],
      ]) {
        variables = { ENGINE_GRAPHQL_METADATA_DATABASE_URL: url! };
        const { code, err } = await apply(confirmed);
        expect([code, err]).toEqual([1, expect.stringContaining(words!)]);
        expect(err).not.toContain("hunter2");
      }
      variables = { ENGINE_GRAPHQL_METADATA_DATABASE_URL: own.url.replace(/\w+$/, "no_such_database") };
      expect((await apply(confirmed)).code).toBe(0);
    });
  });

  test("is nothing in 2.1.0, which has no data layer of ours", async () => {
    await fillOldDatabase(db.database, { withParents: false });
    expect((await apply(confirmed, "--metadata", "m.json")).out).toContain("data-layer: nothing to do");
    expect(await metadata()).toEqual([]);
    await expect(readFile(join(folder, "m.json"))).rejects.toThrow("ENOENT");
  });
});

describe("the audit", () => {
  const args = ["--backup", "b.backup", "--config", "app.yaml"];
  const config =
    "mesh:\n  marketplace:\n    ui:\n      outputPortPage:\n        gridInfo: [{label: Owner, path: spec.owner}]\n";
  const path = (name: string): string => join(folder, name);

  test("has the backup, the views and each file, once", async () => {
    await fillOldDatabase(db.database, { withParents: false });
    await writeFile(path("app.yaml"), config);
    await apply(...args);
    const expected = {
      backup: [{ file: path("b.backup"), createdAt: expect.stringMatching(/Z$/) }],
      "custom-views": [{ pages: ["outputPortPage"], file: path("custom-view-drafts.json") }],
      files: [{ file: path("app.yaml") }],
    };
    const all = async (): Promise<object> => ({
      backup: await audited("backup"),
      "custom-views": await audited("custom-views"),
      files: await audited("files"),
    });
    expect(await all()).toEqual(expected);
    await apply(...args);
    expect(await all()).toEqual(expected);
    // A run that was killed before it recorded them; a backup needs its record.
    await db.database.pool.query("delete from cgp.audit where subject ~ 'files'");
    await apply(...args);
    expect(await all()).toEqual(expected);
  });
});
