/** `watch` against a server that plays a plan: its lines, its reasons to wait, broken streams, and its exit code. */
import { describe, expect, test } from "vitest";
import { playServer, run, runOnTerminal, type Played } from "../testdata.ts";

const plans = "/api/coordinator/v1/execution-plans";

const node = (id: string, status: string, more: object = {}) => ({
  id,
  displayName: id,
  status,
  startTime: null,
  stopTime: null,
  result: { message: "" },
  dependsOnTasks: [],
  ...more,
});
const waits = (reason: string, next?: string) => ({ waiting: { reason, since: "", ...(next && { next }) } });
const statusOf = (dag: object): Played => ({ body: { environment: "development", originatorUri: "", dag } });

const task = (status: string, more: object = {}) => ({
  type: "task",
  data: { id: "provision:u:a", status, action: "PROVISION", componentId: "u:a", ...more },
});
const plan = (status: string, at: string, more: object = {}) => ({
  type: "plan",
  data: { id: "t1", status, at, ...more },
});
const numbered = (first: number, ...events: { type: string; data: unknown }[]) =>
  events.map((each, at) => ({ id: first + at, ...each }));

const tasks = [
  node("provision:u:a", "WAITING", waits("Waits for a free place, position 3.")),
  node("provision:u:b", "WAITING"),
];
const queued = statusOf(
  node("t1", "WAITING", {
    ...waits("Waits for plan t0; position 1.", "Then it is planned."),
    dependsOnTasks: tasks,
  }),
);
const began = plan("RUNNING", "2026-01-01T00:00:00.000Z");
const ended = (status: string, more: object = {}) => plan(status, "2026-01-01T00:00:12.000Z", more);

const playing = (...streams: Played[]) =>
  playServer({ [`GET ${plans}/t1/status`]: queued, [`GET ${plans}/t1/events`]: streams });

