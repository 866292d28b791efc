import * as fc from "fast-check";
import { createTemplateRenderer } from "nunjitsu";
import { expect, it } from "vitest";
import { createTemplateScope } from "./render.ts";

const engine = createTemplateRenderer({ allowRegexExecution: true });

/** What the engine itself says, undefined for any error. */
const byEngine = (work: () => unknown): unknown => {
  try {
    return { value: work() };
  } catch {
    return undefined;
  }
};

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
      expect(rendered.ok ? { value: rendered.value } : undefined).toEqual(
        byEngine(() => engine.render(text, context)),
      );
      expect(evaluated.ok ? { value: evaluated.value } : undefined).toEqual(
        byEngine(() => engine.renderValue(text, context)),
      );
    }),
    { numRuns: 3_000 },
  );
});
