/**
 * Writes docs/reference/actions.md from the actions in the source. With `--check` it writes nothing and exits with 1 when
 * the page is not what the actions say.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { builtInActions } from "../src/builder/actions/registry.ts";
import type { Action } from "../src/builder/actions/action.ts";

const target = new URL("../docs/reference/actions.md", import.meta.url);

interface Schema {
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  enum?: unknown[];
  default?: unknown;
  description?: string;
  title?: string;
  anyOf?: Schema[];
}

const intro = `# Actions

<!-- Made by scripts/reference-actions.ts from the actions in the source; change them there. -->

What a template's steps can do. The [guide](../guides/actions.md) says how. Inputs in bold are required. An action that does
not run in a dry run is skipped there, and the log says so. Each \`publish:…\` action also has the name \`<name>:publish:…\` for the
builder's namespace and every name in \`mesh.builder.actions.publishAliases\`.
`;

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");

const typeOf = ({ type, items, enum: choices, anyOf }: Schema): string => {
  if (choices !== undefined) return choices.map((choice) => `\`${String(choice)}\``).join(", ");
  if (anyOf !== undefined) return anyOf.map(typeOf).join(" or ");
  const words = (typeof type === "string" ? [type] : (type ?? ["any"])).join(" or ");
  return items === undefined ? words : `${words} of ${typeOf(items)}`;
};

/** Rows of a schema; the fields of objects in lists get rows of their own. */
const rowsOf = (schema: Schema, prefix = ""): [name: string, type: string, description: string][] =>
  Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const isRequired = schema.required?.includes(name) === true;
    const title = isRequired ? `**\`${prefix}${name}\`**` : `\`${prefix}${name}\``;
    const fallback =
      property.default === undefined ? "" : ` Default: \`${JSON.stringify(property.default)}\`.`;
    const description = (property.description ?? property.title ?? "") + fallback;
    return [
      [title, typeOf(property), description.trim()],
      ...rowsOf(property.items ?? {}, `${prefix}${name}[].`),
    ];
  });

const table = (schema: Schema, heading: string): string[] => {
  const rows = rowsOf(schema);
  if (rows.length === 0) return [];
  const lines = rows.map((row) => `| ${row.map(cell).join(" | ")} |`);
  return ["", `| ${heading} | Type | Meaning |`, "|---|---|---|", ...lines];
};

const section = ({ id, description, input, output, supportsDryRun }: Action): string =>
  [
    `## \`${id}\``,
    "",
    `${description} In a dry run: ${supportsDryRun ? "yes" : "no"}.`,
    ...table(input, "Input"),
    ...table(output ?? {}, "Output"),
  ].join("\n");

const page = `${[intro.trimEnd(), ...builtInActions.map(section)].join("\n\n")}\n`;

if (process.argv.includes("--check")) {
  if (readFileSync(target, "utf8") !== page) {
    process.stderr.write(
      "docs/reference/actions.md is not up to date: run `node scripts/reference-actions.ts`.\n",
    );
    process.exitCode = 1;
  }
} else writeFileSync(target, page);
