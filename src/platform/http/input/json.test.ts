import { once } from "node:events";
import { Worker } from "node:worker_threads";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inputFailure } from "../errors.ts";
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

  it.each<[string, string]>([
    ["texts", String.raw`"\u0000"`],
    ["names", String.raw`{"\u0000":1}`],
  ])("stops listing before a hostile body costs memory: 200,000 %s with NUL", (_, item) => {
    const { problems } = parseJson(Buffer.from(`[${Array.from({ length: 200_000 }, () => item).join()}]`));
    expect(problems).toHaveLength(101);
    expect(inputFailure(problems).problems.at(-1)?.message).toBe("has more problems than the 100 listed");
  });

  it.each<[string, BodyParts]>([
    ["wide", { before: String.raw`["\u0041"`, item: ",0", count: 1_500_000, after: "]" }],
    [
      "deep and wide",
      {
        before: String.raw`${"[".repeat(120)}"\u0041"`,
        item: ",0",
        count: 1_500_000,
        after: "]".repeat(120),
      },
    ],
    ["full of lists", { before: String.raw`["\u0041"`, item: ",[0]", count: 200_000, after: "]" }],
  ])("walks a body that is %s in little memory", async (_, parts) => {
    expect(await parseInWorker(parts)).toBe("parsed");
  });
});

interface BodyParts {
  before: string;
  item: string;
  count: number;
  after: string;
}

/** Parses a body where there is little more memory than it and its value need. */
const parseInWorker = async (workerData: BodyParts): Promise<string> => {
  const code = `import { parentPort, workerData } from "node:worker_threads";
    import { parseJson } from ${JSON.stringify(new URL("json.ts", import.meta.url).href)};
    const { before, item, count, after } = workerData;
    parseJson(Buffer.from(before + item.repeat(count) + after));
    parentPort.postMessage("parsed");`;
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`), {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: 48, maxYoungGenerationSizeMb: 8 },
  });
  const [message] = await Promise.race([
    once(worker, "message"),
    once(worker, "error").then(([error]) => [String(error)]),
  ]);
  await worker.terminate();
  return message;
};
