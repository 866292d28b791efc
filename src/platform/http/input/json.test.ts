import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { maxJsonDepth, parseJson } from "./json.ts";

const refusals = (text: string | Buffer): [string, string][] =>
  parseJson(Buffer.from(text)).problems.map(({ where, keyword }) => [where, keyword]);

const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);

describe("parseJson", () => {
  it("reads whatever JSON.stringify writes", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const text = JSON.stringify(value);
        const { problems } = parseJson(Buffer.from(text));
        const isForbidden = /__proto__|\\u0000|\\ud/.test(text);
        expect(problems.length === 0 || isForbidden).toBe(true);
        if (problems.length === 0) {
          expect(JSON.stringify(parseJson(Buffer.from(text)).value)).toBe(text);
        }
      }),
    );
  });

  it.each<[string, string | Buffer, [string, string][]]>([
    ["nothing", "", [["", "empty"]]],
    ["blanks", " \n", [["", "empty"]]],
    ["half a body", '{"a":', [["", "json"]]],
    ["something else", "a: 1", [["", "json"]]],
    ["Latin-1", Buffer.from([0x22, 0xe9, 0x22]), [["", "json"]]],
    ["too deep", nested(maxJsonDepth + 1), [["", "depth"]]],
    ["far too deep", "[".repeat(1_000_000), [["", "depth"]]],
    ["a poisoned prototype", '{"a":{"__proto__":{"x":1}}}', [["/a/__proto__", "forbidden"]]],
    ["one that hides", String.raw`{"\u005f_proto__":{}}`, [["/__proto__", "forbidden"]]],
    ["a constructor's prototype", '{"constructor":{"prototype":{}}}', [["/constructor", "forbidden"]]],
    ["NUL", String.raw`{"a":["x","\u0000"]}`, [["/a/1", "text"]]],
    ["NUL in a name", String.raw`{"a\u0000":1}`, [["", "text"]]],
    ["half a surrogate pair", String.raw`{"a":"\ud83d"}`, [["/a", "text"]]],
    [
      "several",
      String.raw`{"a":"\u0000","b":"\udc00"}`,
      [
        ["/a", "text"],
        ["/b", "text"],
      ],
    ],
  ])("refuses %s", (_, text, expected) => {
    expect(refusals(text)).toEqual(expected);
  });

  it.each<[string, string]>([
    ["a byte order mark", '\uFEFF{"a":1}'],
    ["the deepest allowed", nested(maxJsonDepth)],
    ["brackets in strings", JSON.stringify("[".repeat(500))],
    ["escaped quotes", JSON.stringify(`${'"'.repeat(200)}${"[".repeat(200)}`)],
    ["a whole surrogate pair", String.raw`{"a":"\ud83d\ude00"}`],
    ["a constructor that is a word", '{"constructor":"Ford"}'],
  ])("accepts %s", (_, text) => {
    expect(refusals(text)).toEqual([]);
  });

  it("says where, and quotes nothing of the body", () => {
    const [problem] = parseJson(Buffer.from('{"password": "hunter2",\n "a": hunter2}')).problems;
    expect(problem?.message).toMatch(/^is not valid JSON/);
    expect(JSON.stringify(problem)).not.toContain("hunter2");
  });
});
