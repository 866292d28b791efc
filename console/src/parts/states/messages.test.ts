import { expect, test } from "vitest";
import { ApiError } from "../../api/error.ts";
import { messageOf } from "./messages.ts";

const noAnswer = new TypeError("Failed to fetch");
const answered = (status: number, body?: unknown): ApiError =>
  new ApiError(new Response(null, { status }), body);
const unknownOutcome =
  /^(.*) It is not known whether it was done: look at what is there now before you send it again\.$/;

test("a read without an answer is asked again", () => {
  expect(messageOf(noAnswer, "read")).toMatch(/^The server did not answer\. It is asked again/);
  expect(messageOf(answered(502), "read")).toBe("The server answered 502.");
});

test("a read that is not asked again by itself changes nothing, and is tried again by hand", () => {
  expect(messageOf(noAnswer, "readOnce")).toBe("The server did not answer. Try again.");
  expect(messageOf(answered(502), "readOnce")).toBe("The server answered 502.");
});

test.each([
  ["no answer", noAnswer, "The server did not answer."],
  ["an answer that took too long", new DOMException("late", "TimeoutError"), "The server did not answer."],
  ["an answer of a proxy", answered(504), "The server answered 504."],
])("a write that ends with %s may have been done, and is not sent again", (_what, error, message) => {
  expect(unknownOutcome.exec(messageOf(error, "write"))?.[1]).toBe(message);
});

test.each([
  ["a refusal", answered(409, { code: "A", userMessage: "It has ended." }), "It has ended."],
  ["an overload", answered(503, { code: "PLATFORM_OVERLOADED", userMessage: "Too much." }), "Too much."],
  [
    "a start",
    answered(503, { code: "PLATFORM_STARTING", userMessage: "It is starting." }),
    "It is starting.",
  ],
  ["a fault of the page", new Error("This is no YAML."), "This is no YAML."],
])("a write that ends with %s was not done", (_what, error, message) => {
  expect(messageOf(error, "write")).toBe(message);
});
