/**
 * Writes docs/reference/settings.md from the schema of the configuration. With `--check` it writes nothing and
 * exits with 1 when the page is not what the schema says.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { settingVariables } from "../src/platform/config/environment.ts";
import { reloadableSettings } from "../src/platform/config/reloadable.ts";
import { settingsJson } from "../src/platform/config/schema/schema.ts";
import {
  listSettings,
  type JsonSchema,
  type SchemaEntry,
} from "../src/platform/config/source/schema-paths.ts";

const target = new URL("../docs/reference/settings.md", import.meta.url);

const variables = new Map(settingVariables.map((variable) => [variable.path.join("."), variable]));

const intro = `# Settings

<!-- Made by scripts/reference-settings.ts from the schema; change it there. -->

A configuration is made of layers; later ones win: defaults, the fallback variables, the files in the order of
\`--config\` (or \`plinth.yaml\` of the working folder when none is named), environment variables. Maps merge key by
key, everything else replaces; a key with nothing after it goes back to its default. \`plinth config check\` reports
every problem as \`file:line:column key problem\` and prints no value.

In files:

| Written | Means |
|---|---|
| \`\${NAME}\`, \`\${NAME:-fallback}\` | The environment variable inside a text. The fallback may hold \`\${…}\` itself. A variable that is empty counts as not set; without a fallback that is an error. \`$\${\` is a plain \`\${\`. |
| \`{ $env: NAME }\` | The environment variable as the whole value. |
| \`{ $file: path }\` | The content of a text file of at most 64 KiB, without its last line end; relative to the file that says so. |
| \`{ $include: path }\` | Another YAML file in this place; relative to the file that says so, at most 10 deep and 50 files, never in a circle. |

A text that comes from outside becomes a number or a boolean where the setting is one. An empty environment variable
counts as not set. Names of [release 2.1](../glossary.md#releases-and-versions) and before are in [Old names](renames.md).
`;

const authTable = `## Which provider settings apply

Those under \`auth.providers.<provider>.<environment>\` whose key equals \`auth.environment\`; there is no fallback from
one key to another. Its default is \`default\`; up to release 2.1 it was \`development\`. With these keys configured
("neither" means no provider at all; keys that all belong to other environments are an error):

| auth.environment | \`development\` | \`default\` | both | neither |
|---|---|---|---|---|
| not set | error, names both remedies | \`default\` | \`default\`, warning | built-in guest |
| \`development\` | \`development\` | error | \`development\` | built-in guest, warning |
| \`default\` | error | \`default\` | \`default\` | built-in guest, warning |
| another | error | error | error | built-in guest, warning |

"Built-in guest": when no provider is configured at all, requests from this machine act as \`user:default/guest\` with
the role admin, in development and while \`server.host\` is a loopback address. Otherwise the server does not start.

Besides \`guest\`, \`service\` and \`oidc\` a provider may have any name: with \`issuer\` or \`metadataUrl\` it is one of OpenID
Connect with the settings of \`auth.providers.oidc\`; without both it is an error. Several may apply at once. The subjects
of their tokens become users of one catalogue, so let only providers apply that do not give one subject to two people.
`;

function renderSettings(): string {
  const sections: string[] = [];
  const entries = listSettings(settingsJson).filter(({ schema }) => !hasSettings(schema));
  const groups = Map.groupBy(entries, ({ path }) => groupOf(path));
  for (const [group, members] of groups) {
    sections.push(
      [
        `## ${group}`,
        "",
        ...describe(group),
        "| Setting | Type | Default | Environment variable | Meaning |",
        "|---|---|---|---|---|",
        ...members.map((entry) => row(entry)),
      ].join("\n"),
    );
  }
  return sections.join("\n\n");
}

/** An object or a list of objects has no row of its own; what is in it has. */
const hasSettings = (schema: JsonSchema): boolean =>
  schema.properties !== undefined
    ? schema.type === "object"
    : schema.patternProperties !== undefined &&
      Object.values(schema.patternProperties).some(({ properties }) => properties);

/** Settings of `mesh.builder.archive` stand together; those at the top stand under General. */
function groupOf(path: readonly string[]): string {
  if (path.length === 1) return "General";
  if (path[0] === "auth") return path[1] === "providers" ? path.slice(0, 3).join(".") : "auth";
  const parent = path.slice(0, -1).join(".");
  return parent.startsWith("provisioning-coordinator")
    ? "provisioning-coordinator"
    : parent.replace(/\[\].*$/, "");
}

function describe(group: string): string[] {
  const entry = listSettings(settingsJson).find(({ path }) => path.join(".") === group);
  return entry?.schema.description ? [entry.schema.description, ""] : [];
}

function row({ path, schema, required }: SchemaEntry): string {
  const variable = variables.get(path.join("."));
  const names = variable
    ? [`\`${variable.name}\``, ...(variable.fallback ? [`else \`${variable.fallback}\``] : [])].join(", ")
    : "";
  const secret = schema["x-secret"] ? " Secret, never printed." : "";
  const reload = isReloadable(path) ? " Taken at SIGHUP." : "";
  const shownDefault = required
    ? "required"
    : schema.default === undefined
      ? ""
      : `\`${JSON.stringify(schema.default)}\``;
  const cells = [
    `\`${path.join(".")}\``,
    typeOf(schema),
    shownDefault,
    names,
    `${schema.description ?? ""}${secret}${reload}`,
  ];
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

function typeOf(schema: JsonSchema): string {
  if (schema.enum) return schema.enum.map((value) => `\`${String(value)}\``).join(", ");
  const range = [
    ...(schema.minimum === undefined ? [] : [`from ${schema.minimum}`]),
    ...(schema.maximum === undefined || schema.maximum === 1_000_000_000 ? [] : [`to ${schema.maximum}`]),
  ].join(" ");
  const words: Record<string, string> = {
    string: "text",
    integer: "whole number",
    number: "number",
    boolean: "true or false",
    array: `list of ${schema.items ? typeOf(schema.items) : "values"}`,
    object: "map",
  };
  const name = [schema.type ?? []]
    .flat()
    .map((type) => words[type] ?? type)
    .join(" or ");
  return range && name !== "text" ? `${name}, ${range}` : name;
}

/** A group of settings may be taken as a whole. */
const isReloadable = (path: readonly string[]): boolean =>
  path.some((_part, at) => reloadableSettings.includes(path.slice(0, at + 1).join(".")));

const reloads = `## What a running process takes

At [SIGHUP](../guides/keys.md#reload-without-a-restart) a process reads its configuration again and takes these settings; all others
need a restart:

${reloadableSettings.map((name) => `- \`${name}\``).join("\n")}
`;

const page = `${[intro.trimEnd(), renderSettings(), authTable.trimEnd(), reloads.trimEnd()].join("\n\n")}\n`;

if (process.argv.includes("--check")) {
  const same = readFileSync(target, "utf8") === page;
  if (!same) {
    process.stderr.write(
      "docs/reference/settings.md is not up to date: run `node scripts/reference-settings.ts`.\n",
    );
    process.exitCode = 1;
  }
} else writeFileSync(target, page);
