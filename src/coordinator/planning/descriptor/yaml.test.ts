import { expect, test } from "vitest";
import { parseUnitYaml } from "./yaml.ts";

test.each([
  ["plain", "id: u\ncomponents:\n  - id: a\n"],
  ["with a byte order mark and CRLF", "\uFEFFid: u\r\ncomponents:\r\n  - id: a\r\n"],
  ["as JSON", '{"id": "u", "components": [{"id": "a"}]}'],
  ["with an alias and a merge key", "common: &c {id: a}\nid: u\ncomponents:\n  - <<: *c\n"],
])("reads a unit: %s", (_, text) => {
  const { unit, problems } = parseUnitYaml(text);
  expect(problems).toEqual([]);
  expect(unit!.components.map(({ id }) => id)).toEqual(["a"]);
});

test("dates stay the text they were", () => {
  const { unit } = parseUnitYaml("id: u\nversion: 2024-01-02\ncomponents: []\n");
  expect(unit!.version).toBe("2024-01-02");
});

test.each([
  ["nothing", "", "/descriptor The descriptor is empty."],
  [
    "only a comment",
    "# nothing\n",
    "/descriptor The YAML is not valid in line 1, column 1: expected a document, but the input is empty.",
  ],
  [
    "an open list",
    "id: u\na: [",
    "/descriptor The YAML is not valid in line 2, column 5: unexpected end of the stream within a flow collection.",
  ],
  [
    "an unknown alias",
    "id: u\na: *b\n",
    '/descriptor The YAML is not valid in line 2, column 5: unidentified alias "b".',
  ],
  [
    "an unknown tag",
    "id: !!js/function 'x'\n",
    "/descriptor The YAML is not valid in line 1, column 5: unknown scalar tag !<tag:yaml.org,2002:js/function>.",
  ],
  ["a tab", "id: u\n\tname: x\n", "line 2, column 1: "],
  [
    "deep nesting",
    `a: ${"[".repeat(101)}`,
    "/descriptor The YAML is not valid in line 1, column 103: nesting exceeded maxDepth (100).",
  ],
  [
    "two documents",
    "---\nid: u\n---\nid: v\n",
    "/descriptor The YAML is not valid in line 1, column 1: expected a single document in the stream, but found more.",
  ],
  ["a list", "- id: u\n", "/descriptor The descriptor is not an object."],
  ["a circle", "id: u\na: &a [*a]\n", "/descriptor The descriptor is nested deeper than 100 levels."],
])("refuses %s", (_, text, listed) => {
  const { unit, problems } = parseUnitYaml(text);
  expect(unit).toBeUndefined();
  expect(problems).toHaveLength(1);
  expect(`${problems[0]!.where} ${problems[0]!.message}`).toContain(listed);
});

test("of a key that stands twice the last value counts, with a warning", () => {
  const { unit, problems, warnings } = parseUnitYaml("id: u\nname: a\ncomponents: []\nname: b\n");
  expect([unit!.name, problems]).toEqual(["b", []]);
  expect(warnings).toMatchObject([
    { where: "/descriptor", message: expect.stringMatching(/^Line 4, column 1: .*the last value counts/) },
  ]);
});

test("a descriptor that is wrapped as adapters get it is reported as that", () => {
  const { unit, problems } = parseUnitYaml("dataProduct:\n  id: u\n  components: []\n");
  expect(unit).toBeUndefined();
  expect(problems).toMatchObject([
    { where: "/descriptor", solution: "Send what stands under `dataProduct`, without that key." },
  ]);
});

test("refuses aliases that multiply", () => {
  const lines = ["id: u", "components: []", "a0: &a0 [x, x, x, x, x, x, x, x, x, x]"];
  for (let level = 1; level < 8; level += 1) {
    const uses = Array.from({ length: 10 }, () => `*a${level - 1}`);
    lines.push(`a${level}: &a${level} [${uses.join(", ")}]`);
  }
  expect(parseUnitYaml(lines.join("\n")).problems.map(({ message }) => message)).toEqual([
    "The descriptor holds more than 1000000 values.",
  ]);
  const many = `id: u\na: &a 1\nb: [${"*a, ".repeat(1_001)}]\n`;
  expect(parseUnitYaml(many).problems[0]!.message).toBe(
    "The YAML is not valid in line 3, column 4006: aliases exceeded maxAliases (1000).",
  );
});
