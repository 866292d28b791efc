import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Endpoint, HttpAnswer } from "./interpret.ts";
import {
  interpretPoll,
  interpretPollValidation,
  interpretStart,
  interpretStartValidation,
  interpretTerminate,
  interpretValidate,
} from "./interpret.ts";
import { maxLogsPerAnswer, parseLogs } from "./parse-logs.ts";
import { complaintText, parseComplaint } from "./parse-refusal.ts";
import { parseStatus, parseToken } from "./parse-status.ts";
import { parseVerdict } from "./parse-validation.ts";
import { bodyText, parseJson, shorten } from "./text.ts";

describe("a token", () => {
  it.each([
    ["abc-1", "abc-1"],
    ['"abc-1"', "abc-1"],
    [' "abc-1" \n', "abc-1"],
    ["abc-1\r\n", "abc-1"],
    ["12345678901234567890", "12345678901234567890"],
    ["0012", "0012"],
    ['{"token":"t"}', "t"],
    ['{"token":7}', "7"],
    ['{"token":1234567890123456789}', "1234567890123456789"],
    ['{"token": 1e21, "result": "1"}', "1e21"],
    ['{"more":{"token":8},"token":-0.10}', "-0.10"],
    ["plan:task/1 with blanks", "plan:task/1 with blanks"],
    ["true story", "true story"],
  ])("%j is %s", (text, token) => {
    expect(parseToken(text)).toEqual({ ok: true, value: token });
  });

  it.each([
    ["", "is empty"],
    [" \n", "is empty"],
    ['""', "holds no token"],
    ["null", "holds no token"],
    ["true", "holds no token"],
    ["[]", "holds no token"],
    ["{}", "is an object without a token"],
    ['{"token":null}', "holds no token"],
    ['{"status":"RUNNING"}', "is an object without a token"],
    ["..", "holds a token that cannot stand in a path"],
    ['"."', "holds a token that cannot stand in a path"],
    ["<html></html>", "holds a token that cannot stand in a path"],
    ["two\nlines", "holds a token that cannot stand in a path"],
    ["x".repeat(1_025), "holds a token longer than 1024 characters"],
  ])("%j %s", (text, why) => {
    expect(parseToken(text)).toEqual({ ok: false, why });
  });
});

describe("a status", () => {
  it("takes any case, null members and unknown ones", () => {
    const text = JSON.stringify({
      status: " completed ",
      result: null,
      info: null,
      error: null,
      logs: null,
      x: 1,
    });
    expect(parseStatus(text)).toEqual({ ok: true, value: { status: "COMPLETED", info: null, logs: [] } });
  });

  it("keeps what the adapter tells", () => {
    const info = { publicInfo: { a: { value: 1 } }, privateInfo: { b: 2 }, aclInfo: [{ subject: "user:a" }] };
    const logs = [{ timestamp: "2026-01-02T03:04:05.678901", level: "warn", message: " m ", phase: "p" }];
    const text = JSON.stringify({ status: "FAILED", result: "r", info, logs, updates: { "a.b": [1] } });
    expect(parseStatus(text)).toEqual({
      ok: true,
      value: {
        status: "FAILED",
        result: "r",
        info,
        updates: { "a.b": [1] },
        logs: [{ timestamp: "2026-01-02T03:04:05.678Z", level: "WARNING", message: "m", phase: "p" }],
      },
    });
  });

  it("leaves out members of the wrong type and says so in the log", () => {
    const bad = {
      status: "RUNNING",
      result: { n: 1 },
      info: { publicInfo: [], privateInfo: null, aclInfo: {} },
      logs: 3,
    };
    const parsed = parseStatus(JSON.stringify(bad));
    expect(parsed).toMatchObject({
      ok: true,
      value: { result: '{"n":1}', info: { publicInfo: {}, privateInfo: {} } },
    });
    expect(parsed.ok && parsed.value.logs.map((log) => log.message.match(/`(.*)`/)?.[1])).toEqual([
      "info.publicInfo",
      "info.aclInfo",
      "logs",
    ]);
    expect(parseStatus('{"status":"RUNNING","info":"x"}')).toMatchObject({ ok: true, value: { info: null } });
  });

  it.each([
    ["", "is empty"],
    ["{", "is not JSON"],
    ["[]", "is not a JSON object"],
    ['"token"', "is not a JSON object"],
    ["{}", "has no status"],
    ['{"status":null}', "has no status"],
    ['{"status":7}', "has a status that is not a string"],
    ['{"status":"GREAT"}', 'has the unknown status "GREAT"'],
    [`${'{"a":'.repeat(300)}1${"}".repeat(300)}`, "is nested deeper than 200 levels"],
  ])("%j %s", (text, why) => {
    expect(parseStatus(text)).toEqual({ ok: false, why });
  });

  it("makes every string fit for a database", () => {
    const parsed = parseStatus(
      '{"status":"COMPLETED","result":"a\\u0000b\\ud800","info":{"publicInfo":{"k\\u0000":"v\\udfff"}}}',
    );
    expect(parsed).toMatchObject({
      ok: true,
      value: { result: "ab\uFFFD", info: { publicInfo: { k: "v\uFFFD" } } },
    });
  });
});

