/** The rule file of the alerts, and what its queries name. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { load } from "js-yaml";
import { seriesNames, type MetricAbout } from "../../scripts/metrics/all-metrics.ts";

export const rulesFile = join(import.meta.dirname, "../../charts/plinth/files/alerts.yaml");

export interface AlertRule {
  alert: string;
  expr: string;
  for?: string;
  labels: { severity: string };
  annotations: { summary: string; description: string; runbook_url: string };
}

export const readRules = (): AlertRule[] => {
  const { groups } = load(readFileSync(rulesFile, "utf8")) as { groups: { rules: AlertRule[] }[] };
  return groups.flatMap(({ rules }) => rules);
};

/** Labels that Prometheus, the operator or the form of a histogram adds. */
const addedLabels = new Set(["job", "instance", "namespace", "pod", "le", "cluster"]);

/** Names of a PromQL text that no metric of ours has: series, and labels in selectors. */
export function unknownInQuery(query: string, metrics: readonly MetricAbout[]): string[] {
  const series = seriesNames(metrics);
  const problems: string[] = [];
  let found = 0;
  for (const [, name = "", selector = ""] of query.matchAll(
    /\b((?:plinth|http|nodejs|process)_[a-z0-9_]+)\b(?:\{([^}]*)\})?/g,
  )) {
    found += 1;
    const metric = series.get(name);
    if (metric === undefined) {
      problems.push(name);
      continue;
    }
    for (const [, label = ""] of selector.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g))
      if (!metric.labels.includes(label) && !addedLabels.has(label)) problems.push(`${name}{${label}}`);
  }
  if (found === 0) problems.push(`no metric in: ${query}`);
  const labels = new Set([...addedLabels, ...metrics.flatMap((metric) => metric.labels)]);
  for (const [, list = ""] of query.matchAll(/\b(?:by|on|without|group_left)\s*\(([^)]*)\)/g))
    for (const label of list.split(",").map((each) => each.trim()))
      if (label !== "" && !labels.has(label)) problems.push(`by (${label})`);
  return problems;
}
