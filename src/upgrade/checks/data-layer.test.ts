/** The items of the release notes about the GraphQL data layer and its tracking. */
import { describe, expect, test } from "vitest";
import { afterwards, check, said } from "./testdata.ts";

describe("the data layer", () => {
  test("ENGINE_GRAPHQL_DATABASE_URL is not used any more", () => {
    const name = "ENGINE_GRAPHQL_DATABASE_URL";
    expect(said({ keys: name })).toEqual([`warning secret:${name} ${name} is no longer used`]);
    expect(check({ keys: "ENGINE_GRAPHQL_METADATA_DATABASE_URL" }).findings).toMatchObject([
      { severity: "info" },
    ]);
  });

  test("an ingress needs a class", () => {
    const values = "graphql:\n  ingress:\n    enabled: true\n    host: h\n";
    expect(said({ values })).toEqual([
      "breaking values.yaml:2:3 graphql.ingress names no class; there is no default any more",
    ]);
    expect(afterwards({ values })).toBeUndefined();
    expect(afterwards({ values, more: { ingressClass: "nginx" } })).toBe(`${values}    className: nginx\n`);
    expect(said({ values: `${values}    className: nginx\n` })).toEqual([]);
    expect(said({ values: `${values}    annotations: {kubernetes.io/ingress.class: nginx}\n` })).toEqual([]);
    expect(said({ values: values.replace("true", "false") })).toEqual([]);
  });

  const own = "{name: coordinator, db: a}, {name: cgp, db: a}, {name: marketplace, db: a}";
  test.each([
    [
      "{name: my-db, db: a}, {name: my_db, db: b}",
      "[4].name my_db gives the variable ENGINE_GRAPHQL_MY_DB_DATABASE_URL, which my-db",
    ],
    [
      "{name: metadata, db: a}",
      "[3].name metadata gives the variable ENGINE_GRAPHQL_METADATA_DATABASE_URL, which the layer's own metadata",
    ],
  ])("two sources with one variable are refused: %s", (more, message) => {
    const given = `dbs: {sources: [${own}, ${more}]}\n`;
    const expected = [expect.stringMatching(/^breaking \S+ dbs\.sources/)];
    for (const found of [said({ values: given }), said({ config: given })]) {
      expect(found).toEqual(expected);
      expect(found[0]).toContain(`${message} gives as well`);
    }
  });

  test("a source of ours that is not listed is a warning, since the layer starts without it", () => {
    expect(said({ config: "dbs: {sources: [{name: coordinator}, {name: marketplace}]}\n" })).toEqual([
      "warning app-config.yaml:1:16 dbs.sources has no CGP source; the list replaces the default one",
    ]);
  });

  test("the list may be in another file than what is shown of it, or nowhere", () => {
    const shown = "configOverride: {sources: [{name: Coordinator}, {name: cgp}, {name: marketplace}]}\n";
    expect(said({ config: shown })).toEqual([]);
    expect(said({ config: shown, values: `dbs: {sources: [${own}]}\n` })).toEqual([]);
    expect(said({ config: shown.replace("cgp", "governance") })).toEqual([
      "breaking app-config.yaml:1:49 configOverride.sources[1].name governance is not in dbs.sources",
    ]);
  });

  test("an override of tracking repeats all sources, by their names", () => {
    const dbs =
      "dbs:\n  sources:\n    - {name: coordinator, db: a}\n    - {name: cgp, db: a}\n    - {name: marketplace, db: m}\n";
    const full =
      "configOverride:\n  sources:\n    - {name: coordinator}\n    - {name: cgp}\n    - {name: marketplace}\n";
    expect(said({ values: dbs + full })).toEqual([]);
    expect(
      said({ values: `${dbs}configOverride:\n  sources:\n    - {name: coordinator}\n    - {name: other}\n` }),
    ).toEqual([
      "breaking values.yaml:8:5 configOverride.sources has no CGP source; the list replaces the whole configuration of the tool",
      "breaking values.yaml:8:5 configOverride.sources has no marketplace source; the list replaces the whole configuration of the tool",
      "breaking values.yaml:9:7 configOverride.sources[1].name other is not in dbs.sources",
    ]);
    const both = full.replace("{name: cgp}", "{name: cgp, allowSchemas: [s], excludeSchemas: [s, t]}");
    expect(said({ values: dbs + both })).toEqual([
      "breaking values.yaml:9:7 configOverride.sources[1] has the schema s in allowSchemas and in excludeSchemas",
    ]);
  });
});
