/** `diff` and `drift` against a server that plays its answers: what they send, print and end with. */
import { describe, expect, test } from "vitest";
import { playServer, run, type Played } from "../testdata.ts";

const base = "/api/coordinator/v1";
const units = `${base}/deployment-units`;
const unknownStatus = {
  body: { status: "NOT_DEPLOYED", known: false, provisioningDetails: { descriptorVersion: "" } },
};
const known = { body: { data: [{ deploymentUnitId: "sea:ships:0" }] } };

const component = (componentId: string, result: string, more: object = {}) => ({
  componentId,
  result,
  differences: [],
  status: { environment: "DEPLOYED", otherEnvironment: "NOT_DEPLOYED" },
  descriptorVersion: { environment: "2", otherEnvironment: "" },
  changedFields: [],
  hasMoreChangedFields: false,
  ...more,
});

describe("diff", () => {
  const diff = async (args: string[], components: object[], more: Record<string, Played> = {}) => {
    const identical = components.length === 0;
    const body = {
      deploymentUnitId: "u",
      environment: "development",
      otherEnvironment: "production",
      identical,
      components,
    };
    await using server = await playServer({ [`GET ${units}/u/diff`]: { body }, ...more });
    const ran = await run([
      "diff",
      "u",
      "-e",
      "development",
      "--with",
      "production",
      "--url",
      server.url,
      ...args,
    ]);
    return { ...ran, path: server.received[0]?.path };
  };

  test("a row for each component, and the fields that differ", async () => {
    const changedFields = [
      { field: "/rows", environment: 1, otherEnvironment: 2 },
      { field: "/new", environment: "x" },
    ];
    const components = [
      component("u:a", "DIFFERENT", { changedFields }),
      component("u:b", "ONLY_IN_ENVIRONMENT"),
    ];
    const { code, out, path } = await diff([], components);
    expect(code).toBe(0);
    expect(out.split("\n")).toEqual([
      expect.stringMatching(/^COMPONENT +RESULT +DEVELOPMENT +PRODUCTION +FIELDS$/),
      expect.stringMatching(/^a +DIFFERENT +DEPLOYED 2 +NOT_DEPLOYED +2$/),
      expect.stringMatching(/^b +ONLY_IN_ENVIRONMENT /),
      "",
      "a:",
      "  /rows: 1 → 2",
      '  /new: "x" → (absent)',
      "",
      "2 components of 2 differ.",
      "",
    ]);
    expect(path).toMatch(/\?environment=development&other-environment=production$/);
  });

  test("--exit-code ends with 5 where there is a difference", async () => {
    expect(await diff(["--exit-code", "--json"], [component("u:a", "DIFFERENT")])).toMatchObject({ code: 5 });
  });

  test("a unit that was never seen ends with 4 and names the one that is probably meant", async () => {
    const ran = await diff([], [], {
      [`GET ${units}/u/provisioning-status`]: unknownStatus,
      [`GET ${units}`]: known,
    });
    expect([ran.code, ran.err]).toEqual([
      4,
      expect.stringContaining("no such unit in development and production: u."),
    ]);
  });

  test("nothing deployed on a known unit is no difference", async () => {
    const status = { body: { ...unknownStatus.body, known: true } };
    const ran = await diff(["--exit-code"], [], { [`GET ${units}/u/provisioning-status`]: status });
    expect(ran).toMatchObject({ code: 0, out: "Nothing is deployed in either environment.\n" });
  });
});

describe("drift", () => {
  const check = (status: string, result: string | null, more: object = {}) => ({
    body: {
      id: "d1",
      deploymentUnitId: "sea:ships:0",
      environment: "production",
      status,
      result,
      waiting: null,
      ...more,
    },
  });
  const components = [
    {
      componentId: "sea:ships:0:hull",
      result: "DRIFTED",
      why: "A field differs.",
      pointers: ["/specific/rows"],
      problems: [],
    },
    {
      componentId: "sea:ships:0:mast",
      result: "UNKNOWN",
      why: "Not read.",
      pointers: [],
      problems: ["No answer."],
    },
  ];
  const start = `POST ${units}/sea%3Aships%3A0/drift-checks`;
  const drift = async (args: string[], answers: Record<string, Played | Played[]>, unit = "sea:ships:0") => {
    await using server = await playServer(answers);
    const ran = await run(["drift", unit, "-e", "production", "--url", server.url, ...args]);
    return { ...ran, calls: server.received.map(({ method }) => method) };
  };

  test("waits for the check over a restart of the server, says why, and ends with 5 for drift", async () => {
    const waiting = { waiting: { reason: "Waits for the active operation.", since: "" } };
    const ran = await drift([], {
      [start]: { status: 202, body: "d1" },
      [`GET ${base}/drift-checks/d1`]: [
        check("SCHEDULED", null, waiting),
        { status: 503, body: { detail: "Starting.", code: "X" } },
        check("RUNNING", null, waiting),
        check("COMPLETED", "DRIFTED", { components }),
      ],
    });
    expect([ran.code, ran.err]).toEqual([5, "Waits for the active operation.\n"]);
    expect(ran.out.split("\n")).toEqual([
      "sea:ships:0 in production: DRIFTED (check d1)",
      "",
      expect.stringMatching(/^COMPONENT +RESULT +WHY$/),
      expect.stringMatching(/^hull +DRIFTED +A field differs\.$/),
      expect.stringMatching(/^mast +UNKNOWN +Not read\.$/),
      "  hull /specific/rows",
      "  mast: No answer.",
      "",
    ]);
  });

  test.each([
    ["NO_DRIFT", 0],
    ["DRIFTED", 5],
    ["UNKNOWN", 1],
  ])("%s ends with %i, also for --last", async (result, code) => {
    const ran = await drift(["--last", "--json"], {
      [start.replace("POST", "GET")]: { body: { data: [{ id: "d1" }] } },
      [`GET ${base}/drift-checks/d1`]: check("COMPLETED", result, { components }),
    });
    expect([ran.code, JSON.parse(ran.out).result, ran.calls]).toEqual([code, result, ["GET", "GET"]]);
  });

  test("--detach --json is one line", async () => {
    const ran = await drift(["--detach", "--json"], { [start]: { status: 202, body: "d1" } });
    expect(ran).toMatchObject({ code: 0, out: '{"id":"d1"}\n', calls: ["POST"] });
  });

  test("a mistyped unit ends with 4", async () => {
    const refusal = {
      errors: ["x"],
      code: "COORD_NOTHING_DEPLOYED",
      userMessage: "Nothing is deployed.",
      moreInfo: {},
    };
    const answers = {
      [start.replace("ships", "shps")]: { status: 400, body: refusal },
      [`GET ${units}/sea%3Ashps%3A0/provisioning-status`]: unknownStatus,
      [`GET ${units}`]: known,
    };
    const ran = await drift([], answers, "sea:shps:0");
    expect([ran.code, ran.err]).toEqual([4, expect.stringContaining("did you mean sea:ships:0?")]);
  });
});
