/** Exceptions over HTTP: requested by one, decided by another, ended by time. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ended, provisioning, provisioningPath, ships } from "../coordinator/ships.ts";
import {
  startWholeServer,
  tokenOf,
  type Answer,
  type TestRole,
  type WholeServer,
} from "../support/server.ts";

let server: WholeServer;
beforeAll(async () => {
  server = await startWholeServer({
    configure(config) {
      // What nobody is known to own is the operators'.
      config.mode = "production";
      const { tokens } = config.auth.providers.service!["default"] as any;
      tokens.push({ name: "mallory", secret: tokenOf("mallory" as TestRole), roles: ["developer"] });
    },
  });
  const body = { id: "named", name: "Named", engine: "cel", spec: { assert: "has(resource.name)" } };
  await server.governance({ method: "POST", path: "/policies", body });
});
afterAll(() => server.close());

const until = "2999-01-01T00:00:00.000Z";
const request = (body: object = {}, as: TestRole = "developer"): Promise<Answer> =>
  server.governance({
    method: "POST",
    path: "/exceptions",
    as,
    body: { policyId: "named", resourceIds: ["a"], reason: "It moves soon.", until, ...body },
  });
const decide = (id: string, as: TestRole = "operator", approve = true): Promise<Answer> =>
  server.governance({
    method: "POST",
    path: `/exceptions/${id}/decision`,
    as,
    body: { approve, reason: "Fine." },
  });
const read = async (id: string): Promise<any> => {
  const { body } = await server.governance({ path: "/exceptions?limit=1000" });
  return body.data.find((each: any) => each.id === id);
};

describe("an exception", () => {
  it("is pending until somebody else decides", async () => {
    const made = await request();
    expect(made.status, made.text).toBe(201);
    expect(made.body).toMatchObject({ status: "pending", requestedBy: "service:default/developer" });
    const decided = await decide(made.body.id);
    expect(decided.body).toMatchObject({
      status: "approved",
      decidedBy: "service:default/operator",
      decisionReason: "Fine.",
    });
    expect(await read(made.body.id)).toEqual(decided.body);
  });

  it("is not decided by its requester", async () => {
    const { body } = await request({}, "operator");
    const answer = await decide(body.id, "operator");
    expect([answer.status, answer.body.code]).toEqual([403, "CGP_OWN_EXCEPTION"]);
    expect((await decide(body.id, "admin", false)).body.status).toBe("rejected");
  });

  it("of two deciders at the same time takes one", async () => {
    const { body } = await request();
    const answers = await Promise.all([
      decide(body.id, "operator", true),
      decide(body.id, "admin", false),
      decide(body.id, "service", true),
    ]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
    const { rows } = await server.db.database.pool.query(
      "select count(*)::int as n from coordinator.audit where subject = $1 and operation = 'decideException'",
      [`exception:${body.id}`],
    );
    expect(rows).toEqual([{ n: 1 }]);
  });

  it("is revoked by its requester, and then not approved", async () => {
    const { body } = await request();
    const path = `/exceptions/${body.id}`;
    expect((await server.governance({ method: "DELETE", path, as: "developer" })).status).toBe(204);
    expect((await read(body.id)).status).toBe("revoked");
    expect((await decide(body.id)).body.code).toBe("CGP_EXCEPTION_DECIDED");
    const again = await server.governance({ method: "DELETE", path, as: "developer" });
    expect(again.status).toBe(409);
  });

  it("of somebody else is not revoked by a developer", async () => {
    const { body } = await request({}, "admin");
    const path = `/exceptions/${body.id}`;
    expect((await server.governance({ method: "DELETE", path, as: "developer" })).status).toBe(403);
  });

  it("is decided and revoked by those who own what it excuses, and by no other developer", async () => {
    await server.registerMock();
    const unit = {
      ...ships("urn:dmb:dp:sea:excused:0"),
      domain: "sea",
      devGroup: "service:default/Developer",
    };
    const started = await server.coordinator({
      method: "POST",
      path: provisioningPath(unit.id, "development"),
      body: provisioning({ ...unit, environment: "development" }),
    });
    expect(await ended(server, started.body)).toBe("COMPLETED");
    const ids = [unit.id, ...unit.components.map(({ id }: any) => id)];
    const { body } = await request({ resourceIds: ids }, "admin");
    const mallory = "mallory" as TestRole;
    const refused = await decide(body.id, mallory);
    expect([refused.status, refused.body.code]).toEqual([403, "CGP_NOT_DECIDER"]);
    expect(refused.body.moreInfo.solutions.join()).toContain("service:default/developer, operators");
    expect((await read(body.id)).status).toBe("pending");
    expect((await decide(body.id, "developer")).body.status).toBe("approved");
    const path = `/exceptions/${body.id}`;
    expect((await server.governance({ method: "DELETE", path, as: mallory })).status).toBe(403);
    expect((await server.governance({ method: "DELETE", path, as: "developer" })).status).toBe(204);
  });

  it("from its own request is not decided by an owner", async () => {
    const { body } = await request({ resourceIds: ["urn:dmb:dp:sea:excused:0"] }, "developer");
    expect((await decide(body.id, "developer")).body.code).toBe("CGP_OWN_EXCEPTION");
  });

  it("of what nobody is known to own is the operators' to decide", async () => {
    const { body } = await request({}, "admin");
    expect((await decide(body.id, "developer")).body.code).toBe("CGP_NOT_DECIDER");
  });

  it("ends with its policy, and excuses from none that takes the id", async () => {
    const body = { id: "reused", name: "Reused", engine: "cel", spec: { assert: "false" } };
    const send = (method: string, path: string, sent?: object): Promise<Answer> =>
      server.governance({ method, path, ...(sent ? { body: sent } : {}) });
    await send("POST", "/policies", body);
    const asked = { policyId: "reused", resourceIds: ["urn:reused"] };
    const { body: pending } = await request(asked);
    const { body: approved } = await request(asked);
    await decide(approved.id);
    const { body: rejected } = await request(asked);
    await decide(rejected.id, "operator", false);
    expect((await send("DELETE", "/policies/reused")).status).toBe(204);
    expect((await read(pending.id)).status).toBe("revoked");
    expect((await read(approved.id)).status).toBe("revoked");
    expect((await read(rejected.id)).status).toBe("rejected");
    const late = await decide(pending.id);
    expect([late.status, late.body.code]).toEqual([404, "CGP_POLICY_NOT_FOUND"]);
    const { rows } = await server.db.database.pool.query(
      "select subject, actor from coordinator.audit where operation = 'revokeException' and subject = any($1)",
      [[pending.id, approved.id, rejected.id].map((id) => `exception:${id}`)],
    );
    expect(rows).toEqual(
      expect.arrayContaining(
        [pending.id, approved.id].map((id) => ({
          subject: `exception:${id}`,
          actor: "service:default/admin",
        })),
      ),
    );
    expect(rows).toHaveLength(2);
    expect((await request(asked)).body.inputErrorField).toBe("/policyId");
    await send("POST", "/policies", body);
    const again = await decide(pending.id);
    expect([again.status, again.body.code]).toEqual([409, "CGP_EXCEPTION_DECIDED"]);
    const tested = await send("POST", "/policies/test", {
      policyId: "reused",
      environment: "development",
      descriptor: { id: "urn:reused", kind: "dataproduct" },
    });
    expect(tested.body.results, tested.text).toMatchObject([{ outcome: "error" }]);
    await send("DELETE", "/policies/reused");
  });

  it("that is requested while its policy is deleted is refused or revoked", async () => {
    const ids = Array.from({ length: 10 }, (_, n) => `raced-${n}`);
    const ends = await Promise.all(
      ids.map(async (id) => {
        const body = { id, name: id, engine: "cel", spec: { assert: "false" } };
        await server.governance({ method: "POST", path: "/policies", body });
        const [made, removed] = await Promise.all([
          request({ policyId: id }),
          server.governance({ method: "DELETE", path: `/policies/${id}` }),
        ]);
        expect(removed.status).toBe(204);
        return made.status === 201 ? (await read(made.body.id)).status : made.body.code;
      }),
    );
    for (const end of ends) expect(["revoked", "CGP_INVALID_EXCEPTION"]).toContain(end);
  });

  it("is found by what it excuses, in any case of letters", async () => {
    const { body } = await request({ resourceIds: ["urn:Sea:Found"] });
    for (const resource of ["urn:Sea:Found", "URN:sea:FOUND"]) {
      const listed = await server.governance({ path: `/exceptions?resource=${resource}` });
      expect(listed.body.data.map(({ id }: any) => id)).toEqual([body.id]);
    }
  });

  it("counts as expired from its end on, and can't be decided", async () => {
    const { body } = await request();
    await server.db.database.pool.query(
      "update coordinator.exceptions set until = now() - interval '1 second' where id = $1",
      [body.id],
    );
    expect((await read(body.id)).status).toBe("expired");
    const listed = await server.governance({ path: "/exceptions?status=expired" });
    expect(listed.body.data.map(({ id }: any) => id)).toContain(body.id);
    expect((await decide(body.id)).status).toBe(409);
  });
});

describe("a request is refused", () => {
  it.each([
    ["for a policy that is none", { policyId: "none" }, "/policyId"],
    ["that names nothing", { resourceIds: [] }, "/resourceIds"],
    ["that names and selects", { select: "true" }, "/resourceIds"],
    ["whose selection can't be parsed", { resourceIds: [], select: "(" }, "/select:1:2"],
    ["for an environment that is none", { environments: ["moon"] }, "/environments/0"],
    ["whose end has passed", { until: "2020-01-01T00:00:00.000Z" }, "/until"],
  ])("%s", async (_what, body, where) => {
    const answer = await request(body);
    expect([answer.status, answer.body.code]).toEqual([400, "CGP_INVALID_EXCEPTION"]);
    expect(answer.body.inputErrorField).toBe(where);
  });

  it("of a viewer", async () => expect((await request({}, "viewer")).status).toBe(403));

  it("to decide what is not there", async () => expect((await decide("none")).status).toBe(404));
});
