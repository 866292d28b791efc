/** The chart without Helm: its values, their schema, and what is made of them. `npm run test:chart` renders it. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { load } from "js-yaml";
import { expect, it } from "vitest";
import { oldVariables } from "../../scripts/chart/old-variables.ts";
import { listValues, renderValues } from "../../scripts/chart/values-page.ts";
import { areaNames } from "../../src/areas.ts";

const root = join(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const schema = JSON.parse(read("charts/plinth/values.schema.json")) as object;
const valuesText = read("charts/plinth/values.yaml");
const validate = new Ajv({ allErrors: true, strict: false }).compile(schema);

/** As Helm puts values on top of the chart's. */
function merged(below: unknown, above: unknown): unknown {
  if (above === undefined) return below;
  const areMaps = [below, above].every(
    (each) => typeof each === "object" && each !== null && !Array.isArray(each),
  );
  if (!areMaps) return above;
  const [a, b] = [below, above] as Record<string, unknown>[];
  const keys = [...new Set([...Object.keys(a!), ...Object.keys(b!)])].filter((key) => b![key] !== null);
  return Object.fromEntries(keys.map((key) => [key, merged(a![key], b![key])]));
}

const problemsOf = (values: unknown): string[] => {
  validate(merged(load(valuesText), values));
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
};

it.each(readdirSync(join(import.meta.dirname, "values")))("%s fits the schema of the values", (name) => {
  expect(problemsOf(load(read(`test/chart/values/${name}`)))).toEqual([]);
});

it.each([
  [{ replicaCount: 2 }, " must NOT have additional properties"],
  [{ deployments: { worker: { replica: 2 } } }, "/deployments/worker must NOT have additional properties"],
  [{ deployments: { worker: { replicas: "2" } } }, "/deployments/worker/replicas must be integer"],
  [
    { repositories: { existingClaim: "Not A Name" } },
    '/repositories/existingClaim must match pattern "^([a-z0-9]([-a-z0-9.]*[a-z0-9])?)?$"',
  ],
  [{ extraEnv: [{ name: "A", value: 1 }] }, "/extraEnv/0/value must be string"],
])("%j does not", (values, problem) => {
  expect(problemsOf(values)).toContain(problem);
});

it("former keys and secrets are references to secrets, never values", () => {
  const former = (formerSecrets: unknown) => problemsOf({ installationKey: { formerSecrets } });
  expect(former([{ name: "old", key: "installation-key" }])).toEqual([]);
  expect(former([{ name: "old" }])).toEqual([
    "/installationKey/formerSecrets/0 must have required property 'key'",
  ]);
  expect(former(["c2VjcmV0"])).toEqual(["/installationKey/formerSecrets/0 must be object"]);
  expect(problemsOf({ adapterSecret: { formerSecret: { name: "old", value: "s" } } })).toEqual([
    "/adapterSecret/formerSecret must NOT have additional properties",
  ]);
});

it("the page of the values and the chart's old variables are what their sources say", () => {
  expect(read("docs/reference/chart.md")).toBe(renderValues(listValues(valuesText, schema)));
  expect(read("charts/plinth/files/old-variables.json")).toBe(oldVariables());
});

it("a value without a comment or without a schema is noticed", () => {
  const of = (properties: Record<string, object>) => ({ type: "object", properties });
  const text = { type: "string" };
  expect(() => listValues("# A.\na: x\nb: y\n", of({ a: text, b: text }))).toThrow("b has no comment");
  expect(() => listValues("# A.\na: x\n# B.\nb: y\n", of({ a: text }))).toThrow("has no b");
  expect(listValues("# A.\na:\n  # B.\n  b: x\n", of({ a: of({ b: text }) }))).toEqual([
    { path: ["a"], comment: "A.", type: "map" },
    { path: ["a", "b"], comment: "B.", type: "text", default: '"x"' },
  ]);
});

it("every template refuses bad values before it uses any of them", () => {
  const folder = "charts/plinth/templates";
  const rendered = readdirSync(join(root, folder)).filter((name) => !name.startsWith("_"));
  expect(rendered.length).toBeGreaterThan(10);
  const late = rendered.filter(
    (name) => !read(`${folder}/${name}`).startsWith('{{- include "plinth.checks" . }}\n'),
  );
  expect(late).toEqual([]);
});

it("there is a deployment for every area", () => {
  const { deployments } = load(valuesText) as { deployments: Record<string, { enabled: boolean }> };
  const enabled = Object.keys(deployments).filter((name) => deployments[name]!.enabled);
  const names = enabled.map((name) => name.replace("dataLayer", "data-layer"));
  expect(names.sort()).toEqual([...areaNames, "single", "worker"].sort());
});

it("the chart is of the same release as the program", () => {
  const { version } = JSON.parse(read("package.json")) as { version: string };
  expect(load(read("charts/plinth/Chart.yaml"))).toMatchObject({ version, appVersion: version });
});

it("the ingress leads to every operation", () => {
  const ingress = read("charts/plinth/templates/ingress.yaml");
  const prefixes = [...ingress.matchAll(/"(\/[^"]+)"/g)].map(([, path]) => path ?? "");
  const paths = areaNames.flatMap((area) =>
    Object.keys((JSON.parse(read(`openapi/${area}.json`)) as { paths: object }).paths),
  );
  const isReached = (path: string): boolean =>
    prefixes.some((prefix) => path === prefix || path.startsWith(`${prefix}/`));
  expect(paths.filter((path) => !isReached(path))).toEqual([]);
});
