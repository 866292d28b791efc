import { Checkbox, Group, SegmentedControl, Text } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { useEffect, useMemo, useRef, type ReactNode } from "react";
import { Icon } from "../../../../parts/page/icon.tsx";
import { SearchField } from "../../../../parts/page/search-field.tsx";
import { EmptyView } from "../../../../parts/states/views.tsx";
import { useNow } from "../../../../parts/values/times.tsx";
import { VirtualTable } from "../../../../parts/tables/virtual-table.tsx";
import { selectTasks, spanOf, ticksOf, type Progress, type TaskFilter } from "../model/progress.ts";
import { timeOf } from "../model/plan-nodes.ts";
import type { PlanStore } from "../model/plan-store.ts";
import type { TaskTiming } from "../queries.ts";
import { taskFilters } from "../tabs.ts";
import { useNodes, useProgress, type LivePlan } from "../use-plan.ts";
import { taskColumns } from "./task-columns.tsx";
import { TimeAxis } from "./time-axis.tsx";
import classes from "./tasks.module.css";

const route = getRouteApi("/plans/$planId");

/** Every task as a row with its bar in time. */
export const TasksView = ({ plan }: { plan: LivePlan }): ReactNode => {
  const { show = "all", q = "", critical = false } = route.useSearch();
  const nodes = useNodes(plan.store);
  const times = useTimes(plan);
  const path = plan.timing?.criticalPath.taskIds;
  const ids = useStable(
    selectTasks(nodes, { filter: show, q, within: critical && path ? new Set(path) : null }).map(
      ({ id }) => id,
    ),
  );
  const createdAt = timeOf(plan.timing?.createdAt);
  const columns = useMemo(() => taskColumns(plan.store, times), [plan.store, times]);
  return (
    <>
      <Filters plan={plan} />
      {ids.length === 0 ? (
        <EmptyView title="No task fits" icon="search">
          {nodes.some(({ kind }) => kind === "task")
            ? "Show all of them, or look for less."
            : "A queued operation is planned at its turn."}
        </EmptyView>
      ) : (
        <TimeFrame store={plan.store} createdAt={createdAt} isEnded={plan.isEnded}>
          <VirtualTable label="Tasks" columns={columns} rows={ids} rowKey={keyOf} />
        </TimeFrame>
      )}
    </>
  );
};

const keyOf = (id: string): string => id;

/** The same array as long as it has the same ids, so that the table renders for those alone. */
const useStable = (ids: readonly string[]): readonly string[] => {
  const text = ids.join("\n");
  return useMemo(() => (text === "" ? [] : text.split("\n")), [text]);
};

export const useTimes = ({ timing }: LivePlan): ReadonlyMap<string, TaskTiming> =>
  useMemo(() => new Map(timing?.tasks.map((task) => [task.taskId, task])), [timing]);

const filterWords: Record<TaskFilter, [string, (progress: Progress) => number]> = {
  all: ["All", ({ total }) => total],
  work: ["At work", ({ running }) => running],
  failed: ["Failed", ({ failed, skipped }) => failed + skipped],
  waiting: ["Waiting", ({ waiting }) => waiting],
  done: ["Done", ({ done }) => done],
};

const Filters = ({ plan }: { plan: LivePlan }): ReactNode => {
  const { show = "all", q, critical = false } = route.useSearch();
  const navigate = route.useNavigate();
  const progress = useProgress(plan.store);
  return (
    <Group gap="sm" mb="xs" role="search" aria-label="Tasks">
      <SegmentedControl
        size="xs"
        aria-label="Which tasks"
        value={show}
        data={taskFilters.map((value) => {
          const [word, count] = filterWords[value];
          return { value, label: `${word} ${count(progress)}` };
        })}
        onChange={(value) =>
          void navigate({
            search: (old) => ({ ...old, show: value === "all" ? undefined : (value as TaskFilter) }),
            replace: true,
          })
        }
        className={classes["filters"]}
      />
      <SearchField
        aria-label="Search tasks"
        placeholder="Name or id"
        leftSection={<Icon name="search" size={14} />}
        value={q}
        onSearch={(text) => void navigate({ search: (old) => ({ ...old, q: text }), replace: true })}
        w="12rem"
      />
      <Checkbox
        size="xs"
        label="Critical path"
        checked={critical}
        onChange={({ currentTarget: { checked } }) =>
          void navigate({
            search: (old) => ({ ...old, critical: checked ? true : undefined }),
            replace: true,
          })
        }
      />
      <Legend />
    </Group>
  );
};

const Legend = (): ReactNode => (
  <Text size="xs" c="dimmed" component="div" className={classes["legend"]}>
    {(["queue", "retries", "call", "poll"] as const).map((part) => (
      <span key={part}>
        <i className={classes[part]} aria-hidden /> {legendWords[part]}
      </span>
    ))}
  </Text>
);

const legendWords = { queue: "queue", retries: "earlier attempts", call: "call", poll: "polls" };

interface TimeFrameProps {
  store: PlanStore;
  createdAt: number | null;
  isEnded: boolean;
  children: ReactNode;
}

const tickMs = 500;

/**
 * Gives the bars below it their scale as properties of CSS: when time passes or a task ends later than all others, the browser
 * moves them and React renders none of them.
 */
const TimeFrame = ({ store, createdAt, isEnded, children }: TimeFrameProps): ReactNode => {
  const frame = useRef<HTMLDivElement>(null);
  const nodes = useNodes(store);
  const [from, to] = spanOf(nodes, createdAt, useNow());
  useEffect(() => {
    const set = (): void => {
      const [first, last] = spanOf(store.nodes.get(), createdAt, Date.now());
      frame.current?.style.setProperty("--from", String(first / 1000));
      frame.current?.style.setProperty("--span", String((last - first) / 1000));
      frame.current?.style.setProperty("--now", String(last / 1000));
    };
    set();
    if (isEnded) return;
    const timer = setInterval(set, tickMs);
    return () => clearInterval(timer);
  }, [store, createdAt, isEnded, nodes]);
  return (
    <div ref={frame} className={classes["frame"]}>
      <TimeAxis ticks={ticksOf(to - from)} spanMs={to - from} />
      {children}
    </div>
  );
};
