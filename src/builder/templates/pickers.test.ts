import { describe, expect, it } from "vitest";
import { pickerProblems } from "./pickers.ts";

const field = (widget: string, more: object = {}) => ({ type: "string", "ui:field": widget, ...more });
const check = (schema: object, value: unknown): string[] =>
  pickerProblems([{ properties: { it: { ...schema } } }], { it: value }, "/values").map(
    ({ where, message }) => `${where} ${message}`,
  );

const domains = { "ui:options": { allowedKinds: ["Domain"] } };
const hosts = { "ui:options": { allowedHosts: ["git.example"] } };
const project = { validation: { regularExpression: "^[a-z]+$", errorMessage: "Letters only." } };

describe("pickerProblems", () => {
  it.each([
    ["EntityPicker", {}, "system:default/finance.cash-flow.0"],
    ["EntityPicker", {}, "finance"],
    ["EntityPicker", {}, ""],
    ["EntityPicker", domains, "domain:finance"],
    ["EntityPicker", domains, "finance"],
    ["EntityRelationsPicker", {}, "urn:dmb:cmp:finance:cash-flow:0:ledger"],
    ["OwnerPicker", {}, "group:default/sea"],
    ["OwnerPicker", { "ui:options": { allowedKinds: ["Domain"] } }, "domain:sea"],
    ["RepoUrlPicker", {}, "git.example?owner=sea&repo=fleet"],
    ["RepoUrlPicker", hosts, "git.example?repo=fleet"],
    ["EntityNamePicker", {}, "Output Port_1"],
    ["ComponentIdentifierPicker", {}, "finance.cash-flow.0.ledger"],
    ["IdentifierPicker", {}, "finance-customer"],
    ["RegexPicker", project, "abc"],
    ["RegexPicker", { validation: { regularExpression: "(" } }, "abc"],
    ["SomethingElse", {}, "a b\nc"],
    ["constructor", {}, "a b\nc"],
  ])("%s %j takes %s", (widget, more, value) => expect(check(field(widget, more), value)).toEqual([]));

  it.each([
    ["EntityPicker", {}, "a b/c/d", "It must be a reference of an entity: [kind:][namespace/]name."],
    ["EntityPicker", domains, "system:finance", "It must be a reference of the kind Domain."],
    ["OwnerPicker", {}, "system:a", "It must be a reference of the kind Group or User."],
    ["RepoUrlPicker", {}, "a b", "It must name a repository: host?owner=…&repo=…."],
    ["RepoUrlPicker", hosts, "evil.example?repo=a", "The host must be one of git.example."],
    ["EntityNamePicker", {}, "a\nb", "It must be a name: at most 253 characters on one line."],
    ["RegexPicker", project, "ABC", "Letters only."],
  ])("%s %j refuses %s", (widget, more, value, message) =>
    expect(check(field(widget, more), value)).toEqual([`/values/it ${message}`]),
  );

  it("looks into lists and objects", () => {
    const page = {
      properties: {
        a: { type: "array", items: field("EntityPicker") },
        b: { type: "object", properties: { "c/d": field("IdentifierPicker") } },
      },
    };
    const values = { a: ["x", "x/y/z"], b: { "c/d": "no blank" } };
    expect(pickerProblems([page], values, "/values").map(({ where }) => where)).toEqual([
      "/values/a/1",
      "/values/b/c~1d",
    ]);
  });
});
