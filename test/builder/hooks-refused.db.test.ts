/** Hooks whose result or end the database refuses: the reason is seen, nothing is repeated without a pause, others go on. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { sql } from "../../src/platform/db/sql.ts";
import { eventually } from "../support/eventually.ts";
import { deployHarbour, hook, openHarbour, type Harbour } from "./harbour.ts";
import { startThirdParty, type ThirdParty } from "./third-party.ts";

let harbour: Harbour;
let ticketing: ThirdParty;

beforeAll(async () => {
  ticketing = await startThirdParty();
  harbour = await openHarbour({
    configure: (config) => {
      const { url } = ticketing;
      config.actionHandlers.accessRequest.hooks = [
        hook("tickets", { kind: "remote", url, timeoutMs: 15_000 }),
      ];
    },
  });
  await deployHarbour(harbour);
});
afterAll(async () => {
  await harbour.close();
  await ticketing.close();
});

const hookOf = async (request: any): Promise<any> =>
  (await harbour.server.builder({ path: `/hooks/${request.hooks[0].hookId}` })).body;

/** Refuses every update of hooks that fits; returns how that ends. */
async function refuse(condition: ReturnType<typeof sql>): Promise<() => Promise<void>> {
  const { db } = harbour.server.db.database;
  await sql`create function refuse() returns trigger language plpgsql as
    'begin raise exception ''no space''; end'`.execute(db);
  await sql`create trigger refuse before update on hooks for each row
    when (${condition}) execute function refuse()`.execute(db);
  return async () => void (await sql`drop function refuse cascade`.execute(db));
}

it("a result that can't be stored: the call is made again after a pause, with the reason", async () => {
  const allow = await refuse(sql`new.sent_at is not null`);
  const request = await harbour.opened();
  const failed = await eventually("the reason", async () => {
    const found = await hookOf(request);
    return found.waiting.startsWith(`Call ${found.attempts} failed`) ? found : null;
  });
  await allow();
  const reason = "The server could not make the call or store its result, for a reason that is in its log.";
  expect(failed).toMatchObject({ status: "pending", lastError: reason });
  expect(failed.waiting).toContain(`Call ${failed.attempts} failed: ${reason} The next one is at `);
  await eventually("the 202", async () => (await hookOf(request)).sentAt);
  expect(await hookOf(request)).toMatchObject({ sentInfo: { ticket: "T-1" }, lastError: null });
});

it("an end that can't be stored holds up no other", async () => {
  const first = await harbour.opened();
  const second = await harbour.opened();
  const allow = await refuse(sql`new.status = 'KO' and new.id = ${sql.lit(first.hooks[0].hookId)}::uuid`);
  const both = [first, second].map(({ hooks }) => hooks[0].hookId);
  await harbour.server.db.database.pool.query(
    "update hooks set expires_at = now() where id = any($1::uuid[])",
    [both],
  );
  await harbour.reached(second.id, "EXPIRED");
  expect((await harbour.read(first.id)).status).toBe("PENDING");
  await allow();
  await harbour.reached(first.id, "EXPIRED");
});

it("many ends that can't be stored hold up no other", async () => {
  const { db } = harbour.server.db.database;
  await sql`with action as (insert into hook_actions (id, name, status, requester, owners, fields, traceparent,
        http_request_id, created_at)
      values (gen_random_uuid(), 'accessRequest', 'PENDING', 'user:default/ada', '{}', '{}', '', '', now()) returning id)
    insert into hooks (id, action_id, position, name, kind, status, is_signed, expires_at, created_at, updated_at)
    select gen_random_uuid(), action.id, n, 'refused', 'notification', 'pending', false, now() + interval '1 hour',
      now(), now() from action, generate_series(1, 100) n`.execute(db);
  const allow = await refuse(sql`new.status = 'KO' and new.name = 'refused'`);
  const request = await harbour.opened();
  await sql`update hooks set expires_at = case when name = 'refused' then now() - interval '1 hour' else now() end
    where status = 'pending'`.execute(db);
  await harbour.reached(request.id, "EXPIRED");
  await allow();
  await eventually("the end of the others", async () => {
    const { rows } = await sql`select 1 from hooks where name = 'refused' and status = 'pending'`.execute(db);
    return rows.length === 0;
  });
});