describe("logs", () => {
  it.each([
    [{ message: "m" }, [{ level: "INFO", message: "m" }]],
    [
      { message: "m", level: "CRITICAL", timestamp: 0 },
      [{ level: "ERROR", message: "m", timestamp: "1970-01-01T00:00:00.000Z" }],
    ],
    [{ message: "m", level: 3, timestamp: "soon" }, [{ level: "INFO", message: "m" }]],
    [
      { message: "m", timestamp: "2026-01-02T03:04:05+02:00" },
      [{ level: "INFO", message: "m", timestamp: "2026-01-02T01:04:05.000Z" }],
    ],
    [{ message: "m", timestamp: 1e300 }, [{ level: "INFO", message: "m" }]],
    ["text", [{ level: "INFO", message: "text" }]],
    [{ message: "" }, []],
    [{ message: 7 }, []],
    [null, []],
    [7, []],
  ])("%j", (entry, expected) => {
    expect(parseLogs([entry])).toEqual(expected);
  });

  it("are limited in number and length", () => {
    const logs = parseLogs(
      Array.from({ length: maxLogsPerAnswer + 3 }, () => ({ message: "x".repeat(10_000) })),
    );
    expect(logs).toHaveLength(maxLogsPerAnswer + 1);
    expect(logs[0]?.message).toHaveLength(2_048);
    expect(logs.at(-1)).toEqual({
      level: "WARNING",
      message: "3 more log entries of the adapter were left out.",
    });
  });
});

describe("a complaint", () => {
  it.each([
    ["", []],
    ["not good", ["not good"]],
    ["<h1>Error</h1>", ["<h1>Error</h1>"]],
    ['"text"', ["text"]],
    ['["a","b","a"]', ["a", "b"]],
    ['{"errors":["a",{"message":"b"},{"x":1},null,""]}', ["a", "b", '{"x":1}']],
    ['{"error":"a"}', ["a"]],
    ['{"error":{"errors":["a","b"]}}', ["a", "b"]],
    ['{"error":{"message":"a"}}', ["a"]],
    ['{"detail":"a"}', ["a"]],
    ['{"detail":[{"loc":["body","x",0],"msg":"a"},{"msg":"b"}]}', ["body.x.0: a", "b"]],
    ['{"message":"a","title":"b"}', ["a", "b"]],
    ['{"userMessage":"a"}', ["a"]],
    ['{"errors":["a"],"moreInfo":{"problems":["a","b"]}}', ["a", "b"]],
    ["{}", []],
    ["null", []],
    ["7", ["7"]],
  ])("%s", (text, problems) => {
    expect(parseComplaint(text).problems).toEqual(problems);
  });

  it("keeps the companions of errors", () => {
    const more = {
      userMessage: "u",
      input: "i",
      inputErrorField: "$.f",
      moreInfo: { problems: [], solutions: ["s"] },
    };
    expect(parseComplaint(JSON.stringify({ errors: ["e"], ...more }))).toEqual({
      problems: ["e"],
      solutions: ["s"],
      userMessage: "u",
      input: "i",
      inputErrorField: "$.f",
    });
  });

  it("keeps the first 2 KB of plain text and 200 problems", () => {
    expect(parseComplaint("x".repeat(9_000)).problems[0]).toHaveLength(2_048);
    const many = { errors: Array.from({ length: 201 }, (_none, n) => `e${n}`) };
    expect(parseComplaint(JSON.stringify(many)).problems.at(-1)).toBe("and 1 more");
  });

  it("keeps 64,000 characters of long problems, and says how many more there are", () => {
    const long = { errors: Array.from({ length: 100 }, (_none, n) => `${n} ${"x".repeat(3_000)}`) };
    const { problems } = parseComplaint(JSON.stringify(long));
    expect(problems.join("").length).toBeLessThan(64_100);
    expect([problems.length, problems.at(-1)]).toEqual([32, "and 69 more"]);
  });

  it("is written out whole: the user message first, then every problem and what to do", () => {
    const all = { problems: ["Column a is missing", "u"], solutions: ["Add it", "Or not"], userMessage: "u" };
    expect(complaintText(all)).toBe("u\n- Column a is missing\nWhat to do: Add it\nWhat to do: Or not");
    expect(complaintText({ problems: ["a", "b"], solutions: [] })).toBe("a\nb");
    expect(complaintText({ problems: [], solutions: [] })).toBe("");
  });
});

