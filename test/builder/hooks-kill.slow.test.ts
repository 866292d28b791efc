/** Processes of their own that are killed between the answer to a hook and what follows from it, and during both. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  databaseVariables,
  productProgram,
  startChild,
  startWorker,
  stopChild,
  type Child,
  type Worker,
} from "../crash/processes.ts";
import { testDatabase, type TestDatabase } from "../support/database.ts";
import { startRecorder, type Recorder } from "../support/recorder.ts";
import type { Answer, Call, WholeServer } from "../support/server.ts";
import { deployHarbour, hook, requests, templateId, type Harbour } from "./harbour.ts";
import { startThirdParty, takesIn, type ThirdParty, type Ticket } from "./third-party.ts";
import { eventually } from "../support/eventually.ts";

let db: TestDatabase;
let ticketing: ThirdParty;
let recorder: Recorder;
let api: Child;
let base = "";
let cwd = "";
let harbour: Omit<Harbour, "close">;
const workers: Worker[] = [];

const options = () => ({ cwd, env: databaseVariables(db.connection) });

async function startApi(): Promise<void> {
  api = startChild(productProgram(), ["start", "--workers", "off", "--port", "0"], options());
  base = await api.waitForLine(({ url }) => (typeof url === "string" ? url : undefined));
}

/** As guests, whom a server on this machine lets in. */
const call =
  (area: string) =>
  async ({ method = "GET", path, body }: Call): Promise<Answer> => {
    const response = await fetch(`${base}/api/${area}${path}`, {
      method,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json");
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson ? JSON.parse(text) : text,
    };
  };

beforeAll(async () => {
  db = await testDatabase();
  ticketing = await startThirdParty();
  recorder = await startRecorder();
  recorder.answers.set("/v1/validate", { status: 200, body: { valid: true } });
  cwd = await mkdtemp(join(tmpdir(), "plinth-hooks-"));
  const hooks = [
    hook("tickets", { kind: "remote", url: ticketing.url, secret: "x".repeat(40), timeoutMs: 60_000 }),
  ];
  await writeFile(
    join(cwd, "plinth.yaml"),
    JSON.stringify({
      actionHandlers: { accessRequest: { hooks } },
      outbound: { privateNetworks: { hooks: true } },
    }),
  );
  await startApi();
  workers.push(startWorker(options()));
  const server = { db, coordinator: call("coordinator"), builder: call("builder") } as WholeServer;
  await server.coordinator({
    method: "POST",
    path: "/v1/tech-adapters",
    body: { id: templateId, name: "Recorder", version: "1" },
  });
  const path = `/v1/tech-adapters/${templateId}/deployments/development`;
  await server.coordinator({ method: "PUT", path, body: { url: recorder.url } });
  harbour = { server, recorder, ...requests(server) };
  await deployHarbour(harbour);
});
afterAll(async () => {
  for (const { child } of workers) await stopChild(child);
  await stopChild(api);
  await ticketing.close();
  await recorder.close();
  await db.drop();
  await rm(cwd, { recursive: true, force: true });
});

async function killWorkers(): Promise<void> {
  for (const { child } of workers.splice(0)) {
    child.process.kill("SIGKILL");
    await child.gone;
  }
}

const ticketsOf = (request: { id: string }): Ticket[] =>
  ticketing.tickets.filter(({ fields }) => fields.accessRequestId === request.id);

const aclCalls = (): any[] => recorder.calls.filter(({ path }) => path === "/v1/updateacl");

it("a call that a dead worker had under way is made again under the same id", async () => {
  ticketing.play(() => {});
  const request = await harbour.opened({ identities: ["user:first"] });
  await eventually("the hanging call", () => ticketsOf(request).length === 1);
  await killWorkers();
  ticketing.play(takesIn);
  workers.push(startWorker(options()));
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
  await killWorkers();
  const answer = await harbour.server.builder({
    method: "PUT",
    path: `/hooks/${ticket.requestId}`,
    body: { status: "OK" },
  });
  expect(answer.status).toBe(200);
  api.process.kill("SIGKILL");
  await api.gone;
  await startApi();
  expect(await harbour.read(request.id)).toMatchObject({
    status: "APPROVED",
    waiting: { reason: "Waits for a worker." },
  });
  const before = aclCalls().length;
  workers.push(startWorker(options()));
  await harbour.reached(request.id, "GRANTED");
  expect(aclCalls()).toHaveLength(before + 1);
  expect(await harbour.access()).toEqual(["user:first", "user:second"]);
});

it("a worker that dies while access is changed leaves a change that another ends", async () => {
  const answered = recorder.answers.get("/v1/updateacl")!;
  recorder.answers.set("/v1/updateacl", { ...answered, delayMs: 600_000 });
  const request = await harbour.opened({ identities: ["user:third"] });
  const ticket = await eventually("the ticket", () => ticketsOf(request)[0]);
  const before = aclCalls().length;
  await harbour.server.builder({ method: "PUT", path: `/hooks/${ticket.requestId}`, body: { status: "OK" } });
  await eventually("the hanging change", () => aclCalls().length === before + 1);
  await killWorkers();
  recorder.answers.set("/v1/updateacl", answered);
  workers.push(startWorker(options()));
  await harbour.reached(request.id, "GRANTED");
  expect(await harbour.access()).toEqual(["user:first", "user:second", "user:third"]);
  const calls = aclCalls().slice(before);
  expect(new Set(calls.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
  const { rows } = await db.database.pool.query("select 1 from acl_requests where request_id like $1", [
    `${request.id}%`,
  ]);
  expect(rows).toHaveLength(1);
});
