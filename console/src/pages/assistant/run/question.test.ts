import { expect, test } from "vitest";
import type { Question } from "./start-run.ts";
import { questionOf, withoutQuestion } from "./question.ts";

const context = { page: "Unit", path: "/units/a" };
const failed: Question = { message: "Why?", sessionId: "s", agentId: null, context, requestId: "r" };
const { requestId: _, ...asked } = failed;

test("the same question after a failure is the same request", () => {
  expect(questionOf({ ...asked, context: { ...context } }, failed)).toBe(failed);
});

test.each([
  ["another text", { message: "Why not?" }],
  ["another conversation", { sessionId: null }],
  ["another agent", { agentId: "b" }],
  ["another page", { context: { page: "Unit", path: "/units/b" } }],
  ["no page", { context: null }],
])("with %s it is another request", (_what, part) => {
  const question = questionOf({ ...asked, ...part }, failed);
  expect(question).toMatchObject({ ...asked, ...part });
  expect(question.requestId).toMatch(/^[0-9a-f]{32}$/);
});

test("what was asked leaves the field, and what was written since stays", () => {
  expect(withoutQuestion(" Why? \n", "Why?")).toBe("");
  expect(withoutQuestion("Why? And when?", "Why?")).toBe("Why? And when?");
});
