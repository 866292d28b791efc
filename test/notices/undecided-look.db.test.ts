/** A look at things of which nobody can say now who decides about them: it holds nothing else back. */
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { look, type LookDeps } from "../../src/coordinator/watching/notices/collecting/look.ts";
import { beginLook } from "../../src/coordinator/watching/notices/collecting/store.ts";
import type { Contact } from "../../src/coordinator/ports.ts";
import { sql } from "../../src/platform/db/sql.ts";
import { silentLogger } from "../../src/platform/lib/logger.ts";
import { startWholeServer, type WholeServer } from "../support/server.ts";
import { ships, start } from "../coordinator/ships.ts";

let server: WholeServer;
let plan: string;
const ada: Contact = { ref: "user:default/ada", email: "ada@sea.example", members: [] };
const plansChat = { name: "plans", kinds: ["PLAN_FAILED", "PLAN_ENDED"] };

beforeAll(async () => {
  server = await startWholeServer({ workers: "off" });
  await server.registerMock();
  plan = await start(server, ships());
});
afterAll(() => server.close());

/** The last event that was read: of the plan's, which has ended, none has. */
beforeEach(async () => {
  const { db } = server.db.database;
  await sql`delete from notices`.execute(db);
  await sql`update notice_look set event_position = (select coalesce(max(id), 0) from events)`.execute(db);
  await sql`insert into events (stream, type, at, level, data)
    values (${`plan:${plan}`}, 'plan', now(), 1, '{"status":"COMPLETED"}')`.execute(db);
});

const hook = {
  kind: "HOOK",
  id: "hook",
  environment: "development",
  since: new Date(),
  operatorsDecide: false,
  visibleTo: [],
  title: "A question",
  path: "/approvals",
  expiresAt: null,
  notTo: null,
  deciders: () => Promise.reject(new Error("the rules can't be read")),
};

/** The position and the notices after a look. */
async function after(contacts: () => Promise<Map<string, Contact>>) {
  const { database } = server.db;
  const deps = {
    ctx: { coordinator: { database }, log: silentLogger, now: () => new Date() },
    settings: {
      operators: [],
      copies: [],
      chats: [plansChat],
      mail: { kinds: ["HOOK"] },
      delayMinutes: { hook: 0, others: 0, toolApproval: 0, unknownOutcome: 0 },
    },
    sources: [{ kinds: ["HOOK"], list: async () => [hook] }],
    people: { contacts },
  } as unknown as LookDeps;
  const begun = await beginLook(database.db, { at: new Date(), everyMs: 0 });
  const { rows: last } = await sql<{ id: number }>`select max(id) as id from events`.execute(database.db);
  const settled = last[0]!.id;
  await look(deps, begun!, settled);
  const { rows } = await sql<{
    position: number;
  }>`select event_position as position from notice_look`.execute(database.db);
  const { rows: notices } = await sql<{ id: string }>`select subject_id as id from notices`.execute(
    database.db,
  );
  return { isRead: rows[0]!.position === settled, notices: notices.map(({ id }) => id) };
}

it("the news about plans goes on while nobody can say who decides about something else", async () => {
  expect(await after(async () => new Map([[ada.ref, ada]]))).toEqual({ isRead: true, notices: [plan] });
});

it("a plan whose people can't be asked now is found by the next look", async () => {
  const away = (): Promise<never> => Promise.reject(new Error("the people can't be read"));
  expect(await after(away)).toEqual({ isRead: false, notices: [] });
  expect(await after(async () => new Map())).toEqual({ isRead: true, notices: [plan] });
});
