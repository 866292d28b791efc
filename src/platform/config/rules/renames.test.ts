import { describe, expect, test } from "vitest";
import { inspect, shown } from "../testdata.ts";

/** Errors and warnings, each as `place key`. */
const reported = (yaml: string, env: Record<string, string> = {}) => {
  const { problems, warnings } = inspect(yaml, env);
  const brief = (list: typeof problems) => list.map(({ where, key }) => `${where.replace(/:.*/, "")} ${key}`);
  return { errors: brief(problems), warnings: brief(warnings) };
};

describe("variables with another name", () => {
  const alone = "an error alone and beside the new name";
  const unlessBeside = "an error alone, a warning beside the new name";
  test.each([
    ["SQL_DBNAME", ["COORDINATOR_DB_DBNAME", "CGP_DB_DBNAME"], alone],
    ["SQL_SCHEMA", ["COORDINATOR_DB_SCHEMA", "CGP_DB_SCHEMA"], alone],
    ["SQL_PASSWORD", ["COORDINATOR_DB_PASSWORD", "PLATFORM_DB_PASSWORD", "CGP_DB_PASSWORD"], alone],
    ["SQL_USERNAME", ["COORDINATOR_DB_USERNAME", "PLATFORM_DB_USERNAME", "CGP_DB_USERNAME"], alone],
    ["SQL_HOST", ["COORDINATOR_DB_HOST", "PLATFORM_DB_HOST"], alone],
    ["SQL_PORT", ["COORDINATOR_DB_PORT", "PLATFORM_DB_PORT", "CGP_DB_PORT"], alone],
    ["CGP_SQL_HOST", ["CGP_DB_HOST", "PLATFORM_DB_HOST"], alone],
    ["licenseFile", ["CORE_LICENSE_FILE"], unlessBeside],
    ["signature", ["CORE_SIGNATURE"], unlessBeside],
    ["BACKEND_PLUGIN_AUTH_SECRET", ["CORE_BACKEND_PLUGIN_AUTH_SECRET"], unlessBeside],
  ])("%s is %s: %s", (old, names, kind) => {
    const value = "5432-0123456789abcdef0123456789abcdef";
    const { problems, warnings } = inspect("", { [old]: value });
    expect(shown(problems)).toEqual([`environment:${old} ${old} is no longer read; it is now ${names[0]}`]);
    for (const name of names) expect(problems[0]?.solution).toContain(name);
    expect(warnings).toEqual([]);
    expect(JSON.stringify(problems)).not.toContain(value);
    const beside = inspect("", { [old]: value, [String(names[0])]: old === "SQL_PORT" ? "5432" : value });
    const found = kind === alone ? beside.problems : beside.warnings;
    expect(found.filter(({ key }) => key === old)).toHaveLength(1);
    if (kind !== alone) expect(beside.problems).toEqual([]);
    expect(reported("", { [old]: "" })).toEqual({ errors: [], warnings: [] });
  });

  test("ENGINE_GRAPHQL_DATABASE_URL is not used any more, which is a warning", () => {
    const name = "ENGINE_GRAPHQL_DATABASE_URL";
    expect(reported("", { [name]: "postgres://h" })).toEqual({
      errors: [],
      warnings: [`environment ${name}`],
    });
    expect(reported("", { [name]: "" }).warnings).toEqual([]);
  });
});

