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
const arrives = (unit: string) => expect.poll(hurried).toContain(`development/${unit}`);

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

it("while one that has written events is open, the delay is in the metrics, and the doctor blames none that is young", async () => {
  const writer = await server.db.database.connect();
  await writer.query("begin");
  await writer.query(eventOf("open"));
  await append("behind", "3 hours");
  const webhooks = async (): Promise<any> => {
    const { body } = await server.coordinator({ path: "/v1/doctor" });
    return body.checks.find(({ name }: { name: string }) => name === "webhooks");
  };
  await expect.poll(webhooks).toMatchObject({
    outcome: "warning",
    found:
      "Events have not been read for 3 hours, and no transaction that has been open for 60 s holds them back.",
    advice: expect.stringContaining("Look in the log"),
  });
  const metrics = async (): Promise<string> => {
    const headers = { authorization: `Bearer ${server.token("admin")}` };
    return (await fetch(`${server.url}/metrics`, { headers })).text();
  };
  await expect
    .poll(metrics)
    .toMatch(/^plinth_events_unread_seconds\{reader="webhooks"\} 1(08|09|1\d)\d\d(\.\d+)?$/m);
  expect(received()).not.toContain("development/behind");
  await writer.query("commit");
  await writer.end();
  await arrives("open");
  await arrives("behind");
  await expect.poll(webhooks).toMatchObject({ outcome: "ok" });
  await expect.poll(metrics).toMatch(/^plinth_events_unread_seconds\{reader="webhooks"\} 0$/m);
});
