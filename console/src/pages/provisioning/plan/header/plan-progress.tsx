import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import type { Progress } from "../model/progress.ts";
import { useProgress, type LivePlan } from "../use-plan.ts";
import { countOf } from "../../names.ts";
import classes from "./plan-header.module.css";

const parts: readonly [keyof Progress, string][] = [
  ["done", "done"],
  ["failed", "failed"],
  ["skipped", "not begun"],
  ["running", "at work"],
  ["waiting", "waiting"],
];

export const PlanProgress = ({ plan }: { plan: LivePlan }): ReactNode => {
  const progress = useProgress(plan.store);
  if (progress.total === 0) return null;
  const text = parts
    .filter(([key]) => progress[key] > 0)
    .map(([key, word]) => `${progress[key]} ${word}`)
    .join(" · ");
  return (
    <div>
      <div
        className={classes["bar"]}
        role="progressbar"
        aria-label="Progress of the plan"
        aria-valuemin={0}
        aria-valuemax={progress.total}
        aria-valuenow={progress.done + progress.failed + progress.skipped}
        aria-valuetext={text}
      >
        {parts.map(([key]) => (
          <span
            key={key}
            className={classes[key === "waiting" ? "rest" : key]}
            style={{ flexGrow: progress[key], flexBasis: 0 }}
          />
        ))}
      </div>
      <Text size="xs" c="dimmed" mt={4} className="tabular">
        {countOf(progress.total, "task")}: {text}
      </Text>
    </div>
  );
};
