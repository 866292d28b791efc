import { Button, Group, Select, Text } from "@mantine/core";
import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useEffect, useMemo, useState, type ReactNode } from "react";
import { useSignal } from "../../../../api/signal.ts";
import { Loaded } from "../../../../parts/states/views.tsx";
import { useNextPage } from "../../../../parts/tables/next-page.ts";
import { wordsOf } from "../../../../parts/values/text.ts";
import { countOf } from "../../names.ts";
import { logLevels, type LogLevel } from "../tabs.ts";
import { planLogQuery } from "../queries.ts";
import type { LivePlan } from "../use-plan.ts";
import { LogLines } from "./log-lines.tsx";
import { createReader, onFreshLines } from "./read-again.ts";

const route = getRouteApi("/plans/$planId");

export interface LogViewProps {
  plan: LivePlan;
  label: string;
  /** Of one task; of the whole plan without. */
  taskId?: string;
  height?: string;
}

/** A plan at work shows the lines as they come; one that has ended, and the log of one task, what is stored. */
export const LogView = ({ plan, label, taskId, height = "60vh" }: LogViewProps): ReactNode => {
  const { level } = route.useSearch();
  const [fromStart, setFromStart] = useState(false);
  const isLive = taskId === undefined && !plan.isEnded && !fromStart;
  return (
    <>
      <Group gap="xs" mb="xs">
        <LevelChoice />
        {taskId === undefined && !plan.isEnded && (
          <Button onClick={() => setFromStart(!fromStart)}>
            {fromStart ? "Follow the last lines" : "Read from the first line"}
          </Button>
        )}
      </Group>
      {isLive ? (
        <LiveLines plan={plan} label={label} height={height} level={level} />
      ) : (
        <StoredLines plan={plan} label={label} height={height} level={level} taskId={taskId} />
      )}
    </>
  );
};

const LevelChoice = (): ReactNode => {
  const { level } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Select
      aria-label="Severity"
      w="11rem"
      value={level ?? "DEBUG"}
      data={logLevels.map((value) => ({
        value,
        label: value === "DEBUG" ? "All lines" : `${wordsOf(value)} and above`,
      }))}
      onChange={(value) =>
        void navigate({
          search: (old) => ({ ...old, level: value === "DEBUG" ? undefined : (value as LogLevel) }),
          replace: true,
        })
      }
    />
  );
};

interface LinesProps {
  plan: LivePlan;
  label: string;
  height: string;
  level: LogLevel | undefined;
}

const LiveLines = ({ plan, label, height, level = "DEBUG" }: LinesProps): ReactNode => {
  const lines = useSignal(plan.store.log.lines);
  const least = logLevels.indexOf(level);
  const shown = useMemo(
    () => (least === 0 ? lines : lines.filter(({ severity }) => logLevels.indexOf(severity) >= least)),
    [lines, least],
  );
  const dropped = plan.store.log.dropped();
  return (
    <>
      {dropped > 0 && (
        <Text size="xs" c="dimmed" mb={4}>
          {countOf(dropped, "earlier line")} not shown here.
        </Text>
      )}
      <LogLines label={label} lines={shown} height={height} follows />
    </>
  );
};

const StoredLines = ({
  plan,
  label,
  height,
  level,
  taskId,
}: LinesProps & { taskId: string | undefined }): ReactNode => {
  const options = planLogQuery(plan.planId, { taskId, level });
  const query = useInfiniteQuery(options);
  useReadAgain(plan, taskId, options.queryKey);
  const next = useNextPage(query);
  return (
    <Loaded query={query} what="read the log">
      {({ pages }) => (
        <LogLines
          label={label}
          lines={pages.flatMap(({ lines }) => lines)}
          height={height}
          withTask={taskId === undefined}
          next={next}
        />
      )}
    </Loaded>
  );
};

const readAgainMs = 1000;

/** The stored log of a plan at work, or of a task of it, is read again when lines come. */
const useReadAgain = (plan: LivePlan, taskId: string | undefined, key: readonly unknown[]): void => {
  const queries = useQueryClient();
  const name = JSON.stringify(key);
  useEffect(() => {
    const { want, stop } = createReader(
      () => queries.invalidateQueries({ queryKey: JSON.parse(name) as unknown[] }),
      readAgainMs,
    );
    const forget = onFreshLines(plan.store.log.lines, taskId, want);
    return () => {
      forget();
      stop();
    };
  }, [plan.store, taskId, name, queries]);
};
