import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import { PageLink } from "../../../../parts/page/page-link.tsx";
import { StatusBadge } from "../../../../parts/values/status.tsx";
import { Duration } from "../../../../parts/values/times.tsx";
import type { Column } from "../../../../parts/tables/virtual-table.tsx";
import type { PlanStore } from "../model/plan-store.ts";
import type { TaskTiming } from "../queries.ts";
import { useNode } from "../use-plan.ts";
import { TaskBar } from "./task-bar.tsx";
import classes from "./tasks.module.css";

/** Rows are ids: each cell follows its own task, so that an event renders the cells of one row. */
export const taskColumns = (
  store: PlanStore,
  times: ReadonlyMap<string, TaskTiming>,
): readonly Column<string>[] => [
  {
    key: "name",
    header: "Task",
    width: "minmax(0, 1.7fr)",
    cell: (id) => <Name store={store} id={id} isCritical={times.get(id)?.isCritical === true} />,
  },
  { key: "status", header: "Status", width: "7.5rem", cell: (id) => <Status store={store} id={id} /> },
  {
    key: "time",
    header: "Took",
    width: "5.5rem",
    align: "end",
    cell: (id) => <Took store={store} id={id} />,
  },
  {
    key: "bar",
    header: "Time",
    width: "minmax(0, 2.4fr)",
    cell: (id) => <TaskBar store={store} id={id} timing={times.get(id)} />,
  },
];

interface CellProps {
  store: PlanStore;
  id: string;
}

const Name = ({ store, id, isCritical }: CellProps & { isCritical: boolean }): ReactNode => {
  const node = useNode(store, id);
  if (node === undefined) return null;
  return (
    <span className={classes["name"]}>
      <PageLink to="." search={(previous: object) => ({ ...previous, task: id })} title={id} fw={550}>
        {node.name}
      </PageLink>
      {isCritical && (
        <Text span size="xs" c="warn" title="On the critical path">
          critical
        </Text>
      )}
      {node.status === "FAILED" && (
        <Text span size="xs" c="bad" title={node.message}>
          {node.message}
        </Text>
      )}
    </span>
  );
};

const Status = ({ store, id }: CellProps): ReactNode => {
  const node = useNode(store, id);
  if (node === undefined) return null;
  // Nothing is wrong with a task whose turn has not come.
  return <StatusBadge status={node.status} {...(node.status === "WAITING" && { tone: "gray" as const })} />;
};

const iso = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

const Took = ({ store, id }: CellProps): ReactNode => {
  const node = useNode(store, id);
  if (node === undefined || node.startedAt === null) return "–";
  return <Duration from={iso(node.startedAt)} to={iso(node.stoppedAt)} />;
};
