/** Commands that list, compare, watch and check: run against a whole server with its workers, PostgreSQL and the mock adapter. */
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "../platform/db/sql.ts";
import { eventually } from "../../test/support/eventually.ts";
import { mockAdapterId, startWholeServer, type WholeServer } from "../../test/support/server.ts";
import { run, type Ran } from "./testdata.ts";

const unit = "urn:dmb:dp:sea:ships:0";
const component = (name: string, dependsOn: string[], mock: object = {}) => ({
  id: `urn:dmb:cmp:sea:ships:0:${name}`,
  name,
  kind: "storage",
  version: "0.1.0",
  infrastructureTemplateId: mockAdapterId,
  dependsOn: dependsOn.map((each) => `urn:dmb:cmp:sea:ships:0:${each}`),
  specific: { mock },
});
const descriptor = (more: object = {}, mock: object = {}): string =>
  JSON.stringify({
    id: unit,
    name: "ships",
    version: "0.1.0",
    environment: "development",
    components: [component("hull", [], mock), component("mast", ["hull"])],
    ...more,
  });

let server: WholeServer;
beforeAll(async () => {
  server = await startWholeServer({
    configure(config) {
      // Shorter than what the slow adapter of one test takes.
      config.coordinator.validation.syncTimeoutMs = 100;
    },
  });
  await server.registerMock();
  // The next pass of this rule is in an hour.
  await sql`insert into retention_state (rule, pass_ended_at) values ('validations', now())
    on conflict (rule) do update set pass_ended_at = excluded.pass_ended_at`.execute(server.db.database.db);
});
afterAll(() => server.close());

const plinth = (line: string, input = "", url = server.url): Promise<Ran> =>
  run(line.split(" "), { env: { PLINTH_URL: url, PLINTH_TOKEN: server.token("admin") }, input });

const started = async (input: string, more = ""): Promise<string> => {
  const ran = await plinth(`provision - --detach --json${more}`, input);
  expect(ran).toMatchObject({ code: 0, err: "" });
  expect(ran.out).toMatch(/^\{"token":"[^"]+"\}\n$/);
  return JSON.parse(ran.out).token;
};

test("validate asks the adapters, also one that takes longer than a call of the server may", async () => {
  const slow = descriptor({}, { operations: { validate: { delayMs: 600 } } });
  expect(await plinth("validate -", slow)).toMatchObject({ code: 0, err: "" });
  const refused = await plinth("validate -", descriptor({}, { validationErrors: ["The hull leaks."] }));
  expect([refused.code, refused.out]).toEqual([5, expect.stringContaining("The hull leaks.")]);
  const validated = server.mock.journal().filter(({ operation }) => operation === "validate");
  expect(validated.length).toBeGreaterThanOrEqual(2);
});

test("watch goes over a connection that is cut, and ends as the plan ends", async () => {
  const token = await started(descriptor({}, { mode: "async", runningMs: 3_600_000 }));
  await using proxy = await cuttingProxy(server.url);
  const watching = plinth(`watch ${token}`, "", proxy.url);
  const isAtWork = (): boolean =>
    server.mock.journal().some((call) => call.operation === "provision" && call.token !== null);
  await eventually("The cut while the first task runs", () => proxy.cuts() > 0 && isAtWork());
  server.mock.finish();
  const watched = await watching;
  expect(watched).toMatchObject({ code: 0, err: "" });
  expect(proxy.cuts()).toBe(1);
  expect(watched.out).toMatch(
    /^Plan .*\n[^]*provision +hull +RUNNING[^]*provision +hull +COMPLETED[^]*provision +mast +COMPLETED/,
  );
  expect(watched.out).toMatch(/\nCOMPLETED after \d.*\n$/);
  // Validation and provisioning end once each, although the stream was read in two parts.
  expect(watched.out.match(/hull +COMPLETED/g)).toHaveLength(2);
  const failing = await started(
    descriptor({ environment: "production" }, { outcome: "FAILED", result: "no room" }),
  );
  const failed = await plinth(`watch ${failing}`);
  expect([failed.code, failed.out]).toEqual([
    1,
    expect.stringMatching(/\nFAILED after [^]*no room[^]*plinth logs/),
  ]);
});

test("every list is read from the server", async () => {
  const units = await plinth("list units");
  expect(units).toMatchObject({ code: 0, err: "" });
  expect(units.out).toMatch(new RegExp(`^UNIT .*\\n${unit} +development +DEPLOYED +0\\.1\\.0 `));
  const operations = await plinth(`list operations --unit ${unit} --limit 1`);
  expect(operations.out.trimEnd().split("\n")).toHaveLength(2);
  expect(operations.err).toContain("more than these 1");
  const plans = JSON.parse((await plinth(`list plans ${unit} --json`)).out);
  expect(plans.data.map(({ dag }: any) => dag.status).sort()).toEqual(["COMPLETED", "FAILED"]);
  expect((await plinth(`list plans ${unit} -e development`)).out).toMatch(/COMPLETED .*completed/);
  expect((await plinth("list adapters --search mock")).out).toMatch(
    /urn:dmb:itm:mock:1 +1 +Mock +development, production\n/,
  );
  expect((await plinth("list environments")).out).toMatch(/\ndevelopment +1 +0\n/);
  for (const kind of ["approvals", "unknown-outcomes"]) {
    expect(await plinth(`list ${kind}`)).toEqual({ code: 0, out: "There are none.\n", err: "" });
  }
});

test("diff and drift", async () => {
  const diff = await plinth(`diff ${unit} -e development --with production --exit-code`);
  expect([diff.code, diff.err]).toEqual([5, ""]);
  expect(diff.out).toMatch(/hull +(?:DIFFERENT|ONLY_IN_ENVIRONMENT)/);
  const drift = await plinth(`drift ${unit} -e development --json`);
  const { result } = JSON.parse(drift.out);
  expect({ NO_DRIFT: 0, DRIFTED: 5, UNKNOWN: 1 }[result as string]).toBe(drift.code);
  expect((await plinth(`drift ${unit} -e development --last`)).out).toContain(
    `in development: ${result} (check `,
  );
});

test.each([
  [`watch ${unit}`, /looks like the id of a unit[^]*plinth list operations --unit/],
  ["logs 00000000-0000-0000-0000-000000000000", /plinth list operations/],
  ["terminate nothing-like-it", /plinth list operations/],
  ["resume nothing-like-it", /plinth list operations/],
  ["status urn:dmb:dp:sea:shps:0 -e development", new RegExp(`did you mean ${unit}\\?`)],
  ["drift urn:dmb:dp:sea:shps:0 -e development", new RegExp(`did you mean ${unit}\\?`)],
  ["diff urn:dmb:dp:sea:shps:0 -e development --with production", new RegExp(`did you mean ${unit}\\?`)],
  ["terminate --unit urn:dmb:dp:sea:shps:0 -e development", new RegExp(`did you mean ${unit}\\?`)],
  [
    `rollback urn:dmb:dp:sea:shps:0 -e development --to x`,
    /did you mean|no provisioning operation|There is no/,
  ],
  [`status ${unit} -e devlopment`, /devlopment[^]*plinth list environments/],
  ["access show nothing", /plinth access list/],
  ["hooks answer nothing --ok", /plinth hooks list/],
  ["instantiate nothing", /no template nothing[^]*plinth template list/],
  ["template run nothing --dry-run", /no template nothing[^]*plinth template list/],
  ["catalog entities get system:default/nothing", /plinth catalog entities list/],
])("`plinth %s` ends with 4 and explains", async (line, expected) => {
  const ran = await plinth(line);
  expect([ran.code, ran.err]).toEqual([4, expect.stringMatching(expected)]);
  expect(ran.err).not.toMatch(/\.ts:\d/);
});

/** Leads to the server, and cuts the first connection over which an event of a task came. */
async function cuttingProxy(target: string) {
  const sockets = new Set<Socket>();
  let cuts = 0;
  const proxy = createServer((client) => {
    const upstream = connect(Number(new URL(target).port), "127.0.0.1");
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket
        .on("error", () => undefined)
        .on("close", () => {
          sockets.delete(socket);
          client.destroy();
          upstream.destroy();
        });
    }
    client.pipe(upstream);
    upstream.on("data", (bytes: Buffer) => {
      client.write(bytes);
      if (cuts > 0 || !bytes.includes("event: task")) return;
      cuts += 1;
      client.resetAndDestroy();
    });
  });
  await new Promise<void>((up) => proxy.listen(0, "127.0.0.1", up));
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    await new Promise((gone) => proxy.close(gone));
  };
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    cuts: () => cuts,
    [Symbol.asyncDispose]: close,
  };
}

