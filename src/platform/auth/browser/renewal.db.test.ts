/** What becomes of a session by what its identity provider answers to a renewal. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { testDatabase, type TestDatabase } from "../../../../test/support/database.ts";
import { newId } from "../../lib/ids.ts";
import { silentLogger } from "../../lib/logger.ts";
import { createSecretBox } from "../../lib/secrets/secret-box.ts";
import { authFailure } from "../errors.ts";
import { hashOf, type StoredTokens } from "../tokens/stored-tokens.ts";
import type { IssuedTokens, ProviderClient, ProviderRefusal } from "./provider-client.ts";
import { renew } from "./renewal.ts";
import { aboutSession, insertBrowserSession, readBrowserSession } from "./session-store.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.drop());

const secrets = createSecretBox(Buffer.alloc(32, 1));
const now = new Date("2026-11-28T12:00:00Z");
const later = (seconds: number): Date => new Date(now.getTime() + seconds * 1_000);

/** Renews a session whose provider vouches for it for so long yet, and reads what is left of it. */
async function renewed(answer: IssuedTokens | ProviderRefusal, vouchedForSeconds: number) {
  const id = newId();
  const { database } = db;
  await database.db.query(
    `insert into access_tokens (id, kind, owner, name, hash, roles, scopes, created_at, created_by, expires_at)
     values ($1, 'session', 'user:default/ada', 'browser session of oidc', $2, '{viewer}', '{all}', $3, 'user:default/ada', $4)`,
    [id, hashOf(id), later(-60), later(3_600)],
  );
  const claimedUntil = later(20);
  await insertBrowserSession(database.db, {
    id,
    provider: "oidc",
    endsAt: later(3_600),
    vouchedUntil: later(vouchedForSeconds),
    renewAt: claimedUntil,
    sealed: secrets.seal(Buffer.from("first"), aboutSession(id)),
  });
  const session = await readBrowserSession(database.db, { id });
  await renew(session!, {
    database,
    secrets,
    clientOf: () => ({ renew: async () => answer }) as unknown as ProviderClient,
    tokens: {
      vouch: async () =>
        authFailure("PLATFORM_AUTH_UNAVAILABLE", "The keys can't be read.", { retryAfterSeconds: 5 }),
      forget: () => undefined,
    } as unknown as StoredTokens,
    now: () => now,
    log: silentLogger,
  });
  const left = await readBrowserSession(database.db, { id });
  return left && { renewAt: left.renewAt, token: secrets.open(left.sealed!, aboutSession(id))?.toString() };
}

const refused = (refusal: ProviderRefusal["refusal"]): ProviderRefusal => ({ refusal, why: "of the test" });

it.each([
  ["not-accepted", 30],
  ["not-accepted", -1],
  // The person has to do something there, which only a sign-in makes possible.
  ["denied", 30],
  ["denied", -1],
  ["provider", 0],
  ["provider", -1],
] as const)("ends when it is refused as %s, with %i seconds left", async (refusal, left) => {
  expect(await renewed(refused(refusal), left)).toBeNull();
});

it.each([
  ["provider", 30, later(5)],
  // Its next request finds out how it stands.
  ["provider", 2, later(2)],
  // The refresh token may be on its way, so that nobody sends it again before the end of the claim.
  ["unavailable", 30, later(20)],
  ["unavailable", -1, later(20)],
] as const)("goes on when it is refused as %s, with %i seconds left", async (refusal, left, renewAt) => {
  expect(await renewed(refused(refusal), left)).toEqual({ renewAt, token: "first" });
});

it("keeps the new refresh token while the tokens can't be checked", async () => {
  const issued = { candidates: ["a.b.c"], refreshToken: "second" };
  expect(await renewed(issued, -1)).toEqual({ renewAt: later(5), token: "second" });
});
