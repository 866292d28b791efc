/** Each command against a server that plays its answers over real HTTP: what it sends, prints and ends with. */
import { mkdtemp, mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readDirectory } from "../archive-file.ts";
import { playServer, run, type Played } from "../testdata.ts";

const coordinator = "/api/coordinator";
const descriptor = JSON.stringify({
  id: "urn:dmb:dp:d:s:0",
  environment: "development",
  components: [{ id: "urn:dmb:cmp:d:s:0:store" }, { id: "urn:dmb:cmp:d:s:0:port" }],
});
const unitPath = `${coordinator}/v2/deployment-units/urn%3Admb%3Adp%3Ad%3As%3A0/provisioning`;

const entry = (id: string, action: string) => ({
  componentId: id,
  targetStatus: "DEPLOYED",
  action,
  reason: "REQUESTED",
  additionalReasons: [],
  dependencyOf: [],
  dependantOn: [],
});
const okPlan = {
  outcome: "OK",
  operations: [entry("urn:dmb:cmp:d:s:0:store", "DEPLOY"), entry("urn:dmb:cmp:d:s:0:port", "DEPLOY")],
  conflictingOperations: [],
};
const node = (id: string, dependsOnTasks: object[], status = "WAITING"): object => ({
  id,
  displayName: id,
  status,
  startTime: null,
  stopTime: null,
  result: { message: "" },
  dependsOnTasks,
});
const planStatus = {
  environment: "development",
  originatorUri: "",
  dag: node("t1", [node("provision:urn:dmb:cmp:d:s:0:store", [])]),
};
const taskEvent = (status: string, message?: string) => ({
  type: "task",
  data: {
    id: "provision:urn:dmb:cmp:d:s:0:store",
    status,
    action: "PROVISION",
    componentId: "urn:dmb:cmp:d:s:0:store",
    message,
  },
});
const logEvent = (severity: string, message: string) => ({
  type: "log",
  data: {
    timestamp: "2026-01-01T00:00:00.000Z",
    severity,
    task: "provision:x",
    message,
    phase: "PROVISIONING",
  },
});
const planEvent = (status: string) => ({ type: "plan", data: { id: "t1", status, at: "" } });
const numbered = (...events: { type: string; data: unknown }[]) =>
  events.map((each, at) => ({ id: at + 1, ...each }));

const running = (...events: { type: string; data: unknown }[]): Record<string, Played | Played[]> => ({
  [`POST ${unitPath}/preview`]: { body: okPlan },
  [`POST ${unitPath}`]: { status: 202, body: "t1" },
  [`GET ${coordinator}/v1/execution-plans/t1/status`]: { body: planStatus },
  [`GET ${coordinator}/v1/execution-plans/t1/events`]: { events: numbered(...events) },
});

test("register makes one call for each environment, with the version from the id", async () => {
  const answer = { body: "OK", headers: { "x-plinth-reachable": "false" } };
  await using server = await playServer({ "POST /api/builder/register": answer });
  const id = "urn:dmb:itm:mock:1";
  const ran = await run([
    "register",
    id,
    "http://a",
    "-e",
    "development",
    "-e",
    "production",
    "--url",
    server.url,
  ]);
  expect(ran.out).toContain(`registered ${id} in production. Nothing answers at its address yet.`);
  expect(server.received.map(({ body }) => JSON.parse(body))).toMatchObject([
    { id, url: "http://a", version: "1", name: "mock", environment: "development", properties: {} },
    { environment: "production" },
  ]);
});

