import { Title } from "@mantine/core";
import type { GovernanceComponents } from "plinth-client";
import type { ReactNode } from "react";
import { TimeAgo } from "../../../parts/values/times.tsx";
import classes from "./history.module.css";

type Entry = GovernanceComponents["schemas"]["Compliance"]["history"][number];

const outcomes = [
  { key: "ok", tone: "good", words: "kept" },
  { key: "warning", tone: "warn", words: "with a warning" },
  { key: "error", tone: "bad", words: "broken" },
  { key: "failed", tone: "gray", words: "without an answer" },
] as const;

/** `4 kept, 1 broken`. */
export const countsText = (counts: Record<(typeof outcomes)[number]["key"], number>): string =>
  outcomes
    .filter(({ key }) => counts[key] > 0)
    .map(({ key, words }) => `${counts[key]} ${words}`)
    .join(", ") || "nothing to evaluate";

const sources: Record<string, string> = {
  plan: "with a plan",
  report: "asked for",
  schedule: "by schedule",
  pushed: "told by another system",
};

/** Each evaluation as a bar of its outcomes, the latest first; the numbers beside it say the same. */
export const ComplianceHistory = ({ history }: { history: readonly Entry[] }): ReactNode => (
  <section aria-label="Earlier evaluations">
    <Title order={2} mb="xs">
      Earlier evaluations
    </Title>
    <ol className={classes["list"]}>
      {history.map((entry) => (
        <li key={`${entry.at} ${entry.source}`} className={classes["entry"]}>
          <span className={classes["when"]}>
            <TimeAgo at={entry.at} />
          </span>
          <span className={classes["bar"]} aria-hidden>
            {outcomes
              .filter(({ key }) => entry[key] > 0)
              .map(({ key, tone }) => (
                <span
                  key={key}
                  style={{
                    flexGrow: entry[key],
                    background: `var(--mantine-color-${tone}-outline)`,
                  }}
                />
              ))}
          </span>
          <span className={classes["words"]}>
            {countsText(entry)} · {sources[entry.source] ?? entry.source}
          </span>
        </li>
      ))}
    </ol>
  </section>
);
