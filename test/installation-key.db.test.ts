/** The key that the secrets of the database are sealed with: present, missing, another one, and lost for good. */
import { mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readOldestProgram } from "../src/platform/db/migrations/migration-table.ts";
import { openDatabase } from "../src/platform/db/database.ts";
import { sql } from "../src/platform/db/sql.ts";
import { aboutKey } from "../src/assistant/models/read-model.ts";
import { upsertModel } from "../src/assistant/models/store.ts";
import {
  openInstallationKeys,
  type InstallationKeys as OpenedKeys,
} from "../src/platform/runtime/keys/installation-keys.ts";
import { startPlinth } from "../src/app.ts";
import { readSealed, type ProcessRole } from "../src/areas.ts";
import type { Config } from "../src/platform/config/schema/schema.ts";
import type { Failure } from "../src/platform/errors/failure.ts";
import { newId } from "../src/platform/lib/ids.ts";
import { silentLogger } from "../src/platform/lib/logger.ts";
import { headOf, installationKey, type SecretBox } from "../src/platform/lib/secrets/secret-box.ts";
import { testDatabase, type TestDatabase } from "./support/database.ts";
import { wholeServerConfig } from "./support/server.ts";

let db: TestDatabase;
let folders: string[];
let processes: (() => Promise<void>)[];
beforeEach(async () => {
  db = await testDatabase();
  folders = [];
  processes = [];
});
afterEach(async () => {
  await Promise.all(processes.map((close) => close()));
  await db.drop();
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
});

/** A machine of its own, whose key is in a file. */
async function machine(more: Partial<Config["mesh"]["builder"]["instantiations"]> = {}): Promise<Config> {
  const folder = await mkdtemp(join(tmpdir(), "plinth-key-"));
  folders.push(folder);
  const config = wholeServerConfig(db.connection, folder);
  delete config.mesh.builder.instantiations.secretKey;
  Object.assign(config.mesh.builder.instantiations, more);
  return config;
}

const keyFile = ({ dataDir }: Config): string => join(dataDir, "builder", "secret.key");
const hasKey = (config: Config): Promise<boolean> =>
  stat(keyFile(config)).then(
    () => true,
    () => false,
  );

/** A process that starts, and ends again. */
async function open(config: Config): Promise<SecretBox> {
  const database = openDatabase({ connection: db.connection, log: silentLogger });
  try {
    const keys = await openInstallationKeys(config, { database, log: silentLogger, readSealed });
    await keys.close();
    return keys.secrets;
  } finally {
    await database.close();
  }
}

interface InstallationKeys extends OpenedKeys {
  close(): Promise<void>;
}

