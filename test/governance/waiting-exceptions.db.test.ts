/** Which exceptions wait for somebody, where very many wait for others. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { GovernanceContext, GovernanceDeps } from "../../src/governance/context.ts";
import { insertException } from "../../src/governance/exceptions/store.ts";
import { listUndecided } from "../../src/governance/exceptions/undecided.ts";
import { openDatabase, type Database } from "../../src/platform/db/database.ts";
import { silentLogger } from "../../src/platform/lib/logger.ts";
import { systemContext } from "../../src/platform/lib/request-context.ts";
import { testDatabase, type TestDatabase } from "../support/database.ts";

let db: TestDatabase;
let governed: Database;
const environments = ["development", "production"];

beforeAll(async () => {
  db = await testDatabase();
  governed = openDatabase({ connection: { ...db.connection, schema: "coordinator" }, log: silentLogger });
  await governed.pool
    .query(`insert into policies (id, version, status, created_at, created_by, updated_at, updated_by)
    values ('named', 1, 'enabled', now(), 'test', now(), 'test')`);
  // 450 about what others own, 10 of them about other things, and three about what the caller owns in between.
  for (let n = 0; n < 453; n += 1) {
    const isOwn = n === 210 || n === 430 || n === 452;
    await insertException(governed.db, {
      id: `e-${String(n).padStart(3, "0")}`,
      policyId: "named",
      resourceIds: isOwn ? ["Ships", "ships"] : [`docks-${n % 10}`],
      select: null,
      environments: [],
      reason: "Refit.",
      until: new Date("2999-01-01T00:00:00Z"),
      requestedBy: "user:default/eve",
      requestedAt: new Date(Date.UTC(2026, 10, 1, 0, 0, Math.floor(n / 7))),
    });
  }
});
afterAll(async () => {
  await governed.close();
  await db.drop();
});

const asked: string[] = [];
const groupsAsked: string[] = [];

function contextOf(ref: string): GovernanceContext {
  asked.length = 0;
  groupsAsked.length = 0;
  const governance: Partial<GovernanceDeps> = {
    database: governed,
    settings: {
      environments,
      pendingReports: 1,
      unownedIsMine: false,
      ownership: { configured: [], defaults: [] },
    },
    async readOwners({ id, environment }) {
      asked.push(`${id.toLowerCase()} ${environment}`);
      return [[id.toLowerCase() === "ships" ? "group:default/fleet" : "group:default/harbour"]];
    },
    async readGroups(person) {
      groupsAsked.push(person);
      return person === "user:default/ada" ? ["group:default/fleet"] : [];
    },
  };
  return {
    ...systemContext(silentLogger, () => new Date("2026-11-23T09:00:00Z")),
    actor: { ref, roles: ["developer"], provider: "oidc" },
    governance: governance as GovernanceDeps,
  };
}

it("finds those that wait for somebody behind any number that wait for others", async () => {
  const ctx = contextOf("user:default/ada");
  const first = await listUndecided(ctx, { limit: 2, after: null });
  expect(first.map(({ id, deciders }) => [id, deciders])).toEqual([
    ["e-210", ["group:default/fleet"]],
    ["e-430", ["group:default/fleet"]],
  ]);
  const { requestedAt: since, id } = first[1]!;
  const rest = await listUndecided(ctx, { limit: 2, after: { since, id } });
  expect(rest.map((each) => each.id)).toEqual(["e-452"]);
  expect(await listUndecided(contextOf("user:default/eve"), { limit: 2, after: null })).toEqual([]);
});

it("asks once for the owners of each resource in each environment, and once for the groups of the caller", async () => {
  const ctx = contextOf("user:default/ada");
  expect(await listUndecided(ctx, { limit: 100, after: null })).toHaveLength(3);
  expect(asked.toSorted()).toEqual(
    ["ships", ...Array.from({ length: 10 }, (_, n) => `docks-${n}`)]
      .flatMap((id) => environments.map((environment) => `${id} ${environment}`))
      .toSorted(),
  );
  expect(groupsAsked).toEqual(["user:default/ada"]);
});
