/** What all commands share: usage, bad input, refusals, and their exit codes. */
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { describe, expect, test } from "vitest";
import { exitCodes } from "./exit-codes.ts";
import { playServer, run, type Played } from "./testdata.ts";

const coordinator = "/api/coordinator";

describe("usage", () => {
  const cases: [string, string[], number, RegExp][] = [
    ["help", ["--help"], 0, /Commands:[^]*terminate[^]*Exit codes:[^]*130/],
    ["help of a command", ["plan", "--help"], 0, /--prevent-redeploy/],
    ["the version", ["--version"], 0, /^\d+\.\d+\.\d+\n$/],
    ["no command", [], 2, /Usage: plinth/],
    ["an unknown command", ["provison"], 2, /Did you mean provision\?/],
    ["an unknown option", ["status", "x", "--enviroment", "y"], 2, /Did you mean --environment\?/],
    ["a missing argument", ["plan"], 2, /missing required argument 'descriptor'/],
    ["too many arguments", ["plan", "a", "b"], 2, /too many arguments/],
    ["a missing required option", ["build", "."], 2, /required option '-e, --environment/],
    ["a bad choice", ["terminate", "t", "--mode", "hard"], 2, /Allowed choices are safe, forced/],
    ["a bad port", ["start", "--port", "high"], 2, /from 0 to 65535/],
    ["a bad area", ["start", "--areas", "builder,x"], 2, /Unknown: x/],
    ["status of nothing", ["status"], 2, /Give either/],
    ["status of two things", ["status", "u", "--plan", "t"], 2, /Give either/],
    ["status without environment", ["status", "u"], 2, /at --environment/],
    ["terminate of nothing", ["terminate"], 2, /Give either/],
    ["terminate of a unit without environment", ["terminate", "--unit", "u"], 2, /at --environment/],
    ["a URL of another kind", ["logs", "t", "--url", "ftp://x"], 2, /http:\/\/ or https:\/\//],
    ["a token that no header carries", ["logs", "t", "--token", "a b"], 2, /printable ASCII/],
    ["a missing file", ["plan", "no-such-file.yaml"], 2, /There is no file no-such-file\.yaml/],
    ["a directory as descriptor", ["plan", "."], 2, /plinth build/],
    [
      "properties that are no object",
      ["register", "a", "b", "-e", "d", "--properties", "[]"],
      2,
      /JSON object/,
    ],
  ];
  test.each(cases)("%s", async (...row) => {
    const [, args, code, expected] = row;
    const ran = await run(args);
    expect(ran).toMatchObject({ code });
    expect(ran.out + ran.err).toMatch(expected);
    expect(code === 0 ? ran.err : ran.out).toBe("");
  });

  test("nobody there", async () => {
    const server = await playServer({});
    await server[Symbol.asyncDispose]();
    const ran = await run(["status", "u", "-e", "d", "--url", server.url]);
    expect(ran).toMatchObject({ code: 3, out: "" });
    expect(ran.err).toMatch(/No server answers at .*: the connection was refused\.\n {2}→ Start one/);
  });

  test("a configuration with problems is bad input", async () => {
    const env = { PLINTH_SERVER_PORT: "high" };
    expect(await run(["config", "check"], { env, cwd: tmpdir() })).toMatchObject({ code: 2 });
    const good = await run(["config", "check", "--json"], { cwd: tmpdir() });
    expect([good.code, JSON.parse(good.out).valid]).toEqual([0, true]);
  });
});

describe("descriptors from standard input", () => {
  const cases: [string, string, RegExp][] = [
    ["broken YAML, with its place", "id: x\n  a: b: c", /standard input:2:\d+/],
    ["a list", "[1]", /must be a map/],
    ["nothing", "", /the input is empty/],
    ["no id", "name: x", /has no id/],
    ["no environment", "id: x", /names no environment/],
  ];
  test.each(cases)("%s", async (...row) => {
    const [, input, expected] = row;
    const ran = await run(["plan", "-"], { input });
    expect(ran).toMatchObject({ code: 2, out: "" });
    expect(ran.err).toMatch(expected);
  });
});

describe("the server's refusals", () => {
  const path = `GET ${coordinator}/v1/logs/t`;
  const cases: [string, Played, number, RegExp][] = [
    [
      "of the coordinator",
      {
        status: 400,
        body: {
          errors: ["/a/b: is missing", "odd"],
          code: "COORD_X",
          userMessage: "2 problems.",
          moreInfo: { problems: ["/a/b: is missing", "odd"], solutions: ["Add it."] },
        },
      },
      1,
      /^error: 2 problems\. \(COORD_X\)\n {2}\/a\/b {2}is missing\n {2}odd\n {2}→ Add it\.\n$/,
    ],
    [
      "of the builder",
      {
        status: 413,
        body: {
          error: {
            name: "x",
            message: "Too big.",
            code: "BUILDER_X",
            problems: [{ where: "/f", message: "m" }],
          },
        },
      },
      1,
      /^error: Too big\. \(BUILDER_X\)\n {2}\/f {2}m\n$/,
    ],
    [
      "of the assistant",
      { status: 422, body: { detail: [{ loc: ["body", "name"], msg: "is missing", type: "missing" }] } },
      1,
      /body\.name {2}is missing/,
    ],
    ["with a defect", { status: 500, body: {}, headers: { "x-request-id": "r-1" } }, 1, /request id r-1/],
    ["for want of a token", { status: 401, body: { detail: "No.", code: "X" } }, 1, /--token/],
    [
      "for a while",
      { status: 429, body: { detail: "Slow.", code: "X" }, headers: { "retry-after": "7" } },
      1,
      /in 7 s/,
    ],
    [
      "of a proxy",
      { status: 502, text: "<html>", headers: { "content-type": "text/html" } },
      3,
      /A proxy answered 502: no Plinth server is behind it/,
    ],
    [
      "of something else",
      { status: 500, text: "<html>", headers: { "content-type": "text/html" } },
      1,
      /500/,
    ],
    [
      "that is cut",
      { status: 200, text: '{"data": [', headers: { "content-type": "application/json" } },
      3,
      /not a Plinth server/,
    ],
    [
      "of no Plinth",
      { status: 200, text: "<html>", headers: { "content-type": "text/html" } },
      3,
      /is not a Plinth/,
    ],
  ];
  test.each(cases)("%s", async (...row) => {
    const [, played, code, expected] = row;
    await using server = await playServer({ [path]: played });
    const ran = await run(["logs", "t", "--url", server.url]);
    expect(ran).toMatchObject({ code, out: "" });
    expect(ran.err).toMatch(expected);
    expect(ran.err).not.toMatch(/\n\s+at /);
  });

  const unknown = (code: string, status = 404) => ({
    status,
    body: { errors: ["x"], code, userMessage: "Not there.", moreInfo: { problems: [], solutions: [] } },
  });
  test.each([
    ["an unknown plan", unknown("COORD_PLAN_NOT_FOUND"), 4],
    ["an unknown environment", unknown("COORD_UNKNOWN_ENVIRONMENT", 400), 4],
    [
      "an environment that policies do not know",
      { status: 400, body: { error: { code: "CGP_UNKNOWN_ENVIRONMENT", message: "Not there." } } },
      4,
    ],
    [
      "an environment that the builder does not know",
      { status: 400, body: { error: { code: "BUILDER_UNKNOWN_ENVIRONMENT", message: "Not there." } } },
      4,
    ],
    ["an address that the server does not have", unknown("PLATFORM_NOT_FOUND"), 1],
    ["a refusal", unknown("COORD_INVALID_DESCRIPTOR", 400), 1],
  ])("%s has its exit code", async (_, played, code) => {
    await using server = await playServer({ [path]: played });
    expect(await run(["logs", "t", "--url", server.url])).toMatchObject({ code, out: "" });
  });

  test.each<[string, string, string[]]>([
    [
      "the id of a unit",
      "urn:dmb:dp:sea:ships:0",
      ["looks like the id of a unit", "--unit urn:dmb:dp:sea:ships:0"],
    ],
    ["the id of an operation", "op-1", ["the id of an operation; the token of its plan is token-one"]],
    ["the beginning of a token", "token-o", ["Did you mean token-one?", "plinth list operations"]],
    ["a mistyped token", "tokne-two", ["Did you mean token-two?"]],
    ["something else", "zzz", ["plinth list operations"]],
  ])("instead of the token of a plan, %s is explained", async (_, given, expected) => {
    const operation = (operationId: string, executionPlanId: string) => ({
      operation: { operationId, executionPlanId },
    });
    await using server = await playServer({
      [`GET ${coordinator}/v1/execution-plans/${encodeURIComponent(given)}/status`]:
        unknown("COORD_PLAN_NOT_FOUND"),
      [`GET ${coordinator}/v2/provisioning-operations`]: {
        body: { data: [operation("op-1", "token-one"), operation("op-2", "token-two")] },
      },
    });
    const ran = await run(["status", "--plan", given, "--url", server.url]);
    expect(ran.code).toBe(4);
    for (const text of expected) expect(ran.err).toContain(text);
  });

  test("for programs", async () => {
    await using server = await playServer({});
    const ran = await run(["logs", "t", "--json", "--url", server.url]);
    expect([ran.code, ran.out, JSON.parse(ran.err)]).toMatchObject([
      1,
      "",
      { error: { code: "PLATFORM_NOT_FOUND", problems: [{ where: "/x" }], solutions: ["Look elsewhere."] } },
    ]);
  });
});

test("URL and token come from the options, else from the environment", async () => {
  await using server = await playServer({ [`GET /base${coordinator}/v1/logs/a%2Fb`]: { body: [] } });
  const env = { PLINTH_URL: "http://127.0.0.1:9", PLINTH_TOKEN: "from-env" };
  expect(await run(["logs", "a/b", "--url", `${server.url}/base/`], { env })).toMatchObject({ code: 0 });
  expect(server.received[0]).toMatchObject({
    path: `/base${coordinator}/v1/logs/a%2Fb?level=DEBUG`,
    headers: { authorization: "Bearer from-env" },
  });
});

test("the reference page has the exit codes of the program", async () => {
  const page = await readFile(new URL("../../docs/reference/cli.md", import.meta.url), "utf8");
  const listed = [...page.matchAll(/^\| (\d+) \| (.+) \|$/gm)].map(([, code, meaning]) => [
    Number(code),
    meaning,
  ]);
  expect(listed).toEqual(Object.values(exitCodes).map(({ code, meaning }) => [code, meaning]));
  expect(listed.map(([code]) => code)).toEqual([0, 1, 2, 3, 4, 5, 130]);
});
