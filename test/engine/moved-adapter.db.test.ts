/** A plan goes on when the registration of an adapter moves while it runs, and when an adapter is away for a while. */
import { sql } from "../../src/platform/db/sql.ts";
import type { RequestedBehaviour } from "../../src/adapters/mock/behaviour.ts";
import type { ProvisioningBody } from "../../src/coordinator/starts/acceptance/request-schema.ts";
import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import type { Waiting } from "../../src/coordinator/execution/types.ts";
import { registrationChannel, upsertDeployment } from "../../src/coordinator/adapters/store.ts";
import { startEngine, type EngineOptions, type TestEngine } from "./engine.ts";
import { openLane, type Lane } from "./lane.ts";
import { endState } from "./ledger.ts";
import { environment, part, request } from "./plan-fixtures.ts";
import { eventually } from "../support/eventually.ts";
import { freePort } from "../support/http-peer.ts";

let lane: Lane;
const engines: TestEngine[] = [];
const gates: Gate[] = [];
beforeAll(async () => {
  lane = await openLane();
});
afterEach(async () => {
  await Promise.all(engines.splice(0).map((engine) => engine.close(0)));
  await Promise.all(gates.splice(0).map((gate) => gate.close()));
});
afterAll(() => lane.close());

/** An address in front of the lane's adapter that can go away and come back. */
interface Gate {
  url: string;
  close(): Promise<void>;
  /** Opens again at the same address. */
  reopen(): Promise<void>;
}

type Serve = (socket: Socket) => void;

async function openGate(serve: Serve = forward): Promise<Gate> {
  const sockets = new Set<Socket>();
  let server: Server;
  const open = async (port: number): Promise<void> => {
    server = createServer((socket) => {
      sockets.add(socket);
      socket.on("error", () => {}).on("close", () => sockets.delete(socket));
      serve(socket);
    });
    await once(server.listen(port, "127.0.0.1"), "listening");
  };
  // Nobody else may get the port while the gate is closed.
  const port = await freePort();
  await open(port);
  const gate: Gate = {
    url: `http://127.0.0.1:${port}`,
    reopen: () => open(port),
    async close() {
      for (const socket of sockets) socket.destroy();
      if (server.listening) await new Promise<void>((done) => server.close(() => done()));
    },
  };
  gates.push(gate);
  return gate;
}

const forward: Serve = (socket) => void socket.pipe(behind(socket));

/** Forwards nothing any more, in either direction, from the first bytes that contain the text. */
const swallow =
  (text: string, onSwallowed: () => void): Serve =>
  (socket) => {
    const adapter = behind(socket);
    let isOpen = true;
    socket.on("data", (chunk) => {
      isOpen &&= !chunk.includes(text);
      if (isOpen) adapter.write(chunk);
      else onSwallowed();
    });
  };

function behind(socket: Socket): Socket {
  const adapter = connect(Number(new URL(lane.adapter.url).port), "127.0.0.1");
  adapter.on("error", () => socket.destroy()).on("close", () => socket.destroy());
  socket.on("close", () => adapter.destroy());
  adapter.pipe(socket);
  return adapter;
}

/** An adapter whose work ends when it is told to. */
async function openHeldAdapter() {
  const state = { isStarted: false, isDone: false };
  const http = createHttpServer((call, response) => {
    const isStart = call.url === "/v1/provision";
    state.isStarted ||= isStart;
    response.writeHead(isStart ? 202 : 200, { "content-type": "application/json" });
    if (isStart) response.end('"token"');
    else if (call.url === "/v1/validate") response.end('{"valid":true}');
    else response.end(JSON.stringify({ status: state.isDone ? "COMPLETED" : "RUNNING", result: "" }));
  });
  await once(http.listen(0, "127.0.0.1"), "listening");
  const { port } = http.address() as AddressInfo;
  const close = async (): Promise<void> => {
    http.closeAllConnections();
    await new Promise((done) => http.close(done));
  };
  const url = `http://127.0.0.1:${port}`;
  gates.push({ url, close, reopen: async () => {} });
  return { url, state };
}

let units = 0;
/** Works until it is told to finish. */
const endless: RequestedBehaviour = { mode: "async", runningMs: 600_000 };

/** A unit of a, and b that needs it and has an adapter of its own; the id of that adapter. */
async function unitBehind(
  url: string,
  urlOfA?: string,
): Promise<{ body: ProvisioningBody; adapterId: string }> {
  const adapterId = await lane.register(url);
  const body = request(`moved-${++units}`, [part("a"), part("b", ["a"])]);
  const { components } = body.descriptor as { components: { infrastructureTemplateId: string }[] };
  components[1]!.infrastructureTemplateId = adapterId;
  if (urlOfA !== undefined) components[0]!.infrastructureTemplateId = await lane.register(urlOfA);
  return { body, adapterId };
}

async function drive(body: ProvisioningBody, options: EngineOptions = {}) {
  const engine = await startEngine(lane.db.connection, options);
  engines.push(engine);
  const planId = await lane.start(body);
  await engine.drive(planId);
  return { engine, planId };
}

/** Moves an adapter as a registration does. */
const move = (adapterId: string, url: string): Promise<unknown> =>
  upsertDeployment(lane.db.database.db, { adapterId, environment, url, enabled: true, properties: {} });

/** Without a notice, as when the notice is lost. */
const moveWithoutNotice = (adapterId: string, url: string): Promise<unknown> =>
  sql`update adapter_deployments set url = ${url} where adapter_id = ${adapterId}`.execute(
    lane.db.database.db,
  );

async function ended(planId: string) {
  await lane.read(planId);
  return endState(lane.db.database.db, planId);
}

