/**
 * Each item of the release notes by its old and its new form, through the command: what `upgrade check` says of the old one, what
 * a start says of it, and that the new form has nothing more in the way. docs/guides/upgrade.md is for people, this for the notes.
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { run } from "../../src/cli/testdata.ts";
import { removedOperations } from "../../src/governance/removed-routes.ts";
import { inspectConfig } from "../../src/platform/config/load.ts";
import { removedMappings } from "../../src/platform/config/renames.ts";
import { folderWith } from "../../src/platform/config/testdata.ts";

interface Form {
  values?: string;
  config?: string;
  /** Names of keys of the secret store. */
  keys?: string;
}

interface Row {
  what: string;
  old: Form;
  /** What `check` says of it, from its severity on; without its place. */
  says: string;
  now: Form;
  /** What a start says of the old form; null where a start never sees it. */
  starts: string | null;
}

const variable = (old: string, now: string, severity = "breaking"): Row => ({
  what: `${old}, the variable`,
  old: { keys: old },
  says: `${severity} ${old} is no longer read; it is now ${now}`,
  now: { keys: now },
  starts: `${old} is no longer read; it is now ${now}`,
});

const view = (page: string, part: string): Row => ({
  what: `mesh.marketplace.ui.${page}.${part}`,
  old: { config: `mesh: {marketplace: {ui: {${page}: {${part}: []}}}}` },
  says: `breaking mesh.marketplace.ui.${page}.${part} was removed in release 2.2.0`,
  now: { config: "mesh: {marketplace: {dataContracts: {enabled: true}}}" },
  starts: "was removed in release 2.2.0",
});

const oidc = "{issuer: 'https://i', audience: a}";
const own = "{name: coordinator}, {name: cgp}, {name: marketplace}";
const override = (sources: string): Form => ({ config: `configOverride: {sources: [${sources}]}` });

