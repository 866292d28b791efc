import { Stack, Tabs, Text } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { lazy, Suspense, type ReactNode } from "react";
import { Loaded, LoadingView } from "../../../parts/states/views.tsx";
import { PageHeader } from "../../../parts/page/page-header.tsx";
import { FailureView } from "./failure/failure-view.tsx";
import { LogView } from "./log/log-view.tsx";
import { PlanHeader } from "./header/plan-header.tsx";
import { PlanProgress } from "./header/plan-progress.tsx";
import { PlanTimes } from "./header/plan-times.tsx";
import { PlannedView } from "./planned-view.tsx";
import { TaskPanel } from "./task-panel.tsx";
import { TasksView } from "./tasks/tasks-view.tsx";
import { usePlan, useNodes, type LivePlan } from "./use-plan.ts";
import { planTabs, type PlanTab } from "./tabs.ts";

const GraphView = lazy(() =>
  import("./graph/graph-view.tsx").then((module) => ({ default: module.GraphView })),
);

const route = getRouteApi("/plans/$planId");

export const PlanPage = (): ReactNode => {
  const { planId } = route.useParams();
  return <Plan key={planId} planId={planId} />;
};

const Plan = ({ planId }: { planId: string }): ReactNode => {
  const plan = usePlan(planId);
  return (
    <>
      {plan.status.data === undefined && <PageHeader title={`Plan ${planId.slice(0, 8)}`} />}
      <Loaded query={plan.status} what="read this plan">
        {(status) => (
          <Stack gap="sm">
            <PlanHeader plan={plan} status={status} />
            <FailureView plan={plan} status={status} />
            <Stack gap="xs">
              <PlanProgress plan={plan} />
              <PlanTimes plan={plan} />
            </Stack>
            <Views plan={plan} />
            <TaskPanel plan={plan} />
          </Stack>
        )}
      </Loaded>
    </>
  );
};

const Views = ({ plan }: { plan: LivePlan }): ReactNode => {
  const { tab = "tasks" } = route.useSearch();
  const navigate = route.useNavigate();
  if (useNodes(plan.store).length === 0) return <LoadingView lines={8} />;
  return (
    <Tabs
      value={tab}
      keepMounted={false}
      onChange={(value) =>
        void navigate({
          search: (previous) => ({ ...previous, tab: value === "tasks" ? undefined : (value as PlanTab) }),
          replace: true,
        })
      }
    >
      <Tabs.List mb="sm">
        {planTabs.map(({ value, label }) => (
          <Tabs.Tab key={value} value={value}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value="tasks">
        <TasksView plan={plan} />
      </Tabs.Panel>
      <Tabs.Panel value="graph">
        <Suspense fallback={<LoadingView label="Loading the graph" />}>
          <GraphView plan={plan} />
        </Suspense>
      </Tabs.Panel>
      <Tabs.Panel value="log">
        <LogView plan={plan} label="Log of the plan" />
      </Tabs.Panel>
      <Tabs.Panel value="planned">
        {plan.operation === null ? (
          <Text size="sm" c="dimmed">
            This plan carries out no operation on a unit, so there is nothing planned to compare with.
          </Text>
        ) : (
          <PlannedView plan={plan} />
        )}
      </Tabs.Panel>
    </Tabs>
  );
};
