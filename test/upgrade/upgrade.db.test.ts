/** The whole upgrade of an installation of release 2.1.0, as somebody does it with the command. */
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { run, type Ran } from "../../src/cli/testdata.ts";
import { makeBackup } from "../../src/platform/backup/make-backup.ts";
import { platformService } from "../../src/platform/db/migrations/service.ts";
import { emptyTestDatabase, type TestDatabase } from "../support/database.ts";
import { fillOldDatabase, fixtures, parents } from "./old-database.ts";

let folder = "";
let db: TestDatabase;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "plinth-upgrade-"));
  for (const name of await readdir(fixtures))
    if (name !== "database.json") await cp(join(fixtures, name), join(folder, name));
  db = await emptyTestDatabase();
});
afterEach(async () => {
  await db.drop();
  await rm(folder, { recursive: true, force: true });
});

const files = ["--values", "values.yaml", "--config", "app-config.yaml", "--variables", "coordinator.env"];
const withKeys = [...files, "--variables", "secret-keys.txt"];

/** The database under the names of before. */
const oldNames = (): Record<string, string> => ({
  SQL_HOST: db.connection.host,
  SQL_PORT: String(db.connection.port),
  SQL_USERNAME: db.connection.user,
  SQL_PASSWORD: db.connection.password,
  SQL_DBNAME: db.connection.dbname,
});
const newNames = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(oldNames()).map(([name, value]) => [name.replace("SQL", "COORDINATOR_DB"), value]),
  );

const plinth = (...args: string[]): Promise<Ran> =>
  run(["upgrade", ...args], { cwd: folder, env: newNames() });

const found = async (...args: string[]): Promise<string[]> => {
  const { findings } = JSON.parse((await plinth(...args, "--json")).out) as {
    findings: { severity: string; item: string; where: string; message: string }[];
  };
  return findings
    .filter(({ severity }) => severity !== "info")
    .map(({ severity, where, message }) => `${severity} ${where} ${message}`);
};

const rows = async (text: string): Promise<Record<string, unknown>[]> =>
  (await db.database.pool.query<Record<string, unknown>>(text)).rows;

const secrets = /s3cr3t-of-the-mock|hunter2-of-the-proxy|pa\$\$-4711|4711-word/;

test("check finds what is in the way, by severity, and shows no secret", async () => {
  await fillOldDatabase(db.database);
  const { code, out } = await plinth("check", ...withKeys);
  expect(code).toBe(5);
  expect(out).not.toMatch(secrets);
  expect(out.indexOf("Breaking (")).toBe(0);
  expect(out).toContain(
    "database:cgp tables that are not ours are left alone, and are in no backup taken here: reporting_export",
  );
  expect(out).toContain(
    "database:cgp 3 rows of access are on components that do not say that they are consumable",
  );
  const json = await plinth("check", ...withKeys, "--json");
  expect(json.code).toBe(5);
  expect(json.out).not.toMatch(secrets);
  const { counts, clean } = JSON.parse(json.out) as { counts: object; clean: boolean };
  expect(clean).toBe(false);
  expect(counts).toEqual({ breaking: 19, warning: 7, info: 4 });
  expect(await rows("select 1 from pg_tables where tablename = 'acls_unresolved'")).toEqual([]);
});

test("a component that says oddly whether it is consumable says nothing of it, as for the migration", async () => {
  await fillOldDatabase(db.database);
  const { parent, parts, alone } = parents;
  const says = (id: string, consumable: unknown): Promise<unknown> =>
    db.database.pool.query(
      `update cgp.unit_components set descriptor = (descriptor::jsonb || jsonb_build_object('consumable', $2::jsonb))::json
       where component_id = $1`,
      [id, JSON.stringify(consumable)],
    );
  await says(parent, "if asked");
  await says(alone, { by: "group:sales" });
  await says(parts[0]!, " TRUE ");
  await says(parts[1]!, 2);
  const { code, out, err } = await plinth("check");
  expect([code, err]).toEqual([0, ""]);
  expect(out).toContain("database:cgp 3 rows of access are on components that do not say that they are");
  expect((await plinth("apply", "--backup-confirmed", "--execute")).err).not.toContain("invalid input");
  expect(await rows("select distinct component_id from cgp.acls order by 1")).toEqual([
    { component_id: parts[1] },
    { component_id: parts[0] },
  ]);
});

