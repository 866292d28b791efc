/** Lines of queued operations, driven by a worker process that is killed whenever one of them ends. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { sql } from "../../src/platform/db/sql.ts";
import { eventually } from "../support/eventually.ts";
import { openProcessStage, type ProcessStage } from "../support/process-stage.ts";
import { startWholeServer, type WholeServer } from "../support/server.ts";
import { provisioning, provisioningPath, ships } from "./ships.ts";

const lineLength = 5;
const kills = 5;
const units = [0, 1, 2].map((n) => ships(`urn:dmb:dp:sea:killed-line-${n}:0`));

let server: WholeServer;
let stage: ProcessStage;

beforeAll(async () => {
  server = await startWholeServer({ workers: "off" });
  await server.registerMock();
  const execution = { pollInitialMs: 20, pollMaxMs: 50, retryDelayMs: 20 };
  stage = await openProcessStage({ db: server.db, settings: () => ({ coordinator: { execution } }) });
});
afterAll(async () => {
  await stage.close();
  await server.close();
});

interface PlanRow {
  id: string;
  unitId: string;
  status: string;
  stoppedAt: Date | null;
  turnAt: Date | null;
}

async function plans(): Promise<PlanRow[]> {
  const { rows } = await sql<PlanRow>`select id, unit_id as "unitId", status, stopped_at as "stoppedAt",
    turn_at as "turnAt" from execution_plans`.execute(server.db.database.db);
  return rows;
}

const isOver = ({ status }: PlanRow): boolean => !["WAITING", "RUNNING", "TERMINATING"].includes(status);

it("each begins once, in its order, and ends right, whenever the process dies", async () => {
  const lines = new Map<string, string[]>();
  for (const unit of units) {
    const tokens: string[] = [];
    for (let n = 0; n < lineLength; n++) {
      const path = `${provisioningPath(unit.id)}&queue=true`;
      const answer = await server.coordinator({ method: "POST", path, body: provisioning(unit) });
      expect(answer.status).toBe(202);
      tokens.push(answer.body);
    }
    lines.set(unit.id, tokens);
  }
  stage.startWorker();
  for (let n = 1; n <= kills; n++) {
    // An end is when a turn comes: the death falls before it, into it or right after it.
    await eventually(`end ${n}`, async () => (await plans()).filter(isOver).length >= n * 2);
    await stage.killWorkers();
    stage.startWorker();
  }
  await eventually("the end of all", async () => (await plans()).every(isOver));

  const all = await plans();
  expect(all.map(({ status }) => status)).toEqual(all.map(() => "COMPLETED"));
  for (const [unitId, tokens] of lines) {
    const inOrder = tokens.map((token) => all.find(({ id }) => id === token)!);
    for (const [at, plan] of inOrder.entries()) {
      expect(plan.unitId).toBe(unitId);
      // A turn comes when the one before has ended, not earlier.
      const before = inOrder[at - 1];
      if (before) expect(plan.turnAt!.getTime()).toBeGreaterThanOrEqual(before.stoppedAt!.getTime());
    }
  }
  const { rows } = await sql<{ left: number }>`select count(*) as left from queued_starts`.execute(
    server.db.database.db,
  );
  expect(rows).toEqual([{ left: 0 }]);
  const { rows: twice } =
    await sql`select plan_id, count(*) from operations group by 1 having count(*) > 1`.execute(
      server.db.database.db,
    );
  expect(twice).toEqual([]);
});
