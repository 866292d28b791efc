import { describe, expect, test } from "vitest";
import { environmentFromProcess, settingVariables } from "./environment.ts";
import { inspect, shown } from "./testdata.ts";

describe("variables of settings", () => {
  test("every scalar setting has one, and no two share a name", () => {
    const names = settingVariables.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(
      expect.arrayContaining([
        "PLINTH_SERVER_PORT",
        "PLINTH_MODE",
        "PLINTH_DATA_DIR",
        "PLINTH_AUTH_ENVIRONMENT",
        "PLINTH_COORDINATOR_EXECUTION_PARALLEL_TASKS_PER_ADAPTER",
        "COORDINATOR_DB_HOST",
        "CORE_BACKEND_PLUGIN_AUTH_SECRET",
      ]),
    );
  });

  test("a variable beats the files; an empty one counts as not set", () => {
    const yaml = "server: {port: 1}\nlog: {pretty: true}";
    const { config } = inspect(yaml, {
      PLINTH_SERVER_PORT: "2",
      PLINTH_LOG_PRETTY: "false",
      PLINTH_LOG_LEVEL: "",
    });
    expect(config.server.port).toBe(2);
    expect(config.log).toEqual({ level: "info", pretty: false });
  });

  test("a bad value is reported under the variable's name", () => {
    expect(shown(inspect("", { PLINTH_SERVER_PORT: "high", PLINTH_LOG_PRETTY: "yes" }).problems)).toEqual([
      "environment:PLINTH_SERVER_PORT server.port must be a whole number",
      "environment:PLINTH_LOG_PRETTY log.pretty must be true or false",
    ]);
  });

  test("what Kubernetes sets for services is not taken for a setting", () => {
    const env = {
      PLINTH_SERVER_PORT: "tcp://10.0.0.1:7007",
      PLINTH_SERVER_SERVICE_HOST: "10.0.0.1",
      PLINTH_SERVER_PORT_7007_TCP_PORT: "7007",
      COORDINATOR_DB_PORT: "tcp://10.0.0.2:5432",
      PLINTH_SERVE_PORT: "tcp://10.0.0.1:7007",
    };
    const { config, problems, warnings } = inspect("", env);
    expect(problems).toEqual([]);
    expect(config.server.port).toBe(7007);
    expect(config.database.coordinator.port).toBe(5432);
    expect(warnings.map(({ where }) => where)).toEqual([
      "environment:PLINTH_SERVER_PORT",
      "environment:COORDINATOR_DB_PORT",
    ]);
  });

  test("near misses are pointed out, other PLINTH_ variables are not", () => {
    const { warnings } = inspect("", { PLINTH_SERVR_PORT: "1", PLINTH_URL: "http://x", PLINTH_TOKEN: "t" });
    expect(warnings.map(({ where, solution }) => `${where} ${solution}`)).toEqual([
      "environment:PLINTH_SERVR_PORT Did you mean PLINTH_SERVER_PORT?",
    ]);
  });

  test("the process environment is a copy", () => {
    const copy = environmentFromProcess();
    copy["PLINTH_TEST_COPY"] = "1";
    expect(environmentFromProcess()["PLINTH_TEST_COPY"]).toBeUndefined();
  });
});

describe("mode", () => {
  const provider = "auth: {providers: {oidc: {default: {issuer: 'https://i', audience: a}}}}\n";
  const cases: [string, string, Record<string, string>, string, number][] = [
    ["default", "", {}, "development", 0],
    ["file", "mode: production\n", {}, "production", 0],
    ["NODE_ENV", "", { NODE_ENV: "production" }, "production", 0],
    [
      "NODE_ENV over a file, with a warning",
      "mode: development\n",
      { NODE_ENV: "production" },
      "production",
      1,
    ],
    ["NODE_ENV of another value", "", { NODE_ENV: "test" }, "development", 0],
    [
      "PLINTH_MODE over all",
      "mode: production\n",
      { NODE_ENV: "production", PLINTH_MODE: "development" },
      "development",
      0,
    ],
  ];
  test.each(cases)("%s", (...row) => {
    const [, yaml, env, mode, remarks] = row;
    const { config, problems, warnings } = inspect(provider + yaml, env);
    expect(problems).toEqual([]);
    expect(config.mode).toBe(mode);
    expect(warnings.filter(({ key }) => key === "mode")).toHaveLength(remarks);
  });
});

