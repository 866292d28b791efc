/** Tables of requests that the assistant refuses, and what every refusal has in common. */
import { expect, it } from "vitest";
import type { Answer, Call, WholeServer } from "../support/server.ts";

/** `[case, request, status, type, loc]`: of a 422 type and place of its first problem, otherwise the code. */
export type Refusal = [what: string, request: Call, status: number, type: string, loc?: string[]];

const text = expect.any(String);

export function testRefusals(server: () => WholeServer, rows: readonly Refusal[]): void {
  it.each(rows)("%s", async (...[, request, status, type, loc]) => {
    expectRefusal(await server().assistant(request), { status, type, ...(loc && { loc }) });
  });
}

export function expectRefusal(
  answer: Answer,
  wanted: { status: number; type: string; loc?: string[] },
): void {
  const first = answer.status === 422 ? answer.body.detail[0] : null;
  const found = first
    ? { status: answer.status, type: first.type, loc: first.loc }
    : { status: answer.status, type: answer.body?.code };
  expect(found, answer.text).toEqual(wanted);
  if (first === null) {
    expect(answer.body).toEqual({ detail: text, code: text });
    return;
  }
  for (const problem of answer.body.detail) {
    const { loc, msg, type } = problem;
    expect(problem, "pydantic gives an input with each").toHaveProperty("input");
    expect({ msg, type }).toEqual({ msg: text, type: text });
    const known = new Set(["loc", "msg", "type", "input", "ctx"]);
    expect(Object.keys(problem).filter((name) => !known.has(name))).toEqual([]);
    expect(loc.every((part: unknown) => typeof part === "string")).toBe(true);
    expect(["body", "query", "path"]).toContain(loc[0]);
  }
}

/** What each operation refuses of a page. */
export const badPages = (path: string): Refusal[] => {
  const list = (query: string): Call => ({ path: `${path}?${query}` });
  return [
    ["a limit of nothing", list("limit=0"), 422, "greater_than_equal", ["query", "limit"]],
    ["a limit beyond 100", list("limit=101"), 422, "less_than_equal", ["query", "limit"]],
    ["a limit that is no number", list("limit=ten"), 422, "int_parsing", ["query", "limit"]],
    ["half a limit", list("limit=1.5"), 422, "int_from_float", ["query", "limit"]],
    ["an empty limit", list("limit="), 422, "int_parsing", ["query", "limit"]],
    ["a limit given twice", list("limit=1&limit=2"), 422, "value_error", ["query", "limit"]],
    ["an offset below nothing", list("offset=-1"), 422, "greater_than_equal", ["query", "offset"]],
    ["an endless offset", list("offset=1e300"), 422, "less_than_equal", ["query", "offset"]],
    ["a search that is no text", list("search=%ff"), 422, "value_error", ["query", "search"]],
  ];
};

/** What each operation refuses of an id in its path; `unknown` is the code for an unknown id. */
export const badIds = (name: string, request: (id: string) => Call, unknown: string): Refusal[] => [
  ["an id that is no uuid", request("7"), 422, "uuid_parsing", ["path", name]],
  ["an id with a letter too many", request(`${unknownId}a`), 422, "uuid_parsing", ["path", name]],
  ["a long id", request("x".repeat(2_000)), 422, "uuid_parsing", ["path", name]],
  ["the id of nobody", request(unknownId), 404, unknown],
  ["the id of nobody as a URN", request(`urn:uuid:${unknownId.toUpperCase()}`), 404, unknown],
];

export const unknownId = "0e2f4c1e-5f0b-4a53-9c0e-1d2b3c4d5e6f";
