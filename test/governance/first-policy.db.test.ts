/** The policy that comes with the product. */
import { expect, it } from "vitest";
import { emptyTestDatabase } from "../support/database.ts";
import { startWholeServer } from "../support/server.ts";

it("is installed once, in grace, and not again after it was deleted", async () => {
  const db = await emptyTestDatabase();
  const lasting = { ...db, drop: async () => undefined };
  const start = () =>
    startWholeServer({
      db: lasting,
      configure: (config) => void (config.startupActions.governance.policies = true),
    });
  const first = await start();
  const path = "/policies/global-specification-compliance";
  const { body } = await first.governance({ path });
  expect(body).toMatchObject({ status: "grace", version: 1, engine: "cel" });
  expect(body.cueScript).toContain("id!:");
  expect(new Date(body.graceUntil) > new Date()).toBe(true);
  const setStatus = (status: string) =>
    first.governance({ method: "POST", path: `${path}/status`, body: { status, reason: "Not ours." } });
  await setStatus("disabled");
  await setStatus("draft");
  expect((await first.governance({ method: "DELETE", path })).status).toBe(204);
  await first.close();
  const second = await start();
  expect((await second.governance({ path })).status).toBe(404);
  await second.close();
  await db.drop();
});
