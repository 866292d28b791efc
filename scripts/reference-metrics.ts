/**
 * Writes docs/reference/metrics.md from the metrics as the product registers them. With `--check` it writes nothing and exits
 * with 1 when the page is not what they say. test/metrics-reference.db.test.ts compares the page with a running server.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { allMetrics, type MetricAbout } from "./metrics/all-metrics.ts";

const target = new URL("../docs/reference/metrics.md", import.meta.url);

const intro = `# Metrics

<!-- Made by scripts/reference-metrics.ts from the metrics in the source; change them there. -->

\`/metrics\` answers in the text format of Prometheus to callers with the role viewer. [Monitoring](../guides/monitoring.md) says how it
is scraped, and has alerts and a dashboard. **Of** says whose number it is: \`process\` numbers are each process's own and are added up
(\`sum\`); \`installation\` numbers are read from the database, so every process reports the same (\`max\`). A histogram \`x\` has the series
\`x_bucket\` (with the label \`le\`), \`x_sum\` and \`x_count\`. A metric that nothing has been counted of yet has no series.

Labels have bounded values: ids of adapters, services and models beyond [\`metrics.adapters\`](settings.md#metrics), and
series beyond 2,000 of one metric, are counted as \`other\`. No label has the id of a unit, a plan or a user.`;

const unitOf = ({ name, type }: MetricAbout): string => {
  if (/_seconds(?:_total)?$/.test(name)) return "seconds";
  if (name.endsWith("_bytes")) return "bytes";
  if (/_up$|_held$|_info$/.test(name)) return "0 or 1";
  return type === "counter" ? "events" : "count";
};

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");

const row = (metric: MetricAbout): string => {
  const labels = metric.labels.map((label) => `\`${label}\``).join(", ");
  const of = metric.isShared ? "installation" : "process";
  return `| \`${metric.name}\` | ${metric.type} | ${labels} | ${unitOf(metric)} | ${of} | ${cell(metric.help)} |`;
};

const section = (heading: string, metrics: readonly MetricAbout[]): string =>
  [
    `## ${heading}`,
    "",
    "| Name | Type | Labels | Unit | Of | Meaning |",
    "|---|---|---|---|---|---|",
    ...metrics.toSorted((one, two) => (one.name < two.name ? -1 : 1)).map(row),
  ].join("\n");

const all = allMetrics();
const ours = all.filter(({ isOfProcess, name }) => !isOfProcess && name.startsWith("plinth_"));
const http = all.filter(({ isOfProcess, name }) => !isOfProcess && name.startsWith("http_"));
const library = all.filter(({ isOfProcess }) => isOfProcess);
const page = `${[
  intro,
  section("Plans, work and databases", ours),
  section("Requests", http),
  section("The process", library),
].join("\n\n")}\n`;

if (process.argv.includes("--check")) {
  if (readFileSync(target, "utf8") !== page) {
    process.stderr.write(
      "docs/reference/metrics.md is not up to date: run `node scripts/reference-metrics.ts`.\n",
    );
    process.exitCode = 1;
  }
} else writeFileSync(target, page);
