/** Each item of the release notes, by its old and its new form: what is said, and what becomes of the file. */
import { load } from "js-yaml";
import { describe, expect, test } from "vitest";
import type { FileInputs } from "./inputs.ts";
import { afterwards, check, said, solutionOf, type Given } from "./testdata.ts";

describe("environments", () => {
  const at = (list: string): Given => ({ config: `mesh: {builder: {environments: ${list}}}` });
  test.each([
    ["[dev, prod]", []],
    ["[{name: dev, priority: 2}, {name: prod, priority: 1}]", []],
    [
      "[dev, prod, dev]",
      ["breaking app-config.yaml:1:44 mesh.builder.environments[2] repeats the name dev of entry 1"],
    ],
    [
      "[{name: dev, priority: high}]",
      ["breaking app-config.yaml:1:55 mesh.builder.environments[0].priority must be a whole number"],
    ],
    [
      "[{name: dev, priority: 1}, {name: prod, priority: 1}]",
      [
        "warning app-config.yaml:1:82 mesh.builder.environments[1].priority gives prod the same priority as dev; the order of the list decides",
      ],
    ],
    [
      "[dev, {name: prod, priority: 5}]",
      ["breaking app-config.yaml:1:32 mesh.builder.environments mixes names with {name, priority} entries"],
    ],
  ])("%s", (list, expected) => {
    expect(said(at(list))).toEqual(expected);
  });

  test("a priority in quotes becomes a number", () => {
    expect(
      afterwards({
        config: 'mesh:\n  builder:\n    environments:\n      - name: dev\n        priority: "2"\n',
      }),
    ).toBe("mesh:\n  builder:\n    environments:\n      - name: dev\n        priority: 2\n");
  });
});

test.each([
  ["outputPortPage", "gridInfo", "grid"],
  ["outputPortPage", "sideInfo", "side"],
  ["dataProductPage", "gridInfo", "grid"],
  ["dataProductPage", "sideInfo", "side"],
])("mesh.marketplace.ui.%s.%s becomes a draft of a custom view", (page, key, part) => {
  const config = `mesh:\n  builder:\n    environments: [dev]\n  marketplace:\n    ui:\n      ${page}:\n        ${key}:\n          - label: Owner\n            path: spec.owner\n`;
  const { findings, changes, drafts } = check({ config });
  expect(findings[0]).toEqual({
    severity: "breaking",
    item: "removed-settings",
    where: "app-config.yaml:7:9",
    message: `mesh.marketplace.ui.${page}.${key} was removed in release 2.2.0`,
    solution: "Move its content to the corresponding custom view and remove the key.",
    automatic: true,
  });
  expect(drafts).toEqual([
    {
      pageId: page,
      part,
      from: `mesh.marketplace.ui.${page}.${key}`,
      content: [{ label: "Owner", path: "spec.owner" }],
    },
  ]);
  expect(changes[0]?.after).toBe("mesh:\n  builder:\n    environments: [dev]\n");
});

describe("licence", () => {
  test.each([
    ["licenseFile", "CORE_LICENSE_FILE"],
    ["signature", "CORE_SIGNATURE"],
  ])("%s is %s", (old, now) => {
    expect(said({ keys: `${old}\n` })).toEqual([
      `breaking secret:${old} ${old} is no longer read; it is now ${now}`,
    ]);
    expect(solutionOf({ keys: `${old}\n` })).toBe(`Set ${now} and remove ${old}.`);
    expect(said({ keys: `${old}\n${now}\n` })).toEqual([
      `warning secret:${old} ${old} is no longer read; ${now} is used`,
    ]);
    expect(said({ keys: `${now}\n` })).toEqual([]);
    const config = `${old}: c2VjcmV0\nserver:\n  port: 1\n`;
    const message = `${old} is no longer read; it is now ${now} in the secret store`;
    expect(said({ config })).toEqual([`breaking app-config.yaml:1:1 ${message}`]);
    // The key has the only copy of the value until the secret store has one.
    expect(afterwards({ config })).toBeUndefined();
    expect(afterwards({ config, keys: now })).toBe("server:\n  port: 1\n");
  });
});

