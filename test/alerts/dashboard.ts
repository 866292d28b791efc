/** The dashboard for Grafana and the queries in it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

interface Panel {
  id: number;
  title: string;
  targets?: { expr: string }[];
}

export interface Target {
  /** Of its panel. */
  title: string;
  expr: string;
}

export function readDashboard(): { panels: Panel[]; targets: Target[] } {
  const file = join(import.meta.dirname, "../../charts/plinth/files/dashboard.json");
  const { panels } = JSON.parse(readFileSync(file, "utf8")) as { panels: Panel[] };
  const targets = panels.flatMap(({ title, targets: own = [] }) => own.map(({ expr }) => ({ title, expr })));
  return { panels, targets };
}

/** As rules, with Grafana's variables replaced, so that promtool reads every query. */
export const dashboardRules = (targets: readonly Target[]): object => ({
  groups: [
    {
      name: "dashboard",
      rules: targets.map(({ expr }, at) => ({
        record: `dashboard:query_${at}`,
        expr: expr.replaceAll("$__rate_interval", "5m").replaceAll("$job", ".*"),
      })),
    },
  ],
});
