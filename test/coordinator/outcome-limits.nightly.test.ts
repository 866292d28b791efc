/** How long, and how often at a time, adapters are asked about unknown outcomes. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { sql } from "../../src/platform/db/sql.ts";
import { startHttpPeer, type HttpPeer } from "../support/http-peer.ts";
import { registerAdapter, startWholeServer, until, type WholeServer } from "../support/server.ts";
import { ended, ships, start } from "./ships.ts";

/** It has a time limit of its own. */
const adapterId = "urn:dmb:itm:hasty:1";

let server: WholeServer;
let peer: HttpPeer;
let count = 0;
/** What a call to provision comes to. */
let provision: "broken" | "silent" | "accepted" | "completed" = "broken";

beforeAll(async () => {
  peer = await startHttpPeer((request, response) => {
    request.resume();
    request.on("end", () => {
      const answer = (status: number, body: unknown): void => {
        response.writeHead(status, { "content-type": "application/json" });
        response.end(JSON.stringify(body));
      };
      if (request.url === "/v1/validate") return answer(200, { valid: true });
      // Polls are never answered.
      if (request.url !== "/v1/provision" || provision === "silent") return;
      if (provision === "broken") return void request.socket.destroy();
      if (provision === "accepted") answer(202, "t");
      else answer(200, { status: "COMPLETED", result: "" });
    });
  });
  server = await startWholeServer({
    configure({ coordinator: { execution, unknownOutcomes } }) {
      execution.callTimeoutMs = 4_000;
      execution.adapters = [{ id: adapterId, callTimeoutMs: 1_000 }];
      unknownOutcomes.retryDelaysMs = [100, 100];
    },
  });
  await registerAdapter(server, { id: adapterId, url: peer.url, properties: { safeToRepeat: true } });
});
afterAll(async () => {
  await server.close();
  await peer.close();
});

type Unit = ReturnType<typeof ships>;
/** A unit of which nobody knows whether it was provisioned; its adapter was asked as often as it is by the clock. */
async function lost(): Promise<{ unit: Unit; plan: string }> {
  const unit = ships(`urn:dmb:dp:sea:hasty${++count}:0`);
  unit.components = [{ ...unit.components[0]!, infrastructureTemplateId: adapterId }];
  provision = "broken";
  const plan = await start(server, unit);
  expect(await ended(server, plan)).toBe("FAILED");
  await untilAsked(unit);
  return { unit, plan };
}
const untilAsked = (unit: Unit) =>
  until(
    () => entries(unit),
    ({ body }) => /not asked again/.test(body.data[0]?.next),
  );
/** As if the plan had ended just now. */
const askAgain = (plan: string, more: string = "") =>
  sql`update unknown_outcomes set retries = 0, polls = 0, retry_ended = null, last_poll_answer = null, next_retry_at = now()
    ${sql.raw(more)} where plan_id = ${plan}`.execute(server.db.database.db);
const entries = (unit: Unit, settled = false) =>
  server.coordinator({ path: `/v1/unknown-outcomes?deployment-unit-id=${unit.id}&settled=${settled}` });
const openOf = async (unit: Unit): Promise<any> => (await entries(unit)).body.data[0];

it("a repeated call and a poll take no longer than the adapter's own calls may", async () => {
  const { unit, plan } = await lost();
  provision = "silent";
  await askAgain(plan);
  const said = async () => (await openOf(unit)).evidence.lastPollAnswer;
  await expect.poll(said).toMatch(/^POST \/v1\/provision: .* did not answer completely within 1000 ms\.$/);
  await untilAsked(unit);
  provision = "accepted";
  await askAgain(plan);
  await expect
    .poll(said)
    .toMatch(/^GET \/v1\/provision\/\{token\}\/status: .* did not answer completely within 1000 ms\.$/);
  const { taskId } = await openOf(unit);
  const path = `/v1/unknown-outcomes/${plan}/${taskId}/poll`;
  const { status, text } = await server.coordinator({ method: "POST", path });
  expect([status, text]).toEqual([200, expect.stringContaining("within 1000 ms")]);
});

it("an entry whose call is being made is not asked about beside that", async () => {
  const [busy, other] = [await lost(), await lost()];
  await askAgain(busy.plan, ", repeating_until = now() + interval '1 hour'");
  provision = "completed";
  await askAgain(other.plan);
  await until(
    () => entries(other.unit, true),
    ({ body }) => body.data.length === 1,
  );
  // It is older, so it would have been asked first.
  expect(await openOf(busy.unit)).toMatchObject({ evidence: { retries: 0 } });
});
