import { describe, expect, it } from "vitest";
import { checkSyntax, render } from "./render.ts";

const context = { s: "abc", n: 5, list: ["x", "y"], map: { p: "q" } };

describe("methods that the engine does not bring", () => {
  it.each([
    ["${{ s.padStart(6, '0') }}", "000abc"],
    ["${{ s.repeat(2).padEnd(8, '.') }}", "abcabc.."],
    ["${{ map.p.padStart(n) }}|", "    q|"],
    ["${{ list[0].padStart(3, '-') + s.at(-1) }}", "--xc"],
    ["${{ s.match(r/[a-b]/g) }}", ["a", "b"]],
    ["${{ s.match('z') }}", null],
    ["${{ s.replaceAll('a', 'b').replaceAll(r/b/g, s.repeat(2)) }}", "abcabcabcabcc"],
    ["${{ 'x'.padStart(3, '}}') }}", "}}x"],
    ["${{ (s | upper).padStart(5, '*') | lower }}", "**abc"],
    ["{% if s.at(0) == 'a' %}yes${{ s.repeat(2) }}{% endif %}", "yesabcabc"],
    ["${{ 1 if not (s).at(9) else 2 }}", 1],
    ["${{ list.at(-1) }}", "y"],
    ["${{ n.toString(2).padStart(8, '0') }}", "00000101"],
    ["${{ list.toString() }}", "x,y"],
    ["${{ s.substr(-2, 1) }}${{ s.search(r/c/) }}${{ s.codePointAt(0) }}", "b297"],
    ["${{ {'a': s.repeat(2)} | dump }}", '{"a":"abcabc"}'],
    ["${{ s.padStart(6, '0')[1] }}", "0"],
    ["{% raw %}${{ s.padStart(9) }}{% endraw %}{# s.at(0) #}", "${{ s.padStart(9) }}"],
    ["s.padStart(9) ${{ 's.padStart(9)' }}", "s.padStart(9) s.padStart(9)"],
  ])("%s", (template, expected) => {
    expect(render(template, context)).toEqual({ ok: true, value: expected });
    expect(checkSyntax(template)).toBeNull();
  });

  it.each([
    ["nothing", "a\n ${{ missing.padStart(3) }}", { line: 2, column: 13 }, "nothing has no method padStart"],
    ["another kind", "${{ n.padStart(3) }}", { line: 1, column: 6 }, "a number has no method padStart"],
    ["a length beyond the limit", "${{ s.repeat(100000000) }}", { line: 1 }, "the output is too large"],
    ["a filling beyond the limit", "${{ s.padStart(100000000) }}", { line: 1 }, "the output is too large"],
    [
      "replacements that grow",
      "${{ s.repeat(1000).replaceAll(r/./g, '$`') }}",
      { line: 1 },
      "the output is too large",
    ],
    ["what follows", "x ${{ s.padStart(5) | shout }}", { line: 1, column: 23 }, "Unknown template filter"],
    ["a bracket that stays open", "${{ s.padStart(3 }}", { line: 1, column: 18 }, "Expected )"],
  ])("%s is a fault at its place in the text as it was written", (_case, template, place, reason) => {
    const result = render(template, context);
    expect(result).toMatchObject({ ok: false, ...place });
    expect(result.ok ? "" : result.reason).toContain(reason);
  });
});
