/** A third party that repeats what it was called with: nobody learns from it how to answer, or what it is called with. */
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { sql } from "../../src/platform/db/sql.ts";
import { eventually } from "../support/eventually.ts";
import { deployHarbour, hook, openHarbour, type Harbour } from "./harbour.ts";
import { startThirdParty, takesIn, type ThirdParty, type Ticket } from "./third-party.ts";

const key = "key-of-the-ticketing-0123456789";
const headers = { authorization: `Bearer ${key}`, "x-desk": "desk-password-0123456789", accept: "json" };

let harbour: Harbour;
let ticketing: ThirdParty;

beforeAll(async () => {
  ticketing = await startThirdParty();
  harbour = await openHarbour({
    configure: (config) => {
      config.server.baseUrl = "https://plinth.example/";
      config.actionHandlers.accessRequest.hooks = [
        hook("tickets", {
          kind: "remote",
          url: `${ticketing.url}?api_key=key-in-the-address-0123456789`,
          timeoutMs: 15_000,
          retryDelaysMs: [20, 60_000],
          secret: "a secret of thirty-two characters or more",
          headers,
        }),
      ];
    },
  });
  await deployHarbour(harbour);
});
afterAll(async () => {
  await harbour.close();
  await ticketing.close();
});
afterEach(() => ticketing.setReply(takesIn));

const echo = ({ respondToUrl, requestId, headers: got }: Ticket) => ({
  ticket: "T-2",
  callback: respondToUrl,
  path: `answer at /api/builder/hooks/${requestId}, please`,
  [requestId]: "json",
  halves: requestId.slice(4).split("."),
  encoded: Buffer.from(requestId).toString("base64url"),
  link: `https://desk.test/?next=${encodeURIComponent(respondToUrl)}`,
  got: [got["authorization"], got["x-desk"], "key-in-the-address-0123456789"],
});
const masked = {
  ticket: "T-2",
  callback: "***",
  path: "answer at /api/builder/hooks/***, please",
  "***": "json",
  halves: ["***", "***"],
  encoded: "***",
  link: "https://desk.test/?next=***",
  got: ["***", "***", "***"],
};

/** The request of a viewer, whom nothing lets answer. */
async function asked(): Promise<{
  ticket: Ticket;
  requestId: string;
  hookId: string;
  hookOf: () => Promise<any>;
}> {
  const request = await harbour.opened({}, { as: "viewer" });
  const [{ hookId }] = request.hooks;
  const ticket = await eventually("the ticket", () =>
    ticketing.tickets.find(({ fields }) => fields.accessRequestId === request.id),
  );
  const path = `/hooks/${hookId}`;
  const hookOf = async () => (await harbour.server.builder({ path, as: "viewer" })).body;
  return { ticket, requestId: request.id, hookId, hookOf };
}

it("in its 202: it is hidden before it is stored, so that the requester can't approve", async () => {
  ticketing.setReply((ticket, response) => {
    const type = { "content-type": "application/json" };
    response.writeHead(202, type).end(JSON.stringify({ hookInfo: echo(ticket) }));
  });
  const { hookId, hookOf } = await asked();
  const shown = await eventually("the 202", async () => {
    const found = await hookOf();
    return found.sentAt === null ? null : found;
  });
  expect(shown).toMatchObject({ status: "pending", lastError: null });
  expect(shown.sentInfo).toEqual(masked);
  const { rows } = await sql<{ info: object }>`select sent_info as info from hooks
    where id = ${hookId}`.execute(harbour.server.db.database.db);
  expect(rows).toEqual([{ info: masked }]);
});

it("in its answer, and in the reason that it gives", async () => {
  const { ticket, requestId, hookOf } = await asked();
  const hookInfo = { ...echo(ticket), reason: `No. (${key} at ${ticket.respondToUrl})` };
  const path = `/hooks/${ticket.requestId}`;
  const answer = await harbour.server.builder({
    method: "PUT",
    path,
    body: { status: "KO", hookInfo },
    as: null,
  });
  expect(answer.status).toBe(200);
  const reason = "No. (*** at ***)";
  const ended = await hookOf();
  expect([ended.reason, ended.response]).toEqual([reason, { ...masked, reason }]);
  expect((await harbour.read(requestId)).message).toBe(
    "The hook tickets was answered KO by hook:accessRequest/tickets: No. (*** at ***)",
  );
});

it("in its errors, of which nothing but the status is kept", async () => {
  ticketing.setReply((ticket, response) =>
    response.writeHead(500, ticket.requestId).end(JSON.stringify({ error: echo(ticket) })),
  );
  const { hookOf } = await asked();
  const failed = await eventually("the second error", async () => {
    const found = await hookOf();
    return found.attempts === 2 && found.waiting.startsWith("Call 2 failed") ? found : null;
  });
  expect(failed.lastError).toBe("The third party answered 500, not 202.");
});
