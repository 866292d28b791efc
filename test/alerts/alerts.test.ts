/** Alerts and dashboard fit the metrics, the guide and the tests that promtool runs. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { allMetrics } from "../../scripts/metrics/all-metrics.ts";
import { alertCases } from "./cases.ts";
import { readDashboard } from "./dashboard.ts";
import { readRules, unknownInQuery } from "./rules.ts";

const root = join(import.meta.dirname, "../..");
const guide = readFileSync(join(root, "docs/guides/monitoring.md"), "utf8");
const rules = readRules();
const metrics = allMetrics();
const sections = [...guide.matchAll(/^### (Plinth\w+)$/gm)].map(([, name = ""]) => name);
const names = rules.map(({ alert }) => alert);

/** The lists have the same names, each once. */
const expectSame = (given: readonly string[], wanted: readonly string[]): void => {
  expect(new Set(given)).toEqual(new Set(wanted));
  expect(given.length).toBe(wanted.length);
};

it("each alert has one case for promtool, and no case is of another one", () => {
  expectSame(
    alertCases.map(({ alert }) => alert),
    names,
  );
});

it("each alert has its section in the guide, which its runbook names, and no section is of another one", () => {
  expectSame(sections, names);
  for (const { alert, annotations } of rules)
    expect(annotations.runbook_url).toBe(`docs/guides/monitoring.md#${alert.toLowerCase()}`);
});

it("each section says what it means, how to look and what to do", () => {
  const texts = guide.split(/^### /m).slice(1);
  for (const text of texts) {
    const [name] = text.split("\n");
    const [section = ""] = text.split(/^## /m);
    for (const part of ["**Means.**", "**Look.**", "**Do.**"])
      expect([name, part, section.includes(part)]).toEqual([name, part, true]);
  }
});

it.each(rules.map(({ alert, expr }) => [alert, expr]))("%s asks for metrics that there are", (_, expr) => {
  expect(unknownInQuery(expr, metrics)).toEqual([]);
});

it("each query of the dashboard asks for metrics that there are, of the chosen job", () => {
  const { targets, panels } = readDashboard();
  expect(targets.length).toBeGreaterThan(60);
  for (const { title, expr } of targets) {
    expect([title, unknownInQuery(expr, metrics)]).toEqual([title, []]);
    expect([title, expr.match(/\{job=~"\$job"/g)?.length]).toEqual([
      title,
      expr.match(/\b(?:plinth|http|nodejs|process)_\w+\{/g)?.length,
    ]);
  }
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
});

it("the dashboard shows every metric of ours", () => {
  const queries = readDashboard()
    .targets.map(({ expr }) => expr)
    .join("\n");
  const shown = (name: string): boolean => new RegExp(`\\b${name}(?:_bucket|_sum|_count)?\\b`).test(queries);
  const left = metrics
    .filter(({ name, isOfProcess }) => !isOfProcess && !shown(name))
    .map(({ name }) => name);
  // The tables of docs/reference/metrics.md have them; a graph of them says nothing beside those that are there.
  expect(left.toSorted()).toEqual([
    "plinth_assistant_index_documents",
    "plinth_assistant_index_waiting",
    "plinth_assistant_run_oldest_seconds",
    "plinth_data_layer_inconsistencies",
    "plinth_data_layer_tracking_rounds_total",
    "plinth_instantiation_oldest_seconds",
    "plinth_policy_reports_pending",
  ]);
});

it.each([
  ['plinth_plans_overdu{job="a"}', ["plinth_plans_overdu"]],
  ['sum by (adapter) (rate(plinth_plans_waiting{adapter="x"}[5m]))', ["plinth_plans_waiting{adapter}"]],
  ["sum by (colour) (plinth_plans_overdue)", ["by (colour)"]],
  ["rate(plinth_plan_duration_seconds[5m])", ["plinth_plan_duration_seconds"]],
  ["up == 0", ["no metric in: up == 0"]],
])("sees what is wrong with %s", (query, problems) => {
  expect(unknownInQuery(query, metrics)).toEqual(problems);
});