test("the database is found under its old names too, which are reported", async () => {
  await fillOldDatabase(db.database);
  const { code, out } = await run(["upgrade", "check"], { cwd: folder, env: oldNames() });
  expect(code).toBe(5);
  expect(out).toContain("environment:SQL_HOST SQL_HOST is no longer read; it is now COORDINATOR_DB_HOST");
  expect(out).toContain("migrations are applied (0016 to ");
  expect(out).not.toContain(db.connection.password);
});

test("plan shows the files as a diff without secrets, and changes nothing", async () => {
  await fillOldDatabase(db.database);
  const before = await readFile(join(folder, "values.yaml"), "utf8");
  const { code, out } = await plinth("plan", ...withKeys, "--ingress-class", "nginx");
  expect(code).toBe(5);
  expect(out).not.toMatch(secrets);
  expect(out).toContain("--- values.yaml\n+++ values.yaml\n");
  expect(out).toContain("-  extraEnv: |\n");
  expect(out).toContain("+    - name: COORDINATOR_DB_HOST\n");
  expect(out).toContain("+    CORE_BACKEND_PLUGIN_AUTH_SECRET: ***\n");
  expect(out).toContain("+    className: nginx\n");
  expect(out).toContain(
    "mesh.marketplace.ui.dataProductPage.sideInfo becomes a draft of the custom view dataProductPage (side).",
  );
  expect(await readFile(join(folder, "values.yaml"), "utf8")).toBe(before);
  const json = JSON.parse((await plinth("plan", ...withKeys, "--json")).out) as {
    files: { file: string }[];
    drafts: unknown[];
  };
  expect(json.files.map(({ file }) => file)).toEqual(["values.yaml", "app-config.yaml", "coordinator.env"]);
  expect(json.drafts).toHaveLength(4);
});

