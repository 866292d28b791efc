import fc from "fast-check";
import { expect, it } from "vitest";
import {
  agentCandidate,
  agentFile,
  skillCandidate,
  skillFile,
  printRecordFile,
  readRecordFile,
  readAgent,
  readSkill,
} from "./portable.ts";

const name = fc.string({ minLength: 1, maxLength: 40, unit: "grapheme" }).filter((given) => /\S/.test(given));
const text = fc.string({ maxLength: 200, unit: "grapheme" });
const key = fc.stringMatching(/^[a-z0-9]{1,10}(?:-[a-z0-9]{1,10})?$/);
const tools = fc.array(fc.record({ server: name, name }), { maxLength: 4 });

it("what is printed is read again", () => {
  const skill = fc.record({ key, name, description: text, content: name, mcp_tools: tools });
  fc.assert(
    fc.property(skill, (given) => {
      const file = readRecordFile(printRecordFile(skillFile(given)));
      expect(typeof file === "string" ? file : readSkill(skillCandidate(given.key, file))).toEqual({
        value: given,
      });
    }),
  );
  const agent = fc.record({
    key,
    name,
    label: name,
    description: text,
    instructions: text,
    enabled: fc.boolean(),
    display_order: fc.integer({ min: -1_000, max: 1_000 }),
    mcp_tools: tools,
    skills: fc.array(key, { maxLength: 3 }),
    subagents: fc.array(key, { maxLength: 3 }),
  });
  fc.assert(
    fc.property(agent, (given) => {
      const file = readRecordFile(printRecordFile(agentFile(given)));
      expect(typeof file === "string" ? file : readAgent(agentCandidate(given.key, file))).toEqual({
        value: given,
      });
    }),
  );
});

it.each([
  ["no front matter", "# Title", "does not begin"],
  ["front matter further down", "\n---\na: 1\n---\n", "does not begin"],
  ["no end of it", "---\na: 1\n", "does not begin"],
  ["a list", "---\n- a\n---\n", "no mapping"],
  ["no YAML", "---\na: [\n---\n", "no YAML"],
  ["an alias", "---\na: &a 1\nb: *a\n---\n", "no YAML"],
  ["deep nesting", `---\na: ${"[".repeat(500)}${"]".repeat(500)}\n---\n`, "no YAML"],
])("%s is refused", (_what, given, message) => {
  expect(readRecordFile(given)).toContain(message);
});

it("a skill as others write it needs no more than name and description", () => {
  const file = readRecordFile("---\nname: knots\ndescription: Ties\n---\n\n# Knots\n");
  expect(typeof file === "string" ? file : readSkill(skillCandidate("knots", file))).toEqual({
    value: { key: "knots", name: "knots", description: "Ties", content: "# Knots\n", mcp_tools: [] },
  });
});