const rows: Row[] = [
  {
    what: "environments that are repeated",
    old: { config: "mesh: {builder: {environments: [dev, dev]}}" },
    says: "breaking mesh.builder.environments[1] repeats the name dev of entry 1",
    now: { config: "mesh: {builder: {environments: [{name: dev, priority: 2}, {name: prod, priority: 1}]}}" },
    starts: "repeats the name dev of entry 1",
  },
  {
    what: "a priority that is no whole number",
    old: { config: "mesh: {builder: {environments: [{name: dev, priority: 1.5}]}}" },
    says: "breaking mesh.builder.environments[0].priority must be a whole number",
    now: { config: "mesh: {builder: {environments: [{name: dev, priority: 1}]}}" },
    starts: "must be a whole number",
  },
  view("outputPortPage", "gridInfo"),
  view("outputPortPage", "sideInfo"),
  view("dataProductPage", "gridInfo"),
  view("dataProductPage", "sideInfo"),
  variable("licenseFile", "CORE_LICENSE_FILE"),
  variable("signature", "CORE_SIGNATURE"),
  variable("BACKEND_PLUGIN_AUTH_SECRET", "CORE_BACKEND_PLUGIN_AUTH_SECRET"),
  variable("SQL_DBNAME", "COORDINATOR_DB_DBNAME"),
  variable("SQL_SCHEMA", "COORDINATOR_DB_SCHEMA"),
  variable("SQL_PASSWORD", "COORDINATOR_DB_PASSWORD"),
  variable("SQL_USERNAME", "COORDINATOR_DB_USERNAME"),
  variable("SQL_HOST", "COORDINATOR_DB_HOST"),
  variable("SQL_PORT", "COORDINATOR_DB_PORT"),
  variable("CGP_SQL_HOST", "CGP_DB_HOST"),
  {
    what: "auth.environment where only development is there (all 16 cells: check-files.test.ts and rules.test.ts)",
    old: { config: `auth: {providers: {acme: {development: ${oidc}}}}` },
    says: "breaking auth.providers.acme.development is not used: auth.environment is not set and its default is now default",
    now: { config: `auth: {providers: {acme: {default: ${oidc}}}}` },
    starts: "is not used: auth.environment is not set and its default is now default, no longer development",
  },
  {
    what: "a provider that is none",
    old: { config: "auth: {providers: {acme: {default: {clientId: a}}}}" },
    says: "breaking auth.providers.acme.default has neither issuer nor metadataUrl",
    now: { config: `auth: {providers: {acme: {default: ${oidc}}}}` },
    starts: "has neither issuer nor metadataUrl",
  },
  {
    what: "extraEnv of the coordinator's chart",
    old: { values: "provisioning-coordinator:\n  extraEnv: |\n    A=1\n" },
    says: "breaking provisioning-coordinator.extraEnv is a text block; it is now an array of name/value entries",
    now: { values: "provisioning-coordinator:\n  extraEnv:\n    - name: A\n      value: '1'\n" },
    starts: null,
  },
  {
    what: "the marketplace proxy",
    old: { config: "provisioning-coordinator: {depends-on: {marketplace-proxy: {base-url: 'http://m'}}}" },
    says: "warning provisioning-coordinator.depends-on.marketplace-proxy is deprecated",
    now: { config: "marketplace-compliant-services: {services: [{id: a, name: A, base-url: 'http://m'}]}" },
    starts: "is deprecated",
  },
  ...removedMappings
    .map((name) => name.replace("*", "X"))
    .map((name): Row => ({
      what: `${name}, which the chart mapped`,
      old: { config: `server: {host: "\${${name}:-127.0.0.1}"}` },
      says: `warning server.host uses ${name}, which is not set: since release 2.2.0 the chart does not map it by itself`,
      now: { config: `server: {host: "\${${name}:-127.0.0.1}"}`, keys: name },
      starts: `uses ${name}, which is not set`,
    })),
  ...removedOperations.map(([, path, replacement]): Row => {
    const base = "http://cgp/v1/computational-governance";
    const filled = path.replace("{resource}", "urn:dmb:dp:a:b:0");
    return {
      what: `GET ${path} (410: test/governance/policies.db.test.ts)`,
      old: { values: `probe: ${base}${filled}\n` },
      says: `warning probe names GET /v1/computational-governance${path}, which was removed and answers 410`,
      now: { values: `probe: ${base}${replacement}\nother: ${base}/evaluation-reports/4711\n` },
      starts: null,
    };
  }),
  {
    what: "ENGINE_GRAPHQL_DATABASE_URL",
    old: { keys: "ENGINE_GRAPHQL_DATABASE_URL" },
    says: "warning ENGINE_GRAPHQL_DATABASE_URL is no longer used",
    now: { keys: "ENGINE_GRAPHQL_CGP_DATABASE_URL" },
    starts: "ENGINE_GRAPHQL_DATABASE_URL",
  },
  {
    what: "an ingress without a class",
    old: { values: "graphql: {ingress: {enabled: true}}\n" },
    says: "breaking graphql.ingress names no class; there is no default any more",
    now: { values: "graphql: {ingress: {enabled: true, className: nginx}}\n" },
    starts: null,
  },
  {
    what: "two sources with one variable",
    old: { config: `dbs: {sources: [${own}, {name: a-b, db: x}, {name: a_b, db: y}]}` },
    says: "breaking dbs.sources[4].name a_b gives the variable ENGINE_GRAPHQL_A_B_DATABASE_URL, which a-b gives as well",
    now: { config: `dbs: {sources: [${own}, {name: a-b, db: x}]}` },
    starts: "has the same variable as a-b",
  },
  ...[
    ["coordinator", "{name: cgp}, {name: marketplace}"],
    ["CGP", "{name: coordinator}, {name: marketplace}"],
    ["marketplace", "{name: coordinator}, {name: cgp}"],
  ].map(([name, sources]): Row => ({
    what: `configOverride.sources without the ${name} source`,
    old: override(sources!),
    says: `breaking configOverride.sources has no ${name} source; the list replaces the whole configuration of the tool`,
    now: override(own),
    starts: `lacks ${name!.toLowerCase()}: the list replaces the default one`,
  })),
  {
    what: "a name that is not in dbs.sources",
    old: override(`${own}, {name: sales}`),
    says: "breaking configOverride.sources[3].name sales is not in dbs.sources",
    now: {
      config: `dbs: {sources: [${own}, {name: sales, db: s}]}\n${override(`${own}, {name: sales}`).config}`,
    },
    starts: "names the source sales, which dbs.sources does not list",
  },
  {
    what: "a schema in both lists",
    old: override(
      "{name: coordinator, allowSchemas: [a], excludeSchemas: [a]}, {name: cgp}, {name: marketplace}",
    ),
    says: "breaking configOverride.sources[0] has the schema a in allowSchemas and in excludeSchemas",
    now: override(
      "{name: coordinator, allowSchemas: [a], excludeSchemas: [b]}, {name: cgp}, {name: marketplace}",
    ),
    starts: "excludes what allowSchemas allows: a",
  },
];

