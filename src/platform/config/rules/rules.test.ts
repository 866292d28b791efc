import { describe, expect, test } from "vitest";
import { inspect, shown } from "../testdata.ts";
import { isLoopbackHost } from "./loopback.ts";

describe("mesh.builder.environments", () => {
  const cases: [string, string, string[], number, number][] = [
    ["names keep their order", "[qa, dev]", ["qa 1", "dev 2"], 0, 0],
    ["lower number first", "[{name: a, priority: 5}, {name: b, priority: -1}]", ["b -1", "a 5"], 0, 0],
    [
      "equal priorities keep their order",
      "[{name: b, priority: 1}, {name: a, priority: 1}]",
      ["b 1", "a 1"],
      0,
      1,
    ],
    ["repeated name", "[a, b, a]", ["a 1", "b 2", "a 3"], 1, 0],
    ["repeated name in entries", "[{name: a, priority: 1}, {name: a, priority: 2}]", ["a 1", "a 2"], 1, 0],
    ["names differ by case", "[a, A]", ["a 1", "A 2"], 0, 0],
    ["fraction", "[{name: a, priority: 1.5}]", [], 1, 0],
    ["text", "[{name: a, priority: '1'}]", [], 1, 0],
    ["whole number with a dot", "[{name: a, priority: 1.0}]", ["a 1"], 0, 0],
    ["no priority", "[{name: a}]", [], 1, 0],
    ["no name", "[{priority: 1}]", [], 1, 0],
    ["both forms", "[a, {name: b, priority: 1}]", ["a 1", "b 1"], 1, 1],
    ["a path for a name", "[../a]", ["../a 1"], 1, 0],
    ["a comma in a name", "['a,b']", ["a,b 1"], 1, 0],
    ["a number for a name", "[1]", [], 1, 0],
    ["nothing", "", ["development 1", "production 2"], 0, 0],
  ];
  test.each(cases)("%s", (...row) => {
    const [, list, expected, problems, warnings] = row;
    const found = inspect(`mesh: {builder: {environments: ${list}}}`);
    expect([found.problems.length, found.warnings.length]).toEqual([problems, warnings]);
    expect(found.config.mesh.builder.environments.map(({ name, priority }) => `${name} ${priority}`)).toEqual(
      expected,
    );
  });
});

describe("auth.environment and the keys below the providers", () => {
  const settings = { absent: "", development: "development", default: "default", other: "staging" };
  const keys = {
    development: ["development"],
    default: ["default"],
    both: ["development", "default"],
    neither: [],
  };
  const error = (message: string) => ({ problem: message });
  const warning = (message: string) => ({ warning: message });
  const noneFor = (name: string) => error(`auth.environment is ${name}, but no provider has settings for it`);
  const noEffect = warning("auth.environment has no effect");
  const cells: [keyof typeof settings, keyof typeof keys, { problem?: string; warning?: string }][] = [
    ["absent", "development", error("its default is now default, no longer development")],
    ["absent", "default", {}],
    ["absent", "both", warning("auth.providers.service.development is not used")],
    ["absent", "neither", {}],
    ["development", "development", {}],
    ["development", "default", noneFor("development")],
    ["development", "both", {}],
    ["development", "neither", noEffect],
    ["default", "development", noneFor("default")],
    ["default", "default", {}],
    ["default", "both", {}],
    ["default", "neither", noEffect],
    ["other", "development", noneFor("staging")],
    ["other", "default", noneFor("staging")],
    ["other", "both", noneFor("staging")],
    ["other", "neither", noEffect],
  ];
  const documentOf = (setting: keyof typeof settings, present: keyof typeof keys) => {
    const environment = settings[setting] && `  environment: ${settings[setting]}\n`;
    const entries = keys[present].map(
      (key) => `${key}: {tokens: [{name: ${key}, secret: 0123456789abcdef-x}]}`,
    );
    return `auth:\n${environment}  providers: {service: {${entries.join(", ")}}}\n`;
  };

  test.each(cells)("setting %s, keys %s", (setting, present, expected) => {
    const { problems, warnings } = inspect(documentOf(setting, present));
    expect(problems).toHaveLength(expected.problem ? 1 : 0);
    expect(warnings).toHaveLength(expected.warning ? 1 : 0);
    expect(problems[0]?.message ?? "").toContain(expected.problem ?? "");
    expect(warnings[0]?.message ?? "").toContain(expected.warning ?? "");
  });

  test("the error of the upgrade names both remedies, and either of them is one", () => {
    const { problems } = inspect(documentOf("absent", "development"));
    expect(problems[0]).toMatchObject({
      where: "plinth.yaml:2:25",
      solution: "Set auth.environment to development, or rename this key to auth.providers.service.default.",
    });
    expect(
      inspect(documentOf("absent", "development"), { PLINTH_AUTH_ENVIRONMENT: "development" }).problems,
    ).toEqual([]);
    expect(inspect(documentOf("absent", "default")).problems).toEqual([]);
  });

  test("each provider is looked at by itself", () => {
    const found = inspect(
      "auth: {providers: {guest: {development: {}}, oidc: {default: {issuer: 'https://i', audience: a}}}}",
    );
    expect(found.problems.map(({ key }) => key)).toEqual(["auth.providers.guest.development"]);
  });
});