describe("auth.environment", () => {
  const settings = { absent: "", development: "development", default: "default", other: "staging" };
  const keys = {
    development: ["development"],
    default: ["default"],
    both: ["development", "default"],
    neither: ["other"],
  };
  const provider = (name: string): string => `      ${name}: {issuer: "https://id", audience: a}\n`;
  const config = (setting: keyof typeof settings, present: keyof typeof keys): string =>
    `auth:\n${settings[setting] && `  environment: ${settings[setting]}\n`}  providers:\n    oidc:\n` +
    keys[present].map(provider).join("");
  const notUsed =
    "is not used: auth.environment is not set and its default is now default, no longer development";
  const none = (name: string, found: string): string =>
    `auth.environment is ${name}, but no provider has settings for it; there are settings for ${found}`;

  test.each<[keyof typeof settings, keyof typeof keys, string | null]>([
    ["absent", "development", `breaking auth.providers.oidc.development ${notUsed}`],
    ["absent", "default", null],
    [
      "absent",
      "both",
      "warning auth.providers.oidc.development is not used: auth.environment is not set, so auth.providers.oidc.default applies",
    ],
    ["absent", "neither", `breaking ${none("default", "other")}`],
    ["development", "development", null],
    ["development", "default", `breaking ${none("development", "default")}`],
    ["development", "both", null],
    ["development", "neither", `breaking ${none("development", "other")}`],
    ["default", "development", `breaking ${none("default", "development")}`],
    ["default", "default", null],
    ["default", "both", null],
    ["default", "neither", `breaking ${none("default", "other")}`],
    ["other", "development", `breaking ${none("staging", "development")}`],
    ["other", "default", `breaking ${none("staging", "default")}`],
    ["other", "both", `breaking ${none("staging", "development, default")}`],
    ["other", "neither", `breaking ${none("staging", "other")}`],
  ])("%s, with keys %s", (setting, present, expected) => {
    const shown = said({ config: config(setting, present) }).map((line) =>
      line.replace(/ app-config\S+/, ""),
    );
    expect(shown).toEqual(expected === null ? [] : [expected]);
  });

  test("what was development before stays it, for each provider of any name", () => {
    const text =
      "auth:\n  providers:\n    acme:\n      development: {metadataUrl: 'https://a/x', audience: a}\n";
    expect(afterwards({ config: text })).toBe(`${text}  environment: development\n`);
    expect(said({ config: text })).toEqual([
      `breaking app-config.yaml:4:7 auth.providers.acme.development ${notUsed}`,
    ]);
  });

  test("a provider without issuer and metadataUrl is told what is missing", () => {
    const text = "auth:\n  environment: default\n  providers:\n    acme:\n      default: {clientId: a}\n";
    expect(said({ config: text })).toEqual([
      "breaking app-config.yaml:5:7 auth.providers.acme.default has neither issuer nor metadataUrl, so it is not an OpenID Connect provider",
    ]);
    expect(check({ config: text }).findings[0]?.item).toBe("providers");
  });

  test("a setting from a variable cannot be judged", () => {
    const text =
      "auth:\n  environment: ${AUTH_ENV}\n  providers:\n    oidc:\n      development: {issuer: 'https://a', audience: a}\n";
    expect(said({ config: text })).toEqual([
      "warning app-config.yaml:2:16 auth.environment takes its value from elsewhere, so it could not be compared with the keys of auth.providers",
    ]);
  });
});

test("the mock provisioner reads CORE_BACKEND_PLUGIN_AUTH_SECRET", () => {
  const [old, now] = ["BACKEND_PLUGIN_AUTH_SECRET", "CORE_BACKEND_PLUGIN_AUTH_SECRET"];
  expect(said({ keys: old })).toEqual([`breaking secret:${old} ${old} is no longer read; it is now ${now}`]);
  expect(said({ keys: `${old}\n${now}` })).toEqual([
    `warning secret:${old} ${old} is no longer read; ${now} is used`,
  ]);
  expect(said({ keys: now })).toEqual([]);
  const values = `mock-provisioner:\n  env:\n    ${old}: x\n`;
  expect(afterwards({ values })).toBe(values.replace(old, now));
});

