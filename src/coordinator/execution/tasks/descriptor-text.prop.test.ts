import fc from "fast-check";
import { dump } from "js-yaml";
import { expect, it } from "vitest";
import { descriptorText } from "./descriptor-text.ts";

const word = fc.constantFrom(
  "id",
  "urn:dmb:cmp:sea:ships:0:hull",
  "1.2.0",
  "0.1",
  "1e3",
  "yes",
  "No",
  "null",
  "~",
  "a: b",
  "a #b",
  "a#b",
  "- a",
  "*a",
  "x:",
  ":x",
  "",
  " ",
  " lead",
  "trail ",
  "select a,\n  b\nfrom c\n",
  " lead\nb",
  "a\n\nb",
  "a\n\n",
  "\n",
  "a\tb",
  "船",
  "2026-11-21",
  "0x10",
  "a/b.c-d_e",
  "k".repeat(101),
  "l".repeat(2_000),
  "constructor",
  "<<",
  "=",
  "!tag",
  "a\r\nb",
);
const sentence = fc
  .array(
    fc.tuple(
      fc.constantFrom(
        "Measured",
        "part",
        "of-the",
        "fleet",
        "7",
        "no",
        "null",
        "-x",
        "x_",
        "é",
        "#1",
        "'s",
        "%",
      ),
      fc.constantFrom(" ", " ", ", ", ". ", ".", ": ", ":", "; ", " - ", " # ", "/", "  ", "\n"),
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((parts) => parts.flat().slice(0, -1).join(""));
const text = fc.oneof(
  { weight: 4, arbitrary: word },
  { weight: 4, arbitrary: sentence },
  { weight: 1, arbitrary: sentence.map((words) => `${words}.`) },
  fc.string({ unit: "binary" }),
  fc.string(),
);
const scalar = fc.oneof(
  text,
  fc.integer(),
  fc.double(),
  fc.constantFrom(0, -0, 1e21, 2 ** 53, null, true, false),
);

const { block } = fc.letrec<{ block: object; value: unknown }>((tie) => ({
  value: fc.oneof({ maxDepth: 4, depthSize: "small" }, scalar, tie("block")),
  block: fc.oneof(
    fc.array(tie("value"), { maxLength: 4 }),
    fc.array(fc.tuple(text, tie("value")), { maxLength: 5 }).map((entries) => Object.fromEntries(entries)),
  ),
}));

const own = (value: object): string => dump(value, { noRefs: true, lineWidth: -1 });

it("writes what js-yaml writes", () => {
  fc.assert(
    fc.property(block, (value) => {
      expect(descriptorText(value)).toBe(own(value));
    }),
    { numRuns: 3_000 },
  );
});

it("writes a component literally", () => {
  const component = {
    id: "urn:dmb:cmp:sea:ships:0:hull",
    version: "1.2.0",
    dependsOn: [],
    specific: {
      sql: "select 1\nfrom a\n",
      columns: [{ name: "a b", size: 3, keys: [["x", 1.5]] }],
      note: null,
    },
  };
  expect(descriptorText(component)).toBe(
    [
      "id: urn:dmb:cmp:sea:ships:0:hull",
      "version: 1.2.0",
      "dependsOn: []",
      "specific:",
      "  sql: |",
      "    select 1",
      "    from a",
      "  columns:",
      "    - name: a b",
      "      size: 3",
      "      keys:",
      "        - - x",
      "          - 1.5",
      "  note: null",
      "",
    ].join("\n"),
  );
});
