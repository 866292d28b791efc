/**
 * Writes docs/reference/renames.md from the table of renames. With `--check` it writes nothing and exits with 1 when the page
 * is not what the table says.
 */
import { readFileSync, writeFileSync } from "node:fs";
import {
  deprecatedSetting,
  oldEnvironmentDefault,
  removedMappings,
  removedMappingSolution,
  removedSettings,
  renamedVariables,
  unusedVariables,
} from "../src/platform/config/renames.ts";

const target = new URL("../docs/reference/renames.md", import.meta.url);

const intro = `# Old names

<!-- Made by scripts/reference-renames.ts from src/platform/config/renames.ts; change it there. -->

What [release 2.2.0](../glossary.md#releases-and-versions) renamed, removed or stopped doing. A start and \`plinth config check\` find each by itself. An error stops the
start; a warning does not. An empty variable counts as not set.
`;

const code = (text: string): string => `\`${text}\``;
const table = (head: readonly string[], rows: readonly string[][]): string =>
  [head, head.map(() => "---"), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`)
    .join("\n");

const variables = table(
  ["Old variable", "Now", "Report, alone", "Report, beside the new one"],
  renamedVariables.map(({ old, now, beside }) => [
    code(old),
    now
      .map(({ name, of, fallback }) =>
        [code(name), fallback && `or ${code(fallback)} for all services`, of && `(${of})`]
          .filter(Boolean)
          .join(" "),
      )
      .join("; "),
    "error",
    beside,
  ]),
);

const unused = table(
  ["No longer read", "Report", "What to do"],
  unusedVariables.map(({ name, solution }) => [code(name), "warning", solution]),
);

const mappings = table(
  ["No longer mapped by the chart", "Report", "What to do"],
  removedMappings.map((name) => [code(name), "warning where it is used and not set", removedMappingSolution]),
);

const settings = table(
  ["Old setting", "Report", "What to do"],
  [
    ...removedSettings.map(({ path, solution }) => [code(path.join(".")), "error", solution]),
    [
      code(deprecatedSetting.path.join(".")),
      `warning; still read where ${code(deprecatedSetting.successor)} is absent`,
      deprecatedSetting.solution,
    ],
    [
      code(`auth.providers.<name>.${oldEnvironmentDefault.old}`),
      `where ${code("auth.environment")} is not set: error, or a warning beside ${code(oldEnvironmentDefault.now)}; for each provider`,
      oldEnvironmentDefault.solution("<name>"),
    ],
    [
      code("auth.providers.<name>.<environment>"),
      `error without ${code("issuer")} and ${code("metadataUrl")}, but for ${code("guest")} and ${code("service")}`,
      "Give one of them, and `audience`: it is a provider of OpenID Connect then, whatever its name.",
    ],
  ],
);

const page = `${[
  intro.trimEnd(),
  `## Variables\n\n${variables}`,
  unused,
  `A variable is used when a configuration file asks for it, with ${code("${NAME}")} or ${code("$env")}.\n\n${mappings}`,
  `## Settings\n\n${settings}`,
].join("\n\n")}\n`;

if (process.argv.includes("--check")) {
  if (readFileSync(target, "utf8") !== page) {
    process.stderr.write(
      "docs/reference/renames.md is not up to date: run `node scripts/reference-renames.ts`.\n",
    );
    process.exitCode = 1;
  }
} else writeFileSync(target, page);
