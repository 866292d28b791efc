/** Processes of their own that are killed between the answer to a hook and what follows from it, and during both. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { openProcessStage, type ProcessStage } from "../support/process-stage.ts";
import { startRecorder, type Recorder } from "../support/recorder.ts";
import { registerAdapter, type Call, type WholeServer } from "../support/server.ts";
import { deployHarbour, hook, requests, templateId, type Harbour } from "./harbour.ts";
import { startThirdParty, takesIn, type ThirdParty, type Ticket } from "./third-party.ts";
import { eventually } from "../support/eventually.ts";

let fixture: ProcessStage;
let ticketing: ThirdParty;
let recorder: Recorder;
let harbour: Omit<Harbour, "close">;

const areaOf = (name: string) => (call: Call) => fixture.call({ ...call, path: `/api/${name}${call.path}` });

beforeAll(async () => {
  ticketing = await startThirdParty();
  recorder = await startRecorder();
  recorder.answers.set("/v1/validate", { status: 200, body: { valid: true } });
  const hooks = [
    hook("tickets", { kind: "remote", url: ticketing.url, secret: "x".repeat(40), timeoutMs: 60_000 }),
  ];
  fixture = await openProcessStage({
    settings: () => ({
      actionHandlers: { accessRequest: { hooks } },
      outbound: { privateNetworks: { hooks: true } },
    }),
  });
  await fixture.serve();
  fixture.startWorker();
  const server = {
    db: fixture.db,
    coordinator: areaOf("coordinator"),
    builder: areaOf("builder"),
  } as WholeServer;
  await registerAdapter(server, { id: templateId, url: recorder.url });
  harbour = { server, recorder, ...requests(server) };
  await deployHarbour(harbour);
});
afterAll(async () => {
  await fixture.close();
  await ticketing.close();
  await recorder.close();
});

const ticketsOf = (request: { id: string }): Ticket[] =>
  ticketing.tickets.filter(({ fields }) => fields.accessRequestId === request.id);

const aclCalls = (): any[] => recorder.calls.filter(({ path }) => path === "/v1/updateacl");

it("a call that a dead worker had under way is made again under the same id", async () => {
  ticketing.setReply(() => {});
  const request = await harbour.opened({ identities: ["user:first"] });
  await eventually("the hanging call", () => ticketsOf(request).length === 1);
  await fixture.killWorkers();
  ticketing.setReply(takesIn);
  fixture.startWorker();
  await eventually("the second call", () => ticketsOf(request).length === 2);
  const [first, second] = ticketsOf(request);
  expect([second?.requestId, second?.respondToUrl]).toEqual([first?.requestId, first?.respondToUrl]);
  const answer = await harbour.server.builder({
    method: "PUT",
    path: `/hooks/${first?.requestId}`,
    body: { status: "OK" },
  });
  expect(answer.status).toBe(200);
  await harbour.reached(request.id, "GRANTED");
  expect(await harbour.access()).toEqual(["user:first"]);
});

it("an answer outlives the process that took it: what follows happens once another works", async () => {
  const request = await harbour.opened({ identities: ["user:second"] });
  const ticket = await eventually("the ticket", () => ticketsOf(request)[0]);
  await eventually("the 202", async () => {
    const { body } = await harbour.server.builder({ path: `/hooks/${request.hooks[0].hookId}` });
    return body.sentAt;
  });
  await fixture.killWorkers();
  const answer = await harbour.server.builder({
    method: "PUT",
    path: `/hooks/${ticket.requestId}`,
    body: { status: "OK" },
  });
  expect(answer.status).toBe(200);
  await fixture.killServer();
  await fixture.serve();
  expect(await harbour.read(request.id)).toMatchObject({
    status: "APPROVED",
    waiting: { reason: "Waits for a worker." },
  });
  const before = aclCalls().length;
  fixture.startWorker();
  await harbour.reached(request.id, "GRANTED");
  expect(aclCalls()).toHaveLength(before + 1);
  expect(await harbour.access()).toEqual(["user:first", "user:second"]);
});

it("a worker that dies while access is changed leaves a change that another ends", async () => {
  const answered = recorder.answers.get("/v1/updateacl")!;
  recorder.answers.set("/v1/updateacl", { ...answered, after: new Promise(() => {}) });
  const request = await harbour.opened({ identities: ["user:third"] });
  const ticket = await eventually("the ticket", () => ticketsOf(request)[0]);
  const before = aclCalls().length;
  await harbour.server.builder({ method: "PUT", path: `/hooks/${ticket.requestId}`, body: { status: "OK" } });
  await eventually("the hanging change", () => aclCalls().length === before + 1);
  await fixture.killWorkers();
  recorder.answers.set("/v1/updateacl", answered);
  fixture.startWorker();
  await harbour.reached(request.id, "GRANTED");
  expect(await harbour.access()).toEqual(["user:first", "user:second", "user:third"]);
  const calls = aclCalls().slice(before);
  expect(new Set(calls.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
  const { rows } = await fixture.db.database.pool.query(
    "select 1 from acl_requests where request_id like $1",
    [`${request.id}%`],
  );
  expect(rows).toHaveLength(1);
});
