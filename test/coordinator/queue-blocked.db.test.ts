/** Queued starts that can't be begun now, and those behind them. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { createQueuedStarts } from "../../src/coordinator/starts/acceptance/start-queued.ts";
import { coordinatorSettings } from "../../src/coordinator/settings.ts";
import { policiesUnavailable } from "../../src/coordinator/starts/policies/applied.ts";
import type { Policies } from "../../src/coordinator/ports.ts";
import { sql } from "../../src/platform/db/sql.ts";
import { silentLogger } from "../../src/platform/lib/logger.ts";
import { startWholeServer, type WholeServer } from "../support/server.ts";
import { previewPath, provisioning, provisioningPath, ships } from "./ships.ts";

let server: WholeServer;
beforeAll(async () => {
  server = await startWholeServer({ workers: "off" });
  await server.registerMock();
});
afterAll(() => server.close());

/** Starts that one round looks at. */
const atOnce = 20;

/** A start that is queued, on a unit that is free by now. */
async function queued(name: string, isPinned: boolean): Promise<string> {
  const unit = ships(`urn:dmb:dp:sea:${name}:0`);
  const post = async (path: string, body: object): Promise<any> =>
    (await server.coordinator({ method: "POST", path, body })).body;
  const { planHash } = await post(previewPath(unit.id), provisioning(unit));
  const first = await post(provisioningPath(unit.id), provisioning(unit));
  const pin = isPinned ? { planHash } : {};
  const token = await post(`${provisioningPath(unit.id)}&queue=true`, provisioning(unit, pin));
  await sql`with ended as (update operations set status = 'FAILED', stop_time = now() where plan_id = ${first})
    update execution_plans set status = 'FAILED', stopped_at = now() where id = ${first}`.execute(
    server.db.database.db,
  );
  return token;
}

it("as many as one round tries keep none of the others back", async () => {
  for (let n = 0; n < atOnce; n++) await queued(`blocked-${String(n).padStart(2, "0")}`, true);
  const free = await queued("free", false);
  const policies: Pick<Policies, "fingerprint"> = {
    fingerprint: () => Promise.reject(policiesUnavailable()),
  };
  const round = createQueuedStarts({
    database: server.db.database,
    settings: coordinatorSettings(server.config),
    readComponentTypes: async () => ({}),
    policies: policies as Policies,
    log: silentLogger,
    now: () => new Date(),
  });
  const begun = [...(await round()), ...(await round())];
  expect(begun).toEqual([free]);
  const { rows } = await sql`select 1 from queued_starts`.execute(server.db.database.db);
  expect(rows).toHaveLength(atOnce);
});