test("admin retention says what is deleted when, and counts what would go", async () => {
  const { rows } = await sql<{
    id: string;
  }>`insert into execution_plans (id, kind, environment, action, status,
      originator, request, traceparent, deadline_at, stopped_at)
    select 'old-' || n, 'VALIDATION', 'development', 'PROVISION', 'COMPLETED', '', '{}', '', now(),
      now() - interval '31 days' from generate_series(1, 3) n returning id`.execute(server.db.database.db);
  const { rows: passes } = await sql<{
    endedAt: Date;
  }>`select pass_ended_at as "endedAt" from retention_state where rule = 'validations'`.execute(
    server.db.database.db,
  );
  const without = await plinth("admin retention");
  expect(without).toMatchObject({ code: 0, err: "" });
  expect(without.out).toMatch(/^RULE +KEEPS +DELETED +LAST PASS +SETTING$/m);
  const counted = await plinth("admin retention --dry-run --json");
  expect(JSON.parse(counted.out).data).toContainEqual({
    rule: "validations",
    setting: "retention.validationsDays",
    keepDays: 30,
    before: expect.stringMatching(/^20\d\d-/),
    wouldDelete: rows.length,
    isMore: false,
    deleted: 0,
    lastPassAt: passes[0]?.endedAt.toISOString(),
    failure: null,
  });
  const rules = JSON.parse(counted.out).data.map(({ rule }: { rule: string }) => rule);
  expect(rules.toSorted()).toEqual(
    [
      "access-requests audit-governance audit-platform browser-sessions deliveries evaluation-reports evaluation-results hooks instantiations logs notices plans",
      "reconciles run-logs sessions tokens usage validations",
    ]
      .join(" ")
      .split(" "),
  );
  await sql`delete from execution_plans where id like 'old-%'`.execute(server.db.database.db);
});
