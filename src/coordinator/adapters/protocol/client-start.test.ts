/** Starts that the mock adapter answers oddly: one line for each oddity, with its exact outcome. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readRequested } from "../../../adapters/mock/behaviour.ts";
import type { MockAdapter } from "../../../adapters/mock/server.ts";
import { startMockAdapter } from "../../../adapters/mock/server.ts";
import type { Outbound } from "../../../platform/outbound/outbound.ts";
import type { AdapterOperation } from "./answers.ts";
import { bodies, callTo, clientOf, done, fault, openOutbound } from "./client-fixtures.ts";

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

interface StartOptions {
  operation?: AdapterOperation;
  timeoutMs?: number;
}

function startOdd(odd: string, { operation = "provision", timeoutMs = 5_000 }: StartOptions = {}) {
  behave({ odd: { start: odd } });
  return client().start(callTo(adapter.url, { timeoutMs }), operation, bodies[operation]);
}

const provision = "POST /v1/provision: ";
const refused = (status: number, problems: string[], more: object = {}) => ({
  type: "refused",
  status,
  problems,
  solutions: [],
  message: `${provision}the adapter refused with ${status}: ${problems.join("\n")}`,
  ...more,
});
const cut = (text: string) => `${text}${"x".repeat(2_047 - text.length)}…`;

describe("a start answered oddly", () => {
  it.each([
    [
      "400",
      refused(400, ["The table name is not valid", "The owner is missing", "A third thing"], {
        solutions: ["Name the table"],
        userMessage: "The component cannot be provisioned",
        input: "specific: {}",
        inputErrorField: "$.specific.table",
        message: [
          `${provision}the adapter refused with 400: The component cannot be provisioned`,
          "- The table name is not valid",
          "- The owner is missing",
          "- A third thing",
          "What to do: Name the table",
        ].join("\n"),
      }),
    ],
    ["400-errors", refused(400, ["one", "two"])],
    ["400-empty", refused(400, ["The adapter answered 400 without saying why."])],
    ["400-text", refused(400, [cut("It is wrong. ")])],
    ["400-error", refused(400, ["It is wrong."])],
    ["401", refused(401, ["no"])],
    ["403", refused(403, ["The adapter does not accept the credentials of the coordinator."])],
    ["404", refused(404, ["nothing here"])],
    ["405", refused(405, ["Method Not Allowed"])],
    ["409", refused(409, ["busy"])],
    ["422", refused(422, ["body.descriptor: field required", "body.removeData: not a boolean"])],
    [
      "429",
      fault("rate_limited", {
        status: 429,
        retryable: true,
        retryAfterMs: 3_000,
        message: `${provision}the adapter asks for fewer calls (429): slow down`,
      }),
    ],
    [
      "500",
      fault("server_error", {
        status: 500,
        message: `${provision}the adapter failed with 500: The warehouse is closed`,
      }),
    ],
    [
      "500-acted",
      fault("server_error", {
        status: 500,
        message: `${provision}the adapter failed with 500: The warehouse closed behind us`,
      }),
    ],
    [
      "500-text",
      fault("server_error", {
        status: 500,
        message: `${provision}the adapter failed with 500: ${cut("Traceback: ")}`,
      }),
    ],
    [
      "500-empty",
      fault("server_error", { status: 500, message: `${provision}the adapter failed with 500.` }),
    ],
    [
      "501",
      fault("server_error", {
        status: 501,
        message: `${provision}the adapter failed with 501: Not Implemented`,
      }),
    ],
    [
      "502",
      fault("unavailable", {
        status: 502,
        retryable: true,
        message: `${provision}the adapter cannot answer now (502): <html>Bad Gateway</html>`,
      }),
    ],
    [
      "503",
      fault("unavailable", {
        status: 503,
        retryable: true,
        retryAfterMs: 1_000,
        message: `${provision}the adapter cannot answer now (503).`,
      }),
    ],
    [
      "redirect",
      fault("redirect", { status: 302, message: `${provision}the adapter answered with a redirect (302).` }),
    ],
    [
      "malformed-json",
      fault("malformed", { status: 200, message: `${provision}the body of the adapter's 200 is not JSON.` }),
    ],
    [
      "empty-body",
      fault("malformed", { status: 200, message: `${provision}the body of the adapter's 200 is empty.` }),
    ],
    [
      "no-content",
      fault("malformed", { status: 204, message: `${provision}the body of the adapter's 204 is empty.` }),
    ],
    [
      "wrong-types",
      fault("malformed", {
        status: 200,
        message: `${provision}the body of the adapter's 200 has a status that is not a string.`,
      }),
    ],
    [
      "odd-members",
      done({
        result: '{"n":1}',
        logs: [{ level: "WARNING", message: "The adapter's `info` is not an object; it was left out." }],
      }),
    ],
    [
      "list-body",
      fault("malformed", {
        status: 200,
        message: `${provision}the body of the adapter's 200 is not a JSON object.`,
      }),
    ],
    [
      "text-200",
      fault("malformed", { status: 200, message: `${provision}the body of the adapter's 200 is not JSON.` }),
    ],
    [
      "html-200",
      fault("malformed", { status: 200, message: `${provision}the body of the adapter's 200 is not JSON.` }),
    ],
    [
      "unknown-status",
      fault("malformed", {
        status: 200,
        message: `${provision}the body of the adapter's 200 has the unknown status "EXCELLENT".`,
      }),
    ],
    ["status-case", done()],
    ["null-info", done()],
    ["terminated", { type: "done", status: "TERMINATED", info: null, logs: [] }],
    ["running-200", { type: "running", logs: [] }],
    ["token-text-as-json", { type: "accepted", token: expect.stringMatching(/^provision-[-0-9a-f]{36}$/) }],
    ["token-quoted-as-text", { type: "accepted", token: expect.stringMatching(/^provision-[-0-9a-f]{36}$/) }],
    ["token-quoted", { type: "accepted", token: expect.stringMatching(/^provision-[-0-9a-f]{36}$/) }],
    ["token-object", { type: "accepted", token: expect.stringMatching(/^provision-[-0-9a-f]{36}$/) }],
    ["reused-token", { type: "accepted", token: "the-one-token" }],
    [
      "no-token",
      fault("no_token", {
        status: 202,
        message: `${provision}the body of the adapter's 202 is an object without a token.`,
      }),
    ],
    [
      "no-token-empty",
      fault("no_token", { status: 202, message: `${provision}the body of the adapter's 202 is empty.` }),
    ],
  ])("%s", async (odd, expected) => {
    expect(await startOdd(odd)).toEqual(expected);
  });

  it.each([
    [
      "never",
      fault("timeout", {
        retryable: true,
        message: expect.stringContaining("did not answer completely within 300 ms"),
      }),
    ],
    [
      "late",
      fault("timeout", {
        retryable: true,
        message: expect.stringContaining("did not answer completely within 300 ms"),
      }),
    ],
    [
      "drip",
      fault("timeout", {
        retryable: true,
        message: expect.stringContaining("did not answer completely within 300 ms"),
      }),
    ],
    [
      "reset-before",
      fault("reset", { retryable: true, message: expect.stringContaining("broke before the answer") }),
    ],
    [
      "reset-after",
      fault("reset", { retryable: true, message: expect.stringContaining("broke before the answer") }),
    ],
    [
      "reset-middle",
      fault("reset", { retryable: true, message: expect.stringContaining("broke before the answer") }),
    ],
  ])("%s, on the connection", async (odd, expected) => {
    expect(await startOdd(odd, { timeoutMs: 300 })).toEqual(expected);
  });

  it.each(["huge", "gzip-bomb"])("%s", async (odd) => {
    const message = `${provision}${adapter.url} answered with more than 10485760 bytes.`;
    expect(await startOdd(odd)).toEqual(fault("too_large", { message }));
  });

  it("late, but in time for a patient caller", async () => {
    expect(await startOdd("late", { timeoutMs: 10_000 })).toMatchObject({
      type: "done",
      status: "COMPLETED",
    });
  });

  it.each(["404", "405", "501"])("%s on a path that adapters need not have", async (odd) => {
    for (const operation of ["updateacl", "reverse-provisioning"] as const) {
      expect(await startOdd(odd, { operation })).toEqual({
        type: "unsupported",
        status: Number(odd),
        message: `POST /v1/${operation}: the adapter does not support it (${odd}).`,
      });
    }
  });
});
