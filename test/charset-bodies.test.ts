/** What each area answers to a body that is not UTF-8, and to one that does not come. */
import { expect, it } from "vitest";
import { assistantErrorBody } from "../src/assistant/errors.ts";
import { toBody } from "../src/builder/errors.ts";
import { coordinatorErrorBody } from "../src/coordinator/errors.ts";
import { requestTooSlow, unsupportedCharset } from "../src/platform/http/errors.ts";

const at = (url: string) => ({ id: "r", method: "POST", url });
const charset = unsupportedCharset("latin1");
const problem = 'names the charset "latin1"; it must be utf-8';

it("the coordinator's error object", () => {
  expect(coordinatorErrorBody(charset)).toMatchObject({
    status: 415,
    body: { code: "PLATFORM_CHARSET", errors: [`content-type: ${problem}`], inputErrorField: "content-type" },
  });
  expect(coordinatorErrorBody(requestTooSlow())).toMatchObject({
    status: 408,
    body: {
      code: "PLATFORM_REQUEST_TIMEOUT",
      userMessage: "The body of the request did not arrive in time.",
    },
  });
});

it("the builder's", () => {
  expect(toBody(charset, at("/api/builder/x"))).toMatchObject({
    status: 415,
    body: {
      error: { name: "UnsupportedMediaTypeError", problems: [{ where: "content-type", message: problem }] },
    },
  });
});

it.each(["/api/assistant/v2/task", "/api/assistant/agui", "/mcp"])("the assistant's at %s", (url) => {
  expect(assistantErrorBody(charset, at(url))).toEqual({
    status: 415,
    body: { detail: "Bodies are taken as UTF-8 only.", code: "PLATFORM_CHARSET" },
  });
  expect(assistantErrorBody(requestTooSlow(), at(url))).toMatchObject({
    status: 408,
    body: { code: "PLATFORM_REQUEST_TIMEOUT" },
  });
});

it("OpenAI's, to its clients", () => {
  expect(assistantErrorBody(charset, at("/api/assistant/v1/chat/completions"))).toMatchObject({
    status: 415,
    body: { error: { message: `The request ${problem}.`, code: "PLATFORM_CHARSET" } },
  });
});

it("that of JSON-RPC, to clients of A2A", () => {
  expect(assistantErrorBody(charset, at("/api/assistant/a2a"))).toMatchObject({
    status: 415,
    body: { jsonrpc: "2.0", id: null, error: { code: -32600, message: expect.stringContaining(problem) } },
  });
});
