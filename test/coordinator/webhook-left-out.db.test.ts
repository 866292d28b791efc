/** An event of which no outgoing event can be made, and a fault that every event meets. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { createMaker } from "../../src/coordinator/watching/webhooks/make-outgoing.ts";
import { beginPosition } from "../../src/coordinator/watching/webhooks/source-store.ts";
import { sql } from "../../src/platform/db/sql.ts";
import { silentLogger, type Logger } from "../../src/platform/lib/logger.ts";
import { testDatabase, type TestDatabase } from "../support/database.ts";

let db: TestDatabase;
let seconds: number;
let lines: { level: string; fields: any }[];

beforeEach(async () => {
  db = await testDatabase();
  seconds = 0;
  lines = [];
  await beginPosition(db.database.db);
  await run(sql`create function refuse_event() returns trigger language plpgsql
    as 'begin raise exception ''refused''; end'`);
});
afterEach(() => db.drop());

const run = (statement: ReturnType<typeof sql<any>>): Promise<any[]> =>
  statement.execute(db.database.db).then(({ rows }) => rows);
const refuse = (condition: string) =>
  run(sql`create trigger refuse before insert on outgoing_events for each row
    when (${sql.raw(condition)}) execute function refuse_event()`);
const allow = () => run(sql`drop trigger refuse on outgoing_events`);
const append = (...units: string[]) =>
  run(sql`insert into events (stream, type, at, data)
    select 'unit:development:' || unit, 'outcome', now(),
      jsonb_build_object('deploymentUnitId', unit, 'environment', 'development')
    from unnest(${units}::text[]) with ordinality as u(unit, n) order by n`);

/** As one process makes them, with its own count of failures. */
function maker() {
  const log: Logger = {
    ...silentLogger,
    warn: (fields: unknown) => void lines.push({ level: "warn", fields }),
    error: (fields: unknown) => void lines.push({ level: "error", fields }),
  };
  const now = (): Date => new Date(Date.UTC(2026, 0, 1) + seconds * 1_000);
  return createMaker({ database: db.database, log, now, source: "https://plinth", rootProvisioning: false });
}

/** A round each second, and further ones while there is more. */
async function rounds(forSeconds: number, ...makers: ReturnType<typeof maker>[]): Promise<void> {
  const [{ top } = { top: 0 }] = await run(sql`select coalesce(max(id), 0) as top from events`);
  for (const end = seconds + forSeconds; seconds < end; seconds++)
    for (const make of makers) while (await make(top));
}

const made = async (): Promise<string[]> =>
  (await run(sql`select subject from outgoing_events order by seq`)).map(({ subject }) =>
    subject.slice("development/".length),
  );
const leftOut = async (): Promise<string[]> =>
  (
    await run(sql`select detail ->> 'stream' as stream from audit where operation = 'leaveOutEvent'
      order by at`)
  ).map(({ stream }) => stream.slice("unit:development:".length));

it("one that fails by itself is left out after five attempts in a minute, and all others are made", async () => {
  const make = maker();
  await refuse("new.subject = 'development/bad'");
  await append("first", "bad", "second", "third");
  await rounds(59, make);
  expect([await made(), await leftOut()]).toEqual([["first"], []]);
  await rounds(2, make);
  expect([await made(), await leftOut()]).toEqual([["first", "second", "third"], ["bad"]]);
  const [row] = await run(sql`select actor, subject, detail, (select id from events
    where stream = 'unit:development:bad') as event from audit where operation = 'leaveOutEvent'`);
  expect(row).toEqual({
    actor: "service:default/plinth",
    subject: `event:${row.event}`,
    detail: { type: "outcome", stream: "unit:development:bad" },
    event: expect.any(Number),
  });
  // Pages that became smaller are in the log too.
  expect(lines[0]).toEqual({
    level: "warn",
    fields: { afterEvent: expect.any(Number), limit: 250, reason: "refused" },
  });
});

it("several in a row are left out one after another, once one behind them can be made", async () => {
  const make = maker();
  await refuse("new.subject like 'development/bad%'");
  await append("bad-1", "bad-2");
  await rounds(600, make);
  expect([await made(), await leftOut()]).toEqual([[], []]);
  await append("good");
  await rounds(180, make);
  expect([await made(), await leftOut()]).toEqual([["good"], ["bad-1", "bad-2"]]);
});

it("a fault of all events loses none, in however many processes, and they are made once it is gone", async () => {
  const makers = [maker(), maker()];
  await refuse("true");
  const units = Array.from({ length: 8 }, (_, index) => `unit-${index}`);
  await append(...units);
  await rounds(3_600, ...makers);
  expect([await made(), await leftOut()]).toEqual([[], []]);
  expect(lines.at(-1)).toEqual({
    level: "error",
    fields: {
      id: expect.any(Number),
      type: "outcome",
      stream: "unit:development:unit-0",
      reason: "refused",
    },
  });
  // Tried more and more seldom, but at least once a minute in each process.
  const tried = lines.filter(({ level }) => level === "warn").length;
  expect(tried).toBeGreaterThan(2 * 58);
  expect(tried).toBeLessThan(2 * 80);
  await allow();
  await rounds(61, ...makers);
  expect(await made()).toEqual(units);
  expect(await leftOut()).toEqual([]);
});
