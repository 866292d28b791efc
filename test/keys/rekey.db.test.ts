/** `plinth admin rekey`, in this process: what it seals, what it leaves, whom it waits for. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { auditsOf, readSealed, sealedPlaces } from "../../src/areas.ts";
import {
  openAuditChain,
  sealAudit,
  signAgain,
  signingKey,
  type AuditChain,
} from "../../src/platform/audit/seal.ts";
import { readChainStatus } from "../../src/platform/audit/verify.ts";
import { openDatabase } from "../../src/platform/db/database.ts";
import { sql } from "../../src/platform/db/sql.ts";
import { silentLogger } from "../../src/platform/lib/logger.ts";
import {
  createKeyRing,
  createSecretBox,
  installationKey,
} from "../../src/platform/lib/secrets/secret-box.ts";
import {
  openInstallationKeys,
  type InstallationKeys,
} from "../../src/platform/runtime/keys/installation-keys.ts";
import { rekey, type RekeyOptions, type RekeyReport } from "../../src/platform/runtime/keys/rekey.ts";
import { testDatabase, type TestDatabase } from "../support/database.ts";
import { wholeServerConfig } from "../support/server.ts";
import { canary, openedBy, sealRows } from "./sealed-rows.ts";

const [first = "", second = "", third = ""] = [1, 2, 3].map((byte) =>
  Buffer.alloc(32, byte).toString("base64"),
);
const fingerprintOf = (key: string) => installationKey(Buffer.from(key, "base64")).fingerprint;
const boxOf = (key: string) => createSecretBox(Buffer.from(key, "base64"));

let db: TestDatabase;
let closings: (() => Promise<void>)[];
beforeEach(async () => {
  db = await testDatabase();
  closings = [];
});
afterEach(async () => {
  for (const close of closings) await close();
  await db.drop();
});

function configWith(secretKey: string, ...formerSecretKeys: string[]) {
  const config = wholeServerConfig(db.connection, "/none");
  Object.assign(config.mesh.builder.instantiations, { secretKey, formerSecretKeys });
  return config;
}

const newDatabase = () => {
  const database = openDatabase({ connection: db.connection, log: silentLogger });
  closings.push(() => database.close());
  return database;
};

async function start(secretKey: string, ...former: string[]): Promise<InstallationKeys> {
  const options = { database: newDatabase(), log: silentLogger, readSealed, retryMs: 50 };
  const keys = await openInstallationKeys(configWith(secretKey, ...former), options);
  closings.unshift(() => keys.close());
  return keys;
}

async function run(keys: [string, ...string[]], more: Partial<RekeyOptions> = {}): Promise<RekeyReport> {
  const database = openDatabase({ connection: db.connection, log: silentLogger });
  try {
    return await rekey({
      config: configWith(...keys),
      database,
      log: silentLogger,
      places: await sealedPlaces(),
      readSealed,
      signed: (secrets) => auditsOf({ database, secrets }, { database }).slice(0, 1).map(signedPlace),
      dryRun: false,
      waitMs: 0,
      signal: new AbortController().signal,
      ...more,
    });
  } finally {
    await database.close();
  }
}

const signedPlace = (chain: AuditChain) => ({
  name: chain.name,
  signedWith: () => signingKey(chain),
  signAgain: () => signAgain(chain),
});

const total = (report: RekeyReport, field: "sealed" | "left" | "unreadable"): number =>
  report.places.reduce((sum, place) => sum + place[field], 0);

it("knows every column of bytes, or why it is not sealed", async () => {
  const { rows } = await sql<{ name: string }>`select distinct table_name || '.' || column_name as name
    from information_schema.columns where table_schema not in ('pg_catalog', 'information_schema') and data_type = 'bytea'
    order by 1`.execute(db.database.db);
  const places = await sealedPlaces();
  const sealed = places.map(({ name }) => name);
  const plain = rows.map(({ name }) => name).filter((name) => !sealed.includes(name));
  // Files of entities, and vectors of texts. A column with secrets belongs into the list of its area instead.
  // And hashes of tokens and of the audit; the signature of its ends is renewed.
  expect(plain).toEqual([
    "access_tokens.hash",
    "assistant_vectors.vector",
    "audit_chain.hash",
    "audit_head.hash",
    "audit_head.pruned_hash",
    "audit_head.signature",
    "catalogue_files.content",
  ]);
  expect(sealed.toSorted()).toEqual([
    "assistant_models.sealed_api_key",
    "assistant_models.sealed_custom_header",
    "browser_sessions.sealed",
    "external_agents.sealed",
    "instantiation_workspaces.archive",
    "instantiations.sealed",
  ]);
});

describe("a change of keys", () => {
  beforeEach(async () => {
    await sealRows(db.database.db, boxOf(first), 120);
    await (await start(first)).close();
    for (const close of closings.splice(0)) await close();
  });
  const values = 4 + 4 * 120;

  it("seals everything anew, after which the former key opens nothing and may be missing", async () => {
    expect(await openedBy(db.database.db, first)).toEqual({ values, opened: values });
    const dry = await run([second, first], { dryRun: true });
    expect([total(dry, "left"), total(dry, "sealed")]).toEqual([values, 0]);
    expect(dry.otherKeys).toEqual([{ fingerprint: fingerprintOf(first), left: values }]);
    expect(await openedBy(db.database.db, first)).toEqual({ values, opened: values });

    const report = await run([second, first]);
    expect([report.key, total(report, "sealed"), total(report, "left")]).toEqual([
      fingerprintOf(second),
      values,
      0,
    ]);
    expect(report.otherKeys).toEqual([{ fingerprint: fingerprintOf(first), left: 0 }]);
    expect(await openedBy(db.database.db, first)).toEqual({ values, opened: 0 });
    expect(await openedBy(db.database.db, second)).toEqual({ values, opened: values });

    expect(total(await run([second, first]), "sealed")).toBe(0);
    await start(second);
    await expect(start(first)).rejects.toMatchObject({ code: "PLATFORM_INSTALLATION_KEY" });
  });

  it("is continued after an end at any batch", async () => {
    for (const batches of [1, 2, 5, 60]) {
      const stop = new AbortController();
      let seen = 0;
      const onProgress = (): void => {
        seen += 1;
        if (seen === batches) stop.abort();
      };
      await expect(run([second, first], { signal: stop.signal, onProgress })).rejects.toThrow("aborted");
      const [byOld, byNew] = [await openedBy(db.database.db, first), await openedBy(db.database.db, second)];
      expect(byOld.opened + byNew.opened).toBe(values);
      // Until it is through a start needs both.
      await expect(start(second)).rejects.toMatchObject({ code: "PLATFORM_INSTALLATION_KEY" });
    }
    await run([second, first]);
    expect(await openedBy(db.database.db, second)).toEqual({ values, opened: values });
  });

  it("leaves what no key opens, says so, and finishes all the same", async () => {
    await sealRows(db.database.db, boxOf(third), 3);
    const report = await run([second, first]);
    expect([total(report, "sealed"), total(report, "unreadable"), total(report, "left")]).toEqual([
      values - 4,
      4 + 12,
      0,
    ]);
    await start(second);
  });

  it("signs the ends of the audit anew, and not those that nobody here has signed", async () => {
    const statusFor = (key: string) => {
      const chain = openAuditChain("platform", { database: db.database, secrets: boxOf(key) });
      return readChainStatus(chain).then(({ isSigned }) => isSigned);
    };
    const old = openAuditChain("platform", { database: db.database, secrets: boxOf(first) });
    await sql`insert into audit (at, actor, operation, subject, request_id, detail) values (now(), 'a', 'o', 's', 'r', '{}')`.execute(
      db.database.db,
    );
    await sealAudit(old, { upTo: 1_000_000, at: new Date() });
    expect([await statusFor(first), await statusFor(second)]).toEqual([true, false]);
    expect((await run([second, first], { dryRun: true })).otherKeys[0]?.left).toBe(values + 1);
    expect(total(await run([second, first]), "sealed")).toBe(values + 1);
    expect([await statusFor(first), await statusFor(second)]).toEqual([false, true]);
    await sql`update audit_head set signature = ${Buffer.alloc(32)}`.execute(db.database.db);
    expect(total(await run([third, second]), "unreadable")).toBe(1);
    expect([await statusFor(second), await statusFor(third)]).toEqual([false, false]);
  });

  it("does not take back what is stored meanwhile", async () => {
    const places = await sealedPlaces();
    const agents = places.find(({ name }) => name === "external_agents.sealed")!;
    const { rows } = await sql<{ id: string }>`select id from external_agents order by id limit 1`.execute(
      db.database.db,
    );
    const { id } = rows[0]!;
    const newer = boxOf(second).seal(Buffer.from("newer"), `external agent ${id}`);
    let isFirst = true;
    const read: typeof agents.read = async (...args) => {
      const found = await agents.read(...args);
      if (!isFirst) return found;
      isFirst = false;
      await sql`update external_agents set sealed = ${newer} where id = ${id}`.execute(db.database.db);
      return found;
    };
    await run([second, first], {
      places: places.map((each) => (each === agents ? { ...each, read } : each)),
    });
    const after = await sql<{ sealed: Buffer }>`select sealed from external_agents where id = ${id}`.execute(
      db.database.db,
    );
    expect(after.rows[0]?.sealed).toEqual(newer);
  });

  it("names the processes that still seal with the former key, and waits for them", async () => {
    const server = await start(first);
    const failure = await run([second, first]).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: "PLATFORM_INSTALLATION_KEY",
      message: expect.stringContaining(` ${process.pid} `),
    });
    expect((await run([second, first], { dryRun: true })).waitsFor).toHaveLength(1);
    expect(await openedBy(db.database.db, first)).toEqual({ values, opened: values });
    const waiting = run([second, first], { waitMs: 20_000 });
    (await server.reload(configWith(second, first)))();
    expect(total(await waiting, "sealed")).toBe(values);
    expect(server.secrets.seal(canary, "x").subarray(0, 12)).toEqual(
      boxOf(second).seal(canary, "x").subarray(0, 12),
    );
  });

  it("gives names to what an older program has sealed, also without another key", async () => {
    await sql`update installation_keys set naming = false`.execute(db.database.db);
    const key = installationKey(Buffer.from(first, "base64"));
    await sealRows(db.database.db, createKeyRing({ sealing: key, all: [], naming: false }), 5);
    const server = await start(first);
    const report = await run([first], { waitMs: 20_000 });
    // The two models were sealed again, and 20 values are new.
    expect(total(report, "sealed")).toBe(4 + 20);
    expect(await openedBy(db.database.db, first)).toEqual({ values: values + 20, opened: values + 20 });
    expect(server.secrets.seal(canary, "x").subarray(0, 4).toString()).toBe("PLK1");
  });
});
