import { Drawer, Group, List, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { PageLink } from "../../../parts/page/page-link.tsx";
import { WaitingReason } from "../../../parts/states/waiting-reason.tsx";
import { IdText } from "../../../parts/values/id-text.tsx";
import { StatusBadge } from "../../../parts/values/status.tsx";
import { durationText } from "../../../parts/values/text.ts";
import { Duration, TimeAgo } from "../../../parts/values/times.tsx";
import { OutcomeActions } from "../outcomes/outcome-actions.tsx";
import { Evidence } from "./failure/evidence.tsx";
import { Findings } from "./failure/failure-view.tsx";
import { isOver, type PlanNode } from "./model/plan-nodes.ts";
import { outcomesOfUnitQuery, type TaskTiming } from "./queries.ts";
import { splitKeys, splitWords } from "./tasks/split.ts";
import { useNode, useNodes, type LivePlan } from "./use-plan.ts";
import { LogView } from "./log/log-view.tsx";

const route = getRouteApi("/plans/$planId");

/** One task, beside the plan: what it waits for, where its time went, what it answered, its log. */
export const TaskPanel = ({ plan }: { plan: LivePlan }): ReactNode => {
  const { task } = route.useSearch();
  const navigate = route.useNavigate();
  const node = useNode(plan.store, task ?? "");
  return (
    <Drawer
      opened={task !== undefined}
      onClose={() => void navigate({ search: (old) => ({ ...old, task: undefined }) })}
      position="right"
      size="lg"
      title={node?.name ?? "Task"}
      styles={{ title: { fontSize: "var(--mantine-h2-font-size)", fontWeight: 600 } }}
      closeButtonProps={{ "aria-label": "Close the task" }}
    >
      {node === undefined ? (
        <Text size="sm" c="dimmed">
          The plan has no such task.
        </Text>
      ) : (
        <Task plan={plan} node={node} />
      )}
    </Drawer>
  );
};

const iso = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

const Task = ({ plan, node }: { plan: LivePlan; node: PlanNode }): ReactNode => {
  const timing = plan.timing?.tasks.find(({ taskId }) => taskId === node.id);
  return (
    <Stack gap="sm">
      <Group gap="xs">
        <StatusBadge status={node.status} />
        {timing?.isCritical === true && (
          <Text size="xs" c="warn">
            on the critical path
          </Text>
        )}
        {node.startedAt !== null && (
          <Text size="xs" c="dimmed" component="span">
            began <TimeAgo at={iso(node.startedAt)} />, {node.stoppedAt === null ? "for" : "took"}{" "}
            <Duration from={iso(node.startedAt)} to={iso(node.stoppedAt)} />
          </Text>
        )}
      </Group>
      {node.waiting !== null && !isOver(node.status) && (
        <WaitingReason
          reason={node.waiting.reason}
          since={node.waiting.since}
          until={node.waiting.nextAttemptAt ?? null}
          next={node.waiting.next ?? null}
        />
      )}
      <Findings node={node} />
      <Unknown plan={plan} node={node} />
      <Facts node={node} timing={timing} />
      <Neighbours plan={plan} node={node} />
      {node.kind === "task" &&
        (node.status === "FAILED" ? (
          <Evidence plan={plan} node={node} componentId={timing?.componentId ?? null} />
        ) : (
          <section aria-label="Log of the task">
            <Title order={3} mb={4}>
              Log
            </Title>
            <LogView plan={plan} label={`Log of ${node.name}`} taskId={node.id} height="40vh" />
          </section>
        ))}
    </Stack>
  );
};

const Facts = ({ node, timing }: { node: PlanNode; timing: TaskTiming | undefined }): ReactNode => (
  <List listStyleType="none" size="sm" spacing={2}>
    <List.Item>
      Task <IdText id={node.id} length={44} />
    </List.Item>
    {timing !== undefined && timing.adapterId !== null && (
      <List.Item>
        Adapter{" "}
        <PageLink underline="always" to="/adapters/$adapterId" params={{ adapterId: timing.adapterId }}>
          {timing.adapterId}
        </PageLink>
      </List.Item>
    )}
    {timing !== undefined &&
      splitKeys
        .filter((key) => timing.split[key] >= 1)
        .map((key) => (
          <List.Item key={key}>
            {durationText(timing.split[key])} {splitWords[key]}
          </List.Item>
        ))}
    {timing?.remaining?.medianMs != null && (
      <List.Item>about {durationText(timing.remaining.medianMs)} left</List.Item>
    )}
  </List>
);

const mostShown = 12;

const Neighbours = ({ plan, node }: { plan: LivePlan; node: PlanNode }): ReactNode => {
  const nodes = useNodes(plan.store);
  const before = node.dependsOn
    .map((id) => plan.store.get(id))
    .filter((each): each is PlanNode => each !== undefined);
  const after = nodes.filter(({ dependsOn, kind }) => kind === "task" && dependsOn.includes(node.id));
  return (
    <>
      <Links label="Comes after" nodes={before} />
      <Links label="Comes before" nodes={after} />
    </>
  );
};

const Links = ({ label, nodes }: { label: string; nodes: readonly PlanNode[] }): ReactNode =>
  nodes.length === 0 ? null : (
    <Text size="sm" component="div">
      {label}{" "}
      {nodes.slice(0, mostShown).map(({ id, name }, index) => (
        <span key={id}>
          {index > 0 && ", "}
          <PageLink underline="always" to="." search={(old: object) => ({ ...old, task: id })}>
            {name}
          </PageLink>
        </span>
      ))}
      {nodes.length > mostShown && ` and ${nodes.length - mostShown} more`}
    </Text>
  );

const Unknown = ({ plan, node }: { plan: LivePlan; node: PlanNode }): ReactNode => {
  const unitId = plan.operation?.operation.deploymentUnitId;
  const environment = plan.operation?.operation.environment ?? "";
  const query = useQuery({
    ...outcomesOfUnitQuery(unitId ?? "", environment),
    enabled: unitId !== undefined,
  });
  const outcome = query.data?.data.find(({ planId, taskId }) => planId === plan.planId && taskId === node.id);
  return outcome === undefined ? null : <OutcomeActions outcome={outcome} />;
};
