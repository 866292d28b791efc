/**
 * Writes docs/reference/config-keys.md from the keys that runs read. With `--check` it writes nothing and exits with 1 when
 * the page is not what the source says.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { configKeys } from "../src/assistant/protocols/config-keys.ts";
import { assistant } from "../src/platform/config/schema/schema-assistant.ts";
import type { RunSettings } from "../src/assistant/settings.ts";

const target = new URL("../docs/reference/config-keys.md", import.meta.url);

const intro = `# Keys of the assistant's configuration

<!-- Made by scripts/reference-config-keys.ts from src/assistant/protocols/config-keys.ts; change them there. -->

\`PUT /api/assistant/v2/config/{key}\` with \`{"value": …}\` takes any key. The keys on this page are read by runs. Operators,
administrators and services may set them; everybody may read them. They may only tighten the settings under \`assistant\`
([settings](settings.md)): a larger budget or a weaker decision is refused with 422, which names the limit. They count for runs
that begin or go on afterwards, in every process. \`null\` takes the settings again. Any other key is kept for clients.
`;

interface Field {
  type?: string;
  enum?: readonly string[];
  description?: string;
  items?: { properties?: Record<string, Field> };
}

/** The settings without any change, which are what the keys can tighten at most. */
const { budgets, approvals } = assistant.properties;
const settings = {
  budgets: Object.fromEntries(
    Object.entries(budgets.properties).map(([name, field]) => [name, Reflect.get(field, "default")]),
  ),
  approvals: {
    destructive: "auto",
    rules: [],
    expireHours: Reflect.get(approvals.properties.expireHours, "default"),
  },
} as unknown as RunSettings;

const typeOf = (field: Field): string => {
  if (field.enum !== undefined) return field.enum.map((choice) => `\`${choice}\``).join(", ");
  if (field.items === undefined) return field.type ?? "any";
  const names = Object.keys(field.items.properties ?? {}).map((name) => `\`${name}\``);
  return `list of objects with ${names.join(" and ")}`;
};

const defaultOf = (key: string, name: string): string => {
  const from = key === "budgets" ? budgets.properties : approvals.properties;
  const usual: unknown = Reflect.get(Reflect.get(from, name) as object, "default");
  return `\`${JSON.stringify(usual)}\``;
};

const section = ([key, known]: [string, (typeof configKeys)["budgets"]]): string => {
  const { properties } = known.schema(settings) as { properties?: Record<string, Field> };
  const rows = Object.entries(properties ?? {}).map(
    ([name, field]) =>
      `| \`${name}\` | ${typeOf(field)} | \`assistant.${key}.${name}\` (${defaultOf(key, name)}) | ${field.description ?? ""} |`,
  );
  return [
    `## \`${key}\``,
    "",
    `${known.description} All fields may be left out.`,
    "",
    "| Field | Type | Tightens (its default) | Meaning |",
    "|---|---|---|---|",
    ...rows,
  ].join("\n");
};

const page = `${[intro.trimEnd(), ...Object.entries(configKeys).map(section)].join("\n\n")}\n`;

if (process.argv.includes("--check")) {
  if (readFileSync(target, "utf8") !== page) {
    process.stderr.write(
      "docs/reference/config-keys.md is not up to date: run `node scripts/reference-config-keys.ts`.\n",
    );
    process.exitCode = 1;
  }
} else writeFileSync(target, page);