describe("a verdict", () => {
  it.each([
    ['{"valid":true}', { valid: true, problems: [] }],
    ['{"valid":true,"error":null}', { valid: true, problems: [] }],
    ['{"valid":false,"error":{"errors":["a","b"]}}', { valid: false, problems: ["a", "b"] }],
    ['{"valid":false,"errors":["a"]}', { valid: false, problems: ["a"] }],
    [
      '{"valid":false,"error":null}',
      { valid: false, problems: ["The adapter says that the descriptor is not valid and gives no reason."] },
    ],
  ])("%s", (text, expected) => {
    expect(parseVerdict(text)).toMatchObject({ ok: true, value: { type: "validated", ...expected } });
  });

  it.each([
    ["", "is empty"],
    ["yes", "is not JSON"],
    ["true", "is not a JSON object"],
    ["{}", "has no `valid`"],
    ['{"valid":"yes"}', "has a `valid` that is not a boolean"],
  ])("%j %s", (text, why) => {
    expect(parseVerdict(text)).toEqual({ ok: false, why });
  });
});

describe("text", () => {
  it("loses marks, NUL and secrets", () => {
    expect(bodyText(Buffer.from("\uFEFFa\0b tok tok"), ["tok", ""])).toBe("ab *** ***");
  });

  it("is cut without half a character", () => {
    expect(shorten("a😀b", 3)).toBe("a\uFFFD…");
    expect(shorten("abc", 3)).toBe("abc");
  });

  it("has its depth limited, not what only looks deep", () => {
    expect(parseJson(JSON.stringify("[".repeat(500))).ok).toBe(true);
    expect(parseJson(JSON.stringify(`"${"[".repeat(500)}`)).ok).toBe(true);
    expect(parseJson(JSON.stringify(Array.from({ length: 500 }, () => []))).ok).toBe(true);
    expect(parseJson("[".repeat(201) + "]".repeat(201)).ok).toBe(false);
    expect(parseJson("[".repeat(1_000_000) + "]".repeat(1_000_000)).ok).toBe(false);
  });
});

describe("Retry-After", () => {
  it.each([
    ["3", 3_000],
    ["0", 0],
    ["99999999", 3_600_000],
    ["Thu, 01 Jan 1970 00:01:30 GMT", 30_000],
    ["Thu, 01 Jan 1970 00:00:30 GMT", 0],
    ["Fri, 01 Jan 2100 00:00:00 GMT", 3_600_000],
    ["soon", undefined],
    [" ", undefined],
  ])("%j is %s ms", (value, expected) => {
    const endpoint: Endpoint = { label: "POST /v1/x", role: "start", optional: false };
    const answer = { status: 429, text: "", headers: { "retry-after": value }, nowMs: 60_000 };
    const outcome = interpretStart(endpoint, answer);
    expect(outcome.type === "fault" && outcome.retryAfterMs).toBe(expected);
  });
});

describe("whatever the peer sends", () => {
  const interpreters = [
    interpretStart,
    interpretPoll,
    interpretTerminate,
    interpretValidate,
    interpretStartValidation,
    interpretPollValidation,
  ];
  const members = [
    "status",
    "result",
    "info",
    "publicInfo",
    "privateInfo",
    "aclInfo",
    "logs",
    "valid",
    "error",
    "errors",
    "detail",
    "loc",
    "msg",
    "message",
    "level",
    "timestamp",
    "token",
    "updates",
    "moreInfo",
    "problems",
    "solutions",
    "userMessage",
  ];
  const values = ["RUNNING", "completed", "FAILED", "TERMINATING", "TERMINATED", "", "x"];
  const { node: shaped } = fc.letrec<{ node: unknown }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom<unknown>(...values, null, true, false, 0, -1e308),
      fc.dictionary(fc.constantFrom(...members), tie("node"), { maxKeys: 6 }),
      fc.array(tie("node"), { maxLength: 4 }),
    ),
  }));
  const texts = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.json(),
    shaped.map((value) => JSON.stringify(value)),
  );
  const statuses = fc.oneof(
    fc.constantFrom(200, 201, 202, 204, 302, 400, 404, 405, 422, 429, 500, 501, 503),
    fc.integer({ min: 100, max: 999 }),
  );

  const answers: fc.Arbitrary<HttpAnswer> = fc.record({
    status: statuses,
    text: texts.map((text) => bodyText(Buffer.from(text), [])),
    headers: fc.record({ "retry-after": fc.string() }),
    nowMs: fc.constant(0),
  });

  it("is interpreted without throwing, into something that is complete and storable", () => {
    fc.assert(
      fc.property(answers, fc.boolean(), (answer, optional) => {
        const endpoint: Endpoint = { label: "POST /v1/x", role: "start", optional };
        for (const interpret of interpreters) {
          const outcome = interpret(endpoint, answer);
          const stored = JSON.stringify(outcome);
          expect(stored).not.toContain("\\u0000");
          expect(JSON.stringify(JSON.parse(stored))).toBe(stored);
          if ("message" in outcome) expect(outcome.message).toMatch(/^POST \/v1\/x: ./);
          if (outcome.type === "refused") expect(outcome.problems).not.toHaveLength(0);
          if (outcome.type === "validated" && !outcome.valid) expect(outcome.problems).not.toHaveLength(0);
          if (outcome.type === "accepted") expect(outcome.token).not.toBe("");
        }
      }),
      { numRuns: 3_000 },
    );
  });
});
