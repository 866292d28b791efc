import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startWholeServer, type Call, type WholeServer } from "../support/server.ts";
import { input, refusal, testRefusals, type Refusal } from "./refusals.ts";
import { ended, hullId, mastId, sailId, ships, start, unitId, whileAdapterIsHeld } from "./ships.ts";

let server: WholeServer;

beforeAll(async () => {
  server = await startWholeServer();
  await server.registerMock();
  const unit = ships();
  Object.assign(unit.components[0]!, { consumable: true });
  expect(await ended(server, await start(server, unit))).toBe("COMPLETED");
  const path = `/v2/deployment-units/${unitId}/provisioning?environment=development`;
  const targets = [hullId, mastId, sailId].map((componentId) => ({
    componentId,
    targetStatus: componentId === sailId ? "NOT_DEPLOYED" : "DEPLOYED",
  }));
  const body = { descriptor: unit, targetStatus: targets, preventRedeploy: true };
  const { body: token } = await server.coordinator({ method: "POST", path, body });
  expect(await ended(server, token)).toBe("COMPLETED");
});
afterAll(() => server.close());

const fine = {
  dataProductUrn: unitId,
  outputPortId: 1,
  outputPortUrn: hullId,
  requestId: "request-1",
  identities: ["user:ada", "group:ops"],
  environment: "development",
};
const post = (more: object): Call => ({ method: "POST", path: "/v1/updateacl", body: { ...fine, ...more } });

describe("sendAccessRequest refuses", () => {
  const invalidBody = (what: string, more: object, field: string): Refusal =>
    refusal(400, "COORD_INVALID_ACCESS_REQUEST")(what, post(more), field);
  testRefusals(
    () => server,
    [
      input("no body", { method: "POST", path: "/v1/updateacl" }, ""),
      input("an empty object", { method: "POST", path: "/v1/updateacl", body: {} }, "/dataProductUrn"),
      input("a port number as text", post({ outputPortId: "1" }), "/outputPortId"),
      input("identities as text", post({ identities: "user:ada" }), "/identities"),
      input("an empty identity", post({ identities: [""] }), "/identities/0"),
      input("10,001 identities", post({ identities: Array(10_001).fill("user:a") }), "/identities"),
      input("an empty requestId", post({ requestId: "" }), "/requestId"),
      input("fields as a list", post({ accessControlFields: [] }), "/accessControlFields"),
      input("NUL in an identity", post({ identities: ["user:\0"] }), "/identities/0"),
      invalidBody("an environment that is none", { environment: "moon" }, "/environment"),
      invalidBody("an identity of no kind", { identities: ["user:a", "ada"] }, "/identities/1"),
      invalidBody(
        "an identity of too many bytes",
        { identities: [`user:${"船".repeat(200)}`] },
        "/identities/0",
      ),
      invalidBody("a unit never seen", { dataProductUrn: "urn:dmb:dp:sea:never:0" }, "/dataProductUrn"),
      invalidBody("a unit of another environment", { environment: "production" }, "/dataProductUrn"),
      invalidBody("a component that is none", { outputPortUrn: "nobody" }, "/outputPortUrn"),
      invalidBody("a component that is not consumable", { outputPortUrn: mastId }, "/outputPortUrn"),
      invalidBody("a component that is not deployed", { outputPortUrn: sailId }, "/outputPortUrn"),
    ],
  );

  it("with every problem at once", async () => {
    const more = { environment: "moon", identities: ["ada", "user:b", "c"], outputPortUrn: "nobody" };
    const { body } = await server.coordinator(post(more));
    expect(body.errors).toEqual([
      "/environment: The environment moon is not configured.",
      "/identities/0: The identity is neither a user nor a group.",
      "/identities/2: The identity is neither a user nor a group.",
      `/dataProductUrn: Nothing is known of ${unitId} in moon.`,
    ]);
  });

  it("while an operation is active on the unit, and a requestId of another content", async () => {
    const accepted = await server.coordinator(post({}));
    expect(accepted.status).toBe(202);
    expect(await ended(server, accepted.body)).toBe("COMPLETED");
    const again = await server.coordinator(post({}));
    expect([again.status, again.body]).toEqual([202, accepted.body]);
    const other = await server.coordinator(post({ identities: [] }));
    expect([other.status, other.body.code, other.body.inputErrorField]).toEqual([
      409,
      "COORD_REQUEST_ID_USED",
      "/requestId",
    ]);
    const token = await whileAdapterIsHeld(server, async () => {
      const started = await start(server);
      const busy = await server.coordinator(post({ requestId: "request-2" }));
      expect([busy.status, busy.body.code]).toEqual([409, "COORD_OPERATION_ACTIVE"]);
      // What was accepted before is still told, whatever goes on.
      expect((await server.coordinator(post({}))).body).toBe(accepted.body);
      return started;
    });
    await ended(server, token);
  });
});
