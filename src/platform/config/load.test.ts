import { describe, expect, test } from "vitest";
import { Failure } from "../errors/failure.ts";
import { checkConfig } from "./check.ts";
import { inspectConfig, loadConfig } from "./load.ts";
import { folderWith, inspect, shown } from "./testdata.ts";

describe("defaults and layers", () => {
  test("without files and variables there is a usable development configuration", () => {
    const { config, warnings } = loadConfig({ files: [], env: {}, cwd: folderWith({}) });
    expect(warnings).toEqual([]);
    expect(config).toMatchObject({
      server: { host: "127.0.0.1", port: 7007, bodyLimitBytes: 10485760, trustProxy: false },
      mode: "development",
      dataDir: "./.plinth",
      log: { level: "info", pretty: false },
      auth: { environment: "default", providers: {} },
      adapters: {},
      outbound: { allowedSchemes: ["http", "https"], blockedHosts: [], privateNetworks: {} },
      coordinator: { execution: { parallelTasks: 64, pollFactor: 1.5, leaseMs: 15000 } },
      database: {
        embedded: true,
        coordinator: { dbname: "provisioning_coordinator", schema: "cgp", port: 5432 },
      },
      "marketplace-compliant-services": { services: [] },
    });
    expect(config.mesh.builder.environments).toEqual([
      { name: "development", priority: 1 },
      { name: "production", priority: 2 },
    ]);
  });

  test("later files win, maps merge, lists replace, an empty key goes back to the default", () => {
    const cwd = folderWith({
      "a.yaml": "server: {port: 1, host: localhost}\noutbound: {blockedHosts: [a, b]}\nlog: {level: debug}\n",
      "b.yaml": "server: {port: 2}\noutbound: {blockedHosts: [c]}\nlog:\n  level:\n",
    });
    const { config } = loadConfig({ files: ["a.yaml", "b.yaml"], env: {}, cwd });
    expect(config.server).toMatchObject({ port: 2, host: "localhost" });
    expect(config.outbound.blockedHosts).toEqual(["c"]);
    expect(config.log.level).toBe("info");
  });

  test("plinth.yaml is read only when no file is named", () => {
    const cwd = folderWith({ "plinth.yaml": "server: {port: 1}", "other.yaml": "log: {level: warn}" });
    expect(loadConfig({ files: [], env: {}, cwd }).config.server.port).toBe(1);
    expect(loadConfig({ files: ["other.yaml"], env: {}, cwd }).config.server.port).toBe(7007);
  });

  test("an empty file, one of comments and one with a byte order mark and CRLF are fine", () => {
    for (const text of ["", "# nothing\n", "\uFEFFserver:\r\n  port: 9\r\n", "---\n", "server:\n"]) {
      expect(shown(inspect(text).problems)).toEqual([]);
    }
    expect(inspect("\uFEFFserver:\r\n  port: 9\r\n").config.server.port).toBe(9);
  });

  test("what a later file overrides is not looked at any more", () => {
    const cwd = folderWith({
      "a.yaml": "server: {host: '${MISSING}'}",
      "b.yaml": "server: {host: localhost}",
    });
    expect(inspectConfig({ files: ["a.yaml", "b.yaml"], env: {}, cwd }).problems).toEqual([]);
  });
});

