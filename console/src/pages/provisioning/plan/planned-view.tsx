import type { ReactNode } from "react";
import { PageLink } from "../../../parts/page/page-link.tsx";
import { LoadingView } from "../../../parts/states/views.tsx";
import { VirtualTable, type Column } from "../../../parts/tables/virtual-table.tsx";
import { StatusBadge } from "../../../parts/values/status.tsx";
import { durationText, wordsOf } from "../../../parts/values/text.ts";
import { componentNameOf } from "../names.ts";
import type { Operation, TaskTiming, Timing } from "./queries.ts";
import type { LivePlan } from "./use-plan.ts";

interface Row {
  componentId: string;
  planned: string;
  became: string;
  task: TaskTiming | undefined;
  expectedMs: number | null;
}

/** What was to happen to each component, beside what did. */
export const PlannedView = ({ plan }: { plan: LivePlan }): ReactNode => {
  const { operation, timing } = plan;
  if (!operation || !timing) return <LoadingView />;
  return (
    <VirtualTable
      label="Planned and done"
      columns={columns}
      rows={rowsOf(operation, timing)}
      rowKey={({ componentId }) => componentId}
    />
  );
};

const changing = new Set(["PROVISION", "UNPROVISION"]);

function rowsOf({ components }: Operation, { tasks, statistics }: Timing): Row[] {
  const byComponent = new Map(
    tasks.filter(({ action }) => changing.has(action)).map((task) => [task.componentId, task]),
  );
  return components.map(({ componentId, provisioningAction, operationStatus }) => {
    const task = byComponent.get(componentId);
    const known = statistics.find(
      ({ adapterId, action }) => adapterId === task?.adapterId && action === task.action,
    );
    return {
      componentId,
      planned: provisioningAction,
      became: operationStatus,
      task,
      expectedMs: known?.medianMs ?? null,
    };
  });
}

const tookMs = ({ split }: TaskTiming): number => split.retriesMs + split.callMs + split.pollMs;

const columns: readonly Column<Row>[] = [
  {
    key: "component",
    header: "Component",
    width: "minmax(0, 2fr)",
    cell: ({ componentId, task }) =>
      task === undefined ? (
        <span title={componentId}>{componentNameOf(componentId)}</span>
      ) : (
        <PageLink to="." search={(old: object) => ({ ...old, task: task.taskId })} title={componentId}>
          {componentNameOf(componentId)}
        </PageLink>
      ),
  },
  { key: "planned", header: "Planned", width: "minmax(0, 1fr)", cell: ({ planned }) => wordsOf(planned) },
  {
    key: "became",
    header: "Done",
    width: "minmax(0, 1.2fr)",
    cell: ({ became }) => <StatusBadge status={became} />,
  },
  {
    key: "expected",
    header: "Expected",
    width: "6.5rem",
    align: "end",
    cell: ({ expectedMs }) => (expectedMs === null ? "–" : durationText(expectedMs)),
  },
  {
    key: "took",
    header: "Took",
    width: "6.5rem",
    align: "end",
    cell: ({ task }) => (task === undefined || tookMs(task) === 0 ? "–" : durationText(tookMs(task))),
  },
];
