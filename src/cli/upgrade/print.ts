/** What `plinth upgrade` prints. Texts of files are shown without their secrets. */
import type { FileChange } from "../../upgrade/checks/check-files.ts";
import type { Finding, Severity } from "../../upgrade/finding.ts";
import { diffOfLines } from "../governance/line-diff.ts";
import type { Styles } from "../print/colors.ts";

const titles: Record<Severity, string> = { breaking: "Breaking", warning: "Warnings", info: "To know" };

export function findingLines(findings: readonly Finding[], styles: Styles): string[] {
  const lines = Object.entries(titles).flatMap(([severity, title]) => {
    const own = findings.filter((finding) => finding.severity === severity);
    if (own.length === 0) return [];
    return [
      styles.strong(`${title} (${own.length})`),
      ...own.flatMap((finding) => linesOf(finding, styles)),
      "",
    ];
  });
  return [...lines, summaryOf(findings)];
}

const linesOf = ({ where, message, solution, automatic }: Finding, styles: Styles): string[] => [
  `  ${where} ${message}`,
  ...(solution === undefined
    ? []
    : [styles.faint(`      ${solution}${automatic ? " (`upgrade apply` does it)" : ""}`)]),
];

export function countsOf(findings: readonly Finding[]): Record<Severity, number> {
  const count = (severity: Severity): number => findings.filter((each) => each.severity === severity).length;
  return { breaking: count("breaking"), warning: count("warning"), info: count("info") };
}

function summaryOf(findings: readonly Finding[]): string {
  const { breaking, warning } = countsOf(findings);
  if (breaking === 0 && warning === 0) return "Nothing is in the way of 2.2.0.";
  const byPeople = findings.filter(({ severity, automatic }) => severity === "breaking" && !automatic).length;
  const people = byPeople === 0 ? "" : `, ${byPeople} of them only by people`;
  return `${breaking} breaking${people}, ${warning} ${warning === 1 ? "warning" : "warnings"}.`;
}

/** As `diff -u` writes it, without line numbers. */
export function diffOf({ file, before, after }: FileChange, mask: (text: string) => string): string[] {
  const sign = { same: " ", removed: "-", added: "+", gap: "" };
  const lines = diffOfLines(before, after).map(({ kind, text }) =>
    kind === "gap" ? "@@" : `${sign[kind]}${mask(text)}`,
  );
  return [`--- ${file}`, `+++ ${file}`, ...lines];
}
