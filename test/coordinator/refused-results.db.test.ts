/** Events and notices that were sent, and whose result the database refuses: seen with the reason, and sent again after a pause. */
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { sql } from "../../src/platform/db/sql.ts";
import { eventually } from "../support/eventually.ts";
import { startRecorder, type Recorder } from "../support/recorder.ts";
import { startWholeServer, type WholeServer } from "../support/server.ts";
import { ended, ships, start } from "./ships.ts";
import { secret, startReceiver, type Receiver } from "./webhook-receiver.ts";

let server: WholeServer;
let receiver: Receiver;
let chat: Recorder;

beforeAll(async () => {
  receiver = await startReceiver();
  chat = await startRecorder();
  chat.answers.set("/chat", { status: 200, body: {} });
  server = await startWholeServer({
    configure(config) {
      config.coordinator.webhooks = [
        {
          name: "ledger",
          url: receiver.url,
          secrets: [secret],
          timeoutMs: 15_000,
          parallel: 4,
          retryDelaysMs: [10],
        },
      ];
      config.notices.chats = [
        {
          name: "team",
          format: "json",
          webhookUrl: `${chat.url}/chat`,
          details: false,
          timeoutMs: 15_000,
          digestMinutes: 0,
          retryDelaysMs: [10],
        },
      ];
    },
  });
  await server.registerMock();
});
afterAll(async () => {
  await server.close();
  await receiver.close();
  await chat.close();
});

const reason = "The server could not send it or store the result, for a reason that is in its log.";

async function allow(): Promise<void> {
  await sql`drop function if exists refuse cascade`.execute(server.db.database.db);
}
afterEach(allow);

/** Refuses that rows of the table end. */
async function refuseEnds(table: "webhook_deliveries" | "notice_messages"): Promise<void> {
  const { db } = server.db.database;
  await sql`create function refuse() returns trigger language plpgsql as
    'begin raise exception ''no space''; end'`.execute(db);
  await sql`create trigger refuse before update on ${sql.raw(table)} for each row
    when (new.ended_at is not null) execute function refuse()`.execute(db);
}

const read = async (path: string): Promise<any[]> => (await server.coordinator({ path })).body.data;

it("an event", async () => {
  await refuseEnds("webhook_deliveries");
  const plan = await start(server, ships());
  expect(await ended(server, plan)).toBe("COMPLETED");
  const pending = await eventually("the reason", async () => {
    const found = await read("/v1/webhook-deliveries?webhook=ledger&status=PENDING&limit=100");
    return found.find(({ lastError }) => lastError !== null);
  });
  expect([pending.lastError, pending.nextAttemptAt]).toEqual([reason, expect.any(String)]);
  await allow();
  await eventually("every delivery", async () => {
    const found = await read("/v1/webhook-deliveries?webhook=ledger&limit=100");
    return found.length > 0 && found.every(({ status }) => status === "DELIVERED");
  });
});

it("a message", async () => {
  await refuseEnds("notice_messages");
  const sent = await server.coordinator({
    method: "POST",
    path: "/v1/notices/test",
    body: { channel: "team" },
  });
  expect(sent.status, sent.text).toBe(202);
  const notice = async (): Promise<any> =>
    (await server.coordinator({ path: `/v1/notices/${sent.body.id}` })).body;
  const pending = await eventually("the reason", async () => {
    const found = await notice();
    return found.lastError === null ? null : found;
  });
  expect(pending).toMatchObject({ status: "PENDING", lastError: reason, nextAttemptAt: expect.any(String) });
  await allow();
  await eventually("the message", async () => (await notice()).status === "SENT");
});
