/** Service accounts: their tokens while they are deleted, and under which conditions they are written. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inTransaction } from "../../src/platform/db/database.ts";
import { sql } from "../../src/platform/db/sql.ts";
import { eventually } from "../support/eventually.ts";
import { send, type Answer } from "../support/server.ts";
import { startAuthServer, tokenOf, type AuthServer } from "./auth-server.ts";

let server: AuthServer;
beforeAll(async () => {
  server = await startAuthServer();
});
afterAll(() => server.close());

const putAccount = (name: string, headers: Record<string, string> = {}): Promise<Answer> =>
  send(server.url, {
    method: "PUT",
    path: `/api/auth/v1/service-accounts/${name}`,
    body: { roles: ["admin"] },
    headers,
  });
const makeToken = (service: string): Promise<Answer> =>
  server.auth(tokenOf("admin"), "POST", "/v1/tokens", { name: "of the test", service });
const waitsForLock = (query: string): Promise<boolean> =>
  eventually(`The lock of ${query}`, async () => {
    const { rows } = await sql`select 1 from pg_stat_activity where datname = current_database()
      and wait_event_type = 'Lock' and query like ${`%${query}%`}`.execute(server.db.database.db);
    return rows.length > 0 || null;
  });

describe("while a service account is deleted", () => {
  it("a token of it that comes later is not made", async () => {
    await putAccount("leaving");
    let made: Promise<Answer> | undefined;
    await inTransaction(server.db.database, async (tx) => {
      await sql`delete from token_owners where ref = 'service:default/leaving'`.execute(tx);
      made = makeToken("leaving");
      await waitsForLock("from token_owners");
    });
    const answer = await made;
    expect([answer?.status, answer?.body.error?.code]).toEqual([404, "AUTH_ACCOUNT_NOT_FOUND"]);
    const listed = await server.auth(
      tokenOf("admin"),
      "GET",
      "/v1/tokens?owner=service:default/leaving&status=all",
    );
    expect(listed.body.data).toEqual([]);
  });
});

describe("If-Match", () => {
  it("changes the account that there is, and makes none", async () => {
    const before = await putAccount("matched", { "if-match": "*" });
    expect([before.status, before.body.error.code, before.body.error.problems[0].where]).toEqual([
      404,
      "AUTH_ACCOUNT_NOT_FOUND",
      "name",
    ]);
    const { rows } = await sql`select 1 from token_owners where ref = 'service:default/matched'`.execute(
      server.db.database.db,
    );
    expect(rows).toEqual([]);
    expect((await putAccount("matched")).status).toBe(200);
    expect((await putAccount("matched", { "if-match": "*" })).status).toBe(200);
  });

  it("refuses every other condition, and takes both together for what they say", async () => {
    const tagged = await putAccount("matched", { "if-match": '"1"', "if-none-match": '"1"' });
    expect([tagged.status, tagged.body.error.problems.map(({ where }: { where: string }) => where)]).toEqual([
      400,
      ["if-match", "if-none-match"],
    ]);
    const both = await putAccount("matched", { "if-match": "*", "if-none-match": "*" });
    expect([both.status, both.body.error.code]).toEqual([409, "AUTH_ACCOUNT_EXISTS"]);
  });
});
