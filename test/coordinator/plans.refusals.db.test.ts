import { afterAll, beforeAll, describe } from "vitest";
import { startWholeServer, type Call, type WholeServer } from "../support/server.ts";
import { input, testRefusals, type Refusal } from "./refusals.ts";
import { ended, start } from "./ships.ts";

let server: WholeServer;
let finished = "";

beforeAll(async () => {
  server = await startWholeServer();
  await server.registerMock();
  finished = await start(server);
  await ended(server, finished);
});
afterAll(() => server.close());

/** The token of the finished plan is known only when the tests run. */
const withToken = (path: (token: string) => string, more: Partial<Call> = {}): Call => ({
  ...more,
  get path() {
    return path(finished);
  },
});

const unknownId = "00000000-0000-4000-8000-000000000000";

/** What all operations on a plan refuse. */
const onPlans = (call: (token: string) => Call, field = "token"): Refusal[] => [
  ["an unknown token", call(unknownId), 404, "COORD_PLAN_NOT_FOUND", "token"],
  ["a token that is no id of ours", call("a%2Fb;drop"), 404, "COORD_PLAN_NOT_FOUND", "token"],
  ["a token in another script", call(encodeURIComponent("船😀")), 404, "COORD_PLAN_NOT_FOUND", "token"],
  ["NUL in the token", call("a%00b"), 400, "PLATFORM_INPUT", field],
  input("a token that is not UTF-8", call("%ff"), ""),
  input("a surrogate in the token", call("%ed%b0%80"), ""),
  ["a long token", call("x".repeat(257)), 400, "PLATFORM_INPUT", field],
];

describe("getPlan refuses", () => {
  testRefusals(
    () => server,
    [
      ...onPlans((token) => ({ path: `/v1/execution-plans/${token}` })),
      input(
        "a flag that is no boolean",
        withToken((token) => `/v1/execution-plans/${token}?include-descriptors=0`),
        "include-descriptors",
      ),
    ],
  );
});

describe("getPlanStatus refuses", () => {
  testRefusals(
    () => server,
    onPlans((token) => ({ path: `/v1/execution-plans/${token}/status` })),
  );
});

describe("getPlanLogs refuses", () => {
  const query = (what: string, text: string, field: string): Refusal => [
    what,
    withToken((token) => `/v1/logs/${token}?${text}`),
    400,
    "PLATFORM_INPUT",
    field,
  ];
  testRefusals(
    () => server,
    [
      ...onPlans((token) => ({ path: `/v1/logs/${token}` }), "provisioning_plan_id"),
      query("a level in lower case", "level=info", "level"),
      query("a level of its own", "level=LOUD", "level"),
      query("a level twice", "level=INFO&level=ERROR", "level"),
      query("an empty task", "task_id=", "task_id"),
      query("NUL in the task", "task_id=%00", "task_id"),
      query("a surrogate in the task", "task_id=%ed%a0%80", "task_id"),
      query("a limit beyond the most", "limit=10001", "limit"),
      query("no lines at all", "limit=0", "limit"),
      query("a place in the log that is no number", "after=last", "after"),
      query("a place before the log", "after=-1", "after"),
      query("a place beyond counting", "after=9007199254740993", "after"),
      query("two places", "after=1&after=2", "after"),
      query("a long task", `task_id=${"x".repeat(1_025)}`, "task_id"),
    ],
  );
});

describe("streamPlanEvents refuses", () => {
  const query = (what: string, after: string): Refusal => [
    what,
    withToken((token) => `/v1/execution-plans/${token}/events?after=${after}`),
    400,
    "PLATFORM_INPUT",
    "after",
  ];
  testRefusals(
    () => server,
    [
      ...onPlans((token) => ({ path: `/v1/execution-plans/${token}/events` })),
      query("an id that is no number", "zebra"),
      query("an id below nothing", "-1"),
      query("half an id", "1.5"),
      query("an id beyond counting", "9007199254740993"),
      query("an endless id", "1e999"),
      query("NUL for an id", "%00"),
    ],
  );
});

describe("terminatePlan refuses", () => {
  const call = (token: string): Call => ({ method: "POST", path: `/v1/execution-plans/${token}/terminate` });
  const own = (query: string): Call => withToken((token) => call(token).path + query, { method: "POST" });
  testRefusals(
    () => server,
    [
      ...onPlans(call),
      input("a mode of its own", own("?mode=hard"), "mode"),
      input("an empty mode", own("?mode="), "mode"),
      ["a plan that has ended", own(""), 400, "COORD_PLAN_FINISHED", "token"],
      ["a plan that has ended, by force", own("?mode=forced"), 400, "COORD_PLAN_FINISHED", "token"],
    ],
  );
});