describe("apply", () => {
  test("does nothing without --execute, and nothing without a backup", async () => {
    await fillOldDatabase(db.database);
    const dry = await plinth("apply", ...withKeys, "--backup", "b.backup");
    expect(dry.code).toBe(5);
    expect(dry.out).toContain("Nothing was changed. With --execute:\n  backup: write a backup to");
    const without = await plinth("apply", ...withKeys, "--execute");
    expect(without.code).toBe(1);
    expect(without.err).toContain("There is no backup, so nothing was done.");
    expect(await rows("select count(*)::int as n from cgp.schema_migrations")).toEqual([{ n: 19 }]);
    expect((await readdir(folder)).toSorted()).toEqual(
      (await readdir(fixtures)).filter((name) => name !== "database.json").toSorted(),
    );
  });

  test("brings files and databases over; a second run changes nothing; verify names what is left", async () => {
    await fillOldDatabase(db.database);
    const access = await rows("select component_id, identity from cgp.acls order by 1, 2");
    const args = ["apply", ...withKeys, "--ingress-class", "nginx", "--backup", "b.backup", "--execute"];
    const first = await plinth(...args);
    expect(first.err).not.toMatch(secrets);
    expect(first.code).toBe(5);
    expect(first.out).toMatch(
      /database-plinth: \d+ migrations\n {2}database-governance: \d+ migrations\n {2}custom-views: 4 drafts\n/,
    );
    expect(await readFile(join(folder, "app-config.yaml"), "utf8")).toMatchSnapshot("app-config");
    expect(await readFile(join(folder, "values.yaml"), "utf8")).toMatchSnapshot("values");
    expect(await readFile(join(folder, "coordinator.env"), "utf8")).toMatchSnapshot("variables");
    expect(await readFile(join(folder, "values.yaml.before-2.2.0"), "utf8")).toBe(
      await readFile(join(fixtures, "values.yaml"), "utf8"),
    );
    expect(JSON.parse(await readFile(join(folder, "custom-view-drafts.json"), "utf8"))).toHaveLength(4);
    expect(
      await rows(
        "select page_id, draft -> 'grid' -> 0 ->> 'label' as label from cgp.custom_views order by 1",
      ),
    ).toEqual([
      { page_id: "dataProductPage", label: "Maturity" },
      { page_id: "outputPortPage", label: "Owner" },
    ]);
    // Whoever reached a consumable part reaches it now, and nobody else.
    const { parts, parent, alone } = parents;
    expect(await rows("select component_id, identity from cgp.acls order by 1, 2")).toEqual([
      { component_id: parts[1], identity: "group:sales" },
      { component_id: parts[1], identity: "user:ada" },
      { component_id: parts[1], identity: "user:grace" },
      { component_id: parts[0], identity: "group:sales" },
      { component_id: parts[0], identity: "user:ada" },
    ]);
    expect(await rows("select component_id, identity from cgp.acls_before_consumable order by 1, 2")).toEqual(
      access,
    );
    expect(await rows("select * from cgp.reporting_export")).toEqual([{ id: 1, note: "not ours" }]);
    expect(await rows("select subject from cgp.audit where operation = 'upgrade'")).toEqual([
      { subject: "upgrade:2.2.0/backup" },
      { subject: "upgrade:2.2.0/plinth" },
      { subject: "upgrade:2.2.0/custom-views" },
      { subject: "upgrade:2.2.0/files" },
      { subject: "upgrade:2.2.0/files" },
      { subject: "upgrade:2.2.0/files" },
    ]);

    const state = async (): Promise<unknown> => ({
      files: await Promise.all(
        (await readdir(folder))
          .filter((name) => name !== "b.backup")
          .map((name) => readFile(join(folder, name), "utf8")),
      ),
      audit: await rows("select count(*)::int as n from cgp.audit"),
      acls: await rows("select * from cgp.acls order by 1, 2, 3, 4, 5"),
    });
    const before = await state();
    const second = await plinth(...args);
    expect(second.out).toMatch(
      /backup: nothing to do\n {2}data-layer: nothing to do\n {2}database-plinth: nothing to do\n {2}database-governance: nothing to do\n {2}files: nothing to do\n\n/,
    );
    expect(await state()).toEqual(before);

    const left = await found("verify", ...files);
    const moved = (id: string, count: number): string =>
      `warning database:cgp access to ${id} in development was moved, and the infrastructure does not know: ${count} have access now`;
    expect(left).toEqual([
      `breaking database:cgp access of 1 identity to ${alone} in development has no consumable part to go to`,
      "breaking values.yaml:38:5 configOverride.sources has no CGP source; the list replaces the whole configuration of the tool",
      moved(parent, 0),
      moved(parts[1]!, 3),
      moved(parts[0]!, 2),
      "warning values.yaml:15:10 provisioning-coordinator.notifications.url uses NOTIFICATION_URL, which is not set: since release 2.2.0 the chart does not map it by itself",
      "warning values.yaml:44:15 probes.governance names GET /v1/computational-governance/evaluation-reports, which was removed and answers 410",
    ]);
  });

  test("access without a consumable part goes only by its confirmation", async () => {
    await fillOldDatabase(db.database);
    expect((await plinth("apply", "--backup-confirmed", "--execute")).code).toBe(5);
    expect(await rows("select identity from cgp.acls_unresolved")).toEqual([{ identity: "user:linus" }]);
    const confirmed = await plinth("apply", "--backup-confirmed", "--execute", "--delete-unresolved-access");
    expect(confirmed.out).toContain("unresolved-access: 1 rows");
    expect(confirmed.code).toBe(0);
    expect(await rows("select * from cgp.acls_unresolved")).toEqual([]);
    expect(
      await rows(
        `select detail ->> 'identity' as identity from cgp.audit where detail ->> 'upgrade' = 'unresolved'`,
      ),
    ).toEqual([{ identity: "user:linus" }]);
    expect((await plinth("verify")).code).toBe(0);
  });

  test("a backup that it took holds what was there before, but for what is not ours", async () => {
    await fillOldDatabase(db.database);
    await plinth("apply", "--backup", "b.backup", "--execute");
    const other = await emptyTestDatabase();
    try {
      const env = { ...newNames(), COORDINATOR_DB_DBNAME: other.connection.dbname };
      const args = ["restore", "--from", "b.backup", "--data-dir", join(folder, "data")];
      const restored = await run(args, { cwd: folder, env });
      expect([restored.err, restored.code]).toEqual(["", 0]);
      const query = async (text: string): Promise<unknown> => (await other.database.pool.query(text)).rows;
      expect(await query("select count(*)::int as n from cgp.acls_before_consumable")).toEqual([{ n: 5 }]);
      expect(await query("select to_regclass('cgp.reporting_export') as t")).toEqual([{ t: null }]);
    } finally {
      await other.drop();
    }
  });
});

