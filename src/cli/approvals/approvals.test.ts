/** `plinth approvals` against a server that plays its answers. */
import { describe, expect, test } from "vitest";
import { playServer, run, type Played } from "../testdata.ts";

const hook = {
  hookId: "h1",
  hookName: "owner",
  actionName: "deployment",
  kind: "notification",
  status: "pending",
  requester: "user:default/ada",
  reason: null,
  waiting: "Waits for the owner of the resource or an operator, until 2027-01-01T00:00:00.000Z.",
};
const deployment = {
  deploymentUnitId: "u:1",
  environment: "production",
  planId: "p1",
  planHash: "abc",
  removeData: true,
  rule: "removal of data",
  changes: [{ componentId: "u:1:table", action: "UNDEPLOY", reason: "REQUESTED" }],
  changeCount: 3,
  policyResults: [
    { componentId: "u:1", status: "COMPLETED", problems: [] },
    { componentId: "u:1:table", status: "FAILED", problems: ["It has\u001B[31m no name."] },
  ],
};

const approvals = async (line: string[], answers: Record<string, Played>) => {
  await using server = await playServer(answers);
  const ran = await run(["approvals", ...line, "--url", server.url]);
  return { ...ran, bodies: server.received.map(({ body }) => (body === "" ? null : JSON.parse(body))) };
};
const shown = (body: object) => approvals(["show", "h1"], { "GET /api/builder/hooks/h1": { body } });

describe("show", () => {
  test("says who asks for what, what changes and what the policies say", async () => {
    const { code, out } = await shown({ ...hook, deployment });
    expect(code).toBe(0);
    expect(out.trimEnd().split("\n")).toEqual([
      "user:default/ada asks for a change of u:1 in production.",
      hook.waiting,
      "Rule: removal of data. Plan p1, hash abc.",
      "Data is removed with what is undeployed.",
      expect.stringMatching(/^COMPONENT +ACTION +REASON$/),
      expect.stringMatching(/table +UNDEPLOY +REQUESTED$/),
      "and 2 more changes",
      "Policies would stop it because of u:1:table:",
      "  It has [31m no name.",
      expect.stringContaining("plinth approvals decide h1 --approve"),
    ]);
  });

  test("says when the policies could not be asked, and when they find nothing", async () => {
    const { policyResults: _results, ...unasked } = deployment;
    expect((await shown({ ...hook, deployment: unasked })).out).toContain("could not be asked");
    const { out } = await shown({ ...hook, deployment: { ...deployment, policyResults: [] } });
    expect(out).toContain("The policies find nothing wrong.");
  });

  test("a hook of another action, and one that has ended", async () => {
    const { out } = await shown({ ...hook, actionName: "accessRequest" });
    expect(out).toContain("user:default/ada asks for accessRequest (owner).");
    expect(out).not.toContain("the requester never decides");
    const ended = await shown({ ...hook, status: "KO", waiting: null, reason: "Not before the audit." });
    expect(ended.out).toContain("KO Not before the audit.");
    expect(ended.out).not.toContain("plinth approvals decide");
  });

  test("an unknown one ends with 4", async () => {
    const body = { error: { code: "BUILDER_HOOK_NOT_FOUND", message: "There is no hook with that id." } };
    const { code, err } = await approvals(["show", "h2"], {
      "GET /api/builder/hooks/h2": { status: 404, body },
    });
    expect([code, err]).toEqual([4, expect.stringContaining("plinth hooks list")]);
  });
});

describe("decide", () => {
  const path = "POST /api/builder/hooks/h1/answer";

  test.each([
    [["--approve"], { status: "OK" }, /^Approved: the plan p1 begins/],
    [["--reject", "--reason", "no"], { status: "KO", reason: "no" }, /^Rejected: the plan p1 ends/],
  ])("%j", async (options, body, expected) => {
    const { code, out, bodies } = await approvals(["decide", "h1", ...options], {
      [path]: { body: { ...hook, deployment } },
    });
    expect([code, out, bodies]).toEqual([0, expect.stringMatching(expected), [body]]);
  });

  test.each([[[]], [["--approve", "--reject"]], [["--reject"]]])("%j is wrong usage", async (options) => {
    const { code, bodies } = await approvals(["decide", "h1", ...options], {});
    expect([code, bodies]).toEqual([2, []]);
  });
});
