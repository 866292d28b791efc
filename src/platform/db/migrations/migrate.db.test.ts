import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { testDatabase, type TestDatabase } from "../../../../test/support/database.ts";
import { silentLogger } from "../../lib/logger.ts";
import { connectTo, openDatabase, type Database } from "../database.ts";
import { migrate } from "./migrate.ts";
import { migrationsFolder } from "./service.ts";

let db: TestDatabase;
let newer: string;

beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.drop());

beforeEach(async () => {
  newer = await mkdtemp(join(tmpdir(), "plinth-migrations-"));
  await cp(migrationsFolder, newer, { recursive: true });
});
afterEach(async () => {
  await run("delete from schema_migrations where name like '0099%'");
  await run("drop table if exists probe; drop schema if exists other cascade");
  await rm(newer, { recursive: true });
});

/** A program that knows one migration more. */
const bringNewer = async (header: string): Promise<void> => {
  await writeFile(join(newer, "0099_probe.sql"), `${header}\ncreate table probe (id int);\n`);
  expect((await migrate(db.database, { directory: newer })).applied).toEqual(["0099_probe.sql"]);
};

const run = async (statement: string, database = db.database): Promise<unknown[]> =>
  (await database.pool.query(statement)).rows;

const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => Reflect.get(Object(error), "code"),
  );

/** Another schema, of the same database unless told. */
const inSchema = async <T>(
  schema: string,
  work: (database: Database) => Promise<T>,
  dbname = db.connection.dbname,
): Promise<T> => {
  const connection = { ...db.connection, schema, dbname };
  const database = openDatabase({ connection, log: silentLogger, poolSize: 2 });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
};

describe("a program and a schema that is newer", () => {
  it("starts where the migrations that it does not know let it", async () => {
    await bringNewer("-- compatible_from: 0016");
    expect(await migrate(db.database)).toMatchObject({ applied: [] });
  });

  it("refuses where one of them asks for a newer program, and names both versions", async () => {
    await bringNewer("-- compatible_from: 0098");
    await expect(migrate(db.database)).rejects.toMatchObject({
      code: "PLATFORM_PROGRAM_TOO_OLD",
      message: expect.stringMatching(
        /^This program, Plinth \d\S+, knows schema version 00\d\d; .* takes programs that know schema version 0098 or newer, because of its migration 0099_probe\.sql, which Plinth \d\S+ applied\.$/,
      ),
    });
  });

  it("refuses where one of them says nothing", async () => {
    await bringNewer("-- A table.");
    expect(await codeOf(migrate(db.database))).toBe("PLATFORM_PROGRAM_TOO_OLD");
  });

  it("applies what only it knows, and refuses before that where it is too old", async () => {
    await bringNewer("-- compatible_from: 0098");
    await writeFile(join(newer, "0017_late.sql"), "create table late (id int);\n");
    await rm(join(newer, "0099_probe.sql"));
    expect(await codeOf(migrate(db.database, { directory: newer }))).toBe("PLATFORM_PROGRAM_TOO_OLD");
    expect(await run("select to_regclass('late')::text as late")).toEqual([{ late: null }]);
  });
});

describe("a migration table", () => {
  it("names its service, and for each migration the oldest program and the one that applied it", async () => {
    await bringNewer("-- compatible_from: 0016");
    expect(
      await run(
        "select service, compatible_from as oldest, program from schema_migrations where name like '0099%'",
      ),
    ).toEqual([{ service: "plinth", oldest: 16, program: expect.stringMatching(/^\d+\.\d+\.\d+/) }]);
  });

  it("that was made before it did is brought up to date", async () => {
    // Of the newer migrations only the one that reads back here may be applied again.
    await run("delete from schema_migrations where name like '0016%'");
    await run("alter table workers drop column schema_version, drop column superseded_by");
    await run(
      "alter table schema_migrations drop column service, drop column compatible_from, drop column program",
    );
    expect((await migrate(db.database)).applied).toEqual(["0016_worker_versions.sql"]);
    expect(
      await run("select compatible_from as oldest from schema_migrations where name = '0008_catalogue.sql'"),
    ).toEqual([{ oldest: 8 }]);
  });

  const ofOurForm = "create table other.schema_migrations (name text, checksum text, applied_at timestamptz";
  it.each([
    ["another service", `${ofOurForm}, service text)`, "('0001_x.sql', '', now(), 'governance')"],
    ["another service from before tables named theirs", `${ofOurForm})`, "('0001_x.sql', '', now())"],
    ["another product", "create table other.schema_migrations (version bigint, dirty boolean)", "(1, false)"],
  ])("of %s is refused, and nothing is changed", async (_, table, row) => {
    await run(`create schema other; ${table}; insert into other.schema_migrations values ${row}`);
    const before = await run("select * from other.schema_migrations");
    await inSchema("other", async (database) => {
      expect(await codeOf(migrate(database, { newSchema: "other" }))).toBe("PLATFORM_SCHEMA_FOREIGN");
      expect(await run("select to_regclass('other.workers')::text as made")).toEqual([{ made: null }]);
    });
    expect(await run("select * from other.schema_migrations")).toEqual(before);
  });
});

describe("an empty schema beside one that holds this product's tables", () => {
  it("is refused with the variable to set, and not made", async () => {
    await inSchema("other", async (database) => {
      await expect(migrate(database)).rejects.toMatchObject({
        code: "PLATFORM_SCHEMA_ELSEWHERE",
        message: expect.stringContaining("while the schema cgp holds Plinth's tables"),
        solutions: [
          expect.stringContaining("Set COORDINATOR_DB_SCHEMA=cgp "),
          expect.stringContaining("COORDINATOR_DB_NEW_SCHEMA=other "),
        ],
      });
    });
    expect(await run("select nspname from pg_namespace where nspname = 'other'")).toEqual([]);
  });

  it("is refused too when somebody has made the schema, or put other tables there", async () => {
    await run("create schema other; create table other.notes (id int)");
    await inSchema("other", async (database) => {
      expect(await codeOf(migrate(database))).toBe("PLATFORM_SCHEMA_ELSEWHERE");
    });
  });

  it("is filled when its own name says so, and from then on by itself", async () => {
    await inSchema("other", async (database) => {
      expect(await codeOf(migrate(database, { newSchema: "cgp" }))).toBe("PLATFORM_SCHEMA_ELSEWHERE");
      const { applied } = await migrate(database, { newSchema: "other" });
      expect(applied[0]).toBe("0001_platform.sql");
      expect((await migrate(database)).applied).toEqual([]);
    });
    // The older one is not asked either.
    expect((await migrate(db.database)).applied).toEqual([]);
  });

  it("is filled when the other schema holds another product's tables", async () => {
    const dbname = `${db.connection.dbname}_other`;
    await run(`create database ${dbname}`);
    try {
      const connection = { ...db.connection, dbname };
      const client = await connectTo(connection);
      await client.query("create schema other; create table other.schema_migrations (version bigint)");
      await client.end();
      const { applied } = await inSchema("cgp", (database) => migrate(database), dbname);
      expect(applied[0]).toBe("0001_platform.sql");
    } finally {
      await run(`drop database ${dbname} with (force)`);
    }
  });
});