interface Finding {
  severity: string;
  message: string;
  solution?: string;
}

async function check(form: Form): Promise<{ code: number; findings: Finding[] }> {
  // A file without any name is a finding of its own.
  const keys = form.keys === undefined ? [] : ["--variables", "keys.txt"];
  const cwd = folderWith({
    "values.yaml": form.values ?? "",
    "app.yaml": form.config ?? "",
    "keys.txt": form.keys ?? "",
  });
  const args = ["--values", "values.yaml", "--config", "app.yaml", ...keys, "--no-database"];
  const { code, out } = await run(["upgrade", "check", ...args, "--json"], { cwd });
  return { code, findings: (JSON.parse(out) as { findings: Finding[] }).findings };
}

const inTheWay = ({ findings }: { findings: Finding[] }): string[] =>
  findings
    .filter(({ severity }) => severity !== "info")
    .map(({ severity, message }) => `${severity} ${message}`);

describe.each(rows)("$what", ({ old, says, now }) => {
  test("check says what is old and what to do", async () => {
    const { code, findings } = await check(old);
    const found = findings.find(({ severity, message }) => `${severity} ${message}`.startsWith(says));
    expect(inTheWay({ findings })).toEqual([expect.stringContaining(says)]);
    expect(found?.solution ?? "").not.toBe("");
    expect(code).toBe(says.startsWith("breaking") ? 5 : 0);
  });

  test("the new form has nothing in the way", async () => {
    expect(inTheWay(await check(now))).toEqual([]);
  });
});

/** What a start reports of it, errors and warnings. */
function start({ config, keys = "" }: Form): string {
  const { problems, warnings } = inspectConfig({
    files: [],
    env: keys === "" ? {} : { [keys]: "5432" },
    cwd: folderWith({ "plinth.yaml": config ?? "" }),
  });
  return [...problems, ...warnings].map(({ message, key }) => `${key} ${message}`).join("\n");
}

test.each(rows.filter(({ starts }) => starts !== null))(
  "a start says so too: $what",
  ({ old, now, starts }) => {
    expect(start(old)).toContain(starts);
    expect(start(now)).not.toContain(starts);
  },
);

test("two environments of one priority are a warning", async () => {
  const config = "mesh: {builder: {environments: [{name: dev, priority: 1}, {name: prod, priority: 1}]}}";
  expect(inTheWay(await check({ config }))).toEqual([
    expect.stringMatching(
      /^warning mesh\.builder\.environments\[1\]\.priority gives prod the same priority as dev/,
    ),
  ]);
});

test("the chart maps none of the variables whose mappings were removed", async () => {
  const chart = join(import.meta.dirname, "../../charts/plinth");
  const pattern = new RegExp(
    `\\b(?:${removedMappings.map((name) => name.replace("*", "\\w+")).join("|")})\\b`,
  );
  expect("value: $(CLIENT_CERTIFICATE_PATH)").toMatch(pattern);
  for (const name of await readdir(chart, { recursive: true }))
    if (/\.(?:ya?ml|tpl|json)$/.test(name))
      expect(await readFile(join(chart, name), "utf8"), name).not.toMatch(pattern);
});
