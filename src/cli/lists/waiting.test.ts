/** `plinth list waiting` and `plinth list approvals` against a server that plays its answers. */
import { expect, test } from "vitest";
import { playServer, run, type Played } from "../testdata.ts";

const waitingPath = "/api/coordinator/v1/waiting";
const hooksPath = "/api/builder/hooks";
const requestsPath = "/api/builder/access-requests";

const list = async (args: string[], answers: Record<string, Played | Played[]>) => {
  await using server = await playServer(answers);
  const ran = await run(["list", ...args, "--url", server.url]);
  const asked = server.received.map(({ path }) => {
    const { pathname, searchParams } = new URL(path, "http://x");
    return { path: pathname, ...Object.fromEntries(searchParams) };
  });
  return { ...ran, lines: ran.out.trimEnd().split("\n"), asked };
};

const timeOf = (second: number): string => `2026-01-01T00:00:${String(second).padStart(2, "0")}.000Z`;
const item = (kind: string, id: string, second: number) => ({
  kind,
  id,
  title: `About ${id}.`,
  since: timeOf(second),
  expiresAt: null,
  path: "/x",
});
const hook = (hookId: string, second: number) => ({
  hookId,
  hookName: "owner",
  actionName: "access",
  requester: "user:bob",
  creationAt: timeOf(second),
  expiresAt: null,
});
const page = (data: unknown[], next: string | null = null, meta: object = {}): Played => ({
  body: { data, meta: { pagination: { limit: 100, next }, ...meta } },
});

test("waiting, page after page, up to the limit", async () => {
  const items = Array.from({ length: 130 }, (_, at) => item("HOOK", `h${at}`, 1));
  const answers = {
    [`GET ${waitingPath}`]: [page(items.slice(0, 100), "c1"), page(items.slice(100, 121), "c2")],
  };
  const { code, lines, err, asked } = await list(["waiting", "--limit", "120"], answers);
  expect([code, lines.length]).toEqual([0, 121]);
  expect(err).toContain("There are more than these 120");
  expect(asked).toEqual([
    { path: waitingPath, limit: "100" },
    { path: waitingPath, limit: "21", cursor: "c1" },
  ]);
});

test("waiting names the kinds that could not be listed", async () => {
  const unavailable = [{ kind: "EXCEPTION", reason: "Governance does not answer." }];
  const answers = { [`GET ${waitingPath}`]: page([], null, { unavailable }) };
  const { out, err } = await list(["waiting"], answers);
  expect([out, err]).toEqual([
    "There are none.\n",
    "EXCEPTION could not be listed: Governance does not answer.\n",
  ]);
  const { out: json } = await list(["waiting", "--json"], answers);
  expect(JSON.parse(json)).toEqual({ data: [], more: false, unavailable });
});

test("approvals are all of those of each list, the oldest first", async () => {
  const older = Array.from({ length: 3 }, (_, at) => hook(`old${at}`, at));
  const newer = Array.from({ length: 100 }, (_, at) => hook(`new${at}`, 30));
  const answers = {
    [`GET ${waitingPath}`]: [page([item("HOOK", "old0", 0)], "w1"), page([item("EXCEPTION", "e1", 10)])],
    [`GET ${hooksPath}`]: [page(newer, "h1"), page(older.toReversed())],
    [`GET ${requestsPath}`]: page([]),
  };
  const { out, asked } = await list(["approvals", "--limit", "4", "--json"], answers);
  const { data, more } = JSON.parse(out);
  expect(data.map(({ id, isYours }: { id: string; isYours: boolean }) => [id, isYours])).toEqual([
    ["old0", true],
    ["old1", false],
    ["old2", false],
    ["e1", true],
  ]);
  expect(more).toBe(true);
  expect(asked.filter(({ path }) => path === waitingPath)).toEqual([
    { path: waitingPath, kind: "HOOK,APPROVAL,EXCEPTION,RECONCILE", limit: "100" },
    { path: waitingPath, kind: "HOOK,APPROVAL,EXCEPTION,RECONCILE", limit: "100", cursor: "w1" },
  ]);
});

