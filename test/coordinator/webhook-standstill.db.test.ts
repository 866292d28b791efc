/** What holds back all outgoing events, what does not, and where it is seen. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { connectTo } from "../../src/platform/db/database.ts";
import { sql } from "../../src/platform/db/sql.ts";
import { startWholeServer, type WholeServer } from "../support/server.ts";
import { secret, startReceiver, type Receiver } from "./webhook-receiver.ts";

let server: WholeServer;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
  server = await startWholeServer({
    configure: (config) => {
      const { url } = receiver;
      const secrets = [secret];
      config.coordinator.webhooks = [
        { name: "all", url, secrets, timeoutMs: 5_000, parallel: 4, retryDelaysMs: [] },
      ];
    },
  });
});
afterAll(async () => {
  await server.close();
  await receiver.close();
});

/** An event about the unit, as a settlement writes it. */
const eventOf = (unit: string, age = "0 s"): string => `insert into events (stream, type, at, data) values
  ('unit:development:${unit}', 'outcome', now() - interval '${age}',
   '{"deploymentUnitId": "${unit}", "environment": "development"}')`;
const append = (unit: string, age?: string) => server.db.database.pool.query(eventOf(unit, age));
const received = (): string[] => receiver.received.map(({ subject }) => subject);
/** Rounds need not wait for their time. */
const hurried = async (): Promise<string[]> => {
  await sql`select pg_notify('plinth_events', '')`.execute(server.db.database.db);
  return received();
};
const arrives = (unit: string) => expect.poll(hurried, { timeout: 60_000 }).toContain(`development/${unit}`);

it("transactions that have written no events hold none back, in whatever database", async () => {
  const here = await server.db.database.connect();
  const elsewhere = await connectTo({ ...server.db.connection, dbname: "postgres" });
  for (const client of [here, elsewhere]) {
    await client.query("begin");
    await client.query("select pg_current_xact_id(), (select count(*) from pg_class)");
  }
  await here.query("select count(*) from events");
  await append("unhindered");
  await arrives("unhindered");
  for (const client of [here, elsewhere]) {
    await client.query("rollback");
    await client.end();
  }
});

it("one that has written events is named by the doctor, and its delay is in the metrics", async () => {
  const writer = await server.db.database.connect();
  await writer.query("begin");
  await writer.query(eventOf("open"));
  const { rows } = await writer.query<{ pid: number }>("select pg_backend_pid() as pid");
  await append("behind", "20 minutes");
  const webhooks = async (): Promise<any> => {
    const { body } = await server.coordinator({ path: "/v1/doctor" });
    return body.checks.find(({ name }: { name: string }) => name === "webhooks");
  };
  await expect.poll(webhooks).toMatchObject({
    outcome: "warning",
    found: expect.stringMatching(
      new RegExp(
        `^Events have not been read for 20 minutes: .* are open: process ${rows[0]!.pid} \\(\\d+ s\\)\\.$`,
      ),
    ),
    advice: expect.stringContaining("pg_terminate_backend"),
  });
  const metrics = async (): Promise<string> => {
    const headers = { authorization: `Bearer ${server.token("admin")}` };
    return (await fetch(`${server.url}/metrics`, { headers })).text();
  };
  await expect.poll(metrics).toMatch(/^plinth_events_unread_seconds\{reader="webhooks"\} 12\d\d(\.\d+)?$/m);
  expect(received()).not.toContain("development/behind");
  await writer.query("commit");
  await writer.end();
  await arrives("open");
  await arrives("behind");
  expect(await webhooks()).toMatchObject({ outcome: "ok" });
  await expect.poll(metrics).toMatch(/^plinth_events_unread_seconds\{reader="webhooks"\} 0$/m);
});

it("an event that cannot be made is left out after some rounds, and all others go out", async () => {
  const { db } = server.db.database;
  await sql`create function refuse_event() returns trigger language plpgsql as
    'begin raise exception ''refused''; end'`.execute(db);
  await sql`create trigger refuse before insert on outgoing_events for each row
    when (new.subject = 'development/refused') execute function refuse_event()`.execute(db);
  const all = ["before", "refused", "after", "later"];
  await server.db.database.pool.query(all.map((unit) => eventOf(unit)).join("; "));
  for (const unit of ["before", "after", "later"]) await arrives(unit);
  expect(received()).not.toContain("development/refused");
  const { rows } = await sql<any>`select actor, subject, detail, (select id from events
      where stream = 'unit:development:refused') as event from audit where operation = 'leaveOutEvent'`.execute(
    db,
  );
  expect(rows).toEqual([
    {
      actor: "service:default/plinth",
      subject: `event:${rows[0]?.event}`,
      detail: { type: "outcome", stream: "unit:development:refused" },
      event: expect.any(Number),
    },
  ]);
});
