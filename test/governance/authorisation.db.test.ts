/** Every operation on units x role x (owner, not owner) x environment, over HTTP. */
import { dump } from "js-yaml";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { ended, provisioning, provisioningPath, ships } from "../coordinator/ships.ts";
import {
  startWholeServer,
  tokenOf,
  type Answer,
  type TestRole,
  type WholeServer,
} from "../support/server.ts";

let server: WholeServer;
let count = 0;

const callers = ["viewer", "owner", "other", "operator", "service", "admin"] as const;
type Caller = (typeof callers)[number];
const operations = [
  "start",
  "undeploy",
  "removeData",
  "rollBack",
  "resume",
  "terminate",
  "provisionDescriptor",
  "unprovisionDescriptor",
] as const;
type Operation = (typeof operations)[number];
const environments = ["development", "production"] as const;

/** Refused for the role, refused for the owner, accepted and waiting for an approval, or begun. */
type Verdict = "role" | "owner" | "waits" | "begins";

function expected(operation: Operation, caller: Caller, environment: string): Verdict {
  if (caller === "viewer") return "role";
  if (operation === "terminate") return caller === "owner" || caller === "other" ? "role" : "begins";
  if (caller === "other") return "owner";
  if (caller !== "owner") return "begins";
  if (operation === "removeData") return "waits";
  const undeploys = operation === "undeploy" || operation === "unprovisionDescriptor";
  return environment === "production" && !undeploys ? "waits" : "begins";
}

const table = operations.flatMap((operation) =>
  callers.flatMap((caller) =>
    environments.map((environment): [Operation, Caller, string, Verdict] => [
      operation,
      caller,
      environment,
      expected(operation, caller, environment),
    ]),
  ),
);

beforeAll(async () => {
  server = await startWholeServer({
    configure(config) {
      const { tokens } = config.auth.providers.service!["default"] as any;
      for (const name of ["owner", "other"])
        tokens.push({ name, secret: tokenOf(name as TestRole), roles: ["developer"] });
    },
  });
  await server.registerMock();
});
afterEach(() => server.mock.setBehaviours({}));
afterAll(() => server.close());

const freshUnit = (environment: string): any => ({
  ...ships(`urn:dmb:dp:sea:table${++count}:0`),
  environment,
  ownerGroup: "service:default/owner",
});
const start = (unit: any, as: string, body: object = {}): Promise<Answer> =>
  server.coordinator({
    method: "POST",
    path: provisioningPath(unit.id, unit.environment),
    as: as as TestRole,
    body: provisioning(unit, body),
  });
const off = (unit: any) =>
  unit.components.map(({ id }: any) => ({ componentId: id, targetStatus: "NOT_DEPLOYED" }));

/** The token of an ended plan of an operator. */
async function deployed(unit: any, end = "COMPLETED"): Promise<string> {
  const { body } = await start(unit, "operator");
  expect(await ended(server, body)).toBe(end);
  return body;
}

async function attempt(operation: Operation, caller: Caller, environment: string): Promise<Answer> {
  const unit = freshUnit(environment);
  if (operation === "start") return start(unit, caller);
  if (operation === "provisionDescriptor" || operation === "unprovisionDescriptor") {
    if (operation === "unprovisionDescriptor") await deployed(unit);
    const path = operation === "provisionDescriptor" ? "/v1/provision" : "/v1/unprovision";
    const body = { descriptor: dump(unit) };
    return server.coordinator({ method: "POST", path, as: caller as TestRole, body });
  }
  if (operation === "terminate") {
    server.mock.setBehaviours({
      default: { operations: { provision: { mode: "async", runningMs: 60_000 } } },
    });
    const { body: token } = await start(unit, "operator");
    const path = `/v1/execution-plans/${token}/terminate`;
    return server.coordinator({ method: "POST", path, as: caller as TestRole });
  }
  if (operation === "resume") {
    server.mock.setBehaviours({ default: { operations: { provision: { outcome: "FAILED" } } } });
    const token = await deployed(unit, "FAILED");
    server.mock.setBehaviours({});
    const path = `/v1/execution-plans/${token}/resume`;
    return server.coordinator({ method: "POST", path, as: caller as TestRole });
  }
  const token = await deployed(unit);
  if (operation !== "rollBack")
    return start(unit, caller, { targetStatus: off(unit), removeData: operation === "removeData" });
  return server.coordinator({
    method: "POST",
    path: `/v2/deployment-units/${unit.id}/provisioning/rollback?environment=${environment}`,
    as: caller as TestRole,
    body: { executionPlanId: token },
  });
}

async function verdictOn({ status, body, text }: Answer): Promise<Verdict> {
  if (status === 403) return body.code === "COORD_NOT_OWNER" ? "owner" : "role";
  expect(status, text).toBe(202);
  const { rows } = await server.db.database.pool.query(
    "select approval_status from execution_plans where id = $1",
    [body],
  );
  return rows[0].approval_status === "PENDING" ? "waits" : "begins";
}

it.each(table)("%s by %s in %s: %s", async (operation, caller, environment, verdict) => {
  expect(await verdictOn(await attempt(operation, caller, environment))).toBe(verdict);
});
