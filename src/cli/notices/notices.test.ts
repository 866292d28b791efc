/** `notices` against a server that plays its answers. */
import { expect, test } from "vitest";
import { playServer, run } from "../testdata.ts";

const path = "/api/coordinator/v1/notices";
const notice = {
  id: "n1",
  channel: "mail",
  recipient: "user:default/ada",
  status: "DEAD",
  attempts: 1,
  createdAt: "2026-11-23T10:00:00.000Z",
  lastError: "localhost answered 550 No such user",
  waiting: null,
  notices: [
    { kind: "ACCESS_REQUEST", id: "h1" },
    { kind: "ACCESS_REQUEST", id: "h2" },
  ],
};

test("list prints what became of each, and sends the filters", async () => {
  const meta = { pagination: { limit: 20, next: null } };
  await using server = await playServer({ [`GET ${path}`]: { body: { data: [notice], meta } } });
  const ran = await run(["notices", "list", "--status", "DEAD", "--channel", "mail", "--url", server.url]);
  expect(ran.out).toBe(
    [
      "ID  CHANNEL  TO                ABOUT           STATUS  SINCE                 WHY",
      "n1  mail     user:default/ada  ACCESS_REQUEST  DEAD    2026-11-23T10:00:00Z  localhost answered 550 No such user",
      "",
    ].join("\n"),
  );
  expect(server.received[0]?.path).toContain("status=DEAD");
  expect(server.received[0]?.path).toContain("channel=mail");
});

test("list goes on to the limit, and says when there are more", async () => {
  const page = (next: string | null, data = [notice, notice]) => ({
    body: { data, meta: { pagination: { limit: 100, next } } },
  });
  await using server = await playServer({
    [`GET ${path}`]: [page("c1"), page("c2"), page("c1"), page(null)],
  });
  const cut = await run(["notices", "list", "--limit", "3", "--url", server.url]);
  expect(cut.out.trimEnd().split("\n")).toHaveLength(4);
  expect(cut.err).toContain("There are more than these 3");
  const whole = await run(["notices", "list", "--limit", "4", "--json", "--url", server.url]);
  expect(JSON.parse(whole.out)).toEqual({ data: [notice, notice, notice, notice], more: false });
  expect(server.received[1]?.path).toContain("after=c1");
});

test.each([
  ["SENT", null, 0, "The sample was sent to user:default/ada.\n"],
  ["DEAD", "No address.", 1, "The sample was not sent to user:default/ada: No address.\n"],
  ["PENDING", "No connection.", 1, "The sample was not sent to user:default/ada: No connection.\n"],
])("test waits for the end: %s", async (status, lastError, code, out) => {
  const pending = { ...notice, status: "PENDING", lastError: null, notices: [] };
  await using server = await playServer({
    [`POST ${path}/test`]: { status: 202, body: pending },
    [`GET ${path}/n1`]: { body: { ...pending, status, lastError } },
  });
  const ran = await run(["notices", "test", "--to", "user:default/ada", "--url", server.url]);
  expect([ran.code, ran.out]).toEqual([code, out]);
});

test("send-again names it", async () => {
  await using server = await playServer({
    [`POST ${path}/n1/send-again`]: { status: 202, body: { ...notice, status: "PENDING" } },
  });
  expect((await run(["notices", "send-again", "n1", "--url", server.url])).out).toBe("n1 is sent again.\n");
});

test("choose shows what there is, or changes it", async () => {
  const body = {
    ref: "user:default/ada",
    email: null,
    choices: [
      { kind: "RECONCILE", wanted: false, sent: true },
      { kind: "PLAN_FAILED", wanted: true, sent: false },
    ],
  };
  const choices = "/api/coordinator/v1/notice-choices";
  await using server = await playServer({ [`GET ${choices}`]: { body }, [`PUT ${choices}`]: { body } });
  const shown = await run(["notices", "choose", "--url", server.url]);
  expect(shown.out).toContain("user:default/ada: The catalogue has no address of yours.\n");
  expect(shown.out).toMatch(/RECONCILE +off/);
  expect(shown.out).toMatch(/PLAN_FAILED +on +this server sends none/);
  await run(["notices", "choose", "--on", "PLAN_FAILED", "--off", "RECONCILE", "--url", server.url]);
  expect(JSON.parse(server.received[1]?.body ?? "")).toEqual({
    choices: [
      { kind: "PLAN_FAILED", wanted: true },
      { kind: "RECONCILE", wanted: false },
    ],
  });
  const both = await run(["notices", "choose", "--on", "HOOK", "--off", "HOOK", "--url", server.url]);
  expect(both.code).not.toBe(0);
});