describe("problems", () => {
  const cases: [string, string, string[]][] = [
    ["unknown key", "server:\n  prot: 1\n", ["plinth.yaml:2:3 server.prot is not a known setting"]],
    ["wrong type", "server:\n  port: [1]\n", ["plinth.yaml:2:9 server.port must be a whole number"]],
    ["quoted number", 'server:\n  port: "1"\n', ["plinth.yaml:2:9 server.port must be a whole number"]],
    ["too large", "server: {port: 70000}", ["plinth.yaml:1:16 server.port must be at most 65535"]],
    [
      "too small",
      "server: {bodyLimitBytes: 0}",
      ["plinth.yaml:1:26 server.bodyLimitBytes must be at least 1"],
    ],
    ["not a number", "server: {port: .nan}", ["plinth.yaml:1:16 server.port must be a whole number"]],
    [
      "enumeration",
      "log: {level: wran}",
      ["plinth.yaml:1:14 log.level must be one of trace, debug, info, warn, error, fatal, silent"],
    ],
    ["a text for a section", "server: here", ["plinth.yaml:1:9 server must be a map of settings"]],
    [
      "missing key",
      "auth: {providers: {oidc: {default: {issuer: 'https://x'}}}}",
      ["plinth.yaml:1:27 auth.providers.oidc.default.audience is required"],
    ],
    [
      "bad address",
      "server: {baseUrl: 'ftp://x'}",
      [
        "plinth.yaml:1:19 server.baseUrl must be a plain http or https address without a user name or password in it",
      ],
    ],
    [
      "bad pattern",
      "coordinator: {unitIdPattern: '('}",
      ["plinth.yaml:1:30 coordinator.unitIdPattern must be a valid regular expression"],
    ],
    [
      "empty list",
      "mesh: {builder: {environments: []}}",
      ["plinth.yaml:1:32 mesh.builder.environments must not be an empty list"],
    ],
    [
      "repeated key",
      "server: {port: 1}\nserver: {port: 2}\n",
      ["plinth.yaml:2:1 server is given twice in the same map"],
    ],
    ["prototype", "__proto__: {server: {port: 1}}", ["plinth.yaml:1:1 __proto__ is not a known setting"]],
    ["a list as document", "- 1", ["plinth.yaml:1:1 configuration must be a map of settings"]],
    [
      "two documents",
      "mode: production\n---\nmode: x\n",
      ["plinth.yaml:2:1 configuration must be a single document"],
    ],
    ["tab", "server:\n\tport: 1\n", ["plinth.yaml:2:1 configuration uses a tab for indentation; use spaces"]],
    [
      "unclosed",
      "server: {port: 1",
      ["plinth.yaml:1:17 configuration is not indented correctly, or a bracket is not closed"],
    ],
    ["tag", "server: !x {port: 1}", ["plinth.yaml:1:9 configuration uses a tag (!) that is not supported"]],
    ["unknown alias", "server: *x", ["plinth.yaml:1:9 server has an alias (*) that cannot be used"]],
    [
      "alias to its own parent",
      "server: &x {port: *x}",
      ["plinth.yaml:1:19 server.port has an alias (*) that cannot be used"],
    ],
    [
      "unknown instruction",
      "server: {host: {$evn: X}}",
      ["plinth.yaml:1:17 server.host.$evn is not a known instruction; there are $env, $file and $include"],
    ],
    [
      "instruction with company",
      "server: {host: {$env: X, a: 1}}",
      ["plinth.yaml:1:17 server.host.$env must be alone in its map"],
    ],
    [
      "poll times",
      "coordinator: {execution: {pollInitialMs: 20000}}",
      ["plinth.yaml:1:42 coordinator.execution.pollInitialMs must not be larger than pollMaxMs"],
    ],
    [
      "removed setting",
      "mesh:\n  marketplace:\n    ui:\n      dataProductPage: {gridInfo: []}\n",
      ["plinth.yaml:4:25 mesh.marketplace.ui.dataProductPage.gridInfo was removed in release 2.2.0"],
    ],
  ];
  test.each(cases)("%s", (_name, yaml, expected) => {
    expect(shown(inspect(yaml).problems)).toEqual(expected);
  });

  test("all at once, in the order of the file, of every kind", () => {
    const { problems } = inspect(
      [
        "mode: prodution",
        "server: {prot: 1, port: x, host: '${NOPE}'}",
        "mesh: {builder: {environments: [{name: a, priority: 1}, {name: a, priority: 1.5}]}}",
        "auth: {providers: {service: {development: {}}}}",
        "coordinator: {execution: {pollInitialMs: 20000}}",
      ].join("\n"),
      { SQL_HOST: "db", COORDINATOR_DB_PORT: "many" },
    );
    expect(shown(problems)).toEqual([
      "plinth.yaml:1:7 mode must be one of development, production",
      "plinth.yaml:2:10 server.prot is not a known setting",
      "plinth.yaml:2:25 server.port must be a whole number",
      "plinth.yaml:2:34 server.host needs the environment variable NOPE, which is not set",
      "plinth.yaml:3:64 mesh.builder.environments[1].name repeats the name a of entry 1",
      "plinth.yaml:3:77 mesh.builder.environments[1].priority must be a whole number",
      "plinth.yaml:5:42 coordinator.execution.pollInitialMs must not be larger than pollMaxMs",
      "environment:SQL_HOST SQL_HOST is no longer read; it is now COORDINATOR_DB_HOST",
      "environment:COORDINATOR_DB_PORT database.coordinator.port must be a whole number",
    ]);
  });

  test("loadConfig throws one Failure with all of them", () => {
    const cwd = folderWith({ "plinth.yaml": "a: 1\nb: 2\n" });
    expect(() => loadConfig({ files: [], env: {}, cwd })).toThrow(Failure);
    try {
      loadConfig({ files: [], env: {}, cwd });
    } catch (error) {
      expect(error).toMatchObject({ kind: "invalid", code: "PLATFORM_CONFIG" });
      expect(error).toHaveProperty("problems.length", 2);
    }
  });

  test("hints", () => {
    const solutionOf = (yaml: string) => inspect(yaml).problems[0]?.solution;
    expect(solutionOf("servr: {}")).toBe("Did you mean server?");
    expect(solutionOf("server: {bodylimitbytes: 1}")).toBe("Did you mean bodyLimitBytes?");
    expect(solutionOf("pollMaxMs: 1")).toBe("Did you mean coordinator.execution.pollMaxMs?");
    expect(solutionOf("log: {banana: 1}")).toBe("Possible here: level, pretty.");
    expect(solutionOf("log: {level: wran}")).toBe("Did you mean warn?");
    expect(solutionOf('server: {port: "80"}')).toBe("Remove the quotes.");
    expect(solutionOf("database: {coordinator: {password: 12345}}")).toBe("Put the value in quotes.");
  });

  test("more problems than anybody reads are cut", () => {
    const yaml = Array.from({ length: 500 }, (_, index) => `key${index}: 1`).join("\n");
    const { problems } = inspect(yaml);
    expect(problems).toHaveLength(201);
    expect(problems.at(-1)?.message).toContain("more problems");
  });
});