describe("build", () => {
  test("an answer without a descriptor leaves the file as it is", async () => {
    const cwd = await mkdtemp(join(tmpdir(), "plinth-build-"));
    await writeFile(join(cwd, "unit.yaml"), "id: precious\n");
    await mkdir(join(cwd, "system"));
    await writeFile(join(cwd, "system", "a.yaml"), "kind: System\n");
    await using server = await playServer({ "POST /api/builder/descriptor": { body: { status: "ok" } } });
    const args = ["build", "system", "-e", "development", "-o", "unit.yaml", "--url", server.url];
    const { code, err } = await run(args, { cwd });
    expect([code, err]).toEqual([3, expect.stringContaining("is not a Plinth server")]);
    expect(await readFile(join(cwd, "unit.yaml"), "utf8")).toBe("id: precious\n");
    expect((await readdir(cwd)).toSorted()).toEqual(["system", "unit.yaml"]);
    await rm(cwd, { recursive: true });
  });

  const built = { descriptor: { id: "urn:x", components: [{ id: "urn:x:a" }] } };

  test("a directory is packed; the descriptor comes as YAML or JSON, warnings apart", async () => {
    const directory = await mkdtemp(join(tmpdir(), "plinth-cli-"));
    try {
      await mkdir(join(directory, "entity", ".hidden"), { recursive: true });
      await writeFile(join(directory, "entity", "catalog-info.yaml"), "kind: System\n");
      const headers = { "x-plinth-warning": "one | two" };
      await using server = await playServer({ "POST /api/builder/descriptor": { body: built, headers } });
      const args = ["build", ".", "-e", "development", "--url", server.url];
      const ran = await run(args, { cwd: directory });
      expect(ran).toEqual({
        code: 0,
        out: "id: urn:x\ncomponents:\n  - id: urn:x:a\n",
        err: "warning: one\nwarning: two\n",
      });
      expect(JSON.parse((await run([...args, "--json"], { cwd: directory })).out)).toEqual(built.descriptor);
      await writeFile(join(directory, "entity", ".hidden", "secret"), "no");
      expect(Object.keys(await readDirectory(directory))).toEqual(["entity/catalog-info.yaml"]);
      expect(server.received[0]?.headers["content-type"]).toMatch(/^multipart\/form-data/);
      expect(server.received[0]?.body).toMatch(/name="environment"\r\n\r\ndevelopment/);
      expect(server.received[0]?.body).toMatch(/name="archive"; filename="plinth-cli-\w+\.tar\.gz"/);
      await symlink("/etc/hosts", join(directory, "entity", "link"));
      expect(await run(args, { cwd: directory })).toMatchObject({
        code: 2,
        err: expect.stringContaining("entity/link"),
      });
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});

describe("validate", () => {
  const result = (status: string, problems: string[]) => ({
    results: [
      {
        validationPhaseKind: "INTERNAL_VALIDATION_PHASE",
        status,
        errors: { errors: problems, code: "", userMessage: "", moreInfo: { problems, solutions: [] } },
      },
    ],
  });
  const base = `${coordinator}/v2/validate`;
  /** An adapter that takes its time: the first look finds the validation running. */
  const validating = (body: object): Record<string, Played | Played[]> => ({
    [`POST ${base}`]: { status: 202, body: "v1" },
    [`GET ${base}/v1/status`]: [
      { body: { status: "RUNNING", validationSummaryStatus: { results: [] } } },
      { status: 503, body: { detail: "Starting.", code: "X" } },
      { body: { status: "COMPLETED", validationSummaryStatus: body } },
    ],
  });
  test.each([
    ["valid", result("COMPLETED", []), 0, "COMPLETED internal validation phase: no problems\n"],
    ["not valid", result("FAILED", ["/a: x"]), 5, "FAILED internal validation phase: 1 problem\n  /a: x\n"],
  ])("%s", async (_, body, code, out) => {
    await using server = await playServer(validating(body));
    const ran = await run(["validate", "-", "--url", server.url], { input: "id: x" });
    expect(ran).toEqual({ code, out, err: "" });
    expect(JSON.parse(server.received[0]!.body)).toEqual({ descriptor: "id: x" });
  });

  test("names the component of a phase, and passes --remove-data on", async () => {
    const [phase] = result("FAILED", ["a is missing"]).results;
    const kind = {
      validationPhaseKind: "COMPONENT_VALIDATION_PHASE",
      validatedDescriptor: "id: u:s\nname: s\n",
    };
    await using server = await playServer(validating({ results: [{ ...phase, ...kind }] }));
    const ran = await run(["validate", "-", "--remove-data", "--url", server.url], { input: "id: x" });
    const out = "FAILED component validation phase of u:s: 1 problem\n  a is missing\n";
    expect(ran).toEqual({ code: 5, out, err: "" });
    expect(JSON.parse(server.received[0]!.body)).toEqual({ descriptor: "id: x", removeData: true });
  });
});

describe("plan", () => {
  const plan = async (args: string[], body: object = okPlan) => {
    await using server = await playServer({ [`POST ${unitPath}/preview`]: { body } });
    const ran = await run(["plan", "-", "--url", server.url, ...args], { input: descriptor });
    return { ...ran, path: server.received[0]?.path, body: JSON.parse(server.received[0]?.body ?? "null") };
  };

  test("everything is wanted deployed unless told otherwise", async () => {
    const { code, out, path, body } = await plan([]);
    expect([code, path]).toEqual([
      0,
      `${unitPath}/preview?environment=development&autofill-target-status=false`,
    ]);
    expect(out).toContain("2 to deploy.");
    expect(body).toMatchObject({
      targetStatus: [
        { componentId: "urn:dmb:cmp:d:s:0:store", targetStatus: "DEPLOYED" },
        { componentId: "urn:dmb:cmp:d:s:0:port", targetStatus: "DEPLOYED" },
      ],
      preventRedeploy: false,
      removeData: false,
    });
  });

  test("some components by the end of their ids, others are filled in", async () => {
    const args = [
      "-e",
      "production",
      "--component",
      "port",
      "--undeploy",
      "--prevent-redeploy",
      "--remove-data",
    ];
    const { path, body } = await plan(args);
    expect(path).toContain("environment=production&autofill-target-status=true");
    expect(body).toMatchObject({
      targetStatus: [{ componentId: "urn:dmb:cmp:d:s:0:port", targetStatus: "NOT_DEPLOYED" }],
      preventRedeploy: true,
      removeData: true,
    });
  });

  test("a contradiction ends with 5; --json prints the server's answer", async () => {
    const body = { ...okPlan, outcome: "KO", conflictingOperations: okPlan.operations };
    const { code, out } = await plan(["--json"], body);
    expect([code, JSON.parse(out)]).toEqual([5, body]);
  });
});

describe("provision", () => {
  const completed = [
    planEvent("RUNNING"),
    taskEvent("RUNNING"),
    taskEvent("COMPLETED"),
    planEvent("COMPLETED"),
  ];

  test("shows the plan, a line for each task, and the end", async () => {
    await using server = await playServer(running(...completed));
    const ran = await run(["provision", "-", "--url", server.url], { input: descriptor });
    expect(ran).toMatchObject({ code: 0, err: "" });
    expect(ran.out).toMatch(
      /2 to deploy\.\n\nPlan t1\nprovision {4}store {2}COMPLETED\nCOMPLETED after [\d.]+ s\n$/,
    );
    // Nothing was filled in, so the request is started as it was previewed.
    expect(JSON.parse(server.received[1]!.body)).toEqual(JSON.parse(server.received[0]!.body));
  });

  test("what autofill added is asked for", async () => {
    await using server = await playServer(running(...completed));
    await run(["provision", "-", "--component", "port", "--url", server.url], { input: descriptor });
    expect(JSON.parse(server.received[1]!.body).targetStatus).toEqual([
      { componentId: "urn:dmb:cmp:d:s:0:store", targetStatus: "DEPLOYED", action: "DEPLOY" },
      { componentId: "urn:dmb:cmp:d:s:0:port", targetStatus: "DEPLOYED", action: "DEPLOY" },
    ]);
  });

  test("a plan that fails ends with 1 and says why", async () => {
    const events = [taskEvent("FAILED", "Provisioning of Store failed: no room."), planEvent("FAILED")];
    await using server = await playServer(running(...events));
    const ran = await run(["provision", "-", "--url", server.url], { input: descriptor });
    expect(ran.code).toBe(1);
    expect(ran.out).toMatch(
      /FAILED after .*\n {2}Provisioning of Store failed: no room\.\n {2}→ plinth logs t1\n$/,
    );
  });

  test("all lines of an adapter's refusal are shown", async () => {
    const message = "Provisioning of Store failed: no table\n- Column a is missing\nWhat to do: Add it";
    const events = [taskEvent("FAILED", message), planEvent("FAILED")];
    await using server = await playServer(running(...events));
    const { out } = await run(["provision", "-", "--url", server.url], { input: descriptor });
    expect(out).toMatch(
      /\n {2}Provisioning of Store failed: no table\n {4}- Column a is missing\n {4}What to do: Add it\n {2}→/,
    );
  });

  test("a stream that breaks is taken up after the last event", async () => {
    const answers = running();
    const events = numbered(...completed);
    answers[`GET ${coordinator}/v1/execution-plans/t1/events`] = [
      { events: events.slice(0, 2), breaks: true },
      { status: 503, body: { detail: "Starting.", code: "X" } },
      { events: events.slice(2) },
    ];
    await using server = await playServer(answers);
    const ran = await run(["provision", "-", "--json", "--url", server.url], { input: descriptor });
    const lines = ran.out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { type: string });
    expect(ran.code).toBe(0);
    expect(lines.map(({ type }) => type)).toEqual(["started", "plan", "task", "task", "plan"]);
    expect(server.received.slice(-2).map(({ headers }) => headers["last-event-id"])).toEqual(["2", "2"]);
  });

  test("--detach prints the token", async () => {
    await using server = await playServer(running());
    const ran = await run(["provision", "-", "--detach", "--json", "--url", server.url], {
      input: descriptor,
    });
    expect([ran.code, JSON.parse(ran.out)]).toEqual([0, { token: "t1" }]);
  });

  test("interrupted, it says that the plan goes on", async () => {
    const answers = running();
    const interrupt = new AbortController();
    answers[`GET ${coordinator}/v1/execution-plans/t1/events`] = { events: numbered(planEvent("RUNNING")) };
    await using server = await playServer(answers);
    void expect
      .poll(() => server.received.some(({ path }) => path.endsWith("/t1/events")))
      .toBe(true)
      .then(() => interrupt.abort());
    const options = { input: descriptor, signal: interrupt.signal };
    const ran = await run(["provision", "-", "--url", server.url], options);
    expect(ran.code).toBe(130);
    expect(ran.err).toMatch(/^The plan t1 goes on[^]*plinth terminate t1/);
    expect(ran.err).not.toContain("error:");
  });
});

describe("status", () => {
  test("of a unit", async () => {
    const body = {
      status: "PARTIALLY_DEPLOYED",
      provisioningDetails: {
        descriptorVersion: "0.1.0",
        provisioningInfo: { "u:b": { view: "v", host: { value: "h", label: "Host", type: "string" } } },
        componentsStatus: [
          { componentId: "u:a", descriptorVersion: "", status: "NOT_DEPLOYED" },
          { componentId: "u:b", descriptorVersion: "0.1.0", status: "DEPLOYED" },
        ],
      },
    };
    await using server = await playServer({
      [`GET ${coordinator}/v1/deployment-units/u/provisioning-status`]: { body },
    });
    const ran = await run(["status", "u", "-e", "development", "--url", server.url]);
    expect(ran.out.split("\n")).toEqual([
      "u in development: PARTIALLY_DEPLOYED, version 0.1.0",
      "",
      "COMPONENT  STATUS        VERSION  PROVISIONED",
      "a          NOT_DEPLOYED",
      "b          DEPLOYED      0.1.0    view v  Host h",
      "",
    ]);
    expect(server.received[0]?.path).toMatch(/\?environment=development$/);
  });

  test("of a unit that is CORRUPT, with what made it so", async () => {
    const failure = {
      executionPlanId: "t9",
      operationId: "o9",
      provisioningAction: "DEPLOY",
      taskId: "provision:u:a",
      action: "PROVISION",
      componentId: "u:a",
      message: "The table is locked.",
      at: null,
    };
    const componentsStatus = [{ componentId: "u:a", descriptorVersion: "1", status: "CORRUPT", failure }];
    const body = {
      status: "CORRUPT",
      failure,
      provisioningDetails: { descriptorVersion: "1", provisioningInfo: {}, componentsStatus },
    };
    await using server = await playServer({
      [`GET ${coordinator}/v1/deployment-units/u/provisioning-status`]: { body },
    });
    const ran = await run(["status", "u", "-e", "development", "--url", server.url]);
    expect(ran.out.split("\n").slice(0, 3)).toEqual([
      "u in development: CORRUPT, version 1",
      "  provision:u:a of operation o9 (plan t9): The table is locked.",
      "",
    ]);
  });

  test("of a unit that was never seen ends with 4 and names the one that is probably meant", async () => {
    const body = {
      status: "NOT_DEPLOYED",
      known: false,
      provisioningDetails: { descriptorVersion: "", provisioningInfo: {}, componentsStatus: [] },
    };
    await using server = await playServer({
      [`GET ${coordinator}/v1/deployment-units/sea%3Ashps%3A0/provisioning-status`]: { body },
      [`GET ${coordinator}/v1/deployment-units`]: {
        body: { data: [{ deploymentUnitId: "sea:ships:0" }, { deploymentUnitId: "sea:boats:0" }] },
      },
    });
    const args = ["status", "sea:shps:0", "-e", "development", "--url", server.url];
    const ran = await run(args);
    expect(ran.code).toBe(4);
    expect(ran.err).toContain("There is no such unit in development; did you mean sea:ships:0?");
    const json = await run([...args, "--json"]);
    expect([json.code, JSON.parse(json.out)]).toEqual([4, body]);
  });

  test("of a plan", async () => {
    await using server = await playServer(running());
    const ran = await run(["status", "--plan", "t1", "--url", server.url]);
    expect(ran).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^t1 in development: WAITING[^]*1 waiting\n$/),
    });
  });

  test("of a plan, with the time since each task at work began", async () => {
    const shared = { displayName: "t1", stopTime: null, result: { message: "" }, status: "RUNNING" };
    const startTime = new Date(Date.now() - 3_600_000).toISOString();
    const task = { ...shared, id: "provision:u:a", startTime, dependsOnTasks: [] };
    const dag = { ...shared, id: "t1", startTime, dependsOnTasks: [task] };
    await using server = await playServer({
      [`GET ${coordinator}/v1/execution-plans/t1/status`]: { body: { environment: "development", dag } },
    });
    const ran = await run(["status", "--plan", "t1", "--url", server.url]);
    expect(ran.out).toMatch(/^provision +u:a +RUNNING +6\d min \d\d s$/m);
  });
});

