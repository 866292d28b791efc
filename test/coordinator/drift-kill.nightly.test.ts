/** A drift check in a worker process that dies over it. */
import { expect, it } from "vitest";
import { sql } from "../../src/platform/db/sql.ts";
import { openProcessStage } from "../support/process-stage.ts";
import { startWholeServer, until } from "../support/server.ts";
import { ended, hullId, ships, start } from "./ships.ts";

const template = "urn:dmb:utm:ship:1";
const unit = { ...ships("urn:dmb:dp:sea:drift:0"), environment: "development" };
Object.assign(unit.components[0]!, { useCaseTemplateId: template, specific: { table: "hull", size: 4 } });
const path = `/v1/deployment-units/${unit.id}/drift-checks?environment=development`;
const changed = { updates: { "spec.mesh.specific.table": "keel" } };

it("a check whose process was killed is run again by another, and reported once", async () => {
  const away = await startWholeServer({ workers: "off" });
  const stage = await openProcessStage({ db: away.db });
  try {
    await away.registerMock();
    stage.startWorker();
    expect(await ended(away, await start(away, unit))).toBe("COMPLETED");
    away.mock.setBehaviours({
      components: {
        [hullId]: { operations: { validate: { delayMs: 600_000 } } },
        [template]: { operations: { "reverse-provisioning": changed } },
      },
    });
    const { body: id } = await away.coordinator({ method: "POST", path });
    const read = () => away.coordinator({ path: `/v1/drift-checks/${id}` });
    await until(read, ({ body }) => body.status === "RUNNING");
    await stage.killWorkers();
    away.mock.setBehaviours({
      components: { [template]: { operations: { "reverse-provisioning": changed } } },
    });
    stage.startWorker();
    const { body } = await until(read, (answer) => answer.body.status === "COMPLETED");
    expect(body.result).toBe("DRIFTED");
    const { rows } = await sql`select 1 from events where type = 'drift'`.execute(away.db.database.db);
    expect(rows).toHaveLength(1);
  } finally {
    await stage.close();
    await away.close();
  }
});
