/** How long an approval counts for a retry, the limit of open requests, and their numbers. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { countOpen } from "../../src/builder/approvals/access-requests/store.ts";
import { inTransaction } from "../../src/platform/db/database.ts";
import { sql } from "../../src/platform/db/sql.ts";
import { eventually } from "../support/eventually.ts";
import type { Answer } from "../support/server.ts";
import { deployHarbour, hook, openHarbour, otherPortId, portId, unitId, type Harbour } from "./harbour.ts";

let harbour: Harbour;

beforeAll(async () => {
  harbour = await openHarbour({
    configure: (config) => {
      config.actionHandlers.accessRequest.hooks = [hook("owner")];
    },
  });
  await deployHarbour(harbour);
});
afterAll(() => harbour.close());

async function approved(more: object, end: string): Promise<any> {
  const request = await harbour.opened(more);
  const path = `/hooks/${request.hooks[0].hookId}/answer`;
  const { status } = await harbour.server.builder({ method: "POST", path, body: { status: "OK" } });
  expect(status).toBe(200);
  return harbour.reached(request.id, end);
}

/** A grant that was approved, and that the adapter has refused. */
async function failed(more: object): Promise<any> {
  const before = harbour.recorder.answers.get("/v1/updateacl")!;
  harbour.recorder.answers.set("/v1/updateacl", { status: 400, body: { errors: ["no such person"] } });
  const request = await approved(more, "FAILED");
  harbour.recorder.answers.set("/v1/updateacl", before);
  return request;
}

const retry = ({ id }: { id: string }): Promise<Answer> =>
  harbour.server.builder({ method: "POST", path: `/access-requests/${id}/retry` });

it("a grant that was revoked after its approval can't be tried again, in whatever form the person is named", async () => {
  const grant = await failed({ identities: ["user:zed", "user:ada"] });
  await approved({ operation: "REVOKE", identities: ["user:default/Zed"] }, "REVOKED");
  const answer = await retry(grant);
  expect([answer.status, answer.body.error]).toEqual([
    409,
    expect.objectContaining({
      code: "BUILDER_ACCESS_APPROVAL_OVER",
      message:
        "The approval does not count any more: ask for the access anew. A later request that was approved revokes this access.",
    }),
  ]);
  expect(await harbour.read(grant.id)).toMatchObject({ status: "FAILED", attempt: 1 });
  expect(await harbour.access()).toEqual([]);
});

it("what takes away other access does not count: of others, of other ports, approved before", async () => {
  await approved({ operation: "REVOKE", identities: ["user:kim"] }, "REVOKED");
  const grant = await failed({ identities: ["user:kim"] });
  await approved({ operation: "REVOKE", identities: ["user:kimberly"] }, "REVOKED");
  await approved({ operation: "REVOKE", identities: ["user:kim"], outputPortUrns: [otherPortId] }, "REVOKED");
  expect((await retry(grant)).status).toBe(200);
  await harbour.reached(grant.id, "GRANTED");
});

it("a revocation that was approved before the grant does not count, though it is tried again afterwards", async () => {
  const revoke = await failed({ operation: "REVOKE", identities: ["user:lee"] });
  const grant = await failed({ identities: ["user:lee"] });
  expect((await retry(revoke)).status).toBe(200);
  await harbour.reached(revoke.id, "REVOKED");
  expect((await retry(grant)).status).toBe(200);
  await harbour.reached(grant.id, "GRANTED");
});

it("the approval of a grant counts for seven days, however often it is tried again", async () => {
  const grant = await failed({ identities: ["user:late"] });
  const approvedBefore = (days: number) =>
    sql`update hook_actions set ended_at = now() - make_interval(days => ${days})
      where id = (select action_id from access_requests where id = ${grant.id})`.execute(
      harbour.server.db.database.db,
    );
  await approvedBefore(8);
  const answer = await retry(grant);
  expect([answer.status, answer.body.error.code]).toEqual([409, "BUILDER_ACCESS_APPROVAL_OVER"]);
  expect(answer.body.error.message).toMatch(
    /It was approved at 20\S+Z; a retry is possible for 7 days after/,
  );
  await approvedBefore(6);
  expect((await retry(grant)).status).toBe(200);
  await harbour.reached(grant.id, "GRANTED");
});

it("a revocation that failed can be tried again for longer: it gives nobody anything", async () => {
  await approved({ identities: ["user:gone"], outputPortUrns: [otherPortId] }, "GRANTED");
  const revoke = await failed({
    operation: "REVOKE",
    identities: ["user:gone"],
    outputPortUrns: [otherPortId],
  });
  await sql`update hook_actions set ended_at = now() - interval '30 days'`.execute(
    harbour.server.db.database.db,
  );
  expect((await retry(revoke)).status).toBe(200);
  await harbour.reached(revoke.id, "REVOKED");
});

it("the limit of open requests holds for requests at once, and the metrics count what is open", async () => {
  const { db } = harbour.server.db.database;
  await sql`insert into access_requests (id, operation, status, unit_id, environment, identities, reason,
      requester, owners, body_hash, http_request_id, traceparent, created_at, updated_at)
    select gen_random_uuid(), 'GRANT', 'PENDING', ${unitId}, 'development', '{user:ada}', '',
      'service:default/viewer', '{}', '', '', '', now() - interval '1 hour', now() from generate_series(1, 499)`.execute(
    db,
  );
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => harbour.request({ outputPortUrns: [portId] }, { as: "viewer" })),
  );
  const codes = answers.map(({ status, body }) => (status === 201 ? "opened" : body.error.code));
  expect(codes.filter((code) => code === "opened")).toHaveLength(1);
  expect(codes.filter((code) => code === "BUILDER_TOO_MANY_ACCESS_REQUESTS")).toHaveLength(7);
  const headers = { authorization: `Bearer ${harbour.server.token("viewer")}` };
  const scrape = async (): Promise<string> =>
    (await fetch(`${harbour.server.url}/metrics`, { headers })).text();
  await expect.poll(scrape).toMatch(/^plinth_access_requests_open\{status="pending"\} 500$/m);
  // Each scrape may leave out a source that takes long. The oldest is one hour old, and the time that this took.
  await expect.poll(scrape).toMatch(/^plinth_access_request_oldest_seconds\{status="pending"\} 3[6-9]\d\d/m);
});

it("the same request twice at once is one, also where it takes the last place", async () => {
  const { db } = harbour.server.db.database;
  await sql`insert into access_requests (id, operation, status, unit_id, environment, identities, reason,
      requester, owners, body_hash, http_request_id, traceparent, created_at, updated_at)
    select gen_random_uuid(), 'GRANT', 'PENDING', ${unitId}, 'development', '{user:ada}', '',
      'service:default/developer', '{}', '', '', '', now(), now() from generate_series(1, 499)`.execute(db);
  const waiting = async (): Promise<boolean> => {
    const { rows } = await sql<{ n: number }>`select count(*) as n from pg_locks
      where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`.execute(db);
    return rows[0]?.n === 2;
  };
  // Both have looked for the key before either may go on.
  const both = await inTransaction(harbour.server.db.database, async (tx) => {
    await countOpen(tx, "service:default/developer");
    const asked = [1, 2].map(() =>
      harbour.request(
        { outputPortUrns: [portId] },
        { as: "developer", headers: { "idempotency-key": "the-last-place" } },
      ),
    );
    await eventually("both wait", waiting);
    return () => Promise.all(asked);
  });
  const [one, other] = await both();
  expect([one?.body.error, other?.body.error]).toEqual([undefined, undefined]);
  expect(other?.body.id).toBe(one?.body.id);
});