describe("extraEnv", () => {
  const values = (block: string): string =>
    `provisioning-coordinator:\n  extraEnv: |\n${block}  replicas: 1\n`;
  test.each([
    [
      "a list in a text",
      "    - name: A\n      value: 1\n    - name: B\n      valueFrom: {secretKeyRef: {name: s, key: k}}\n",
      '    - name: A\n      value: "1"\n    - name: B\n      valueFrom:\n        secretKeyRef:\n          name: s\n          key: k\n',
    ],
    [
      "a map in a text",
      "    A: true\n    B: b\n",
      '    - name: A\n      value: "true"\n    - name: B\n      value: b\n',
    ],
    [
      "lines with =",
      '    A=1\n    B="b c"\n',
      '    - name: A\n      value: "1"\n    - name: B\n      value: b c\n',
    ],
    [
      "an old name",
      "    - name: SQL_HOST\n      value: db\n",
      "    - name: COORDINATOR_DB_HOST\n      value: db\n",
    ],
  ])("%s becomes a list", (_what, block, list) => {
    expect(said({ values: values(block) })).toEqual([
      "breaking values.yaml:2:3 provisioning-coordinator.extraEnv is a text block; it is now an array of name/value entries",
    ]);
    expect(afterwards({ values: values(block) })).toBe(
      `provisioning-coordinator:\n  extraEnv:\n${list}  replicas: 1\n`,
    );
  });

  test("the message shows names and no values", () => {
    const found = check({ values: values("    - name: A\n      value: hunter2\n") });
    expect(found.findings[0]?.solution).toBe("Write it as a list: {name: A, value: …}.");
    expect(JSON.stringify(found.findings)).not.toContain("hunter2");
  });

  test("a template in a text is left to people", () => {
    const { findings, changes } = check({ values: values("    {{ include env }}\n") });
    expect(findings[0]?.automatic).toBeUndefined();
    expect(changes).toEqual([]);
  });

  test("a list is as it should be", () => {
    expect(said({ values: "coordinator:\n  extraEnv:\n    - name: A\n      value: b\n" })).toEqual([]);
  });
});

test("the marketplace proxy becomes a compliant service, with a warning", () => {
  const config =
    "provisioning-coordinator:\n  depends-on:\n    marketplace-proxy:\n      base-url: http://m\n      is-enabled: true\nlog:\n  level: info\n";
  const name = "provisioning-coordinator.depends-on.marketplace-proxy";
  expect(said({ config })).toEqual([`warning app-config.yaml:3:5 ${name} is deprecated`]);
  expect(afterwards({ config })).toBe(
    "log:\n  level: info\nmarketplace-compliant-services:\n  services:\n    - id: marketplace-proxy\n      name: Marketplace proxy\n      base-url: http://m\n      is-enabled: true\n",
  );
  const both = `${config}marketplace-compliant-services:\n  services: []\n`;
  expect(said({ config: both })).toEqual([
    `warning app-config.yaml:3:5 ${name} is not used, because marketplace-compliant-services is given`,
  ]);
  expect(afterwards({ config: both })).toBe(
    "log:\n  level: info\nmarketplace-compliant-services:\n  services: []\n",
  );
  // A section without a value is not given, so the proxy is the only one.
  const empty = `${config}marketplace-compliant-services:\n`;
  expect(said({ config: empty })).toEqual([`warning app-config.yaml:3:5 ${name} is deprecated`]);
  expect(load(afterwards({ config: empty })!)).toEqual(load(afterwards({ config })!));
});