/** The keys of a process that is at work. */
async function running(config: Config): Promise<InstallationKeys> {
  const database = openDatabase({ connection: db.connection, log: silentLogger });
  const options = { database, log: silentLogger, readSealed, retryMs: 50 };
  try {
    const keys = await openInstallationKeys(config, options);
    let closed: Promise<void> | undefined;
    const end = async (): Promise<void> => {
      await keys.close();
      await database.close();
    };
    const close = () => (closed ??= end());
    processes.push(close);
    return { ...keys, close };
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function recorded(): Promise<string[]> {
  const { rows } = await sql<{ fingerprint: string }>`select fingerprint from installation_keys
    order by since desc`.execute(db.database.db);
  return rows.map((row) => row.fingerprint);
}

async function refused(opening: Promise<unknown>): Promise<Failure> {
  const failure = await opening.then(
    () => null,
    (error: Failure) => error,
  );
  expect(failure?.code).toBe("PLATFORM_INSTALLATION_KEY");
  return failure!;
}

const hidden = Buffer.from("CaNaRy-model-key-3f7a");

/** A first start that has stored a secret. */
async function seal(config: Config): Promise<void> {
  const sealedApiKey = (await open(config)).seal(hidden, aboutKey("llm"));
  const rest = { provider: "openai", endpoint: "", deployment: "", apiVersion: "", model: "m" };
  const row = {
    ...rest,
    kind: "llm",
    sealedApiKey,
    sealedCustomHeader: null,
    version: newId(),
    by: "a",
    at: new Date(),
  };
  await upsertModel(db.database.db, row);
}

/** Whether the stored secret can be read. */
async function opens(box: SecretBox): Promise<boolean> {
  const { rows } = await sql<{
    sealed: Buffer;
  }>`select sealed_api_key as sealed from assistant_models`.execute(db.database.db);
  return box.open(rows[0]!.sealed, aboutKey("llm"))?.equals(hidden) === true;
}

const fingerprint = async (): Promise<string | null> => {
  const { rows } = await sql<{ fingerprint: string }>`select fingerprint from installation_keys`.execute(
    db.database.db,
  );
  return rows[0]?.fingerprint ?? null;
};

it("the first start writes a fingerprint, of which nothing of the key follows, and the others keep it", async () => {
  const config = await machine();
  await open(config);
  const first = await fingerprint();
  expect(first).toMatch(/^[0-9a-f]{32}$/);
  const bytes = await readFile(keyFile(config));
  expect(bytes.toString("hex")).not.toContain(first?.slice(0, 8));
  await open(config);
  await open(await machine({ secretKey: bytes.toString("base64") }));
  expect(await fingerprint()).toBe(first);
});

const roles: [string, ProcessRole][] = [
  ["that serves", { areas: ["builder", "assistant", "coordinator"], workers: "off" }],
  ["of workers only", { areas: [], workers: "only" }],
];

describe("a database that was restored without the file of its key", () => {
  it.each(roles)("stops the start of a process %s, which makes no key", async (_what, role) => {
    const old = await machine();
    await seal(old);
    const restored = await machine();
    const { message, solutions } = await refused(startPlinth(restored, role, silentLogger));
    expect(message).toContain(`${keyFile(restored)} is missing`);
    expect(solutions.join(" ")).toContain("mesh.builder.instantiations.secretKey");
    expect(solutions.join(" ")).toContain(`forgetKey: ${await fingerprint()}`);
    expect(await hasKey(restored)).toBe(false);
    // With the file all is as it was.
    expect(await opens(await open({ ...restored, dataDir: old.dataDir }))).toBe(true);
  });

  it("stops it with another key, too", async () => {
    await seal(await machine());
    const file = await machine();
    await mkdir(join(file.dataDir, "builder"));
    await writeFile(keyFile(file), Buffer.alloc(32, 2));
    expect((await refused(open(file))).message).toContain(`The key in ${keyFile(file)} is not the one`);
    const secretKey = Buffer.alloc(32, 3).toString("base64");
    const { message, solutions } = await refused(open(await machine({ secretKey })));
    expect(message).toContain("The key in mesh.builder.instantiations.secretKey is not the one");
    expect(message + solutions.join(" ")).not.toContain(secretKey);
  });

  it("continues with a new key once the operator allows it", async () => {
    await seal(await machine());
    const forgetKey = (await fingerprint()) ?? "";
    await refused(open(await machine({ forgetKey: "0".repeat(32) })));
    const restored = await machine({ forgetKey });
    expect(await opens(await open(restored))).toBe(false);
    const present = await fingerprint();
    expect(present).not.toBe(forgetKey);
    // A second machine with the same setting and a key of its own is refused.
    await refused(open(await machine({ forgetKey })));
    await open(restored);
    expect(await fingerprint()).toBe(present);
  });
});

describe("a database from a release without fingerprints", () => {
  const forget = () => sql`delete from installation_keys`.execute(db.database.db);

  it("takes the key that opens what it has", async () => {
    const config = await machine();
    await seal(config);
    const before = await fingerprint();
    await forget();
    expect(await opens(await open(config))).toBe(true);
    expect(await fingerprint()).toBe(before);
  });

  it("takes no other one, and none is made", async () => {
    await seal(await machine());
    await forget();
    const other = await machine();
    expect((await refused(open(other))).solutions.join(" ")).toContain("forgetKey: unrecorded");
    expect(await hasKey(other)).toBe(false);
    const { message } = await refused(
      open(await machine({ secretKey: Buffer.alloc(32, 3).toString("base64") })),
    );
    expect(message).toContain("does not open the secrets");
    expect(await fingerprint()).toBeNull();
    await open(await machine({ forgetKey: "unrecorded" }));
    expect(await fingerprint()).not.toBeNull();
  });

  it("takes any where nothing is sealed", async () => {
    await open(await machine());
    await forget();
    await open(await machine());
    expect(await fingerprint()).not.toBeNull();
  });
});

describe("a new key beside the former one", () => {
  const [first = "", second = "", third = ""] = [1, 2, 3].map((byte) =>
    Buffer.alloc(32, byte).toString("base64"),
  );
  const fingerprintOf = (key: string) => installationKey(Buffer.from(key, "base64")).fingerprint;
  const config = (secretKey: string, ...formerSecretKeys: string[]) =>
    machine({ secretKey, formerSecretKeys });
  /** The key that the value names. */
  const keyOf = (sealed: Buffer): string | undefined =>
    [first, second, third].find((key) =>
      sealed.subarray(0, 12).equals(headOf({ fingerprint: fingerprintOf(key) })),
    );
  const sealingKey = ({ secrets }: InstallationKeys) => keyOf(secrets.seal(hidden, "x"));

  it("is used by the first process that has it when it is the only one, and opens what the former one sealed", async () => {
    const before = await running(await config(first));
    const sealed = before.secrets.seal(hidden, "a");
    expect(keyOf(sealed)).toBe(first);
    await before.close();
    const after = await running(await config(second, first));
    expect(sealingKey(after)).toBe(second);
    expect(after.secrets.open(sealed, "a")).toEqual(hidden);
    expect(after.secrets.open(sealed, "b")).toBeNull();
    await after.close();
    // Both may have sealed something, so whoever lacks one is told so.
    for (const [each, lacking] of [
      [await config(second), first],
      [await config(first), second],
      [await config(third, first), second],
    ] as const) {
      const { message, solutions } = await refused(running(each));
      expect(message).toContain(fingerprintOf(lacking));
      expect(solutions.join(" ")).toContain(`forgetKey: ${fingerprintOf(lacking)}`);
    }
    const neither = await running(await config(first, second, third));
    expect(sealingKey(neither)).toBe(first);
  });

  it("seals only when the last process knows it, whatever the order, and then in all of them", async () => {
    const a = await running(await config(first));
    const b = await running(await config(first));
    (await a.reload(await config(second, first)))();
    const whole = await running(await config(second, first));
    expect([a, b, whole].map(sealingKey)).toEqual([first, first, first]);
    expect(await recorded()).toEqual([fingerprintOf(first)]);
    (await b.reload(await config(second, first)))();
    await expect.poll(() => [a, b, whole].map(sealingKey)).toEqual([second, second, second]);
    expect(b.secrets.open(a.secrets.seal(hidden, "x"), "x")).toEqual(hidden);
    expect(await recorded()).toEqual([fingerprintOf(second), fingerprintOf(first)]);
  });

  it("does not wait for a process that is gone", async () => {
    const a = await running(await config(first));
    const b = await running(await config(first));
    (await a.reload(await config(second, first)))();
    expect(sealingKey(a)).toBe(first);
    await b.close();
    await expect.poll(() => sealingKey(a)).toBe(second);
  });

  it("is refused in a reload that lacks the former one, and the process goes on as before", async () => {
    const a = await running(await config(first));
    const sealed = a.secrets.seal(hidden, "x");
    expect((await refused(a.reload(await config(second)))).message).toContain(fingerprintOf(first));
    expect(a.secrets.open(sealed, "x")).toEqual(hidden);
    expect(sealingKey(a)).toBe(first);
    // Others still see what it says: a new key waits for it.
    const b = await running(await config(third, first));
    expect(sealingKey(b)).toBe(first);
  });

  it("is made where its file was taken away to the former ones", async () => {
    const each = await machine();
    await open(each);
    const [old] = await recorded();
    await mkdir(join(each.dataDir, "builder", "former-keys"));
    await rename(keyFile(each), join(each.dataDir, "builder", "former-keys", "1.key"));
    await open(each);
    expect(await hasKey(each)).toBe(true);
    expect(await recorded()).toEqual([expect.not.stringContaining(old!), old]);
  });

  it("makes values name their keys, which older programs are kept from", async () => {
    const before = await running(await config(first));
    await before.close();
    await sql`update installation_keys set naming = false`.execute(db.database.db);
    await sql`update schema_migrations set compatible_from = 28`.execute(db.database.db);
    const upgraded = await running(await config(first));
    const unnamed = upgraded.secrets.seal(hidden, "x");
    expect([keyOf(unnamed), await readOldestProgram(db.database.pool)]).toEqual([undefined, 28]);
    await upgraded.close();
    const changed = await running(await config(second, first));
    expect([sealingKey(changed), await readOldestProgram(db.database.pool)]).toEqual([second, 62]);
    expect(changed.secrets.open(unnamed, "x")).toEqual(hidden);
  });
});

it("of machines that start at once on a new database, all but one are told that they need the same key", async () => {
  const machines = await Promise.all([1, 2, 3, 4].map(() => machine()));
  const ends = await Promise.allSettled(machines.map(open));
  const failures = ends.flatMap((end) => (end.status === "rejected" ? [end.reason as Failure] : []));
  expect(failures.map(({ code }) => code)).toEqual(Array(3).fill("PLATFORM_INSTALLATION_KEY"));
  expect(failures[0]?.solutions.join(" ")).toContain("Give all processes of the installation the same key");
});

it("processes that start at once over one data directory get one key", async () => {
  const config = await machine();
  await Promise.all([1, 2, 3, 4].map(() => open(config)));
});

it("a file that holds no key stops the start and is left alone", async () => {
  const config = await machine();
  await open(config);
  await writeFile(keyFile(config), "half a key");
  expect((await refused(open(config))).message).toContain("holds no key of 32 bytes");
  expect(await readFile(keyFile(config), "utf8")).toBe("half a key");
});