async function linesOf(planId: string): Promise<string[]> {
  const { rows } = await sql<{ message: string }>`select data ->> 'message' as message from events
    where stream = ${`plan:${planId}`} and type = 'log' order by id`.execute(lane.db.database.db);
  return rows.map(({ message }) => message);
}

async function taskOf(planId: string, taskId: string) {
  const { rows } = await sql<{
    waiting: Waiting | null;
    adapterUrl: string;
    token: string | null;
  }>`select waiting,
      adapter_url as "adapterUrl", token
    from plan_tasks where plan_id = ${planId} and task_id = ${taskId}`.execute(lane.db.database.db);
  return rows[0]!;
}

const callsOf = (planId: string, operation: string, component: string) =>
  lane
    .calls(planId)
    .filter((call) => call.operation === operation && call.idempotencyKey?.endsWith(`:${component}`));

it("a first call goes to the address that the registration has by then", async () => {
  const old = await openGate();
  const fresh = await openGate();
  const held = await openHeldAdapter();
  const { body, adapterId } = await unitBehind(old.url, held.url);
  lane.setComponentBehaviours({});
  const { engine, planId } = await drive(body, { limits: { taskTimeoutMs: 600_000 } });
  await eventually("the work on a", () => held.state.isStarted);
  // The engine's own subscription comes first, so it has been notified when this one is.
  let notices = 0;
  await engine.killable.database.listener.listen(registrationChannel, () => notices++);
  await move(adapterId, fresh.url);
  await eventually("the notice", () => notices > 0);
  held.state.isDone = true;
  const state = await ended(planId);
  expect(state.plan.status).toBe("COMPLETED");
  expect((await taskOf(planId, "provision:b")).adapterUrl).toBe(fresh.url);
  expect((await linesOf(planId)).join("\n")).toContain(
    `the adapter ${adapterId} is registered at ${fresh.url}/ now, and is called there instead of ${old.url}/.`,
  );
});

it("a call that could not connect is made at the new address", async () => {
  const old = await openGate();
  const { body, adapterId } = await unitBehind(old.url);
  lane.setComponentBehaviours({});
  await old.close();
  const { planId } = await drive(body, { limits: { connectRetryMs: 600_000, taskTimeoutMs: 600_000 } });
  await eventually("a refused connection", async () =>
    ((await taskOf(planId, "validate:b")).waiting?.reason ?? "").includes("No connection"),
  );
  await moveWithoutNotice(adapterId, lane.adapter.url);
  const state = await ended(planId);
  expect(state.plan.status).toBe("COMPLETED");
  expect(state.components["b"]).toMatchObject({ status: "DEPLOYED" });
  expect(callsOf(planId, "provision", "b")).toHaveLength(1);
});

it("a poll that can't connect asks the new address, and the work is not started again", async () => {
  const old = await openGate();
  const { body, adapterId } = await unitBehind(old.url);
  lane.setComponentBehaviours({ b: endless });
  const { planId } = await drive(body, { limits: { taskTimeoutMs: 600_000 } });
  await eventually("the token for b", async () => (await taskOf(planId, "provision:b")).token);
  await old.close();
  await moveWithoutNotice(adapterId, lane.adapter.url);
  lane.adapter.finish();
  const state = await ended(planId);
  expect(state.plan.status).toBe("COMPLETED");
  expect(callsOf(planId, "provision", "b")).toHaveLength(1);
  expect((await taskOf(planId, "provision:b")).adapterUrl).toBe(lane.adapter.url);
});

it("a call of unknown outcome is not repeated elsewhere: the ledger keeps it", async () => {
  let isSwallowed = false;
  const old = await openGate(swallow("/v1/provision", () => (isSwallowed = true)));
  const { body, adapterId } = await unitBehind(old.url);
  lane.setComponentBehaviours({});
  const { planId } = await drive(body, {
    limits: { callTimeoutMs: 600_000, connectRetryMs: 600_000, taskTimeoutMs: 600_000 },
  });
  await eventually("the call for b", () => isSwallowed);
  await moveWithoutNotice(adapterId, lane.adapter.url);
  await old.close();
  const state = await ended(planId);
  expect(state.tasks["provision:b"]).toBe("FAILED");
  expect(state.components["b"]).toMatchObject({ status: "CORRUPT" });
  expect(callsOf(planId, "provision", "b")).toHaveLength(0);
  const { rows } = await sql<{ answer: string }>`select last_answer as answer from unknown_outcomes
    where plan_id = ${planId} and task_id = 'provision:b' and settled_at is null`.execute(
    lane.db.database.db,
  );
  expect(rows[0]?.answer).toContain("An earlier call may have reached the adapter there");
});

it("an adapter that is away is waited for, with the number of attempts and the time of the next", async () => {
  const gate = await openGate();
  const { body } = await unitBehind(gate.url);
  lane.setComponentBehaviours({ b: endless });
  await gate.close();
  const { planId } = await drive(body, {
    limits: { connectRetryMs: 600_000, taskTimeoutMs: 600_000, callAttempts: 2 },
  });
  await eventually("more attempts than of a call that is answered", async () => {
    const { waiting } = await taskOf(planId, "validate:b");
    return (waiting?.attempts ?? 0) > 2 && waiting?.nextAttemptAt !== undefined;
  });
  await gate.reopen();
  await eventually("the token for b", async () => (await taskOf(planId, "provision:b")).token);
  await gate.close();
  await eventually("failed polls that are counted", async () => {
    const { waiting } = await taskOf(planId, "provision:b");
    return (waiting?.attempts ?? 0) > 2 && waiting?.nextAttemptAt !== undefined;
  });
  await gate.reopen();
  await eventually(
    "polls that succeed again",
    async () => (await taskOf(planId, "provision:b")).waiting === null,
  );
  await lane.terminate(planId, "forced");
  expect((await ended(planId)).plan.status).toBe("TERMINATED");
});
