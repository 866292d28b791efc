/** External services that are called at the end of a plan, blocking and not. */
import { load } from "js-yaml";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { startRecorder, type Recorder } from "../support/recorder.ts";
import { startWholeServer, type WholeServer } from "../support/server.ts";
import { ended, hullId, provisioning, provisioningPath, ships, start, unitId, wanted } from "./ships.ts";

let server: WholeServer;
let recorder: Recorder;

beforeAll(async () => {
  recorder = await startRecorder();
  const service = (id: string, more: object) => ({
    id,
    name: `The ${id}`,
    "base-url": `${recorder.url}/${id}/`,
    "is-enabled": true,
    "is-blocking": false,
    ...more,
  });
  server = await startWholeServer({
    configure(config) {
      config["marketplace-compliant-services"] = {
        services: [
          service("market", { "is-blocking": true, secret: "s3cret-s3cret-s3cret-s3cret" }),
          service("news", {}),
          service("off", { "is-enabled": false }),
        ],
      };
    },
  });
  await server.registerMock();
});
afterAll(async () => {
  await server.close();
  await recorder.close();
});
beforeEach(() => {
  recorder.calls.length = 0;
  recorder.answers.clear();
});

const unitStatus = async (): Promise<string> => {
  const path = `/v1/deployment-units/${unitId}/provisioning-status?environment=development`;
  return (await server.coordinator({ path })).body.status;
};

const tasksOf = async (token: string): Promise<Map<string, any>> => {
  const { body } = await server.coordinator({ path: `/v1/execution-plans/${token}` });
  const found = new Map<string, any>();
  const visit = (node: any): void => {
    found.set(node.id, node);
    node.dependsOnTasks.forEach(visit);
  };
  visit(body.dag);
  return found;
};

it("each enabled one gets what is deployed, as a task at the end of the graph", async () => {
  const token = await start(server);
  expect(await ended(server, token)).toBe("COMPLETED");
  const paths = recorder.calls.map(({ method, path }) => `${method} ${path}`);
  expect(paths.sort()).toEqual(["POST /market/v1/publish", "POST /news/v1/publish"]);
  const call = recorder.calls.find(({ path }) => path.startsWith("/market"))!;
  const { descriptor, latestEnrichedDescriptor, ...head } = call.body;
  expect(head).toEqual({
    operation: "PUBLISH",
    executionPlanId: token,
    environment: "development",
    deploymentUnitId: unitId,
  });
  expect(load(descriptor)).toEqual(ships());
  expect((load(latestEnrichedDescriptor) as any).components[0]).toMatchObject({
    id: hullId,
    info: {
      publicInfo: { mock: { type: "string", label: "Mock", value: hullId } },
      latestProvisioningOperation: { operation: "Deploy", status: "Successful" },
    },
  });
  expect(call.headers).toMatchObject({
    "content-type": "application/json",
    "idempotency-key": `${token}:publish:market`,
    traceparent: expect.stringMatching(/^00-/),
    authorization: expect.stringMatching(/^Bearer ey/),
  });
  expect(recorder.calls.find(({ path }) => path.startsWith("/news"))?.headers).not.toHaveProperty(
    "authorization",
  );
  const tasks = await tasksOf(token);
  expect(tasks.get(token).dependsOnTasks.map(({ id }: any) => id)).toEqual([
    "publish:market",
    "publish:news",
  ]);
  const {
    startTime: _,
    stopTime: __,
    dependsOnTasks: [gate],
    ...task
  } = tasks.get("publish:market");
  expect(task).toEqual({
    id: "publish:market",
    name: "publish:market",
    displayName: "Publish at The market",
    status: "COMPLETED",
    componentName: "The market",
    descriptor: "",
    version: "1.2.0",
    action: "PUBLISH",
    result: "",
    subPlanId: "",
  });
  expect(gate).toMatchObject({ id: `${token}:stage-1`, displayName: "All components are done" });
});