describe("sign-in of MCP clients", () => {
  const provider = (signIn: string) => `{default: {issuer: 'https://i', audience: a, signIn: ${signIn}}}`;
  const cases: [string, string, [string, string][]][] = [
    ["one that stands in", `{oidc: ${provider("{clientId: desktop, redirectUris: ['app://x/y']}")}}`, []],
    ["scopes alone", `{oidc: ${provider("{scopes: [a, b:c]}")}}`, []],
    [
      "two that stand in",
      `{oidc: ${provider("{clientId: a}")}, other: ${provider("{clientId: b}")}}`,
      [["auth.providers.other.default.signIn.clientId", "can't be given for a second provider"]],
    ],
    [
      "what only a client id makes use of",
      `{oidc: ${provider("{redirectUris: ['https://x/y'], parameters: {a: b}}")}}`,
      [
        ["auth.providers.oidc.default.signIn.redirectUris", "has no effect without clientId"],
        ["auth.providers.oidc.default.signIn.parameters", "has no effect without clientId"],
      ],
    ],
    [
      "no addresses",
      `{oidc: ${provider("{clientId: a, redirectUris: [nowhere, 'https://x/y#z']}")}}`,
      [
        ["auth.providers.oidc.default.signIn.redirectUris[0]", "is no address"],
        ["auth.providers.oidc.default.signIn.redirectUris[1]", "is no address"],
      ],
    ],
  ];
  test.each(cases)("%s", (_what, providers, expected) => {
    const { problems } = inspect(`auth: {providers: ${providers}}\n`);
    expect(problems.map(({ key, message }) => [key, message])).toEqual(
      expected.map(([key, message]) => [key, expect.stringContaining(message)]),
    );
  });
});

const long = "s".repeat(32);