describe("a backup that is there already", () => {
  const upgrade = (file = "b.backup"): Promise<Ran> => plinth("apply", "--backup", file, "--execute");
  const refused = async (words: string): Promise<void> => {
    const { code, err } = await upgrade();
    expect([code, err]).toEqual([1, expect.stringContaining(`b.backup exists already, and ${words}`)]);
    expect(err).toContain("Name another file with --backup");
  };
  const migrations = () => rows("select count(*)::int as n from cgp.schema_migrations");
  const deploy = (): Promise<unknown> =>
    db.database.pool.query(
      "insert into cgp.audit (actor, operation, subject, request_id) values ('user:default/ada', 'provision', 'unit:new', 'r')",
    );
  /** A run that ends behind its first step: the first migration finds its column there already. */
  const onlyBackUp = async (): Promise<void> => {
    await db.database.pool.query("alter table cgp.workers add column superseded_by int");
    expect((await upgrade()).code).toBe(1);
    await db.database.pool.query("alter table cgp.workers drop column superseded_by");
    expect(await migrations()).toEqual([{ n: 19 }]);
  };

  test("and was taken for something else is refused: it lacks what came after it", async () => {
    await fillOldDatabase(db.database);
    await makeBackup({
      services: [{ service: platformService, connection: db.connection }],
      dataDir: join(folder, "data"),
      file: join(folder, "b.backup"),
      now: () => new Date(),
    });
    await db.database.pool.query(
      `insert into cgp.units (unit_key, environment, unit_id, descriptor, descriptor_version, last_plan_id, last_plan_status)
       select 'urn:dmb:dp:sales:new:0', environment, 'urn:dmb:dp:sales:new:0', descriptor, '0', last_plan_id, last_plan_status
       from cgp.units where unit_id = $1`,
      [parents.unitId],
    );
    await refused("this upgrade has not taken it");
    expect(await migrations()).toEqual([{ n: 19 }]);
  });

  test("and was taken by a run that was cut short after it is taken for this one", async () => {
    await fillOldDatabase(db.database);
    await onlyBackUp();
    const { code, out } = await upgrade();
    expect([code, out]).toEqual([5, expect.stringContaining("backup: nothing to do")]);
    expect(await rows("select 1 from cgp.audit where subject = 'upgrade:2.2.0/backup'")).toHaveLength(1);
    // What the new program does afterwards is no reason to take another one.
    await deploy();
    expect((await upgrade()).out).toContain("backup: nothing to do");
  });

  test("and was taken before somebody went on with the older program is refused", async () => {
    await fillOldDatabase(db.database);
    await onlyBackUp();
    await deploy();
    await refused("the installation was changed after it, while no migration was applied");
    expect(await migrations()).toEqual([{ n: 19 }]);
    expect((await upgrade("c.backup")).out).toMatch(/backup: \d+ rows of plinth/);
  });

  test("and was taken anew under the name of one that was moved away is taken for this one", async () => {
    await fillOldDatabase(db.database);
    await onlyBackUp();
    await deploy();
    await rm(join(folder, "b.backup"));
    await onlyBackUp();
    expect((await upgrade()).out).toContain("backup: nothing to do");
  });

  test("and has no record, because the run was killed before it, is refused; another name helps", async () => {
    await fillOldDatabase(db.database);
    await onlyBackUp();
    await db.database.pool.query("delete from cgp.audit where subject = 'upgrade:2.2.0/backup'");
    await refused("this upgrade has not taken it");
    expect((await upgrade("c.backup")).code).toBe(5);
    expect(await rows("select detail ->> 'file' as file from cgp.audit where subject ~ '/backup$'")).toEqual([
      { file: join(folder, "c.backup") },
    ]);
  });

  test("and is not the one that the record was written for is refused", async () => {
    await fillOldDatabase(db.database);
    await onlyBackUp();
    await db.database.pool.query(
      `update cgp.audit set detail = jsonb_set(detail, '{createdAt}', '"2026-01-01T00:00:00.000Z"') where subject ~ '/backup$'`,
    );
    await refused("this upgrade has not taken it");
  });

  test("is refused where no database could say whose it is", async () => {
    const args = ["apply", "--no-database", "--backup", "b.backup", "--execute"];
    expect((await plinth(...args)).code).toBe(0);
    expect((await plinth(...args)).err).toContain("(UPGRADE_BACKUP_EXISTS)");
  });
});

