/** The tools for policies, as an outside agent calls them: from a draft to an exception, over a deployed unit. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { CatalogueFixture } from "../../builder/catalogue-fixture.ts";
import { eventually } from "../../support/eventually.ts";
import { connectMcp, type McpClient } from "./clients.ts";
import { fleetSystem, startFleetFixture } from "./fleet-fixture.ts";

const environment = "development";
let fixture: CatalogueFixture;
let admin: McpClient;
let developer: McpClient;
let unitId: string;

beforeAll(async () => {
  fixture = await startFleetFixture();
  admin = await connectMcp(`${fixture.server.url}/mcp`, "present");
  developer = await connectMcp(`${fixture.server.url}/mcp`, "present", "developer");
});
afterAll(async () => {
  await admin.close();
  await developer.close();
  await fixture.close();
});

const value = async (client: McpClient, name: string, args: Record<string, unknown> = {}): Promise<any> => {
  const answer = await client.call(name, args);
  expect(answer.isError, answer.text).toBe(false);
  return answer.value;
};

const described = {
  id: "columns-described",
  name: "Columns are described",
  advice: "Add a description to each column.",
  resourceType: "outputport",
  engine: "cel",
  spec: {
    assert:
      "resource.dataContract.schema.filter(c, !has(c.description)).map(c, {'path': 'dataContract.schema.' + c.name, 'message': 'No description.'})",
  },
};

async function deploy(): Promise<any> {
  const wanted = { systemRef: fleetSystem, environment };
  const { planHash } = await value(developer, "preview_provisioning", wanted);
  const { planToken } = await value(developer, "start_provisioning", { ...wanted, planHash });
  return eventually("the end of the plan", async () => {
    const plan = await value(developer, "get_plan", { planToken });
    return ["COMPLETED", "FAILED"].includes(plan.status) ? plan : null;
  });
}

it("writes a policy, tests it, tries it, enables it, explains the violation, and excuses it once", async () => {
  const { value: built } = await admin.call("build_descriptor", { systemRef: fleetSystem, environment });
  unitId = built.descriptor.id;
  const wrong = await admin.call("create_policy", {
    policy: { ...described, spec: { assert: "resource." } },
  });
  expect(wrong).toMatchObject({ isError: true, text: expect.stringContaining("CGP_INVALID_POLICY") });
  expect(await value(admin, "create_policy", { policy: described })).toMatchObject({ status: "draft" });
  expect(await deploy()).toMatchObject({ status: "COMPLETED" });

  const tested = await value(developer, "test_policy", {
    policyId: described.id,
    descriptor: built.descriptor,
    environment,
  });
  expect(tested.summary.error).toBeGreaterThan(0);
  const tried = await value(admin, "try_policy", { policyId: described.id, environment, waitSeconds: 30 });
  expect(tried.status).toBe("completed");
  const hit = tried.evaluationResults[0];
  expect(hit.resource.id).toContain(unitId.slice("urn:dmb:dp:".length));
  expect(await value(admin, "get_evaluation_report", { reportId: tried.id })).toEqual(tried);

  await value(admin, "set_policy_status", { policyId: described.id, status: "enabled", reason: "Agreed." });
  const refused = await deploy();
  expect(refused.status).toBe("FAILED");
  const { result } = refused.tasks.find(({ id }: any) => id === `policy:${unitId}`);
  expect(result.summary.error).toBe(result.findings.length);
  expect(result.findings[0]).toMatchObject({ governanceEntityId: described.id, outcome: "error" });
  const compliance = await value(developer, "get_compliance", { unitId, environment });
  expect(compliance.summary.isCompliant).toBe(false);
  expect(compliance.policies.map(({ advice }: any) => advice)).toContain(described.advice);
  const permission = await value(developer, "who_may", { unitId, environment, operations: ["start"] });
  expect(permission).toMatchObject({
    id: unitId,
    environment,
    verdict: expect.any(String),
    rule: expect.any(String),
  });
  const found = await value(developer, "list_policy_results", { policy: described.id, outcome: "error" });
  const resourceIds = [...new Set(found.results.map(({ resource }: any) => resource.id))];

  const asked = await value(developer, "request_exception", {
    policyId: described.id,
    resourceIds,
    until: "2999-01-01T00:00:00Z",
    reason: "The source describes them next month.",
  });
  const own = await developer.call("decide_exception", {
    exceptionId: asked.id,
    approve: true,
    reason: "Mine.",
  });
  expect(own).toMatchObject({ isError: true, text: expect.stringContaining("operator") });
  const pending = await value(admin, "list_exceptions", { status: "pending" });
  expect(pending.exceptions.map(({ id }: any) => id)).toEqual([asked.id]);
  const waiting = async (client: typeof admin): Promise<string[]> =>
    (await value(client, "list_waiting", { limit: 100 })).waiting
      .filter(({ kind }: any) => kind === "EXCEPTION")
      .map(({ id }: any) => id);
  expect([await waiting(admin), await waiting(developer)]).toEqual([[asked.id], []]);
  await value(admin, "decide_exception", { exceptionId: asked.id, approve: true, reason: "Until then." });
  expect(await waiting(admin)).toEqual([]);
  expect(await deploy()).toMatchObject({ status: "COMPLETED" });
});

it("reads a policy with its versions", async () => {
  const listed = await value(developer, "list_policies", { text: "described", status: "enabled" });
  expect(listed.policies.map(({ id }: any) => id)).toEqual([described.id]);
  expect(await value(developer, "get_policy", { policyId: described.id })).toMatchObject({ version: 1 });
  const versions = await value(developer, "list_policy_versions", { policyId: described.id });
  expect(versions.data).toHaveLength(1);
});

it("ships skills for policies", async () => {
  const resources = await admin.resources();
  for (const name of ["explain-violation", "try-a-policy", "find-what-blocks-a-unit", "decide-an-approval"]) {
    const uri = resources.find((each) => each.uri.includes(name))?.uri ?? "";
    expect(await admin.readResource(uri)).toContain("# ");
  }
});
