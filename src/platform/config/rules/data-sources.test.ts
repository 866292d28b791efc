import { expect, it } from "vitest";
import { inspectConfig } from "../load.ts";
import { folderWith } from "../testdata.ts";
import { sourceVariable } from "./data-sources.ts";

const inspect = (yaml: string, env: Record<string, string> = {}) =>
  inspectConfig({ files: [], env, cwd: folderWith({ "plinth.yaml": yaml }) });

const platform = { PLATFORM_DB_HOST: "db", PLATFORM_DB_USERNAME: "a@b", PLATFORM_DB_PASSWORD: "p/w:#%" };

it.each([
  ["coordinator", "ENGINE_GRAPHQL_COORDINATOR_DATABASE_URL"],
  ["Data-mart.2", "ENGINE_GRAPHQL_DATA_MART_2_DATABASE_URL"],
])("%s has the variable %s", (name, variable) => {
  expect(sourceVariable(name)).toBe(variable);
});

it("has the product's own sources, and shows the schema of their views alone", () => {
  const { config, problems } = inspect("mode: development");
  expect(problems).toEqual([]);
  expect(
    config.dbs.sources.map(({ name, url, isOwn, allowSchemas }) => [name, url, isOwn, allowSchemas]),
  ).toEqual(["coordinator", "cgp", "marketplace"].map((name) => [name, undefined, true, ["data_layer"]]));
});

it("makes addresses of the platform's variables, percent-encoded", () => {
  const yaml =
    "dbs: {sources: [{name: coordinator}, {name: cgp}, {name: marketplace}, {name: sales, db: sales mart}]}";
  const { config } = inspect(yaml, { ...platform, CGP_DB_HOST: "cgp-db", PLATFORM_DB_PORT: "6000" });
  expect(config.dbs.sources.map(({ url }) => url)).toEqual([
    "postgres://a%40b:p%2Fw%3A%23%25@db:6000/provisioning_coordinator",
    "postgres://a%40b:p%2Fw%3A%23%25@cgp-db:6000/provisioning_coordinator",
    "postgres://a%40b:p%2Fw%3A%23%25@db:6000/provisioning_coordinator",
    "postgres://a%40b:p%2Fw%3A%23%25@db:6000/sales%20mart",
  ]);
});

it("prefers the variable of the source", () => {
  const url = "postgres://u:p@far:1/x";
  const { config } = inspect("mode: development", { ...platform, ENGINE_GRAPHQL_CGP_DATABASE_URL: url });
  expect(config.dbs.sources.map(({ isGiven }) => isGiven)).toEqual([false, true, false]);
  expect(config.dbs.sources[1]?.url).toBe(url);
});

it("replaces the whole list of what is shown", () => {
  const { config, warnings } = inspect(
    "configOverride: {sources: [{name: cgp, allowSchemas: [data_layer, more]}]}",
  );
  expect(
    config.dbs.sources.map(({ allowSchemas, excludeSchemas }) => [allowSchemas, excludeSchemas]),
  ).toEqual([
    [[], ["*"]],
    [["data_layer", "more"], []],
    [[], ["*"]],
  ]);
  expect(warnings.map(({ message }) => message).join()).toMatch(/lacks coordinator, marketplace/);
});

it.each([
  ["dbs: {sources: [{name: a-b, db: x}, {name: a.b, db: y}]}", /has the same variable as a-b/],
  ["dbs: {sources: [{name: Metadata, db: x}]}", /has the same variable as the metadata of the layer/],
  ["dbs: {sources: [{name: sales}]}", /has no db/],
  ["configOverride: {sources: [{name: sales}]}", /names the source sales, which dbs.sources does not list/],
  [
    "configOverride: {sources: [{name: cgp, allowSchemas: [a, b], excludeSchemas: [b]}]}",
    /excludes what allowSchemas allows: b/,
  ],
  ["dataLayer: {rowFilters: [sales]}", /names the source sales/],
])("refuses %s", (yaml, message) => {
  const { problems } = inspect(yaml);
  expect(problems.map((problem) => problem.message).join()).toMatch(message);
});

const form = "must be postgres://user:password@host:port/database, with special characters percent-encoded";
const addresses = [
  ["postgres://u:p%2F@db:5432/x", true],
  ["postgresql://db/x", true],
  ["postgres://u@[::1]:5432/my%20db", true],
  ["", true],
  ["db:5432/x", false],
  ["https://db/x", false],
  ["postgres://u:p@db", false],
  ["postgres://u:p@db/", false],
  ["postgres://u:p/w@db/x", false],
  ["postgres://u:hunter2@d b/x", false],
  ["postgres://u:hunter2@db:port/x", false],
  ["postgres://u:hunter2@db:99999/x", false],
  ["postgres://u:hunter2%zz@db/x", false],
  ["postgres://u:hunter2@db/%ff", false],
] as const;

it.each(addresses)("an address of a source or of the metadata, %j: %s", (url, isFine) => {
  for (const [variable, key] of [
    ["ENGINE_GRAPHQL_CGP_DATABASE_URL", "ENGINE_GRAPHQL_CGP_DATABASE_URL"],
    ["ENGINE_GRAPHQL_METADATA_DATABASE_URL", "dataLayer.metadataUrl"],
  ] as const) {
    const { problems } = inspect("mode: development", { [variable]: url });
    const expected = { key, where: `environment:${variable}`, message: expect.stringContaining(form) };
    expect(problems).toEqual(isFine ? [] : [expect.objectContaining(expected)]);
    expect(JSON.stringify(problems)).not.toContain("hunter2");
  }
});

it("has the metadata where the variable says, and else in the coordinator's database", () => {
  const url = "postgres://u:p@far:1/x";
  expect(inspect("mode: development").config.dataLayer.metadataUrl).toBeUndefined();
  const given = inspect("mode: development", { ENGINE_GRAPHQL_METADATA_DATABASE_URL: url });
  expect(given.config.dataLayer.metadataUrl).toBe(url);
});
