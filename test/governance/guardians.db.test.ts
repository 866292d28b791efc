/** Policies that adapters bring with their registration. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { registerGuardians } from "../../src/coordinator/adapters/guardians.ts";
import type { GuardianPolicy } from "../../src/coordinator/ports.ts";
import { inTransaction } from "../../src/platform/db/database.ts";
import { silentLogger } from "../../src/platform/lib/logger.ts";
import { systemContext } from "../../src/platform/lib/request-context.ts";
import { ended, hullId, start, unitId } from "../coordinator/ships.ts";
import {
  mockAdapterId,
  registerAdapter,
  startWholeServer,
  type Answer,
  type WholeServer,
} from "../support/server.ts";

let server: WholeServer;
beforeAll(async () => {
  server = await startWholeServer();
});
afterAll(() => server.close());

const put = (policies: object[], id = mockAdapterId): Promise<void> =>
  registerAdapter(server, {
    id,
    url: server.mock.url,
    properties: { dataContractGuardian: { policies } },
  });
const policy = (id: string): Promise<Answer> => server.governance({ path: `/policies/${id}` });
const guardian = {
  resourceType: "storage",
  spec: { id: "contract-guard", name: "Contract", description: "Kept." },
};

it("are passive policies, which take the results that are pushed", async () => {
  await put([guardian]);
  const { body } = await policy("contract-guard");
  expect(body).toMatchObject({
    version: 1,
    status: "enabled",
    name: "Contract",
    description: "Kept.",
    resourceType: "storage",
    trigger: "passive",
    timing: "runtime",
    strategy: "none",
  });
  expect(await ended(server, await start(server))).toBe("COMPLETED");
  const pushed = await server.governance({
    method: "POST",
    path: "/results",
    body: {
      policyId: "contract-guard",
      resourceId: hullId,
      environment: "development",
      outcome: "error",
      errors: [{ message: "A column is gone." }],
      at: new Date().toISOString(),
    },
  });
  expect([pushed.status, pushed.body]).toEqual([202, { accepted: true }]);
  const { body: compliance } = await server.governance({
    path: `/units/${unitId}/compliance?environment=development`,
  });
  expect(compliance.policies).toContainEqual(
    expect.objectContaining({ governanceEntityId: "contract-guard", outcome: "error" }),
  );
});

it("are changed by the adapter alone where it brought them, and left as they are where it did not", async () => {
  await put([{ ...guardian, spec: { ...guardian.spec, name: "Contract, kept" } }]);
  expect((await policy("contract-guard")).body).toMatchObject({ version: 2, name: "Contract, kept" });
  await put([{ ...guardian, spec: { ...guardian.spec, name: "Contract, kept" } }]);
  expect((await policy("contract-guard")).body.version).toBe(2);
  const own = { id: "own", name: "Own", engine: "cel", spec: { assert: "true" } };
  expect((await server.governance({ method: "POST", path: "/policies", body: own })).status).toBe(201);
  await put([{ resourceType: "storage", spec: { id: "own", name: "Taken" } }]);
  expect((await policy("own")).body).toMatchObject({ version: 1, name: "Own", status: "draft" });
});

it("do not keep an adapter out whose policy has an id that none can have", async () => {
  await put([
    { resourceType: "storage", id: "no id!" },
    { resourceType: "workload", id: "second" },
  ]);
  expect((await policy("second")).body).toMatchObject({ name: "second", resourceType: "workload" });
});

it("are registered later when governance can't be reached", async () => {
  const ctx = systemContext(silentLogger, () => new Date());
  const away = { register: () => Promise.reject(new Error("away")) };
  const seen: string[] = [];
  const back = {
    async register(_: unknown, policies: readonly GuardianPolicy[]) {
      seen.push(...policies.map(({ id }) => id));
    },
  };
  // The server, which registers them every minute, sees nothing of it.
  await inTransaction(server.db.database, async (tx) => {
    await tx.query(
      `update adapter_deployments set guardians_registered_at = null,
         properties = '{"dataContractGuardian":{"policies":[{"id":"late","resourceType":"storage"}]}}'`,
      [],
    );
    await expect(registerGuardians(ctx, tx, away)).rejects.toThrow("away");
    await registerGuardians(ctx, tx, back);
    await registerGuardians(ctx, tx, back);
  });
  expect(seen).toEqual(["late"]);
});