describe("logs", () => {
  test("as lines, without what would steer the terminal", async () => {
    const data = { ...logEvent("WARNING", "a\u001B[2Jb\nc").data };
    await using server = await playServer({ [`GET ${coordinator}/v1/logs/t1`]: { body: [data] } });
    const ran = await run(["logs", "t1", "--level", "WARNING", "--task", "x", "--url", server.url]);
    expect(ran.out).toBe("2026-01-01T00:00:00.000Z  WARNING  provision:x  a [2Jb c\n");
    expect(server.received[0]?.path).toMatch(/\?level=WARNING&task_id=x$/);
  });

  test("page after page", async () => {
    const lineOf = (message: string) => logEvent("INFO", message).data;
    const link = { link: '</api/coordinator/v1/logs/t1?level=DEBUG&after=7&limit=1>; rel="next"' };
    const pages = [{ body: [lineOf("one")], headers: link }, { body: [lineOf("two")] }];
    await using server = await playServer({ [`GET ${coordinator}/v1/logs/t1`]: pages });
    const ran = await run(["logs", "t1", "--json", "--url", server.url]);
    expect(JSON.parse(ran.out).map(({ message }: { message: string }) => message)).toEqual(["one", "two"]);
    expect(server.received.map(({ path }) => path.split("?")[1])).toEqual([
      "level=DEBUG",
      "level=DEBUG&after=7",
    ]);
  });

  test("--follow until the plan ends, from the wanted severity on", async () => {
    const events = [
      logEvent("DEBUG", "no"),
      logEvent("INFO", "yes"),
      logEvent("ERROR", "too"),
      planEvent("FAILED"),
    ];
    await using server = await playServer(running(...events));
    const ran = await run(["logs", "t1", "-f", "--level", "INFO", "--json", "--url", server.url]);
    expect(ran.code).toBe(0);
    expect(
      ran.out
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).message),
    ).toEqual(["yes", "too"]);
  });
});

describe("terminate", () => {
  test.each([
    [["t1", "--mode", "forced"], `${coordinator}/v1/execution-plans/t1/terminate?mode=forced`],
    [
      ["--unit", "u:1", "-e", "development"],
      `${coordinator}/v2/deployment-units/u%3A1/provisioning/terminate?mode=safe&environment=development`,
    ],
  ])("%j", async (args, path) => {
    await using server = await playServer({ [`POST ${path.split("?")[0]}`]: { status: 202, body: "t1" } });
    expect(await run(["terminate", ...args, "--url", server.url])).toMatchObject({ code: 0, err: "" });
    expect(server.received[0]?.path).toBe(path);
  });
});