test.each([
  "EVENTS_BACKEND_BASE_URL",
  "NOTIFICATION_URL",
  "NOTIFICATION_SECRET",
  "CLIENT_CERTIFICATE_PATH",
  "SERVER_CERTIFICATE_KEY",
  "PLATFORM_SERVICES",
])("%s is a warning where it is used and not mapped", (name) => {
  const config = `a:\n  b: \${${name}}\n`;
  const message = `uses ${name}, which is not set: since release 2.2.0 the chart does not map it by itself`;
  expect(said({ config })).toEqual([`warning app-config.yaml:2:6 a.b ${message}`]);
  expect(said({ config, keys: name })).toEqual([]);
  const values = `coordinator:\n  url: \${${name}}\n`;
  expect(said({ values })).toEqual([`warning values.yaml:2:8 coordinator.url ${message}`]);
  expect(said({ values: `coordinator:\n  arg: $(${name})\n` })).toHaveLength(1);
  expect(said({ values: `${values}  extraEnv:\n    - name: ${name}\n      value: x\n` })).toEqual([]);
});

test("removed operations of governance are found where a file names them", () => {
  const values = "probe:\n  url: http://cgp/v1/computational-governance/evaluation-reports?x=1\n";
  expect(said({ values })).toEqual([
    "warning values.yaml:2:8 probe.url names GET /v1/computational-governance/evaluation-reports, which was removed and answers 410",
  ]);
  expect(said({ values: values.replace("?x=1", "/4711") })).toEqual([]);
  expect(
    said({ config: "u: http://c/v1/computational-governance/resources/urn:a:b/policy-violations\n" }),
  ).toHaveLength(1);
});

describe("what is only worth knowing", () => {
  const infos = (config: string, more?: Partial<FileInputs>): string[] =>
    check({ config, ...(more && { more }) }).findings.map(
      ({ severity, message }) => `${severity} ${message}`,
    );
  test("startup actions and the page of data contracts, until they are set", () => {
    expect(infos("mesh:\n  builder:\n    environments: [dev]\n")).toEqual([
      "info mesh.marketplace.dataContracts.enabled is not set: the new page of data contracts is on",
      "info startupActions.catalog.practiceShaperLocations is not set: the first start registers the default taxonomy, unless some are registered",
      "info startupActions.catalog.accessRequestLocations is not set: the first start registers the default access request templates, unless some are registered",
    ]);
    const set =
      "mesh:\n  marketplace: {dataContracts: {enabled: false}}\nstartupActions:\n  catalog: {practiceShaperLocations: [], accessRequestLocations: []}\n";
    expect(infos(set)).toEqual([]);
    const known = { catalogue: { hasTaxonomy: true, hasAccessTemplates: true } };
    expect(infos("mesh:\n  marketplace: {dataContracts: {enabled: true}}\n", known)).toEqual([]);
  });
});