describe("files", () => {
  test("a named file that cannot be read is a problem", () => {
    const cwd = folderWith({
      "folder/x": "",
      "latin.yaml": new Uint8Array([0x61, 0xff]),
      "big.yaml": "#".repeat(300_000),
    });
    const problemsOf = (file: string) => shown(inspectConfig({ files: [file], env: {}, cwd }).problems);
    expect(problemsOf("missing.yaml")).toEqual([
      "missing.yaml:1:1 configuration file missing.yaml does not exist",
    ]);
    expect(problemsOf("folder")).toEqual(["folder:1:1 configuration file folder is not a file"]);
    expect(problemsOf("latin.yaml")).toEqual([
      "latin.yaml:1:1 configuration file latin.yaml is not UTF-8 text",
    ]);
    expect(problemsOf("big.yaml")).toEqual([
      "big.yaml:1:1 configuration file big.yaml is larger than 262144 bytes",
    ]);
  });

  test("$include is relative to its file and keeps the places of what it brings", () => {
    const cwd = folderWith({
      "plinth.yaml": "server:\n  $include: parts/server.yaml\n",
      "parts/server.yaml": "port: 8\nhost:\n  $include: ./host-${KIND}.yaml\nbad: 1\n",
      "parts/host-local.yaml": "localhost",
    });
    const { config, problems } = inspectConfig({ files: [], env: { KIND: "local" }, cwd });
    expect(config.server).toMatchObject({ port: 8, host: "localhost" });
    expect(shown(problems)).toEqual(["parts/server.yaml:4:1 server.bad is not a known setting"]);
  });

  test("$include in a circle, too deep, too often, missing", () => {
    const chain = Object.fromEntries(
      Array.from({ length: 15 }, (_, i) => [`c${i}.yaml`, `server: {$include: c${i + 1}.yaml}`]),
    );
    const cwd = folderWith({
      "a.yaml": "server: {$include: b.yaml}",
      "b.yaml": "host: {$include: a.yaml}",
      "many.yaml": `outbound: {blockedHosts: [${Array.from({ length: 60 }, () => "{$include: one.yaml}").join(", ")}]}`,
      "one.yaml": "x",
      "none.yaml": "server: {$include: nothing.yaml}",
      ...chain,
    });
    const problemsOf = (file: string) => shown(inspectConfig({ files: [file], env: {}, cwd }).problems);
    expect(problemsOf("a.yaml")).toEqual(["b.yaml:1:8 configuration includes itself through a.yaml"]);
    expect(problemsOf("c0.yaml")).toContainEqual("c10.yaml:1:10 configuration nests $include too deeply");
    expect(problemsOf("many.yaml")[0]).toContain("is spread over more than 50 files");
    expect(problemsOf("none.yaml")).toEqual([
      "none.yaml:1:10 configuration file nothing.yaml does not exist",
    ]);
  });

  test("$env and $file give values of the type that is wanted", () => {
    const cwd = folderWith({
      "plinth.yaml":
        "server: {port: {$env: P}, trustProxy: {$env: T}}\nadapters: {secret: {$file: secret}}\nlog: {level: {$file: gone}}\n",
      secret: "s3cret-of-at-least-thirty-two-characters\r\n",
    });
    const { config, problems } = inspectConfig({ files: [], env: { P: "81", T: "true" }, cwd });
    expect(config.server).toMatchObject({ port: 81, trustProxy: true });
    expect(config.adapters.secret).toBe("s3cret-of-at-least-thirty-two-characters");
    expect(shown(problems)).toEqual(["plinth.yaml:3:15 log.level needs the file gone, which does not exist"]);
    expect(shown(inspect("server: {host: {$env: NOPE}}").problems)).toEqual([
      "plinth.yaml:1:17 server.host needs the environment variable NOPE, which is not set",
    ]);
  });

  test("text that multiplies by aliases is stopped", () => {
    const levels = Array.from({ length: 12 }, (_, i) => `l${i + 1}: &l${i + 1} [${`*l${i},`.repeat(9)}]`);
    const { problems } = inspect(["l0: &l0 [x]", ...levels].join("\n"));
    expect(problems.some(({ message }) => message.includes("more than 50000 values"))).toBe(true);
  });

  test("text that is nested without end is refused, in a moment", () => {
    for (const text of [
      "[".repeat(60_000),
      "{a: ".repeat(40_000),
      "- ".repeat(60_000),
      `a: ${"[".repeat(60)}1${"]".repeat(60)}`,
    ]) {
      expect(inspect(text).problems.length).toBeGreaterThan(0);
    }
  });
});

