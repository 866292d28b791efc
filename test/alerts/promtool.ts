/** Debian's promtool, and the file of unit tests that it reads. */
import { spawnSync } from "node:child_process";
import { dump } from "js-yaml";
import type { AlertCase } from "./cases.ts";
import { rulesFile, type AlertRule } from "./rules.ts";

export interface Ended {
  status: number;
  output: string;
}

const run = (program: string, args: readonly string[], input?: string): Ended => {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: "utf8", input });
  return { status: error ? 127 : (status ?? 1), output: error ? error.message : stdout + stderr };
};

/** Installs it where that is possible: on Debian, as root. */
export function openPromtool(): (args: readonly string[], input?: string) => Ended {
  if (run("promtool", ["--version"]).status !== 0) {
    console.log("Installing Debian's package prometheus for its promtool (once) …");
    const args = ["install", "-y", "-q", "--no-install-recommends", "prometheus"];
    const { status, output } = run("apt-get", args);
    if (status !== 0)
      throw new Error(`There is no promtool. Install Debian's package prometheus. apt-get said: ${output}`);
  }
  return (args, input) => run("promtool", args, input);
}

const minutes = (text: string): number => {
  const [, amount = "0", unit] = /^(\d+)([mh])$/.exec(text) ?? [];
  return Number(amount) * (unit === "h" ? 60 : 1);
};

/** The unit tests of all cases: it fires at its time, not before half of its `for`, and never with the quiet series. */
export function unitTests(cases: readonly AlertCase[], rules: readonly AlertRule[]): string {
  const byName = new Map(rules.map((rule) => [rule.alert, rule]));
  const tests = cases.flatMap((each) => {
    const rule = byName.get(each.alert);
    if (rule === undefined) throw new Error(`There is no alert ${each.alert}.`);
    const { alert: alertname, at, labels = {}, summary } = each;
    const { annotations } = rule;
    const expected = {
      exp_labels: { severity: rule.labels.severity, ...labels },
      exp_annotations: { ...annotations, summary, description: each.description ?? annotations.description },
    };
    const check = (minute: number, alerts: readonly object[]): object => ({
      eval_time: `${minute}m`,
      alertname,
      exp_alerts: alerts,
    });
    const test = (name: string, series: AlertCase["fires"], checks: readonly object[]): object => ({
      name: `${alertname} ${name}`,
      interval: "1m",
      input_series: series.map(([metric, values]) => ({ series: metric, values })),
      alert_rule_test: checks,
    });
    const early = rule.for === undefined ? [] : [check(Math.floor(minutes(rule.for) / 2), [])];
    return [
      test("fires", each.fires, [...early, check(at, [expected])]),
      test("is quiet", each.quiet, [check(at, [])]),
    ];
  });
  return dump({ rule_files: [rulesFile], evaluation_interval: "1m", tests });
}
