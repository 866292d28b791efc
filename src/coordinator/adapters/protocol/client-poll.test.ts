/** What comes after a start, and validations, answered oddly by the mock adapter. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readRequested } from "../../../adapters/mock/behaviour.ts";
import type { MockAdapter } from "../../../adapters/mock/server.ts";
import { startMockAdapter } from "../../../adapters/mock/server.ts";
import type { Outbound } from "../../../platform/outbound/outbound.ts";
import type { AdapterOperation } from "./answers.ts";
import {
  acceptedToken,
  callTo,
  clientOf,
  componentBody,
  done,
  fault,
  openOutbound,
} from "./client-fixtures.ts";

let adapter: MockAdapter;
let outbound: Outbound;

beforeAll(async () => {
  adapter = await startMockAdapter();
  outbound = openOutbound();
});

afterAll(async () => {
  await outbound.close();
  await adapter.close();
});

const client = () => clientOf(outbound);

/** Every component behaves so from now on. */
function behave(requested: object): void {
  const { requested: read, problems } = readRequested(requested, "");
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
  adapter.setBehaviours({ default: read });
}

/** Starts regularly and asynchronously; then polls under the odd answer. */
async function pollOdd(odd: string, operation: AdapterOperation = "provision") {
  behave({ mode: "async", runningPolls: 0, odd: { poll: odd } });
  // Only silence has to wait for it; packing and unpacking a bomb takes a busy machine a while.
  const call = callTo(adapter.url, { timeoutMs: ["never", "late", "drip"].includes(odd) ? 1_000 : 20_000 });
  return client().poll(call, await acceptedToken(client(), call, operation), operation);
}

describe("a poll answered oddly", () => {
  const status = "GET /v1/provision/{token}/status: ";
  it.each([
    ["404", { type: "token-unknown", message: `${status}the adapter no longer knows the token (404).` }],
    [
      "400-errors",
      {
        type: "refused",
        status: 400,
        problems: ["one", "two"],
        solutions: [],
        message: `${status}the adapter refused with 400: one\ntwo`,
      },
    ],
    [
      "429",
      fault("rate_limited", {
        status: 429,
        retryable: true,
        retryAfterMs: 3_000,
        message: `${status}the adapter asks for fewer calls (429): slow down`,
      }),
    ],
    [
      "500",
      fault("server_error", {
        status: 500,
        retryable: true,
        message: `${status}the adapter failed with 500: The warehouse is closed`,
      }),
    ],
    [
      "501",
      fault("server_error", {
        status: 501,
        message: `${status}the adapter failed with 501: Not Implemented`,
      }),
    ],
    [
      "503",
      fault("unavailable", {
        status: 503,
        retryable: true,
        retryAfterMs: 1_000,
        message: `${status}the adapter cannot answer now (503).`,
      }),
    ],
    [
      "redirect",
      fault("redirect", { status: 302, message: `${status}the adapter answered with a redirect (302).` }),
    ],
    [
      "malformed-json",
      fault("malformed", {
        status: 200,
        retryable: true,
        message: `${status}the body of the adapter's 200 is not JSON.`,
      }),
    ],
    [
      "empty-body",
      fault("malformed", {
        status: 200,
        retryable: true,
        message: `${status}the body of the adapter's 200 is empty.`,
      }),
    ],
    ["no-token-empty", { type: "running", logs: [] }],
    ["terminated", { type: "done", status: "TERMINATED", info: null, logs: [] }],
    ["status-case", done()],
    ["never", fault("timeout", { retryable: true, message: expect.stringContaining("within 1000 ms") })],
    [
      "reset-middle",
      fault("reset", { retryable: true, message: expect.stringContaining("broke before the answer") }),
    ],
    ["gzip-bomb", fault("too_large", { message: expect.stringContaining("more than 10485760 bytes") })],
  ])("%s", async (odd, expected) => {
    expect(await pollOdd(odd)).toEqual(expected);
  });

  it("final, and later final in another way", async () => {
    behave({ mode: "async", runningPolls: 1, odd: { poll: { name: "flip", times: 9 } } });
    const call = callTo(adapter.url);
    const token = await acceptedToken(client(), call, "provision");
    const seen = [];
    for (let n = 0; n < 3; n++) {
      const answer = await client().poll(call, token, "provision");
      seen.push(answer.type === "done" ? answer.status : answer.type);
    }
    expect(seen).toEqual(["running", "COMPLETED", "FAILED"]);
  });

  it("forgotten after a restart", async () => {
    behave({ mode: "async" });
    for (const operation of ["provision", "reverse-provisioning"] as const) {
      const call = callTo(adapter.url);
      const token = await acceptedToken(client(), call, operation);
      adapter.forget();
      expect(await client().poll(call, token, operation)).toMatchObject({ type: "token-unknown" });
    }
  });

  it("reverse provisioning gives its updates", async () => {
    behave({ mode: "async", runningPolls: 0, updates: { "a.b": 1 } });
    const call = callTo(adapter.url);
    const token = await acceptedToken(client(), call, "reverse-provisioning");
    expect(await client().poll(call, token, "reverse-provisioning")).toMatchObject({
      type: "done",
      status: "COMPLETED",
      info: null,
      updates: { "a.b": 1 },
    });
  });
});

