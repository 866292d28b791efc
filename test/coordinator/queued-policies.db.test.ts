/** Queued starts whose turn comes while governance's database is out of reach wait for it: none ends as failed for that. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openWire, type Wire } from "../faults/wire.ts";
import { startWholeServer, type WholeServer } from "../support/server.ts";
import {
  ended,
  previewPath,
  provisioning,
  provisioningPath,
  ships,
  start,
  whileAdapterIsHeld,
} from "./ships.ts";

const severalRoundsMs = 1_500;
let server: WholeServer;
let wire: Wire;

beforeAll(async () => {
  server = await startWholeServer({
    async configure({ database, coordinator }) {
      coordinator.execution.connectRetryMs = 60_000;
      const { host = "", port } = database.coordinator;
      wire = await openWire(host, port);
      database.governance.host = "127.0.0.1";
      database.governance.port = wire.port;
    },
  });
  await server.registerMock();
});
afterAll(async () => {
  await server.close();
  wire.close();
});

it.each(["with the hash of a preview", "without"])("%s", async (how) => {
  const unit = ships(`urn:dmb:dp:sea:turn-${how === "without" ? 1 : 2}:0`);
  expect(await ended(server, await start(server, unit))).toBe("COMPLETED");
  const preview = await server.coordinator({
    method: "POST",
    path: previewPath(unit.id),
    body: provisioning(unit),
  });
  const { planHash } = preview.body;
  const [active, queued] = await whileAdapterIsHeld(server, async () => {
    const first = await start(server, unit);
    const answer = await server.coordinator({
      method: "POST",
      path: `${provisioningPath(unit.id)}&queue=true`,
      body: provisioning(unit, how === "without" ? {} : { planHash }),
    });
    expect(answer.status, answer.text).toBe(202);
    wire.cut();
    return [first, answer.body];
  });
  expect(await ended(server, active)).toBe("COMPLETED");
  // Several rounds find that its turn has come.
  await sleep(severalRoundsMs);
  await wire.mend();
  expect(await ended(server, queued)).toBe("COMPLETED");
});