describe("who can sign in", () => {
  const guest = "auth: {providers: {guest: {default: {}}}}\n";
  const forced = "auth: {providers: {guest: {default: {dangerouslyAllowInProduction: true}}}}\n";
  const service =
    "auth: {providers: {service: {default: {tokens: [{name: a, secret: 0123456789abcdef}]}}}}\n";
  const both =
    "auth: {providers: {guest: {default: {}}, service: {default: {tokens: [{name: a, secret: 0123456789abcdef}]}}}}\n";
  const open = "server: {host: 0.0.0.0}\n";
  const production =
    "mode: production\ndatabase: {coordinator: {host: h}}\nadapters: {secret: 0123456789abcdef0123456789abcdef}\n";
  const cases: [string, string, string[], string[]][] = [
    ["nothing configured, loopback", "", [], []],
    ["nothing configured, open", open, ["auth.providers"], []],
    ["nothing configured, production", production, ["auth.providers"], []],
    ["guest, loopback", guest, [], []],
    ["guest, open", guest + open, ["auth.providers.guest.default"], []],
    ["guest and service, open", both + open, [], ["auth.providers.guest.default"]],
    ["guest, production", guest + production, ["auth.providers.guest.default"], []],
    ["forced guest, production", forced + production, [], []],
    ["service, production, open", service + production + open, [], []],
    [
      "service without anything",
      "auth: {providers: {service: {default: {}}}}",
      ["auth.providers.service.default"],
      [],
    ],
    [
      "two tokens alike",
      "auth: {providers: {service: {default: {tokens: [{name: a, secret: 0123456789abcdef}, {name: a, secret: 0123456789abcdef}]}}}}",
      ["auth.providers.service.default.tokens[1].name", "auth.providers.service.default.tokens[1].secret"],
      [],
    ],
    [
      "a short secret",
      "auth: {providers: {service: {default: {hmac: {secret: short}}}}}",
      ["auth.providers.service.default.hmac.secret"],
      [],
    ],
    [
      "a secret of adapters of before, without another one",
      `adapters: {formerSecret: ${long}}`,
      ["adapters.formerSecret"],
      [],
    ],
    [
      "the same secret of adapters twice",
      `adapters: {secret: ${long}, formerSecret: ${long}}`,
      ["adapters.formerSecret"],
      [],
    ],
    [
      "a short secret of adapters and one of before that no header can carry",
      "adapters: {secret: short, formerSecret: 'two words of more than thirty-two letters'}",
      ["adapters.formerSecret"],
      ["adapters.secret"],
    ],
    ["a secret of adapters and one of before", `adapters: {secret: ${long}, formerSecret: ${long}x}`, [], []],
  ];
  test.each(cases)("%s", (...row) => {
    const [, yaml, problems, warnings] = row;
    const found = inspect(yaml);
    expect([found.problems.map(({ key }) => key), found.warnings.map(({ key }) => key)]).toEqual([
      problems,
      warnings,
    ]);
  });

  test("production without database host or adapter secret is pointed out", () => {
    expect(
      inspect(`${service}mode: production`)
        .warnings.map(({ key }) => key)
        .toSorted(),
    ).toEqual(["adapters.secret", "database.coordinator"]);
  });
});

describe("services that are notified of provisioning", () => {
  const current =
    "marketplace-compliant-services: {services: [{id: a, name: A, base-url: 'http://a', is-blocking: true}]}\n";
  const old =
    "provisioning-coordinator: {depends-on: {marketplace-proxy: {base-url: 'http://p', is-enabled: false}}}\n";
  const a = { id: "a", name: "A", "base-url": "http://a", "is-enabled": true, "is-blocking": true };
  const proxy = {
    id: "marketplace-proxy",
    name: "Marketplace proxy",
    "base-url": "http://p",
    "is-enabled": false,
    "is-blocking": false,
  };
  test.each([
    ["none", "", [], 0],
    ["current", current, [a], 0],
    ["old, with a warning", old, [proxy], 1],
    ["both: the old one is not used", current + old, [a], 1],
    ["an empty new section counts as given", `marketplace-compliant-services: {services: []}\n${old}`, [], 1],
  ] as const)("%s", (...row) => {
    const [, yaml, services, warnings] = row;
    const found = inspect(yaml);
    expect(shown(found.problems)).toEqual([]);
    expect(found.config["marketplace-compliant-services"].services).toEqual(services);
    expect(found.warnings).toHaveLength(warnings);
  });

  test("ids are not repeated", () => {
    const entry = "{id: a, name: A, base-url: 'http://a'}";
    const { problems } = inspect(`marketplace-compliant-services: {services: [${entry}, ${entry}]}`);
    expect(problems.map(({ key }) => key)).toEqual(["marketplace-compliant-services.services[1].id"]);
  });
});

test.each([
  ["127.0.0.1", true],
  ["127.9.9.9", true],
  ["localhost", true],
  ["LOCALHOST", true],
  ["a.localhost", true],
  ["::1", true],
  ["[::1]", true],
  ["0:0:0:0:0:0:0:1", true],
  ["::ffff:127.0.0.1", true],
  ["::ffff:10.0.0.1", false],
  ["0.0.0.0", false],
  ["::", false],
  ["10.0.0.1", false],
  ["127.0.0.1.example.com", false],
  ["localhost.example.com", false],
  ["::11", false],
  ["1::1", false],
  ["", false],
])("isLoopbackHost(%j) is %j", (host, expected) => {
  expect(isLoopbackHost(host)).toBe(expected);
});