describe("database variables", () => {
  const cases: [string, string, Record<string, string>, object][] = [
    ["defaults", "", {}, { embedded: true, coordinator: { port: 5432, user: "postgres", password: "" } }],
    [
      "own names",
      "",
      {
        COORDINATOR_DB_HOST: "h",
        COORDINATOR_DB_PORT: "6",
        COORDINATOR_DB_USERNAME: "u",
        COORDINATOR_DB_PASSWORD: "007",
        COORDINATOR_DB_DBNAME: "d",
        COORDINATOR_DB_SCHEMA: "s",
      },
      {
        embedded: false,
        coordinator: { host: "h", port: 6, user: "u", password: "007", dbname: "d", schema: "s" },
      },
    ],
    [
      "fallbacks for host, port, user and password only",
      "",
      {
        PLATFORM_DB_HOST: "h",
        PLATFORM_DB_PORT: "6",
        PLATFORM_DB_USERNAME: "u",
        PLATFORM_DB_PASSWORD: "p",
        PLATFORM_DB_DBNAME: "d",
        PLATFORM_DB_SCHEMA: "s",
      },
      {
        embedded: false,
        coordinator: {
          host: "h",
          port: 6,
          user: "u",
          password: "p",
          dbname: "provisioning_coordinator",
          schema: "cgp",
        },
      },
    ],
    [
      "own name before fallback",
      "",
      { COORDINATOR_DB_HOST: "a", PLATFORM_DB_HOST: "b" },
      { coordinator: { host: "a" } },
    ],
    [
      "empty own name falls back",
      "",
      { COORDINATOR_DB_HOST: "", PLATFORM_DB_HOST: "b" },
      { coordinator: { host: "b" } },
    ],
    ["both empty is the default", "", { COORDINATOR_DB_HOST: "", PLATFORM_DB_HOST: "" }, { embedded: true }],
    [
      "file before fallback",
      "database: {coordinator: {host: f}}",
      { PLATFORM_DB_HOST: "b" },
      { coordinator: { host: "f" } },
    ],
    [
      "own name before file",
      "database: {coordinator: {host: f}}",
      { COORDINATOR_DB_HOST: "a" },
      { coordinator: { host: "a" } },
    ],
    ["empty in a file is unset", 'database: {coordinator: {host: ""}}', {}, { embedded: true }],
    [
      "empty in a file falls back",
      'database: {coordinator: {host: ""}}',
      { PLATFORM_DB_HOST: "b" },
      { coordinator: { host: "b" } },
    ],
    [
      "empty by substitution is unset",
      "database: {coordinator: {host: '${X:-}', user: '${X:-}'}}",
      {},
      { embedded: true, coordinator: { user: "postgres" } },
    ],
  ];
  test.each(cases)("%s", (...row) => {
    const [, yaml, env, database] = row;
    const { config, problems } = inspect(yaml, env);
    expect(shown(problems)).toEqual([]);
    expect(config.database).toMatchObject(database);
  });

  const renames = [
    ["SQL_DBNAME", "COORDINATOR_DB_DBNAME"],
    ["SQL_SCHEMA", "COORDINATOR_DB_SCHEMA"],
    ["SQL_PASSWORD", "COORDINATOR_DB_PASSWORD"],
    ["SQL_USERNAME", "COORDINATOR_DB_USERNAME"],
    ["SQL_HOST", "COORDINATOR_DB_HOST"],
    ["SQL_PORT", "COORDINATOR_DB_PORT"],
  ] as const;
  test.each(renames)("%s is an error that names %s", (old, replacement) => {
    for (const env of [{ [old]: "1" }, { [old]: "1", [replacement]: "1" }]) {
      const { problems } = inspect("", env);
      expect(shown(problems)).toEqual([
        `environment:${old} ${old} is no longer read; it is now ${replacement}`,
      ]);
      expect(problems[0]?.solution).toContain(replacement);
    }
    expect(inspect("", { [old]: "" }).problems).toEqual([]);
  });

  test("settings that a missing host makes useless are pointed out", () => {
    expect(shown(inspect("", { PLATFORM_DB_PASSWORD: "x" }).warnings)).toEqual([
      "environment:PLATFORM_DB_PASSWORD database.coordinator.password has no effect: there is no database host, so the embedded database is used",
    ]);
  });
});

describe("the secret of the adapters", () => {
  const good = "0123456789abcdef0123456789abcdef";
  const old = "BACKEND_PLUGIN_AUTH_SECRET";
  const current = "CORE_BACKEND_PLUGIN_AUTH_SECRET";
  const cases: [string, Record<string, string>, string | undefined, number, number][] = [
    ["absent", {}, undefined, 0, 0],
    ["set", { [current]: good }, good, 0, 0],
    ["empty", { [current]: "" }, undefined, 0, 0],
    ["old name alone", { [old]: good }, undefined, 1, 0],
    ["old name with an empty new one", { [old]: good, [current]: "" }, undefined, 1, 0],
    ["both", { [old]: "x", [current]: good }, good, 0, 1],
    ["short", { [current]: "short" }, "short", 0, 1],
    ["with a line end", { [current]: `${good}\n` }, `${good}\n`, 1, 0],
  ];
  test.each(cases)("%s", (...row) => {
    const [, env, secret, problems, warnings] = row;
    const found = inspect("", env);
    expect(found.config.adapters.secret).toBe(secret);
    expect([found.problems.length, found.warnings.length]).toEqual([problems, warnings]);
    expect(JSON.stringify([found.problems, found.warnings])).not.toContain("0123456789abcdef");
  });
});