describe("ugly files", () => {
  test("one that is no YAML is said to be so, and the others are checked all the same", () => {
    const { findings } = check({ values: "a: [\n", config: "signature: s\n" });
    expect(findings.map(({ item }) => item)).toEqual(["files", "licence"]);
    expect(findings[0]?.where).toMatch(/^values\.yaml:\d+:\d+$/);
  });

  test.each(["", "# nothing\n", "--- \n", "null\n"])("an empty one (%j) has nothing to say", (text) => {
    expect(check({ values: text, config: text }).findings).toEqual([]);
  });

  test("a list where a map should be is a problem of the file", () => {
    expect(said({ config: "- a\n" })).toEqual([
      "breaking app-config.yaml:1:1 configuration must be a map of settings",
    ]);
  });

  test("anchors are followed", () => {
    const values = "x: &block |\n  A=1\nc:\n  extraEnv: *block\n";
    expect(said({ values })).toHaveLength(1);
  });

  test("names that every object has are keys like any other", () => {
    expect(
      said({ config: "constructor: {toString: 1}\nauth: {providers: {constructor: {default: {}}}}\n" }),
    ).toHaveLength(1);
    expect(said({ values: "hasOwnProperty: {extraEnv: []}\n__proto__: {ingress: 1}\n" })).toEqual([]);
  });

  test("files of variables with comments, quotes, spaces and line ends of their own", () => {
    const variables = "\uFEFF# SQL_HOST=x\r\nexport SQL_PORT = 5432\r\nSQL_DBNAME=''\r\nnot a line\r\n";
    expect(said({ variables })).toEqual([
      "breaking old.env:2:1 SQL_PORT is no longer read; it is now COORDINATOR_DB_PORT",
    ]);
    expect(afterwards({ variables })).toBe(variables.replace("SQL_PORT", "COORDINATOR_DB_PORT"));
  });

  test("a manifest of a secret gives the names of its keys", () => {
    const keys =
      "kind: Secret\ndata:\n  signature: czNjcjN0\n  empty: ''\nstringData:\n  licenseFile: s3cr3t\n";
    expect(said({ keys })).toHaveLength(2);
    expect(JSON.stringify(check({ keys }))).not.toMatch(/s3cr3t|czNjcjN0/);
  });

  const secretOf = (name: string): string =>
    `apiVersion: v1\nkind: Secret\nmetadata: {name: a}\ndata:\n  ${name}: czNjcjN0\n`;
  const licences = ["licenseFile", "signature"].map((old) =>
    expect.stringMatching(`breaking secret:${old} `),
  );
  test.each([
    ["separated by ---", `---\n${secretOf("signature")}---\n# none\n---\n${secretOf("licenseFile")}`],
    [
      "in a list of kubectl",
      `apiVersion: v1\nkind: List\nmetadata: {resourceVersion: ''}\nitems:\n${["signature", "licenseFile"].map((name) => `- ${secretOf(name).trimEnd().replaceAll("\n", "\n  ")}\n`).join("")}`,
    ],
    [
      "in a list of the interface, as JSON",
      JSON.stringify({
        kind: "SecretList",
        items: [
          { kind: "Secret", data: { signature: "czNjcjN0" } },
          { data: { licenseFile: "czNjcjN0" } },
          { kind: "ConfigMap", data: null },
        ],
      }),
    ],
  ])("manifests of several secrets give the names of all their keys: %s", (_what, keys) => {
    expect(said({ keys }).toSorted()).toEqual(licences);
    expect(JSON.stringify(check({ keys }))).not.toContain("czNjcjN0");
  });

  test.each([
    ["another kind", "apiVersion: v1\nkind: Deployment\nspec: {replicas: 1}\n"],
    ["an empty list", "apiVersion: v1\nkind: List\nitems: []\n"],
    ["a sealed secret", "kind: SealedSecret\nspec:\n  encryptedData: {signature: AgBy}\n"],
    ["comments", "# SQL_HOST=db\n\n"],
  ])("a file of variables from which no name was read is in the way: %s", (_what, variables) => {
    expect(said({ variables })).toEqual(["breaking old.env no name of a variable was read from it"]);
    expect(check({ variables }).findings[0]?.item).toBe("files");
  });
});

test("what was rewritten has nothing more to rewrite, and says nothing of it", () => {
  const values =
    "c:\n  extraEnv: |\n    SQL_HOST=a\n  env: {SQL_PORT: '1'}\ncgp:\n  ingress: {enabled: true}\n";
  const config =
    "mesh:\n  marketplace:\n    ui: {dataProductPage: {gridInfo: [a], sideInfo: b}}\nauth:\n  providers: {x: {development: {issuer: i}}}\n";
  const first = check({ values, config, more: { ingressClass: "nginx" } });
  expect(
    first.findings.filter(({ severity }) => severity === "breaking").every(({ automatic }) => automatic),
  ).toBe(true);
  const after = new Map(first.changes.map((change) => [change.file, change.after]));
  const second = check({ values: after.get("values.yaml")!, config: after.get("app-config.yaml")! });
  expect(second.changes).toEqual([]);
  expect(second.findings.filter(({ severity }) => severity !== "info")).toEqual([]);
});
