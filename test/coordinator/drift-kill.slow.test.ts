/** A drift check in a worker process that dies over it. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { databaseVariables, startWorker, stopChild } from "../crash/processes.ts";
import { startWholeServer, testKeyVariables, until } from "../support/server.ts";
import { ended, hullId, ships, start } from "./ships.ts";

const template = "urn:dmb:utm:ship:1";
const unit = { ...ships("urn:dmb:dp:sea:drift:0"), environment: "development" };
Object.assign(unit.components[0]!, { useCaseTemplateId: template, specific: { table: "hull", size: 4 } });
const path = `/v1/deployment-units/${unit.id}/drift-checks?environment=development`;
const changed = { updates: { "spec.mesh.specific.table": "keel" } };

it("a check whose process was killed is run again by another, and told once", async () => {
  const away = await startWholeServer({ workers: "off" });
  const cwd = await mkdtemp(join(tmpdir(), "plinth-drift-"));
  try {
    await away.registerMock();
    const options = { cwd, env: { ...databaseVariables(away.db.connection), ...testKeyVariables } };
    const first = startWorker(options);
    expect(await ended(away, await start(away, unit))).toBe("COMPLETED");
    away.mock.setBehaviours({
      components: {
        [hullId]: { operations: { validate: { delayMs: 20_000 } } },
        [template]: { operations: { "reverse-provisioning": changed } },
      },
    });
    const { body: id } = await away.coordinator({ method: "POST", path });
    const read = () => away.coordinator({ path: `/v1/drift-checks/${id}` });
    await until(read, ({ body }) => body.status === "RUNNING");
    first.child.process.kill("SIGKILL");
    await first.child.gone;
    away.mock.setBehaviours({
      components: { [template]: { operations: { "reverse-provisioning": changed } } },
    });
    const second = startWorker(options);
    const { body } = await until(read, (answer) => answer.body.status === "COMPLETED");
    expect(body.result).toBe("DRIFTED");
    const { rows } = await sql`select 1 from events where type = 'drift'`.execute(away.db.database.kysely);
    expect(rows).toHaveLength(1);
    await stopChild(second.child);
  } finally {
    await away.close();
    await rm(cwd, { recursive: true, force: true });
  }
});