describe("secrets", () => {
  const secret = "hunter2-hunter2-hunter2-hunter2-hunter2";
  const mistakes = [
    `database: {coordinator: {password: [${secret}]}}`,
    `database: {coordinator: {pasword: ${secret}}}`,
    `database: {coordinator: {password: *${secret}}}`,
    `database: {coordinator: {password: !${secret} x}}`,
    `database: {coordinator: {password: |${secret}\n x}}`,
    `adapters: {secret: "${secret} ${secret}"}`,
    `server: {host: ${secret}, port: ${secret}}`,
    `log: {level: ${secret}}`,
    `adapters: {secret: {$file: "/nowhere/x"}}\nserver: {baseUrl: "http://u:${secret}@h"}`,
  ];
  test.each(mistakes)("no report shows a value: %#", (yaml) => {
    const cwd = folderWith({ "plinth.yaml": yaml });
    for (const json of [false, true]) {
      const { text, exitCode } = checkConfig({ files: [], env: {}, cwd, json });
      expect(exitCode).toBe(1);
      expect(text).not.toContain("hunter2");
    }
  });

  test("a good configuration is printed without its secrets", () => {
    const cwd = folderWith({
      "plinth.yaml": `auth: {providers: {service: {default: {tokens: [{name: ci, secret: ${secret}}], hmac: {secret: ${secret}}}}}}`,
    });
    const env = {
      COORDINATOR_DB_PASSWORD: secret,
      CORE_BACKEND_PLUGIN_AUTH_SECRET: secret,
      COORDINATOR_DB_HOST: "db",
    };
    const { text, exitCode } = checkConfig({ files: [], env, cwd, json: true });
    expect(exitCode).toBe(0);
    expect(text).not.toContain("hunter2");
    const printed: unknown = JSON.parse(text);
    expect(printed).toMatchObject({
      valid: true,
      config: {
        adapters: { secret: "[hidden]" },
        database: { coordinator: { host: "db", password: "[hidden]" } },
        auth: { providers: { service: { default: { tokens: [{ name: "ci", secret: "[hidden]" }] } } } },
      },
    });
  });
});

test("the text of a check, with problems and without", () => {
  const cwd = folderWith({ "plinth.yaml": "server:\n  prot: 1\n", "good.yaml": "mode: development\n" });
  expect(checkConfig({ files: [], env: { PLINTH_SERVER_PROT: "1" }, cwd })).toEqual({
    exitCode: 1,
    text: [
      "plinth.yaml:2:3 server.prot is not a known setting",
      "    Did you mean port?",
      "environment:PLINTH_SERVER_PROT PLINTH_SERVER_PROT is not a setting and is not read (warning)",
      "    Did you mean PLINTH_SERVER_PORT?",
      "Configuration is not valid (plinth.yaml): 1 problem, 1 warning.",
      "",
    ].join("\n"),
  });
  expect(checkConfig({ files: ["good.yaml"], env: {}, cwd })).toEqual({
    exitCode: 0,
    text: "Configuration is valid (good.yaml).\n",
  });
});
