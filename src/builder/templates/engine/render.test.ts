import { describe, expect, it } from "vitest";
import { createTemplateScope, render } from "./render.ts";
import type { TemplateContext } from "./template-value.ts";

const context: TemplateContext = {
  name: "Fleet Positions",
  count: 3,
  on: true,
  nothing: null,
  tags: ["a", "b"],
  owner: { ref: "user:default/ada", list: [1, 2] },
  repoUrl: "git.example.com?owner=fleet&repo=positions",
};

describe("render", () => {
  it.each([
    ["a text without tags", "plain {{ text }}", "plain {{ text }}"],
    ["a number keeps its type", "${{ count }}", 3],
    ["a boolean keeps its type", "${{ on }}", true],
    ["a list keeps its type", "${{ tags }}", ["a", "b"]],
    ["a map keeps its type", "${{ owner }}", { ref: "user:default/ada", list: [1, 2] }],
    ["null keeps its type", "${{ nothing }}", null],
    ["an expression within a text is text", "n=${{ count }}", "n=3"],
    ["undefined renders empty", "[${{ missing }}]", "[]"],
    ["undefined below undefined renders empty", "[${{ missing.deep }}]", "[]"],
    ["undefined alone is undefined", "${{ missing }}", undefined],
    ["replace", "${{ name | replace('Fleet', 'Ship') }}", "Ship Positions"],
    ["replace with a regex", "${{ name | replace(r/[eo]/g, '_') }}", "Fl__t P_siti_ns"],
    ["join", "${{ tags | join('-') }}", "a-b"],
    ["lower", "${{ name | lower }}", "fleet positions"],
    ["upper", "${{ name | upper }}", "FLEET POSITIONS"],
    ["truncate", "${{ name | truncate(5, true, '…') }}", "Fleet…"],
    ["dump", "${{ owner | dump }}", '{"ref":"user:default/ada","list":[1,2]}'],
    ["trim", "${{ '  x ' | trim }}", "x"],
    ["default", "${{ missing | default('d') }}", "d"],
    ["indent", "${{ 'a\nb' | indent(2) }}", "a\n  b"],
    ["safe", "${{ '<b>' | safe }}", "<b>"],
    ["reject", "${{ tags | reject('equalto', 'a') | dump }}", '["b"]'],
    ["length", "${{ tags | length }}", 2],
    ["pick", "${{ owner | pick('ref') }}", "user:default/ada"],
    ["pick of what is not there", "${{ owner | pick('constructor2') }}", undefined],
    ["parseEntityRef", "${{ owner.ref | parseEntityRef | pick('name') }}", "ada"],
    [
      "parseEntityRef with defaults",
      "${{ 'ada' | parseEntityRef({ defaultKind: 'user', defaultNamespace: 'people' }) }}",
      { kind: "user", namespace: "people", name: "ada" },
    ],
    ["projectSlug", "${{ repoUrl | projectSlug }}", "fleet/positions"],
    [
      "parseRepoUrl",
      "${{ repoUrl | parseRepoUrl }}",
      { host: "git.example.com", repo: "positions", owner: "fleet" },
    ],
    ["methods of texts and lists", "${{ name.split(' ').slice(1).join('') }}", "Positions"],
    ["statements", "{% for t in tags %}<${{ t }}>{% endfor %}", "<a><b>"],
    ["raw blocks", "{% raw %}${{ name }}{% endraw %}", "${{ name }}"],
    ["CRLF survives", "a\r\n${{ count }}\r\n", "a\r\n3\r\n"],
  ])("%s", (_case, template, expected) => {
    expect(render(template, context)).toEqual({ ok: true, value: expected });
  });

  it.each([
    ["an unknown filter", "ab\n  ${{ name | shout }}", 2, /Unknown template filter/],
    ["an unclosed statement", "{% if on %}", 1, /endif/],
    ["an unclosed expression", "a ${{ name", 1, /./],
    ["a filter that refuses its input", "${{ 1 | parseEntityRef }}", 1, /parseEntityRef needs a text|filter/],
    ["the way to the host", "${{ ''.constructor.constructor('return process')() }}", 1, /reserved/],
  ])("%s is an answer with its line, not an exception", (...[, template, line, reason]) => {
    const result = render(template, context);
    expect(result).toMatchObject({ ok: false, line });
    expect(result.ok ? "" : result.reason).toMatch(reason);
  });

  it("counts lines from the start of the template, not from its first tag", () => {
    const result = createTemplateScope([], context).render("one\ntwo\nthree ${{ name | shout }}\n");
    expect(result).toMatchObject({ ok: false, line: 3, column: 18 });
  });

  it("refuses a context with reserved names instead of failing", () => {
    const result = render("${{ a.b | lower }}", { a: { constructor: "x" } });
    expect(result).toMatchObject({ ok: false });
  });
});

describe("createTemplateScope", () => {
  it("lets later expressions see what was set since", () => {
    const scope = createTemplateScope(["values"], { environment: "development" });
    scope.set("values", "a", "A");
    expect(scope.evaluate("${{ values.a | lower }}")).toEqual({ ok: true, value: "a" });
    scope.set("values", "b", "B");
    expect(scope.evaluate("${{ values.b | lower }} ${{ environment }}")).toEqual({
      ok: true,
      value: "b development",
    });
  });
});
