import * as fc from "fast-check";
import { createTemplateRenderer } from "nunjitsu";
import { expect, it } from "vitest";
import { filters } from "./filters.ts";
import { createStepScope, createTemplateScope } from "./render.ts";
import type { RenderResult, TemplateValue } from "./template-value.ts";

const engine = createTemplateRenderer({ allowRegexExecution: true, filters });

/** What the engine itself says, undefined for any error. */
const byEngine = (work: () => unknown): unknown => {
  try {
    return { value: work() };
  } catch {
    return undefined;
  }
};

const resultOf = (result: RenderResult) => (result.ok ? { value: result.value } : undefined);

const leaf = fc.oneof(
  fc.string(),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.string(), { maxLength: 2 }),
);
const names = ["a", "b", "toString", "length"];
const values = fc.dictionary(
  fc.constantFrom(...names),
  fc.oneof(leaf, fc.dictionary(fc.constantFrom(...names), leaf)),
);
const path = fc
  .array(fc.constantFrom("values", "environment", ...names), { minLength: 1, maxLength: 3 })
  .map((parts) => parts.join("."));
const filter = fc.oneof(
  fc.constantFrom(
    "upper",
    "lower",
    "trim",
    "join",
    "join(', ')",
    'join("-")',
    "join(' | ')",
    "join('\\n')",
    "join(2)",
  ),
  fc.constantFrom(
    "parseEntityRef",
    "parseEntityRef()",
    "parseRepoUrl",
    "projectSlug",
    "dump",
    "nope",
    "pick",
  ),
  fc.constantFrom(
    "pick('name')",
    'pick( "owner" )',
    "pick('a')",
    "pick('a.b')",
    "pick('toString')",
    "pick(1)",
    "pick(a)",
  ),
);
const known: Record<string, fc.Arbitrary<TemplateValue>> = {
  ref: fc.constantFrom("group:default/sea", "user:ada", "sea", "a:b:c", { kind: "group", name: "sea" }),
  repo: fc.constantFrom("host?owner=o&repo=r", " host?repo=r", "host?owner=o", "host", ""),
  texts: fc.array(fc.constantFrom("a", " B ", ""), { maxLength: 3 }),
  mixed: fc.constantFrom([1, "a"], ["a", null], [["a"], "b"], []),
  text: fc.constantFrom(" Übergröße ", "straße", "\t", "it's"),
  part: fc.constantFrom<TemplateValue>({ name: "n", owner: 2, a: { b: "deep" } }, { "a.b": null }, [
    { name: "first" },
  ]),
  number: fc.integer(),
};
const filtered = fc
  .tuple(
    fc.constantFrom(...Object.keys(known), "ref.name", "missing"),
    fc.array(filter, { minLength: 1, maxLength: 3 }),
    fc.constantFrom(" | ", "|", "  |"),
  )
  .map(([at, uses, bar]) => `\${{ ${[`values.${at}`, ...uses].join(bar)} }}`);
const piece = fc.oneof(
  { weight: 4, arbitrary: path.map((at) => `\${{ ${at} }}`) },
  {
    weight: 4,
    arbitrary: fc.constantFrom("\n", " ", "text", "}}", "%}", "{ {", "$", "{", "'", "\r\n", "\t"),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "${{- values.a -}}",
      "{%- if values.a -%}x{%- endif -%}",
      "{# note #}",
      "{% raw %}${{ values.a }}{% endraw %}",
      "${{ values.a | upper }}",
      "${{values.b|dump}}",
      "${{ values.a | nope }}",
      "${{ values.a -}}",
      "${{ (values.a or 1) - 1 }}",
      "${{ values[environment] }}",
      "${{ }}",
      "${{ a.b. }}",
      "${{ '}}' }}",
      "{% set a = 1 %}",
      "${{",
      "{%",
    ),
  },
);
const template = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(""));

it("gives what the engine gives, whatever way it takes", () => {
  fc.assert(
    fc.property(template, values, (text, given) => {
      const context = { environment: "development", values: given };
      const scope = createTemplateScope(["values"], { environment: "development" });
      for (const [key, value] of Object.entries(given)) scope.set("values", key, value);
      const rendered = scope.render(text);
      const evaluated = scope.evaluate(text);
      expect(resultOf(rendered)).toEqual(byEngine(() => engine.render(text, context)));
      expect(resultOf(evaluated)).toEqual(byEngine(() => engine.renderValue(text, context)));
    }),
    { numRuns: 3_000 },
  );
});

const texts = fc.tuple(
  fc.constantFrom("", "of ", "{ "),
  filtered,
  fc.constantFrom("", "}", ", ${{ values.text }}"),
);

it("applies filters as the engine does", () => {
  fc.assert(
    fc.property(
      texts.map((parts) => parts.join("")),
      fc.record(known),
      (text, given) => {
        const scope = createTemplateScope(["values"], {});
        for (const [key, value] of Object.entries(given)) scope.set("values", key, value);
        const context = { values: given };
        expect(resultOf(scope.render(text))).toEqual(byEngine(() => engine.render(text, context)));
        expect(resultOf(scope.evaluate(text))).toEqual(byEngine(() => engine.renderValue(text, context)));
        expect(resultOf(createStepScope(context, false)(text))).toEqual(
          byEngine(() => engine.renderValue(text, context, { coercion: "json" })),
        );
      },
    ),
    { numRuns: 5_000 },
  );
});
