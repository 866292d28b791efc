/** Policies in plans, validations and previews, over HTTP with the real engines and a real adapter. */
import { dump } from "js-yaml";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  ended,
  mastId,
  previewPath,
  provisioning,
  provisioningPath,
  ships,
  start,
} from "../coordinator/ships.ts";
import { send, startWholeServer, type Answer, type WholeServer } from "../support/server.ts";

let server: WholeServer;
beforeAll(async () => {
  server = await startWholeServer();
  await server.registerMock();
  const body = {
    id: "tools",
    name: "Workloads name their tool",
    resourceType: "workload",
    engine: "cel",
    spec: { assert: "has(resource.tool)", message: "It names no tool." },
    advice: "Give the field `tool`.",
  };
  expect((await govern("/policies", body)).status).toBe(201);
  await setStatus("enabled");
});
afterAll(() => server.close());

const govern = (path: string, body: unknown): Promise<Answer> =>
  server.governance({ method: "POST", path, body });

async function setStatus(status: string, more: object = {}): Promise<void> {
  const { status: answered, text } = await govern("/policies/tools/status", {
    status,
    reason: "Test.",
    ...more,
  });
  expect(answered, text).toBe(200);
}

const unitOf = (id: string) => {
  const unit = ships(id);
  return {
    ...unit,
    components: unit.components.map((part) => ({ ...part, id: part.id.replace("ships", id) })),
  };
};
type Unit = ReturnType<typeof unitOf>;

const bare = (id: string): Unit => {
  const unit = unitOf(id);
  return {
    ...unit,
    components: unit.components.map((part) => ({
      ...part,
      dependsOn: part.dependsOn.map((other) => other.replace("ships", id)),
    })),
  };
};
const mended = (id: string): Unit => {
  const unit = bare(id);
  return {
    ...unit,
    components: unit.components.map((part) => (part.kind === "workload" ? { ...part, tool: "dbt" } : part)),
  };
};

const finding = 'Policy "Workloads name their tool" (tools, version 1): It names no tool.';

async function tasksOf(token: string): Promise<Record<string, { status: string; message: string }>> {
  const { body } = await server.coordinator({ path: `/v1/execution-plans/${token}/status` });
  const found: Record<string, { status: string; message: string }> = {};
  const open = [body.dag];
  for (let node = open.pop(); node; node = open.pop()) {
    found[node.id] = { status: node.status, message: node.result.message };
    open.push(...node.dependsOnTasks);
  }
  return found;
}

it("a violation stops the deployment before any adapter is called; mended, it goes on", async () => {
  const unit = bare("boats");
  const mast = mastId.replace("ships", "boats");
  const token = await start(server, unit);
  expect(await ended(server, token)).toBe("FAILED");
  const tasks = await tasksOf(token);
  expect(tasks[`policy:${mast}`]).toEqual({ status: "FAILED", message: finding });
  expect(tasks["policy:boats"]).toEqual({ status: "COMPLETED", message: "0 policies hold." });
  expect(tasks[`${token}:stage-policies`]?.status).toBe("FAILED");
  expect(tasks[`validate:${mast}`]?.status).toBe("SKIPPED");
  expect(server.mock.journal().filter(({ idempotencyKey }) => idempotencyKey?.startsWith(token))).toEqual([]);
  const { body: plan } = await server.coordinator({ path: `/v1/execution-plans/${token}` });
  const report = JSON.stringify(plan).match(/evaluationResults/g);
  expect(report).toHaveLength(1);
  const { body: logs } = await server.coordinator({ path: `/v1/logs/${token}?level=ERROR` });
  expect(logs).toContainEqual(
    expect.objectContaining({
      severity: "ERROR",
      phase: "POLICIES",
      message: expect.stringContaining(finding),
    }),
  );
  const resumed = await server.coordinator({ method: "POST", path: `/v1/execution-plans/${token}/resume` });
  expect(await ended(server, resumed.body)).toBe("FAILED");
  expect(await ended(server, await start(server, mended("boats")))).toBe("COMPLETED");
});

it("previews and validations say the same", async () => {
  const unit = bare("rafts");
  const preview = (of: Unit): Promise<Answer> =>
    server.coordinator({ method: "POST", path: previewPath(of.id), body: provisioning(of) });
  const { body } = await preview(unit);
  expect(body.policyResults.map((each: any) => [each.componentId, each.status])).toEqual([
    ["rafts", "COMPLETED"],
    [mastId.replace("ships", "rafts"), "FAILED"],
  ]);
  expect(body.policyResults[1].errors).toMatchObject({
    code: "COORD_POLICY_VIOLATED",
    errors: [finding],
    moreInfo: { solutions: ["Give the field `tool`."] },
  });
  const validate = async (of: Unit): Promise<string[]> => {
    const answer = await server.coordinator({
      method: "POST",
      path: "/v1/validate",
      body: { descriptor: dump(of) },
    });
    expect(answer.status, answer.text).toBe(200);
    return answer.body.results
      .filter((each: any) => each.validationPhaseKind === "POLICY_COMPONENT_VALIDATION_PHASE")
      .map((each: any) => each.status);
  };
  expect(await validate(unit)).toEqual(["COMPLETED", "COMPLETED", "FAILED", "COMPLETED"]);
  expect(await validate(mended("rafts"))).toEqual(["COMPLETED", "COMPLETED", "COMPLETED", "COMPLETED"]);
});

it("a plan that was previewed under other policies is refused; grace lets it go on with a warning", async () => {
  const unit = bare("canoes");
  const body = provisioning(unit);
  const preview = await server.coordinator({ method: "POST", path: previewPath("canoes"), body });
  await setStatus("grace", { graceUntil: "2099-01-01T00:00:00Z" });
  const pinned = await server.coordinator({
    method: "POST",
    path: provisioningPath("canoes"),
    body: { ...body, planHash: preview.body.planHash },
  });
  expect([pinned.status, pinned.body.code]).toEqual([409, "COORD_PLAN_MOVED"]);
  expect(pinned.body.errors).toEqual(["/planHash: The policies that apply are others."]);
  const token = await start(server, unit);
  expect(await ended(server, token)).toBe("COMPLETED");
  const { body: logs } = await server.coordinator({ path: `/v1/logs/${token}?level=WARNING` });
  expect(logs).toContainEqual(
    expect.objectContaining({ severity: "WARNING", message: expect.stringContaining(finding) }),
  );
  await setStatus("enabled");
});

it("clients of earlier products read it by the data product", async () => {
  const read = (path: string): Promise<Answer> => send(`${server.url}/api/governance`, { path });
  expect(await ended(server, await start(server, bare("kayaks")))).toBe("FAILED");
  expect((await read("/policies/Kayaks")).body).toEqual({
    policies: [
      {
        policyId: "tools",
        name: "Workloads name their tool",
        status: "failed",
        message: "mast: It names no tool.",
        remediation: "Give the field `tool`.",
      },
    ],
  });
  expect((await read("/policies/kayaks?environment=production")).body.code).toBe("CGP_UNIT_NOT_FOUND");
  expect((await read("/approvals/kayaks")).body).toEqual({ approvals: [] });
});
