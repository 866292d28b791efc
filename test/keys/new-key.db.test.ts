/** `plinth admin new-key` that was killed and is repeated, and what it must not replace. */
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readSealed } from "../../src/areas.ts";
import { openDatabase } from "../../src/platform/db/database.ts";
import { sql } from "../../src/platform/db/sql.ts";
import { silentLogger } from "../../src/platform/lib/logger.ts";
import { installationKey } from "../../src/platform/lib/secrets/secret-box.ts";
import { openInstallationKeys } from "../../src/platform/runtime/keys/installation-keys.ts";
import { testDatabase, type TestDatabase } from "../support/database.ts";
import { runOnDatabase } from "../support/run-on-database.ts";
import { wholeServerConfig } from "../support/server.ts";

let db: TestDatabase;
let dataDir: string;
let file: string;
let formerKeys: string;
beforeEach(async () => {
  db = await testDatabase();
  dataDir = await mkdtemp(join(tmpdir(), "plinth-new-key-"));
  file = join(dataDir, "builder/secret.key");
  formerKeys = join(dataDir, "builder/former-keys");
});
afterEach(async () => {
  await db.drop();
  await rm(dataDir, { recursive: true, force: true });
});

/** A process that starts, which makes the first key and records it, and ends again. */
async function start(): Promise<void> {
  const config = wholeServerConfig(db.connection, dataDir);
  delete config.mesh.builder.instantiations.secretKey;
  const database = openDatabase({ connection: db.connection, log: silentLogger });
  try {
    await (await openInstallationKeys(config, { database, log: silentLogger, readSealed })).close();
  } finally {
    await database.close();
  }
}

const newKey = () => runOnDatabase(db.connection, ["admin", "new-key", "--json", "--data-dir", dataDir]);

const fingerprintIn = async (path: string): Promise<string> =>
  installationKey(await readFile(path)).fingerprint;

async function recorded(): Promise<string[]> {
  const { rows } = await sql<{ fingerprint: string }>`select fingerprint from installation_keys
    order by since desc`.execute(db.database.db);
  return rows.map(({ fingerprint }) => fingerprint);
}

/** As programs of before left it that were killed between their two steps. */
async function moveAway(): Promise<string> {
  await start();
  const old = await fingerprintIn(file);
  await mkdir(formerKeys);
  await rename(file, join(formerKeys, `${old}.key`));
  return old;
}

describe("where the key was moved away and no new one made", () => {
  it("makes it, and answers as usual", async () => {
    const old = await moveAway();
    const { code, err, out } = await newKey();
    expect([code, err]).toEqual([0, ""]);
    const fingerprint = await fingerprintIn(file);
    expect(JSON.parse(out)).toEqual({ file, fingerprint, former: join(formerKeys, `${old}.key`) });
    await start();
    expect(await recorded()).toEqual([fingerprint, old]);
  });

  it("makes none where the database needs a key that is not among the former ones", async () => {
    const old = await moveAway();
    // The change was finished since, and the key of then was lost.
    await start();
    await sql`delete from installation_keys where fingerprint = ${old}`.execute(db.database.db);
    const needed = await fingerprintIn(file);
    await rm(file);
    const { code, err } = await newKey();
    expect(code).toBe(1);
    expect(err).toContain("PLATFORM_INSTALLATION_KEY");
    expect(err).toContain(`There is no key of the installation: ${file} is missing.`);
    expect(err).toContain(`forgetKey: ${needed}`);
    await expect(stat(file)).rejects.toThrow("ENOENT");
  });

  it("leaves it to a start where the database names no key", async () => {
    await moveAway();
    await sql`delete from installation_keys`.execute(db.database.db);
    const { code, err } = await newKey();
    expect([code, err]).toEqual([1, expect.stringContaining("the database names none")]);
    await expect(stat(file)).rejects.toThrow("ENOENT");
  });
});

describe("killed at any moment", () => {
  it("leaves a key in its place", async () => {
    await start();
    const state = { isOver: false, lacked: 0 };
    const looking = (async () => {
      while (!state.isOver) await stat(file).catch(() => (state.lacked += 1));
    })();
    for (let n = 0; n < 30; n += 1) expect((await newKey()).code).toBe(0);
    state.isOver = true;
    await looking;
    expect(state.lacked).toBe(0);
    expect(await readdir(formerKeys)).toHaveLength(30);
    expect((await readdir(join(dataDir, "builder"))).toSorted()).toEqual(["former-keys", "secret.key"]);
  });

  it("can be repeated after each of its steps", async () => {
    await start();
    const old = await fingerprintIn(file);
    await mkdir(formerKeys);
    await writeFile(join(formerKeys, `${old}.key`), await readFile(file));
    await writeFile(`${file}.new`, "half of a key");
    await start();
    expect(JSON.parse((await newKey()).out)).toMatchObject({ former: join(formerKeys, `${old}.key`) });
    expect(await fingerprintIn(file)).not.toBe(old);
    await start();
    expect(await recorded()).toEqual([await fingerprintIn(file), old]);
  });
});