describe("coordinator.execution, limits of one environment or adapter", () => {
  test.each([
    ["longer calls and tasks", "environments: [{name: production, callTimeoutMs: 60000}]", []],
    [
      "an unknown environment",
      "environments: [{name: moon, callTimeoutMs: 1}], adapters: [{id: a, environment: sun}]",
      [
        "environments[0].name names the environment moon, which is not configured",
        "adapters[0].environment names the environment sun, which is not configured",
      ],
    ],
    [
      "repeats",
      "environments: [{name: production}, {name: production}], adapters: [{id: a}, {id: A}, {id: a}]",
      ["environments[1].name repeats the environment production", "adapters[2].id repeats the adapter a"],
    ],
    [
      "times that don't fit those around them",
      "environments: [{name: production, callTimeoutMs: 3600001, operationTimeoutMs: 5}], adapters: [{id: a, taskTimeoutMs: 5}]",
      [
        "environments[0].callTimeoutMs must not be larger than taskTimeoutMs",
        "environments[0].operationTimeoutMs must not be smaller than taskTimeoutMs, which is 3600000",
        "adapters[0].taskTimeoutMs must not be smaller than callTimeoutMs, which is 30000",
      ],
    ],
    [
      "an adapter's times against those of its environment",
      "environments: [{name: production, taskTimeoutMs: 40000}], adapters: [{id: a, environment: production, callTimeoutMs: 50000}]",
      ["adapters[0].callTimeoutMs must not be larger than taskTimeoutMs"],
    ],
  ])("%s", (...[, written, wanted]) => {
    const found = inspect(`coordinator: {execution: {${written}}}`);
    const reported = shown(found.problems).map((line) => line.replaceAll("coordinator.execution.", ""));
    expect(reported.map((line) => line.replace(/^\S+:\d+:\d+ /, ""))).toEqual(wanted);
  });
});

describe("notices", () => {
  const mail = "host: localhost, from: a@example.com";
  const chat = "name: ops, format: slack, webhookUrl: 'https://chat.example/x'";
  test.each<[string, string, string[], string[]]>([
    ["nothing", "{}", [], []],
    ["a mail server", `{mail: {${mail}}}`, [], []],
    ["a user without a password", `{mail: {${mail}, user: a}}`, ["has no effect without a password"], []],
    ["a password without a user", `{mail: {${mail}, password: a}}`, ["has no effect without a user"], []],
    [
      "a password in clear text",
      `{mail: {${mail}, user: a, password: b, security: none}}`,
      ["would send the password in clear text"],
      [],
    ],
    [
      "an address with a name",
      "{mail: {host: localhost, from: 'Ada <a@example.com>'}}",
      ["must be an address"],
      [],
    ],
    ["two chats of a name", `{chats: [{${chat}}, {${chat}}]}`, ["repeats a name"], []],
    [
      "a chat with the name of the mails",
      `{chats: [{${chat.replace("ops", "mail")}}]}`,
      ["is the name of the mails"],
      [],
    ],
    [
      "an unknown environment",
      `{chats: [{${chat}, environments: [moon]}]}`,
      ["names the environment moon"],
      [],
    ],
    [
      "operators without a mail server",
      "{operators: [a@example.com]}",
      [],
      ["has no effect: there is no mail server"],
    ],
    ["no recipient", "{operators: [Ada]}", ["must be a reference"], []],
  ])("%s", (_, notices, problems, warnings) => {
    const found = inspect(`{server: {baseUrl: 'https://plinth.example'}, notices: ${notices}}`);
    const remarks = (all: readonly { message: string }[]) => all.map(({ message }) => message);
    expect(remarks(found.problems)).toEqual(problems.map((each) => expect.stringContaining(each)));
    expect(remarks(found.warnings)).toEqual(warnings.map((each) => expect.stringContaining(each)));
  });

  test("links need the address of the server", () => {
    const { warnings } = inspect(`notices: {mail: {${mail}}}`);
    expect(warnings.map(({ message }) => message)).toEqual([
      expect.stringContaining("messages without links"),
    ]);
  });
});