describe("a termination", () => {
  it.each([
    ["final", { type: "done", status: "TERMINATED" }],
    ["accepted", { type: "terminating" }],
    ["never", { type: "terminating" }],
    ["unsupported", { type: "unsupported", status: 501 }],
    ["error", { type: "fault", reason: "server_error", retryable: false }],
  ] as const)("%s", async (terminate, expected) => {
    behave({ mode: "async", runningPolls: 9, terminate });
    const call = callTo(adapter.url);
    const token = await acceptedToken(client(), call, "provision");
    expect(await client().terminate(call, token)).toMatchObject(expected);
  });

  it.each([
    ["no-content", { type: "done", status: "TERMINATED", info: null, logs: [] }],
    ["no-token-empty", { type: "terminating", logs: [] }],
    [
      "404",
      {
        type: "unsupported",
        status: 404,
        message: "DELETE /v1/provision/{token}: the adapter does not support it (404).",
      },
    ],
    [
      "405",
      {
        type: "unsupported",
        status: 405,
        message: "DELETE /v1/provision/{token}: the adapter does not support it (405).",
      },
    ],
    [
      "malformed-json",
      fault("malformed", {
        status: 200,
        message: "DELETE /v1/provision/{token}: the body of the adapter's 200 is not JSON.",
      }),
    ],
  ])("answered with %s", async (odd, expected) => {
    behave({ mode: "async", odd: { terminate: { name: odd, times: 1 } } });
    const call = callTo(adapter.url);
    const token = await acceptedToken(client(), call, "provision");
    expect(await client().terminate(call, token)).toEqual(expected);
  });
});

describe("a validation", () => {
  const validate = (odd?: string, validationErrors: string[] = []) => {
    const behaviour = odd === undefined ? {} : { odd: { validate: { name: odd, times: 1 } } };
    behave({ ...behaviour, validationErrors });
    return client().validate(callTo(adapter.url), componentBody);
  };
  const v1 = "POST /v1/validate: ";

  it.each([
    [undefined, [], { type: "validated", valid: true, problems: [], solutions: [], logs: [] }],
    [
      undefined,
      ["a", "b"],
      { type: "validated", valid: false, problems: ["a", "b"], solutions: [], logs: [] },
    ],
    [
      "400-error",
      [],
      {
        type: "refused",
        status: 400,
        problems: ["It is wrong."],
        solutions: [],
        message: `${v1}the adapter refused with 400: It is wrong.`,
      },
    ],
    [
      "404",
      [],
      {
        type: "refused",
        status: 404,
        problems: ["nothing here"],
        solutions: [],
        message: `${v1}the adapter refused with 404: nothing here`,
      },
    ],
    [
      "500",
      [],
      fault("server_error", {
        status: 500,
        retryable: true,
        message: `${v1}the adapter failed with 500: The warehouse is closed`,
      }),
    ],
    [
      "wrong-types",
      [],
      fault("malformed", {
        status: 200,
        message: `${v1}the body of the adapter's 200 has a \`valid\` that is not a boolean.`,
      }),
    ],
    [
      "malformed-json",
      [],
      fault("malformed", { status: 200, message: `${v1}the body of the adapter's 200 is not JSON.` }),
    ],
  ])("%s %j", async (odd, errors, expected) => {
    expect(await validate(odd, errors)).toEqual(expected);
  });

  it.each([
    ["result", [], { type: "validated", valid: true, problems: [] }],
    ["result", ["a"], { type: "validated", valid: false, problems: ["a"] }],
    ["publicInfo", ["a"], { type: "validated", valid: false, problems: ["a"] }],
  ] as const)("with a token, verdict in %s", async (verdictIn, validationErrors, expected) => {
    behave({ mode: "async", verdictIn, validationErrors: [...validationErrors] });
    const call = callTo(adapter.url);
    const accepted = await client().startValidation(call, componentBody);
    const token = accepted.type === "accepted" ? accepted.token : "";
    expect(await client().pollValidation(call, token)).toMatchObject({ type: "running" });
    expect(await client().pollValidation(call, token)).toMatchObject(expected);
    adapter.forget();
    expect(await client().pollValidation(call, token)).toMatchObject({ type: "token-unknown" });
  });

  it.each([
    [
      "404",
      {
        type: "unsupported",
        status: 404,
        message: "POST /v2/validate: the adapter does not support it (404).",
      },
    ],
    ["running-200", { type: "running", logs: [] }],
    [
      "null-info",
      fault("malformed", {
        status: 200,
        message: "POST /v2/validate: the body of the adapter's 200 has no validation result.",
      }),
    ],
    [
      "empty-body",
      fault("malformed", {
        status: 200,
        message: "POST /v2/validate: the body of the adapter's 200 is empty.",
      }),
    ],
    [
      "no-token",
      fault("no_token", {
        status: 202,
        message: "POST /v2/validate: the body of the adapter's 202 is an object without a token.",
      }),
    ],
  ])("of the second kind answered with %s", async (odd, expected) => {
    behave({ odd: { validate: { name: odd, times: 1 } } });
    expect(await client().startValidation(callTo(adapter.url), componentBody)).toEqual(expected);
  });
});
