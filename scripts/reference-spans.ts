/**
 * Writes docs/reference/spans.md from the table of spans in the source. With `--check` it writes nothing and exits with 1 when the page
 * is not what the table says. `npm run test:traces` compares the table with what processes send.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { spanKinds, type SpanKindTable } from "../src/platform/telemetry/span-kinds.ts";

const target = new URL("../docs/reference/spans.md", import.meta.url);

const intro = `# Spans

<!-- Made by scripts/reference-spans.ts from src/platform/telemetry/span-kinds.ts; change them there. -->

What a process records when an OpenTelemetry SDK is loaded into it ([guide](../guides/traces.md)), all with the instrumentation scope
\`plinth\`. Names without \`plinth.\` are those of OpenTelemetry's semantic conventions. A span with the status \`ERROR\` has \`error.type\`; texts
of errors are in the log and in the plan, not in spans. An attribute without a value is left out; texts are cut after 500 characters.`;

const cell = (text: string): string => text.replaceAll("|", "\\|");

const section = ([id, kind]: [string, SpanKindTable<string>]): string =>
  [
    `## ${id}`,
    "",
    `\`${kind.name}\`, kind \`${kind.role.toUpperCase()}\`. ${kind.about}. Its parent is ${kind.parent}.`,
    "",
    "| Attribute | Meaning |",
    "| --- | --- |",
    ...Object.entries(kind.attributes).map(([name, meaning]) => `| \`${name}\` | ${cell(meaning)} |`),
  ].join("\n");

const page = `${[intro, ...Object.entries(spanKinds).map(section)].join("\n\n")}\n`;

if (process.argv.includes("--check")) {
  if (readFileSync(target, "utf8") !== page) {
    process.stderr.write(
      "docs/reference/spans.md is not up to date: run `node scripts/reference-spans.ts`.\n",
    );
    process.exitCode = 1;
  }
} else writeFileSync(target, page);
