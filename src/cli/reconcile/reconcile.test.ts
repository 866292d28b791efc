/** `reconcile` against a server that plays its answers. */
import { expect, test } from "vitest";
import { playServer, run } from "../testdata.ts";

const path = "/api/coordinator/v1/reconciles";
const asked = {
  id: "r1",
  deploymentUnitId: "sea:ships:0",
  environment: "production",
  status: "ASKED",
  automatic: false,
  planId: null,
  reason: "The plan would change more than what has drifted.",
  createdAt: "2026-11-23T10:00:00.000Z",
  expiresAt: "2026-11-26T10:00:00.000Z",
};
const changes = [{ componentId: "sea:ships:0:hull", action: "REDEPLOY", reason: "REQUESTED" }];

test("list prints what waits and why, and sends the filters", async () => {
  const meta = { pagination: { limit: 20, next: null } };
  await using server = await playServer({ [`GET ${path}`]: { body: { data: [asked], meta } } });
  const ran = await run(["reconcile", "list", "-e", "production", "--status", "ASKED", "--url", server.url]);
  expect(ran.out).toBe(
    [
      "ID  UNIT         ENVIRONMENT  STATUS  SINCE                 WHY",
      "r1  sea:ships:0  production   ASKED   2026-11-23T10:00:00Z  The plan would change more than what has drifted.",
      "",
    ].join("\n"),
  );
  expect(server.received[0]?.path).toContain("environment=production");
  expect(server.received[0]?.path).toContain("status=ASKED");
});

test("list goes on to the limit, and says when there are more", async () => {
  const page = (next: string | null, data = [asked, asked]) => ({
    body: { data, meta: { pagination: { limit: 100, next } } },
  });
  await using server = await playServer({
    [`GET ${path}`]: [page("c1"), page("c2"), page("c1"), page(null)],
  });
  const cut = await run(["reconcile", "list", "--limit", "3", "--url", server.url]);
  expect(cut.out.trimEnd().split("\n")).toHaveLength(4);
  expect(cut.err).toContain("There are more than these 3");
  const whole = await run(["reconcile", "list", "--limit", "4", "--json", "--url", server.url]);
  expect(JSON.parse(whole.out)).toEqual({ data: [asked, asked, asked, asked], more: false });
  expect(server.received[1]?.path).toContain("after=c1");
});

test("show prints what the plan would do", async () => {
  await using server = await playServer({
    [`GET ${path}/r1`]: { body: { ...asked, changes, changeCount: 3 } },
  });
  expect((await run(["reconcile", "show", "r1", "--url", server.url])).out).toBe(
    [
      "sea:ships:0 in production: ASKED",
      "The plan would change more than what has drifted.",
      "It waits until 2026-11-26T10:00:00Z.",
      "  REDEPLOY sea:ships:0:hull (REQUESTED)",
      "  and 2 more",
      "",
    ].join("\n"),
  );
});

test("approve and refuse send the decision", async () => {
  const started = { ...asked, status: "STARTED", planId: "p1", reason: null };
  const refused = { ...asked, status: "REFUSED", reason: "On purpose." };
  await using server = await playServer({
    [`POST ${path}/r1/approve`]: { body: started },
    [`POST ${path}/r1/refuse`]: { body: refused },
  });
  const approved = await run(["reconcile", "approve", "r1", "--wait-for-window", "--url", server.url]);
  expect(approved.out).toBe("sea:ships:0 in production: STARTED\nPlan p1\n");
  expect(server.received[0]?.path).toContain("when-closed=wait");
  const ran = await run([
    "reconcile",
    "refuse",
    "r1",
    "--reason",
    "On purpose.",
    "--json",
    "--url",
    server.url,
  ]);
  expect(JSON.parse(ran.out)).toEqual(refused);
  expect(JSON.parse(server.received[1]?.body ?? "")).toEqual({ reason: "On purpose." });
});