test("a file that is no backup is not taken for one", async () => {
  await fillOldDatabase(db.database);
  await writeFile(join(folder, "b.backup"), "something else");
  const { code, err } = await plinth("apply", "--backup", "b.backup", "--execute");
  expect([code, err]).toEqual([1, expect.stringContaining("The backup")]);
  expect(await rows("select count(*)::int as n from cgp.schema_migrations")).toEqual([{ n: 19 }]);
});

describe("databases that are refused", () => {
  test("an empty default schema beside a full one", async () => {
    await fillOldDatabase(db.database);
    await db.database.pool.query("alter schema cgp rename to older");
    const message = "breaking database:cgp the schema cgp of the database";
    expect(await found("check")).toEqual([expect.stringContaining(message)]);
    const { out } = await plinth("check");
    expect(out).toContain("Set COORDINATOR_DB_SCHEMA=older.");
    const applied = await plinth("apply", "--backup-confirmed", "--execute");
    expect([applied.code, applied.err]).toEqual([1, expect.stringContaining("nothing was done")]);
    expect(await rows("select 1 from pg_namespace where nspname = 'cgp'")).toEqual([]);
  });

  test("a schema of another service", async () => {
    await db.database.pool.query("create schema cgp");
    await db.database.pool.query("create table cgp.schema_migrations (version int)");
    expect(await found("check")).toEqual([
      expect.stringMatching(
        /^breaking database:cgp the schema cgp of the database \S+ belongs to another product/,
      ),
    ]);
    const applied = await plinth("apply", "--backup-confirmed", "--execute");
    expect(applied.code).toBe(1);
    expect(await rows("select count(*)::int as n from pg_tables where schemaname = 'cgp'")).toEqual([
      { n: 1 },
    ]);
  });

  test("one that cannot be reached is a failure, not a finding", async () => {
    const { code } = await run(["upgrade", "check"], {
      cwd: folder,
      env: { ...newNames(), COORDINATOR_DB_PORT: "1" },
    });
    expect(code).toBe(1);
  });
});

test("an installation that is new has nothing in the way", async () => {
  expect((await plinth("apply", "--backup-confirmed", "--execute")).code).toBe(0);
  expect((await plinth("verify")).code).toBe(0);
});

test("a file that is not there is a failure", async () => {
  const { code, err } = await plinth("check", "--values", "none.yaml");
  expect([code, err]).toEqual([1, expect.stringContaining("none.yaml")]);
});

test("a file that changes meanwhile is not overwritten, and the run can be repeated", async () => {
  await writeFile(join(folder, "app-config.yaml"), "signature: s\n");
  await writeFile(join(folder, "keys.txt"), "CORE_SIGNATURE\n");
  const args = [
    "apply",
    "--no-database",
    "--config",
    "app-config.yaml",
    "--variables",
    "keys.txt",
    "--backup-confirmed",
    "--execute",
  ];
  expect((await plinth(...args)).code).toBe(0);
  expect(await readFile(join(folder, "app-config.yaml"), "utf8")).toBe("");
  expect(await readFile(join(folder, "app-config.yaml.before-2.2.0"), "utf8")).toBe("signature: s\n");
});
