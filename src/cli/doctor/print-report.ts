/** Pure. The report for people: what is to be looked at with what to do, and one line for each of the rest. */
import type { Checked, DoctorReport } from "../../platform/doctor/run-checks.ts";
import { counted, type Outcome } from "../../platform/lib/check.ts";
import type { Output } from "../context.ts";
import type { Paint, Styles } from "../print/colors.ts";
import { oneLine } from "../print/text.ts";

export interface ShownReport extends DoctorReport {
  /** Who made the checks: the server, or the command with the configuration and the database alone. */
  checkedBy: "server" | "command";
}

export function reportLines(
  { checks, checkedBy }: Pick<ShownReport, "checks" | "checkedBy">,
  { styles }: Pick<Output, "styles">,
): string[] {
  const width = Math.max(0, ...checks.map(({ name }) => name.length));
  return [
    ...checks.flatMap((each) => linesOf(each, width, styles)),
    "",
    ...(checkedBy === "command"
      ? ["No server answered, so only the configuration and the database were looked at, from this machine."]
      : []),
    `${summaryOf(checks)}.`,
  ];
}

function linesOf(check: Checked, width: number, styles: Styles): string[] {
  const { name, outcome, found, advice, guide } = check;
  const head = `${paintOf(styles, outcome)(outcome.padEnd(7))}  ${oneLine(name).padEnd(width)}  ${oneLine(found)}`;
  const indent = " ".repeat(width + 11);
  return [
    head,
    ...(advice === null ? [] : [`${indent}→ ${oneLine(advice)}`]),
    ...(outcome === "warning" || outcome === "problem" ? [`${indent}${styles.faint(oneLine(guide))}`] : []),
  ];
}

function paintOf({ good, attention, bad, faint }: Styles, outcome: Outcome): Paint {
  return { ok: good, warning: attention, problem: bad, skipped: faint }[outcome];
}

function summaryOf(checks: readonly Checked[]): string {
  const countOf = (outcome: Outcome): number => checks.filter((each) => each.outcome === outcome).length;
  const parts = [
    counted(countOf("problem"), "problem"),
    counted(countOf("warning"), "warning"),
    `${countOf("ok")} ok`,
  ];
  return [...parts, ...(countOf("skipped") > 0 ? [`${countOf("skipped")} skipped`] : [])].join(", ");
}
