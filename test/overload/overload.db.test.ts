/** The server with its database: what it does once requests wait for connections, judged by states and not by times. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type pg from "pg";
import { startWholeServer, type Answer, type WholeServer } from "../support/server.ts";

const queuedRequests = 5;
/** Connections of the server to its database. */
const connections = 20;
/** Requests that come when all of them are in use. */
const more = 40;
/** Of these may have begun: all that come in the event loop turn in which the first one has to wait for a connection. */
const maxBegun = 8;

let server: WholeServer;
let lockingClient: pg.Client;

beforeAll(async () => {
  server = await startWholeServer({
    workers: "off",
    configure(config) {
      config.server.admission = { activeRequests: 8, queueMs: 60_000, queuedRequests };
    },
  });
  lockingClient = await server.db.database.connect();
});

afterAll(async () => {
  await lockingClient.end();
  await server.close();
});

/** Requests that wait for the lock. */
const blocked = async (): Promise<number> => {
  const { rows } = await lockingClient.query<{ count: number }>(
    "select count(*)::int as count from pg_locks where not granted and relation = 'units'::regclass",
  );
  return rows[0]?.count ?? 0;
};

const unit = "/v1/deployment-units/urn:dmb:dp:sea:none:0";
const ask = (path: string): Promise<Answer> =>
  server.coordinator({ path: `${path}/provisioning-status?environment=development` });
const askForComponent = (): Promise<Answer> => ask(`${unit}/components/urn:dmb:cmp:sea:none:0:mast`);
const askForUnit = (): Promise<Answer> => ask(unit);
/** One query reads the statuses of up to so many units. */
const unitsInQuery = 8;

const expectRefusals = (refused: readonly Answer[]): void => {
  for (const { headers, body } of refused) {
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    expect(JSON.stringify(body)).toContain("PLATFORM_OVERLOADED");
  }
};

it("lets some wait while the database has no connection left, refuses the rest, and answers all of the others", async () => {
  await lockingClient.query("begin; lock table units in access exclusive mode");
  const refused: Answer[] = [];
  const answers: Promise<Answer>[] = [];
  const askAndNote = async (): Promise<Answer> => {
    const answer = await askForComponent();
    if (answer.status === 503) refused.push(answer);
    return answer;
  };
  while (answers.length < connections) {
    for (let n = 0; n < queuedRequests; n += 1) answers.push(askAndNote());
    await expect.poll(blocked).toBe(answers.length);
  }
  for (let n = 0; n < more; n += 1) answers.push(askAndNote());
  await expect.poll(() => refused.length).toBeGreaterThanOrEqual(more - maxBegun - queuedRequests);
  expectRefusals(refused);
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  await lockingClient.query("rollback");
  const others = (await Promise.all(answers)).filter(({ status }) => status !== 503);
  expect(others.length).toBeGreaterThanOrEqual(connections + queuedRequests);
  expect(others.map(({ status }) => status)).toEqual(others.map(() => 200));
  expect((await askForComponent()).status).toBe(200);
});

it("takes another connection for each eight that wait for the status of a unit, and then refuses as well", async () => {
  await lockingClient.query("begin; lock table units in access exclusive mode");
  const refused: Answer[] = [];
  const answers: Promise<void>[] = [];
  const askSome = (count: number): void => {
    for (let n = 0; n < count; n += 1)
      answers.push(askForUnit().then((answer) => void (answer.status === 503 && refused.push(answer))));
  };
  while ((await blocked()) < connections) askSome(queuedRequests);
  const before = refused.length;
  askSome(more);
  const allRefused = before + more - maxBegun - queuedRequests - unitsInQuery;
  await expect.poll(() => refused.length).toBeGreaterThanOrEqual(allRefused);
  expect(await blocked()).toBe(connections);
  expectRefusals(refused);
  await lockingClient.query("rollback");
  await Promise.all(answers);
  expect((await askForUnit()).status).toBe(200);
});