describe("variables that the chart mapped by itself", () => {
  const names = [
    "EVENTS_BACKEND_BASE_URL",
    "NOTIFICATION_URL",
    "NOTIFICATION_SECRET",
    "CLIENT_CERTIFICATE_PATH",
    "SERVER_CERTIFICATE_KEY",
    "PLATFORM_SERVICES",
  ];
  test.each(names)("%s is a warning where it is used and not set", (name) => {
    const used = `server: {host: "\${${name}:-127.0.0.1}"}`;
    const asked = { errors: [], warnings: ["plinth.yaml server.host"] };
    expect(reported(used)).toEqual(asked);
    expect(reported(used, { [name]: "" })).toEqual(asked);
    expect(reported(used, { [name]: "localhost" })).toEqual({ errors: [], warnings: [] });
    expect(reported("", { [name]: "x" })).toEqual({ errors: [], warnings: [] });
    // Without a fallback it is an error as well, as any variable is.
    const needed = `server: {host: {$env: ${name}}}`;
    expect(reported(needed)).toEqual({
      errors: ["plinth.yaml server.host"],
      warnings: ["plinth.yaml server.host"],
    });
  });

  test("inside a fallback, a list and the name of a file they count too; others do not", () => {
    const yaml = [
      'server: {host: "${A:-${NOTIFICATION_URL:-127.0.0.1}}"}',
      'outbound: {blockedHosts: ["${PLATFORM_SERVICES:-h}", "${OTHER_NOTIFICATION_URL:-h}"]}',
      'adapters: {secret: {$file: "${CLIENT_CERTIFICATE_X:-none}"}}',
    ].join("\n");
    expect(reported(yaml).warnings).toEqual([
      "plinth.yaml server.host",
      "plinth.yaml outbound.blockedHosts[0]",
      "plinth.yaml adapters.secret",
    ]);
  });
});

describe("settings", () => {
  test.each([
    "mesh.marketplace.ui.outputPortPage.gridInfo",
    "mesh.marketplace.ui.outputPortPage.sideInfo",
    "mesh.marketplace.ui.dataProductPage.gridInfo",
    "mesh.marketplace.ui.dataProductPage.sideInfo",
    "licenseFile",
    "signature",
  ])("%s is an error that says what to do", (path) => {
    const yaml = path.split(".").reduceRight((inner, key) => `{${key}: ${inner}}`, "[1]");
    const { problems } = inspect(yaml);
    expect(problems.map(({ key }) => key)).toEqual([path]);
    expect(problems[0]?.solution).toMatch(/remove the key/);
  });
});

describe("auth.providers.<any name>", () => {
  const provider = (name: string, environment: string, settings: string) =>
    `auth: {providers: {${name}: {${environment}: ${settings}}}}`;

  test.each(["google", "my-company.sso", "okta2"])(
    "%s with an issuer is a provider of OpenID Connect",
    (name) => {
      expect(reported(provider(name, "default", "{issuer: 'https://i', audience: a}"))).toEqual({
        errors: [],
        warnings: [],
      });
      const metadataUrl = "https://i/realm/.well-known/openid-configuration";
      expect(
        reported(provider(name, "default", `{metadataUrl: '${metadataUrl}', audience: a}`)).errors,
      ).toEqual([]);
    },
  );

  test("with neither it is one error that names both fields, whatever else it has", () => {
    const { problems } = inspect(provider("github", "default", "{clientId: a, clientSecret: hunter2}"));
    expect(problems).toEqual([
      expect.objectContaining({
        key: "auth.providers.github.default",
        message: expect.stringContaining("has neither issuer nor metadataUrl"),
      }),
    ]);
    expect(JSON.stringify(problems)).not.toContain("hunter2");
    expect(reported(provider("oidc", "default", "{audience: a}")).errors).toEqual([
      "plinth.yaml auth.providers.oidc.default",
    ]);
  });

  test("with one of them its other fields are checked", () => {
    expect(
      reported(provider("google", "default", "{issuer: 'https://i', clientId: a}")).errors.toSorted(),
    ).toEqual([
      "plinth.yaml auth.providers.google.default.audience",
      "plinth.yaml auth.providers.google.default.clientId",
    ]);
    expect(
      reported(provider("google", "default", "{metadataUrl: 'https://i/x', audience: a}")).errors,
    ).toEqual(["plinth.yaml auth.providers.google.default.metadataUrl"]);
  });

  test("the message about development comes for each", () => {
    const entry = "{issuer: 'https://i', audience: a}";
    const yaml = `auth: {providers: {google: {development: ${entry}}, okta: {development: ${entry}, default: ${entry}}, acme: {development: ${entry}}}}`;
    const { problems, warnings } = inspect(yaml);
    expect(problems.map(({ key, solution }) => [key, solution])).toEqual(
      ["google", "acme"].map((name) => [
        `auth.providers.${name}.development`,
        `Set auth.environment to development, or rename this key to auth.providers.${name}.default.`,
      ]),
    );
    expect(warnings.map(({ key }) => key)).toEqual(["auth.providers.okta.development"]);
  });
});
