import { afterAll, describe, expect, it } from "vitest";
import { withoutRequired } from "./script.ts";
import { openCueThread } from "./thread.ts";

const thread = openCueThread({ stepTimeoutMs: 2_000 });
afterAll(() => thread.close());

const unit = {
  id: "urn:dmb:dp:sea:ships:0",
  name: "Ships",
  kind: "dataproduct",
  version: "1.2.0",
  "quoted-name": 1,
  tags: ["sea"],
  text: 'a \\(name) "quoted" \u2028 line',
  components: [{ kind: "outputport", name: "log" }],
};
const evaluate = (
  script: string,
  { kind = "policy", ...more }: { kind?: "policy" | "metric"; [key: string]: unknown } = {},
) =>
  thread.evaluate({
    kind,
    script,
    input: {
      resource: unit,
      environment: "production",
      resourceType: "dataproduct",
      resourceId: unit.id,
      ...more,
    },
  });

describe("required fields", () => {
  it.each([
    ["name!: string", "name: string"],
    ['"a-b"!: string // name!: x', '"a-b": string // name!: x'],
    ["{a!: int, b!: {c!: 1}}", "{a: int, b: {c: 1}}"],
    ['x: "y!: z"', 'x: "y!: z"'],
    ['a: != "b"', 'a: != "b"'],
    ["[string]!: int", "[string]: int"],
  ])("%s", (script, rewritten) => {
    expect(withoutRequired(script)).toBe(rewritten);
  });
});

it.each([
  [
    "a resource that fits",
    'name!: string & !=""\nkind!: "dataproduct"\nversion!: =~"^[0-9]+\\\\.[0-9]+"',
    [],
  ],
  [
    "a wrong value",
    'name: "Boats"',
    [{ path: "name", message: expect.stringMatching(/conflicting values/) }],
  ],
  [
    "a missing one",
    "owner!: string",
    [{ path: "owner", message: expect.stringMatching(/^It is missing, or incomplete/) }],
  ],
  [
    "an item of a list",
    'components: [...{kind: "storage"}]',
    [{ path: "components.0.kind", message: expect.stringMatching(/conflicting values/) }],
  ],
  [
    "definitions and imports",
    'import "strings"\n#Name: strings.MinRunes(3)\nname!: #Name\nkind: _\nif kind == "dataproduct" {tags!: [...string]}',
    [],
  ],
  ["hidden facts", '_environment: "production"\n_resourceType: "dataproduct"', []],
  [
    "another environment",
    '_environment: "development"',
    [{ path: "_environment", message: expect.any(String) }],
  ],
])("%s", async (_name, script, errors) => {
  expect(await evaluate(script)).toEqual({ ok: true, satisfied: errors.length === 0, errors });
});

it("compares with what was deployed, and sees the whole unit", async () => {
  const compared = { original: { columns: 3 }, current: { columns: 2 } };
  expect(
    await evaluate("original: columns: int\ncurrent: columns: >=original.columns", compared),
  ).toMatchObject({
    ok: true,
    satisfied: false,
    errors: [{ path: "current.columns" }],
  });
  expect(await evaluate('_unit: owner: "ada"', { unit: { owner: "ada" } })).toMatchObject({
    satisfied: true,
  });
});

it("a metric is the field metric", async () => {
  expect(await evaluate("tags: [...string]\nmetric: len(tags)", { kind: "metric" })).toEqual({
    ok: true,
    value: 1,
    errors: [],
  });
  expect(await evaluate('metric: "x"', { kind: "metric" })).toMatchObject({ ok: false, reason: "broken" });
});

it.each([
  ["name: string\nkind: [}", 2, "expected operand"],
  ["a: 1\nb: 2\na: 3", 3, "conflicting values"],
  ["a: 1\nb: nowhere", 2, 'reference "nowhere" not found'],
  ['import "nowhere"\na: 1', 1, "nowhere"],
  ["a: {", 1, "expected"],
])("%j is refused with its line", async (script, line, message) => {
  expect(await thread.check(script)).toEqual([
    expect.objectContaining({ path: "spec.script", line, message: expect.stringContaining(message) }),
  ]);
});

it("what is hostile ends, and the next one is answered", async () => {
  const endless =
    'import "list"\nx: [for a in list.Range(0, 100000, 1) for b in list.Range(0, 100000, 1) {a*b}]';
  expect(await evaluate(endless)).toMatchObject({
    ok: false,
    reason: expect.stringMatching(/timeout|limit/),
  });
  expect(await evaluate("name: string")).toMatchObject({ satisfied: true });
  const cyclic = "a: b\nb: {c: a}";
  expect(await evaluate(cyclic)).toMatchObject({ ok: false, reason: "broken" });
  const many = Array.from({ length: 300 }, (_, n) => `f${n}: string`).join("\n");
  expect((await evaluate(many)) as object).toMatchObject({ ok: true, satisfied: false });
}, 60_000);
