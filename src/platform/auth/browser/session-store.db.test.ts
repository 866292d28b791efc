/** A session is read as it was at one moment, whatever changes meanwhile. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { testDatabase, type TestDatabase } from "../../../../test/support/database.ts";
import { inTransaction } from "../../db/database.ts";
import { newId } from "../../lib/ids.ts";
import { hashOf } from "../tokens/stored-tokens.ts";
import { insertBrowserSession, readSessionToken, renewSession } from "./session-store.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.drop());

it("never has the roles of before a renewal with the end of after it", async () => {
  const { database } = db;
  const id = newId();
  const at = new Date("2026-11-29T12:00:00Z");
  const later = new Date(at.getTime() + 3_600_000);
  await database.db.query(
    `insert into access_tokens (id, kind, owner, name, hash, roles, scopes, created_at, created_by, expires_at)
     values ($1, 'session', 'user:default/ada', 'browser session of oidc', $2, '{viewer}', '{all}', $3, 'user:default/ada', $4)`,
    [id, hashOf(id), at, later],
  );
  await insertBrowserSession(database.db, {
    id,
    provider: "oidc",
    endsAt: later,
    vouchedUntil: at,
    renewAt: at,
    sealed: null,
  });
  const states = [
    { roles: ["viewer"], scopes: ["all"], vouchedUntil: at, renewAt: at },
    { roles: ["operator"], scopes: ["all"], vouchedUntil: later, renewAt: later },
  ] as const;
  let isOver = false;
  const renewals = (async () => {
    for (let round = 0; !isOver; round += 1)
      await inTransaction(database, (tx) => renewSession(tx, id, states[round % 2]!));
  })();
  const seen = new Set<string>();
  for (let read = 0; read < 500; read += 1) {
    const found = await readSessionToken(database.db, hashOf(id));
    seen.add(`${found?.stored.roles.join()} until ${found?.session?.vouchedUntil.toISOString()}`);
  }
  isOver = true;
  await renewals;
  expect([...seen].toSorted()).toEqual([
    `operator until ${later.toISOString()}`,
    `viewer until ${at.toISOString()}`,
  ]);
});