it("one that does not block only leaves a warning", async () => {
  recorder.answers.set("/news/v1/publish", { status: 400, body: { errors: ["unknown unit"] } });
  const token = await start(server);
  expect(await ended(server, token)).toBe("COMPLETED");
  expect(await unitStatus()).toBe("DEPLOYED");
  const tasks = await tasksOf(token);
  expect([tasks.get("publish:news").status, tasks.get("publish:market").status]).toEqual([
    "FAILED",
    "COMPLETED",
  ]);
  const { body } = await server.coordinator({ path: `/v1/logs/${token}?level=WARNING` });
  expect(body).toEqual([
    {
      timestamp: expect.any(String),
      severity: "WARNING",
      task: "publish:news",
      phase: "PUBLICATION",
      message:
        "Publication at The news failed, which does not stop the plan: POST /news/v1/publish: the service refused with 400: unknown unit",
    },
  ]);
});

it("one that blocks fails the plan and makes the unit corrupt, until an operation succeeds", async () => {
  recorder.answers.set("/market/v1/publish", { status: 500, body: { error: "out of order" } });
  const token = await start(server);
  expect(await ended(server, token)).toBe("FAILED");
  expect(await unitStatus()).toBe("CORRUPT");
  const { body } = await server.coordinator({ path: `/v1/execution-plans/${token}/status` });
  expect(body.dag.result).toEqual({ message: "Failed: The market." });
  // Every attempt is the same call; the components themselves are as they should be.
  const calls = recorder.calls.filter(({ path }) => path.startsWith("/market"));
  expect(calls).toHaveLength(2);
  expect(
    new Set(calls.map((call) => JSON.stringify([call.headers["idempotency-key"], call.body]))).size,
  ).toBe(1);
  const path = `/v1/deployment-units/${unitId}/provisioning-status?environment=development`;
  const { componentsStatus } = (await server.coordinator({ path })).body.provisioningDetails;
  expect(new Set(componentsStatus.map(({ status }: any) => status))).toEqual(new Set(["DEPLOYED"]));
  recorder.answers.clear();
  const body2 = provisioning(ships(), { preventRedeploy: true });
  const again = await server.coordinator({ method: "POST", path: provisioningPath(), body: body2 });
  expect(await ended(server, again.body)).toBe("COMPLETED");
  expect(await unitStatus()).toBe("DEPLOYED");
});

it("none is called when a component fails", async () => {
  server.mock.setBehaviours({
    components: { [hullId]: { operations: { provision: { outcome: "FAILED" } } } },
  });
  const token = await start(server);
  expect(await ended(server, token)).toBe("FAILED");
  server.mock.setBehaviours({});
  expect(recorder.calls).toEqual([]);
  const tasks = await tasksOf(token);
  expect([tasks.get("publish:market").status, tasks.get("publish:news").status]).toEqual([
    "SKIPPED",
    "SKIPPED",
  ]);
});

it("while something is left the unit is published anew; when nothing is, it is withdrawn", async () => {
  expect(await ended(server, await start(server))).toBe("COMPLETED");
  const undeploy = async (count: number): Promise<string[]> => {
    recorder.calls.length = 0;
    const targetStatus = wanted(ships()).map((target, index) =>
      index >= ships().components.length - count ? { ...target, targetStatus: "NOT_DEPLOYED" } : target,
    );
    const body = { descriptor: ships(), targetStatus, preventRedeploy: true };
    const answer = await server.coordinator({ method: "POST", path: provisioningPath(), body });
    expect(await ended(server, answer.body)).toBe("COMPLETED");
    return recorder.calls.map(({ path, body: payload }) => `${path} ${payload.operation}`).sort();
  };
  expect(await undeploy(1)).toEqual(["/market/v1/publish PUBLISH", "/news/v1/publish PUBLISH"]);
  expect(await undeploy(3)).toEqual(["/market/v1/unpublish UNPUBLISH", "/news/v1/unpublish UNPUBLISH"]);
  expect(await unitStatus()).toBe("NOT_DEPLOYED");
});
