/** The steps of a run with their log. The failed one is open, with what failed and what can be done. */
import { Anchor, Group, Text, Title } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { useState, type ReactNode } from "react";
import { useSignal } from "../../../api/signal.ts";
import { Icon } from "../../../parts/page/icon.tsx";
import { StatusBadge } from "../../../parts/values/status.tsx";
import { wordsOf } from "../../../parts/values/text.ts";
import { Duration } from "../../../parts/values/times.tsx";
import type { Instantiation } from "../queries.ts";
import type { RunLine, RunLog } from "./run-log.ts";
import classes from "./runs.module.css";

type Step = Instantiation["steps"][number];

const route = getRouteApi("/instantiations/$taskId");

export const RunSteps = ({ run, log }: { run: Instantiation; log: RunLog }): ReactNode => {
  const lines = useSignal(log.lines);
  const { step: chosen } = route.useSearch();
  const byStep = Map.groupBy(lines, ({ stepId }) => stepId);
  const ofRun = byStep.get(null) ?? [];
  return (
    <section aria-label="Steps">
      <Title order={2} mb="xs">
        Steps
      </Title>
      <ol className={classes["steps"]}>
        {run.steps.map((step) => (
          <StepEntry
            key={step.id}
            step={step}
            lines={byStep.get(step.id) ?? []}
            isChosen={chosen === step.id}
            isClosed={chosen === "none"}
            hasEnded={run.endedAt !== null}
          />
        ))}
      </ol>
      {ofRun.length > 0 && (
        <div className={classes["own"]}>
          <LogLines lines={ofRun} label="Log of the run" />
        </div>
      )}
    </section>
  );
};

interface StepEntryProps {
  step: Step;
  lines: readonly RunLine[];
  isChosen: boolean;
  isClosed: boolean;
  hasEnded: boolean;
}

const StepEntry = ({ step, lines, isChosen, isClosed, hasEnded }: StepEntryProps): ReactNode => {
  const navigate = route.useNavigate();
  const { id, name, action, status, startedAt, endedAt, error } = step;
  const isOpen = isChosen || (!isClosed && (status === "failed" || status === "processing"));
  const toggle = (): void =>
    void navigate({ search: (previous) => ({ ...previous, step: isOpen ? "none" : id }), replace: true });
  return (
    <li className={classes["step"]} data-status={status}>
      <div className={classes["head"]}>
        <button type="button" aria-expanded={isOpen} className={classes["toggle"]} onClick={toggle}>
          <Icon name={isOpen ? "down" : "right"} size={14} />
          <span className={classes["name"]}>{name}</span>
        </button>
        <StatusBadge status={status}>
          {status === "open" && hasEnded ? "Not begun" : wordsOf(status)}
        </StatusBadge>
        <Text size="xs" c="dimmed" span className={classes["action"]}>
          {action}
        </Text>
        <Text size="xs" c="dimmed" span className={classes["took"]}>
          {startedAt === null ? (
            status === "processing" ? (
              "at work"
            ) : (
              ""
            )
          ) : (
            <Duration from={startedAt} to={endedAt} />
          )}
        </Text>
      </div>
      {isOpen && (
        <div className={classes["body"]}>
          {error !== null && <StepFailure error={error} />}
          <LogLines lines={lines} label={`Log of ${name}`} />
        </div>
      )}
    </li>
  );
};

const StepFailure = ({ error }: { error: string }): ReactNode => (
  <div role="alert" className={classes["failure"]}>
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <Text c="bad" span mt={2}>
        <Icon name="warning" />
      </Text>
      <div className={classes["words"]}>
        <Text size="sm" fw={600} className={classes["plain"]}>
          {error}
        </Text>
        <Text size="sm" mt={4}>
          Retry goes on at this step, once what it met is mended. If a value was wrong, start again with other
          values.
        </Text>
      </div>
    </Group>
  </div>
);

/** The last of many lines; all of them only when asked for. */
const shownAtFirst = 300;
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });

const LogLines = ({ lines, label }: { lines: readonly RunLine[]; label: string }): ReactNode => {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? lines : lines.slice(-shownAtFirst);
  if (lines.length === 0)
    return (
      <Text size="xs" c="dimmed">
        No lines yet
      </Text>
    );
  return (
    // A region that scrolls has to be reachable by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div role="log" aria-label={label} tabIndex={0} className={classes["log"]}>
      {shown.length < lines.length && (
        <Anchor component="button" size="xs" onClick={() => setWhole(true)}>
          {lines.length - shown.length} earlier lines
        </Anchor>
      )}
      {shown.map(({ id, at, message }) => (
        <div key={id} className={classes["line"]}>
          <time dateTime={at}>{clock.format(Date.parse(at))}</time>
          <span>{message}</span>
        </div>
      ))}
    </div>
  );
};