test("approvals have the repairs of drift that wait for a decision, with how to decide", async () => {
  const answers = {
    [`GET ${waitingPath}`]: page([item("RECONCILE", "r1", 1)]),
    [`GET ${hooksPath}`]: page([]),
    [`GET ${requestsPath}`]: page([]),
  };
  const { lines } = await list(["approvals"], answers);
  expect(lines.slice(1)).toEqual([
    expect.stringMatching(/^repair of drift +r1 +you +2026-01-01T00:00:01Z +About r1\.$/),
    expect.stringContaining("plinth reconcile approve <id>"),
  ]);
});

test("approvals have the exceptions that others decide", async () => {
  const exception = {
    id: "e1",
    policyId: "no-secrets",
    reason: "Until the vault is there.",
    requestedBy: "user:me",
    requestedAt: timeOf(2),
    until: "2026-03-01T00:00:00.000Z",
  };
  const { lines, asked } = await list(["approvals"], {
    [`GET ${waitingPath}`]: page([item("EXCEPTION", "e2", 1)]),
    [`GET ${hooksPath}`]: page([]),
    [`GET ${requestsPath}`]: page([]),
    "GET /v1/computational-governance/exceptions": {
      body: { data: [exception, { ...exception, id: "e2" }], meta: { pagination: { total: 2 } } },
    },
  });
  expect(lines.slice(1)).toEqual([
    expect.stringMatching(/^exception +e2 +you /),
    expect.stringMatching(
      /^exception +e1 +others +2026-01-01T00:00:02Z +2026-03-01T00:00:00Z +user:me asks /,
    ),
    expect.stringContaining("plinth exception decide"),
  ]);
  expect(asked).toContainEqual({
    path: "/v1/computational-governance/exceptions",
    status: "pending",
    limit: "100",
  });
});

test("approvals of all areas, the oldest first, with who decides and how", async () => {
  const waiting = [
    {
      kind: "HOOK",
      id: "h1",
      title: "user:bob asks for access (owner).",
      since: "2026-01-01T00:00:03.000Z",
      expiresAt: null,
      path: "/x",
    },
    {
      kind: "APPROVAL",
      id: "a1",
      title: "A run asks whether it may call x.",
      since: "2026-01-01T00:00:01.000Z",
      expiresAt: "2026-01-02T00:00:01.000Z",
      path: "/x",
    },
    {
      kind: "FAILED_OPERATION",
      id: "t1",
      title: "Deploying u failed.",
      since: "2026-01-01T00:00:00.000Z",
      expiresAt: null,
      path: "/x",
    },
  ];
  const request = {
    id: "r1",
    requester: "user:me",
    environment: "production",
    waiting: { reason: "Waits for the owner.", since: "" },
    createdAt: "2026-01-01T00:00:02.000Z",
  };
  const noNext = { pagination: { next: null } };
  const { lines, asked } = await list(["approvals"], {
    [`GET ${waitingPath}`]: {
      body: { data: waiting, meta: { pagination: { limit: 100, more: false } } },
    },
    "GET /api/builder/hooks": { body: { data: [hook("h1", 4), hook("h2", 4)], meta: noNext } },
    "GET /api/builder/access-requests": { body: { data: [request], meta: noNext } },
  });
  expect(lines.slice(1)).toEqual([
    expect.stringMatching(/^tool call +a1 +you +2026-01-01T00:00:01Z +2026-01-02T00:00:01Z +A run asks/),
    expect.stringMatching(
      /^access request +r1 +others .*asks for access in production\. Waits for the owner\.$/,
    ),
    expect.stringMatching(/^hook +h1 +you +/),
    expect.stringMatching(/^hook +h2 +others +/),
    "See and decide a hook: plinth approvals show <id>, plinth approvals decide <id> --approve --reason <text>",
    expect.stringContaining("plinth access show <id>"),
    expect.stringContaining("plinth assistant decide <id>"),
  ]);
  expect(asked).toEqual(
    expect.arrayContaining([
      { path: waitingPath, kind: "HOOK,APPROVAL,EXCEPTION,RECONCILE", limit: "100" },
      { path: hooksPath, status: "pending", limit: "100" },
      { path: requestsPath, status: "PENDING", limit: "100" },
    ]),
  );
});
