/** Old names of variables of databases, by where they stand: what is said, and what becomes of the file. */
import { load } from "js-yaml";
import { describe, expect, test } from "vitest";
import { afterwards, check, said, solutionOf } from "./testdata.ts";

describe("variables of databases", () => {
  test.each([
    ["SQL_DBNAME", "COORDINATOR_DB_DBNAME", "CGP_DB_DBNAME", null],
    ["SQL_SCHEMA", "COORDINATOR_DB_SCHEMA", "CGP_DB_SCHEMA", null],
    ["SQL_PASSWORD", "COORDINATOR_DB_PASSWORD", "CGP_DB_PASSWORD", "PLATFORM_DB_PASSWORD"],
    ["SQL_USERNAME", "COORDINATOR_DB_USERNAME", "CGP_DB_USERNAME", "PLATFORM_DB_USERNAME"],
    ["SQL_HOST", "COORDINATOR_DB_HOST", null, "PLATFORM_DB_HOST"],
    ["SQL_PORT", "COORDINATOR_DB_PORT", "CGP_DB_PORT", "PLATFORM_DB_PORT"],
    ["CGP_SQL_HOST", "CGP_DB_HOST", null, "PLATFORM_DB_HOST"],
  ])("%s is %s", (old, now, other, fallback) => {
    const message = `${old} is no longer read; it is now ${now}`;
    expect(said({ variables: `${old}=v-4711\n` })).toEqual([`breaking old.env:1:1 ${message}`]);
    const solution = solutionOf({ variables: `${old}=v-4711\n` });
    for (const name of [now, other, fallback]) if (name !== null) expect(solution).toContain(name);
    expect(JSON.stringify(check({ variables: `${old}=v-4711\n` }).findings)).not.toContain("4711");
    expect(afterwards({ variables: `# a\n${old}=v\nB=1\n` })).toBe(`# a\n${now}=v\nB=1\n`);
    expect(afterwards({ variables: `${old}=v\n${now}=w\n` })).toBe(`${now}=w\n`);
    expect(said({ variables: `${old}=v\n${now}=w\n` })).toEqual([`breaking old.env:1:1 ${message}`]);
    expect(said({ variables: `${now}=w\n` })).toEqual([]);
    expect(said({ variables: `${old}=\n` })).toEqual([]);
    expect(said({ keys: `${old}\n` })).toEqual([`breaking secret:${old} ${message}`]);
  });

  test("a new name that is empty is not set, so the old one's value stays", () => {
    const [old, now] = ["SQL_PASSWORD", "COORDINATOR_DB_PASSWORD"];
    const message = `${old} is no longer read; it is now ${now}`;
    for (const empty of ["", " ", '""', "''", " # to be given"]) {
      const variables = `A=1\nexport ${now}=${empty}\n${old}=only-copy\n`;
      expect(said({ variables })).toEqual([`breaking old.env:3:1 ${message}`]);
      expect(afterwards({ variables })).toBe(`A=1\n${now}=only-copy\n`);
    }
    // Of several lines the last one counts.
    expect(afterwards({ variables: `${now}=a\n${old}=b\n${now}=\n` })).toBe(`${now}=b\n`);
    expect(afterwards({ variables: `${now}=\n${old}=b\n${now}=a\n` })).toBe(`${now}=\n${now}=a\n`);
    expect(afterwards({ variables: `${now}=#word\n${old}=b\n` })).toBe(`${now}=#word\n`);
  });

  const inMap = "    COORDINATOR_DB_PASSWORD: only-copy\n";
  const inList = "    - name: COORDINATOR_DB_PASSWORD # why\n      value: only-copy\n";
  test.each([
    ["a map, empty", '    COORDINATOR_DB_PASSWORD: ""\n    SQL_PASSWORD: only-copy\n', inMap],
    ["a map, nothing", "    COORDINATOR_DB_PASSWORD:\n    SQL_PASSWORD: only-copy\n", inMap],
    [
      "a list, empty",
      '    - name: COORDINATOR_DB_PASSWORD\n      value: ""\n    - name: SQL_PASSWORD # why\n      value: only-copy\n',
      inList,
    ],
    [
      "a list, nothing",
      "    - name: SQL_PASSWORD # why\n      value: only-copy\n    - name: COORDINATOR_DB_PASSWORD\n",
      inList,
    ],
  ])("in values an empty new name is replaced: %s", (_what, before, after) => {
    expect(afterwards({ values: `c:\n  env:\n${before}` })).toBe(`c:\n  env:\n${after}`);
  });

  test("in a list the entry of the old name goes where the new one is given", () => {
    const values =
      "c:\n  extraEnv:\n    - name: SQL_HOST # why\n      value: old-host\n    - {name: SQL_PORT, value: '1'}\n" +
      "    # the host\n    - name: COORDINATOR_DB_HOST\n      value: new-host\n    - name: COORDINATOR_DB_PORT\n" +
      "      valueFrom: {secretKeyRef: {name: s, key: k}}\n    - name: SQL_DBNAME\n      value: d\n";
    const { findings } = check({ values });
    expect(findings.map(({ solution, automatic }) => [solution, automatic])).toEqual([
      ["Remove SQL_HOST: COORDINATOR_DB_HOST is given as well.", true],
      ["Remove SQL_PORT: COORDINATOR_DB_PORT is given as well.", true],
      ["Write COORDINATOR_DB_DBNAME.", true],
    ]);
    expect(afterwards({ values })).toBe(
      "c:\n  extraEnv:\n    # the host\n    - name: COORDINATOR_DB_HOST\n      value: new-host\n    - name: COORDINATOR_DB_PORT\n" +
        "      valueFrom: {secretKeyRef: {name: s, key: k}}\n    - name: COORDINATOR_DB_DBNAME\n      value: d\n",
    );
  });

  test("a list in brackets, and an old name twice: the chart takes each name once", () => {
    const values = `extraEnv: [{name: COORDINATOR_DB_HOST, value: new-host}, {name: SQL_HOST, value: old-host}]\n`;
    expect(load(afterwards({ values })!)).toEqual({
      extraEnv: [{ name: "COORDINATOR_DB_HOST", value: "new-host" }],
    });
    const twice = "extraEnv:\n  - name: SQL_HOST\n    value: a\n  - name: SQL_HOST\n    value: b\n";
    expect(check({ values: twice }).findings.map(({ automatic }) => automatic)).toEqual([true, true]);
    expect(afterwards({ values: twice })).toBe("extraEnv:\n  - name: COORDINATOR_DB_HOST\n    value: b\n");
  });

  test.each([
    [
      "the new name is given",
      "    COORDINATOR_DB_HOST=new\n    SQL_HOST=old\n",
      "    - name: COORDINATOR_DB_HOST\n      value: new\n",
    ],
    [
      "the new name is empty",
      "    COORDINATOR_DB_HOST=\n    SQL_HOST=old\n",
      "    - name: COORDINATOR_DB_HOST\n      value: old\n",
    ],
    [
      "the new name refers to a secret",
      "    - name: SQL_HOST\n      value: old\n    - name: COORDINATOR_DB_HOST\n      valueFrom: {a: {b: c}}\n",
      "    - name: COORDINATOR_DB_HOST\n      valueFrom:\n        a:\n          b: c\n",
    ],
  ])("a text block becomes a list with each name once: %s", (_what, block, list) => {
    expect(afterwards({ values: `c:\n  extraEnv: |\n${block}` })).toBe(`c:\n  extraEnv:\n${list}`);
  });

  test("in a section of governance they are those of CGP", () => {
    const values =
      "cgp:\n  env:\n    SQL_SCHEMA: a\ncoordinator:\n  env:\n    - name: SQL_SCHEMA\n      value: b\n";
    expect(afterwards({ values })).toBe(
      "cgp:\n  env:\n    CGP_DB_SCHEMA: a\ncoordinator:\n  env:\n    - name: COORDINATOR_DB_SCHEMA\n      value: b\n",
    );
  });

  test("a configuration that asks for an old one asks for the new one", () => {
    const config =
      "database:\n  coordinator:\n    host: ${SQL_HOST:-db}\n    password: {$env: SQL_PASSWORD}\n";
    expect(said({ config })).toEqual([
      "breaking app-config.yaml:3:11 database.coordinator.host asks for SQL_HOST, which is now COORDINATOR_DB_HOST",
      "breaking app-config.yaml:4:16 database.coordinator.password asks for SQL_PASSWORD, which is now COORDINATOR_DB_PASSWORD",
    ]);
    expect(afterwards({ config })).toBe(
      "database:\n  coordinator:\n    host: ${COORDINATOR_DB_HOST:-db}\n    password: { $env: COORDINATOR_DB_PASSWORD }\n",
    );
  });
});

test("what stands behind an alias is found and mended once, where it is written", () => {
  const values = "common: &old\n  SQL_PASSWORD: v\nmock:\n  env: *old\n";
  const { findings, changes } = check({ values });
  expect(findings.map(({ where, automatic }) => [where, automatic])).toEqual([["values.yaml:2:3", true]]);
  expect(changes[0]?.after).toBe("common: &old\n  COORDINATOR_DB_PASSWORD: v\nmock:\n  env: *old\n");
});

test("keys that are lists cause no warning of the parser", () => {
  const warnings: unknown[] = [];
  const onWarning = (warning: unknown): void => void warnings.push(warning);
  process.on("warning", onWarning);
  check({ values: "? [a, b]\n: 1\n" });
  return new Promise<void>((done) => {
    setImmediate(() => {
      process.off("warning", onWarning);
      expect(warnings).toEqual([]);
      done();
    });
  });
});