describe("in a file", () => {
  test("why it waits, then a line for every change, and the plan's own time", async () => {
    await using server = await playing({
      events: numbered(1, began, task("RUNNING"), task("COMPLETED"), ended("COMPLETED")),
    });
    const ran = await run(["watch", "t1", "--url", server.url]);
    expect(ran).toMatchObject({ code: 0, err: "" });
    expect(ran.out.split("\n")).toEqual([
      "Plan t1",
      "Waits for plan t0; position 1. Then it is planned.",
      expect.stringMatching(/^provision +a +WAITING +Waits for a free place, position 3\.$/),
      expect.stringMatching(/^provision +a +RUNNING +\d/),
      expect.stringMatching(/^provision +a +COMPLETED$/),
      "COMPLETED after 12.0 s",
      "",
    ]);
  });

  test("a stream that is dropped, and a server that restarts, are gone over", async () => {
    await using server = await playing(
      { events: numbered(1, began, task("RUNNING")), breaks: true },
      { status: 503, body: { detail: "Starting.", code: "X" } },
      {
        events: numbered(
          3,
          task("FAILED", { message: "no room" }),
          ended("FAILED", { reason: "A task failed." }),
        ),
      },
    );
    const ran = await run(["watch", "t1", "--url", server.url]);
    expect(ran.code).toBe(1);
    expect(ran.out).toMatch(
      /FAILED +no room\nFAILED after 12\.0 s\n {2}A task failed\.\n {2}no room\n {2}→ plinth logs t1\n$/,
    );
    expect(ran.out.match(/RUNNING/g)).toHaveLength(1);
    const streams = server.received.filter(({ path }) => path.endsWith("/events"));
    expect(streams.map(({ headers }) => headers["last-event-id"])).toEqual([undefined, "2", "2"]);
  });

  test("--json is one line for each event", async () => {
    await using server = await playing({ events: numbered(1, began, ended("TERMINATED")) });
    const ran = await run(["watch", "t1", "--json", "--url", server.url]);
    expect(ran.code).toBe(1);
    expect(
      ran.out
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual([began, ended("TERMINATED")]);
  });

  test("an unknown plan ends with 4 and nothing on standard output", async () => {
    const refusal = {
      errors: ["x"],
      code: "COORD_PLAN_NOT_FOUND",
      userMessage: "There is no plan.",
      moreInfo: {},
    };
    const gone = { status: 404, body: refusal };
    await using server = await playServer({
      [`GET ${plans}/t1/status`]: gone,
      [`GET ${plans}/t1/events`]: gone,
    });
    for (const more of [[], ["--json"]]) {
      const ran = await run(["watch", "t1", "--url", server.url, ...more]);
      expect([ran.code, ran.err]).toEqual([4, expect.stringContaining("plinth list operations")]);
      expect(more.length === 0 ? "" : ran.out).toBe("");
    }
  });
});

// eslint-disable-next-line no-control-regex -- what moves the cursor up
const upwards = /\u001B\[\d+A/;
// eslint-disable-next-line no-control-regex -- escape sequences of terminals are what is looked for
const sequences = /\u001B\[[0-9;?]*[A-Za-z]|\r/g;

test("on a terminal the table is drawn over itself, with what each task waits for", async () => {
  await using server = await playing({ events: numbered(1, began, task("RUNNING"), ended("COMPLETED")) });
  const ran = await runOnTerminal(["watch", "t1", "--url", server.url], { columns: 60, rows: 20 });
  expect(ran.code).toBe(0);
  const frames = ran.out.split(upwards);
  expect(frames.length).toBeGreaterThan(1);
  expect(frames[0]).toMatch(/Waits for plan t0[^]*provision +a +.*WAITING[^]*Waits for a free/);
  expect(frames.at(-1)).toMatch(/provision +a +.*RUNNING/);
  // A line longer than the terminal is wide would wrap, and the next redraw would leave a part of it on the screen.
  const lines = ran.out.replace(sequences, "").split("\n");
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(60);
});

test("--detach --json is one line", async () => {
  const unit = "/api/coordinator/v2/deployment-units/u/provisioning";
  const preview = { outcome: "OK", operations: [], conflictingOperations: [] };
  await using server = await playServer({
    [`POST ${unit}/preview`]: { body: preview },
    [`POST ${unit}`]: { status: 202, body: "t1" },
  });
  const input = JSON.stringify({ id: "u", environment: "development", components: [] });
  const ran = await run(["provision", "-", "--detach", "--json", "--url", server.url], { input });
  expect(ran).toEqual({ code: 0, out: '{"token":"t1"}\n', err: "" });
});

test("in a file, provision says why its plan and its tasks wait, each reason once", async () => {
  const unit = "/api/coordinator/v2/deployment-units/u/provisioning";
  const retrying = (at: string): Played =>
    statusOf(
      node("t1", "RUNNING", {
        dependsOnTasks: [
          node(
            "provision:u:a",
            "RUNNING",
            waits(`The adapter does not answer; it is called again at ${at}.`),
          ),
        ],
      }),
    );
  const justStarted = statusOf(
    node("t1", "WAITING", { ...waits("No worker has taken the plan yet."), dependsOnTasks: tasks }),
  );
  const statuses = [justStarted, queued, retrying("10:00:01"), retrying("10:00:03")];
  let asked = 0;
  let streams = 0;
  await using server = await playServer((path) => {
    if (path.includes("/preview"))
      return { body: { outcome: "OK", operations: [], conflictingOperations: [] } };
    if (path.startsWith(unit)) return { status: 202, body: "t1" };
    if (path.endsWith("/status")) {
      asked += 1;
      return statuses[Math.min(asked, statuses.length) - 1]!;
    }
    // The stream breaks off until the reason was read twice, or never will be.
    streams += 1;
    const isOver = asked >= statuses.length || streams > 400;
    const begins = asked > statuses.indexOf(queued) ? numbered(1, began, task("RUNNING")) : [];
    return {
      events: isOver ? numbered(3, task("COMPLETED"), ended("COMPLETED")) : begins,
      breaks: !isOver,
    };
  });
  const input = JSON.stringify({ id: "u", environment: "development", components: [] });
  const ran = await run(["provision", "-", "--url", server.url], { input });
  expect(ran).toMatchObject({ code: 0, err: "" });
  const lines = ran.out.split("\n");
  expect(lines.slice(lines.indexOf("Plan t1"), -2)).toEqual([
    "Plan t1",
    "Waits for plan t0; position 1. Then it is planned.",
    expect.stringMatching(/^provision +a +WAITING +Waits for a free place, position 3\.$/),
    expect.stringMatching(/^provision +a +RUNNING +\d.* The adapter does not answer; it is called again at/),
    expect.stringMatching(/^provision +a +COMPLETED$/),
  ]);
});
