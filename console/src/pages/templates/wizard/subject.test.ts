import { expect, it } from "vitest";
import { faultsOfProblems, firstFaultyPage, localFaults } from "./faults.ts";
import { creationSubject, draftOfRun, editSubject, requestOf } from "./subject.ts";

const pages = [
  { title: "One", schema: { required: ["name"], properties: { name: { type: "string" } } } },
  {
    title: "Two",
    schema: {
      properties: {
        token: { "ui:field": "Secret" },
        columns: { type: "array", items: { required: ["name"], properties: { name: { type: "string" } } } },
      },
    },
  },
];
const creation = creationSubject("template:default/x", { title: "X", steps: pages }, ["dev", "prod"]);

const edit = editSubject({
  templateRef: "edittemplate:default/e",
  kind: "edit",
  title: "Edit",
  entityRef: "component:default/c",
  revision: "abc1234",
  steps: [
    { title: "All", schema: { properties: { text: {}, label: {} } }, environmentParameters: false },
    { title: "Each", schema: { properties: { region: {} } }, environmentParameters: true },
  ],
  values: { text: "old", label: "l" },
  environmentOverrides: { dev: { region: "eu" } },
  environments: ["dev", "prod"],
});

it("sends the values of all pages together, and overrides that have a value", () => {
  const draft = {
    ...creation.initial,
    pages: [{ name: "a" }, { columns: [] }],
    overrides: { dev: {}, prod: { name: "b" } },
  };
  expect(requestOf(creation, draft)).toEqual({
    templateRef: "template:default/x",
    values: { name: "a", columns: [] },
    environmentOverrides: { prod: { name: "b" } },
  });
});

it("takes a field of an entity away that was emptied, and names the commit that the form was read from", () => {
  const draft = { ...edit.initial, pages: [{ text: "new" }, {}] };
  expect(requestOf(edit, draft)).toEqual({
    templateRef: "edittemplate:default/e",
    entityRef: "component:default/c",
    revision: "abc1234",
    values: { text: "new", label: null },
    environmentOverrides: { dev: { region: "eu" } },
  });
});

it("begins with the values of an earlier run, without its masked secrets", () => {
  const run = { parameters: { name: "a", token: "***" }, environmentOverrides: { dev: { token: "***" } } };
  expect(draftOfRun(creation, run)).toEqual({
    pages: [{ name: "a" }, {}],
    overrides: { dev: {} },
    environment: null,
  });
});

it("puts the server's problems at the fields that they are about", () => {
  const faults = faultsOfProblems(creation, [
    { where: "/values/columns/0/name", message: "It is missing." },
    { where: "/environmentOverrides/prod/name", message: "It must match." },
    { where: "/templateRef", message: "Elsewhere." },
  ]);
  expect(faults).toEqual({
    pages: { 1: [{ path: ["columns", 0, "name"], message: "It is missing." }] },
    overrides: { prod: [{ path: ["name"], message: "It must match." }] },
  });
  expect(firstFaultyPage(creation, faults)).toBe(1);
});

it("sees what is missing before the server is asked", () => {
  expect(localFaults(creation, creation.initial)).toEqual({
    pages: { 0: [{ path: ["name"], message: "It is missing." }] },
    overrides: {},
  });
});
