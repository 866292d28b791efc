/** Rules about `undeploy` also hold for what a start undeploys because its descriptor does not have it any more. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { startWholeServer, tokenOf, type TestRole, type WholeServer } from "../support/server.ts";
import {
  ended,
  mastId,
  previewPath,
  provisioning,
  provisioningPath,
  sailId,
  ships,
  wanted,
  whileAdapterIsHeld,
  type Ships,
} from "./ships.ts";

let server: WholeServer;
let count = 0;
const rule = "nothing goes in production";

beforeAll(async () => {
  server = await startWholeServer({
    configure(config) {
      config.governance.ownership.approvalEnvironments = [];
      config.governance.ownership.rules = [
        {
          name: rule,
          operations: ["undeploy"],
          environments: ["production"],
          domains: [],
          owners: "any",
          effect: "deny",
          groups: [],
        },
      ];
      const { tokens } = config.auth.providers.service!["default"] as any;
      tokens.push({ name: "ada", secret: tokenOf("ada" as TestRole), roles: ["developer"] });
    },
  });
  await server.registerMock();
});
afterAll(() => server.close());

const ada = "ada" as TestRole;
const owned = { domain: "sea", ownerGroup: "service:default/ada" };
const freshUnit = (environment = "production"): Ships => ({
  ...ships(`urn:dmb:dp:sea:kept-${++count}:0`),
  ...owned,
  environment,
});
const without = (unit: Ships, ...ids: string[]): Ships => ({
  ...unit,
  components: unit.components.filter(({ id }) => !ids.includes(id)),
});
interface Asked {
  body?: object;
  as?: TestRole;
  query?: string;
}
const startOf = (unit: Ships, { body, as = ada, query = "" }: Asked = {}) =>
  server.coordinator({
    method: "POST",
    path: provisioningPath(unit.id, unit.environment) + query,
    as,
    body: provisioning(unit, body),
  });
async function deployed(unit: Ships, as: TestRole = ada): Promise<string> {
  const answer = await startOf(unit, { as });
  expect(answer.status, answer.text).toBe(202);
  expect(await ended(server, answer.body)).toBe("COMPLETED");
  return answer.body;
}
const permissionIn = async (unit: Ships): Promise<any> => {
  const { id, environment } = unit;
  const path = previewPath(id, environment);
  const answer = await server.coordinator({ method: "POST", path, as: ada, body: provisioning(unit) });
  expect(answer.status, answer.text).toBe(200);
  return answer.body.permission;
};
const isDeployed = async (unit: Ships, component: string): Promise<boolean> => {
  const { rows } = await server.db.database.pool.query(
    "select 1 from unit_components where unit_key = $1 and component_key = $2 and status = 'DEPLOYED'",
    [unit.id, component],
  );
  return rows.length > 0;
};

it("a start that drops a deployed component is refused as its undeployment is, and the preview says so", async () => {
  const unit = freshUnit();
  await deployed(unit);
  const named = await startOf(unit, { body: { targetStatus: wanted(unit, "NOT_DEPLOYED") } });
  expect([named.status, named.body.code]).toEqual([403, "COORD_NOT_OWNER"]);
  const fewer = without(unit, sailId);
  expect(await permissionIn(fewer)).toMatchObject({ verdict: "deny", rule });
  const dropped = await startOf(fewer);
  expect([dropped.status, dropped.body.code]).toEqual([403, "COORD_NOT_OWNER"]);
  expect(dropped.body.userMessage).toContain(`The rule "${rule}" refuses start, undeploy of ${unit.id}`);
  expect(await isDeployed(unit, sailId)).toBe(true);
});

it("a start that drops nothing is let in, and so is one that drops what is not deployed", async () => {
  const unit = freshUnit();
  await deployed(without(unit, sailId));
  await deployed(unit);
  expect(await permissionIn(unit)).toBeUndefined();
  await deployed(without(unit, sailId), "operator");
  await deployed(without(unit, sailId));
  const elsewhere = freshUnit("development");
  await deployed(elsewhere);
  await deployed(without(elsewhere, sailId));
});

it("a queued start may not undeploy at its turn what was deployed only after it was sent", async () => {
  const unit = freshUnit();
  await deployed(without(unit, sailId));
  const [first, dropping, same] = await whileAdapterIsHeld(server, async () => {
    const tokens: string[] = [];
    for (const each of [unit, without(unit, sailId), unit]) {
      const answer = await startOf(each, { query: "&queue=true" });
      expect(answer.status, answer.text).toBe(202);
      tokens.push(answer.body);
    }
    return tokens;
  });
  expect(await ended(server, first!)).toBe("COMPLETED");
  expect(await ended(server, dropping!)).toBe("FAILED");
  expect((await server.coordinator({ path: `/v1/logs/${dropping}` })).text).toContain(rule);
  expect(await ended(server, same!)).toBe("COMPLETED");
  expect(await isDeployed(unit, sailId)).toBe(true);
});

it("a rollback to a descriptor without the component is refused too", async () => {
  const unit = freshUnit();
  const before = await deployed(without(unit, sailId));
  await deployed(unit);
  const answer = await server.coordinator({
    method: "POST",
    path: `/v2/deployment-units/${unit.id}/provisioning/rollback?environment=production`,
    as: ada,
    body: { executionPlanId: before },
  });
  expect([answer.status, answer.body.code], answer.text).toEqual([403, "COORD_NOT_OWNER"]);
});

it("a plan that undeploys besides what it deploys is not resumed by somebody who may not undeploy", async () => {
  const unit = freshUnit();
  await deployed(unit);
  server.mock.setBehaviours({ default: { operations: { unprovision: { outcome: "FAILED" } } } });
  const changed = without(unit, sailId);
  changed.components = changed.components.map((each) =>
    each.id === mastId ? { ...each, version: "1.3.0" } : each,
  );
  const { body: token } = await startOf(changed, { as: "operator" });
  expect(await ended(server, token)).toBe("FAILED");
  server.mock.setBehaviours({});
  const resume = (as: TestRole) =>
    server.coordinator({ method: "POST", path: `/v1/execution-plans/${token}/resume`, as });
  const refused = await resume(ada);
  expect([refused.status, refused.body.code], refused.text).toEqual([403, "COORD_NOT_OWNER"]);
  const resumed = await resume("operator");
  expect(resumed.status, resumed.text).toBe(202);
  expect(await ended(server, resumed.body)).toBe("COMPLETED");
});
