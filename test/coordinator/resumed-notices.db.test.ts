/** A resumed plan notifies the external services that are configured at its own start, each one once. */
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { testDatabase, type TestDatabase } from "../support/database.ts";
import { startRecorder, type Recorder } from "../support/recorder.ts";
import { startWholeServer, type WholeServer } from "../support/server.ts";
import { ended, hullId, ships, start } from "./ships.ts";

interface Service {
  id: string;
  path?: string;
  isEnabled?: boolean;
  isBlocking?: boolean;
}

let db: TestDatabase;
let recorder: Recorder;
/** Processes on one database: as the services were configured at first, and in two ways since. */
let first: WholeServer;
let changed: WholeServer;
let silent: WholeServer;
let count = 0;

beforeAll(async () => {
  db = await testDatabase();
  recorder = await startRecorder();
  first = await startWith("on", [{ id: "market", path: "old" }, { id: "news" }]);
  await first.registerMock();
  changed = await startWith("off", [
    { id: "market", path: "new" },
    { id: "news", isBlocking: false },
    { id: "mail" },
  ]);
  silent = await startWith("off", [
    { id: "market", isEnabled: false },
    { id: "news", isEnabled: false },
  ]);
});
afterAll(async () => {
  await Promise.all([first.close(), changed.close(), silent.close()]);
  await recorder.close();
  await db.drop();
});
beforeEach(() => {
  refuse();
  recorder.calls.length = 0;
  first.mock.setBehaviours({});
});

const startWith = (workers: "on" | "off", services: Service[]): Promise<WholeServer> =>
  startWholeServer({
    db: { ...db, drop: async () => {} },
    workers,
    configure(config) {
      config["marketplace-compliant-services"] = {
        services: services.map(({ id, path = id, isEnabled = true, isBlocking = true }) => ({
          id,
          name: `The ${id}`,
          "base-url": `${recorder.url}/${path}`,
          "is-enabled": isEnabled,
          "is-blocking": isBlocking,
        })),
      };
    },
  });

const freshUnit = () => ships(`urn:dmb:dp:sea:noticed${++count}:0`);

/** From now on these services refuse their notices, and no others. */
function refuse(...paths: string[]): void {
  recorder.answers.clear();
  for (const path of paths) recorder.answers.set(`/${path}/v1/publish`, { status: 404, body: {} });
}

/** A plan that failed because services refused its notice. */
async function refused(unit: { id: string }, ...paths: string[]): Promise<string> {
  refuse(...paths);
  const token = await start(first, { ...ships(), ...unit });
  expect(await ended(first, token)).toBe("FAILED");
  return token;
}

interface Resumed {
  token: string;
  status: string;
  /** The services that it has notified. */
  notified: string[];
  unit: string;
  /** Calls that the adapter got. */
  adapterCalls: number;
}

async function resumed(server: WholeServer, token: string, unit: { id: string }): Promise<Resumed> {
  recorder.calls.length = 0;
  const before = first.mock.journal().length;
  const path = `/v1/execution-plans/${token}/resume`;
  const { status, body, text } = await server.coordinator({ method: "POST", path });
  expect(status, text).toBe(202);
  const ending = await ended(server, body);
  const statusPath = `/v1/deployment-units/${unit.id}/provisioning-status?environment=development`;
  return {
    token: body,
    status: ending,
    notified: recorder.calls.map((call) => call.path.split("/")[1] ?? "").sort(),
    unit: (await server.coordinator({ path: statusPath })).body.status,
    adapterCalls: first.mock.journal().length - before,
  };
}

it("at the address that a service has by then; one that is new too, and none that was notified", async () => {
  const unit = freshUnit();
  const origin = await refused(unit, "old");
  expect(await resumed(changed, origin, unit)).toMatchObject({
    status: "COMPLETED",
    notified: ["mail", "new"],
    unit: "DEPLOYED",
    adapterCalls: 0,
  });
});

it("none where all are disabled by then: the plan completes, and the unit is corrupt no more", async () => {
  const unit = freshUnit();
  const origin = await refused(unit, "old");
  expect(await resumed(silent, origin, unit)).toMatchObject({
    status: "COMPLETED",
    notified: [],
    unit: "DEPLOYED",
    adapterCalls: 0,
  });
});

it("one that does not block any more fails nothing by its refusal", async () => {
  const unit = freshUnit();
  const origin = await refused(unit, "news");
  expect(await resumed(changed, origin, unit)).toMatchObject({
    status: "COMPLETED",
    notified: ["mail", "news"],
    unit: "DEPLOYED",
  });
});

it("none that an earlier plan of a chain has notified", async () => {
  const unit = freshUnit();
  const origin = await refused(unit, "old", "news");
  refuse("old");
  const second = await resumed(first, origin, unit);
  expect(second).toMatchObject({ status: "FAILED", notified: ["news", "old"], unit: "CORRUPT" });
  const third = await resumed(first, second.token, unit);
  expect(third).toMatchObject({ status: "FAILED", notified: ["old"] });
  expect(await resumed(changed, third.token, unit)).toMatchObject({
    status: "COMPLETED",
    notified: ["mail", "new"],
    unit: "DEPLOYED",
  });
});

it("all of them after components that are deployed at last", async () => {
  const unit = freshUnit();
  first.mock.setBehaviours({
    components: { [hullId]: { operations: { provision: { outcome: "FAILED" } } } },
  });
  const origin = await refused(unit);
  first.mock.setBehaviours({});
  expect(await resumed(first, origin, unit)).toMatchObject({
    status: "COMPLETED",
    notified: ["news", "old"],
    unit: "DEPLOYED",
  });
});
