import { Group, List, Paper, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { CoordinatorComponents } from "plinth-client";
import type { ReactNode } from "react";
import { Icon } from "../../../../parts/page/icon.tsx";
import { ButtonLink, PageLink } from "../../../../parts/page/page-link.tsx";
import { Duration, TimeAgo } from "../../../../parts/values/times.tsx";
import { countOf } from "../../names.ts";
import { OutcomeActions } from "../../outcomes/outcome-actions.tsx";
import { ResumeButton } from "../ending/resume-button.tsx";
import type { PlanNode } from "../model/plan-nodes.ts";
import { firstFailure, heldUpBy } from "../model/progress.ts";
import { outcomesOfUnitQuery } from "../queries.ts";
import { useNode, useNodes, type LivePlan } from "../use-plan.ts";
import { Evidence } from "./evidence.tsx";
import classes from "./failure.module.css";

type PlanStatus = CoordinatorComponents["schemas"]["ExecutionPlanStatus"];

/** The first call that failed, what is known of it, what to do, and the button that goes on. */
export const FailureView = ({ plan, status }: { plan: LivePlan; status: PlanStatus }): ReactNode => {
  const nodes = useNodes(plan.store);
  const failed = firstFailure(nodes);
  const root = useNode(plan.store, plan.planId);
  if (failed === undefined) {
    if (root?.status !== "FAILED" || root.message === "") return null;
    return (
      <Paper role="region" aria-label="Why it failed" className={classes["failure"]}>
        <Title order={2}>It failed before any task</Title>
        <Text size="sm">{root.message}</Text>
      </Paper>
    );
  }
  return <FirstFailure plan={plan} status={status} failed={failed} nodes={nodes} />;
};

interface FirstFailureProps {
  plan: LivePlan;
  status: PlanStatus;
  failed: PlanNode;
  nodes: readonly PlanNode[];
}

const FirstFailure = ({ plan, status, failed, nodes }: FirstFailureProps): ReactNode => {
  const others = nodes.filter((node) => node.kind === "task" && node.status === "FAILED").length - 1;
  const held = heldUpBy(failed.id, nodes).length;
  const timing = plan.timing?.tasks.find(({ taskId }) => taskId === failed.id);
  return (
    <Paper role="region" aria-label="Why it failed" className={classes["failure"]}>
      <Stack gap="xs">
        <div>
          <Title order={2}>
            <Text c="bad" component="span" mr={6} className={classes["icon"]}>
              <Icon name="warning" size={18} />
            </Text>
            {failed.name} failed
          </Title>
          <Text size="xs" c="dimmed" component="div">
            <TimeAgo at={isoOf(failed.stoppedAt)} />, after{" "}
            <Duration from={isoOf(failed.startedAt)} to={isoOf(failed.stoppedAt)} />
            {timing !== undefined && timing.adapterId !== null && (
              <>
                {" "}
                · adapter{" "}
                <PageLink
                  underline="always"
                  to="/adapters/$adapterId"
                  params={{ adapterId: timing.adapterId }}
                >
                  {timing.adapterId}
                </PageLink>
              </>
            )}
            {held > 0 && <> · {countOf(held, "task")} did not begin because of it</>}
            {others > 0 && (
              <>
                {" "}
                ·{" "}
                <PageLink
                  underline="always"
                  to="."
                  search={(old: object) => ({ ...old, tab: undefined, show: "failed" as const })}
                >
                  {countOf(others, "other task")} failed
                </PageLink>
              </>
            )}
          </Text>
        </div>
        <Findings node={failed} />
        <Evidence plan={plan} node={failed} componentId={timing?.componentId ?? null} />
        <Unknown plan={plan} status={status} failed={failed} />
        {plan.isEnded && (
          <Group gap="xs">
            <ResumeButton plan={plan} environment={status.environment} isMain />
            <ButtonLink to="." search={(old: object) => ({ ...old, task: failed.id })}>
              Show the task
            </ButtonLink>
          </Group>
        )}
      </Stack>
    </Paper>
  );
};

const isoOf = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

/** What the answer said: its message, each problem, and what to do. */
export const Findings = ({ node }: { node: PlanNode }): ReactNode => {
  const { message, problems, solutions } = node;
  const others = problems.filter((each) => !message.includes(each));
  return (
    <>
      {message !== "" && (
        <Text size="sm" fw={550} className={classes["message"]}>
          {message}
        </Text>
      )}
      {others.length > 0 && (
        <List size="sm" spacing={2} aria-label="Problems">
          {others.map((each) => (
            <List.Item key={each}>{each}</List.Item>
          ))}
        </List>
      )}
      {solutions.map((each) => (
        <Text key={each} size="sm">
          <Text span fw={600}>
            What to do:{" "}
          </Text>
          {each}
        </Text>
      ))}
    </>
  );
};

/** When it is not known whether the call changed something, that is settled before the plan goes on. */
const Unknown = ({
  plan,
  status,
  failed,
}: Pick<FirstFailureProps, "plan" | "status" | "failed">): ReactNode => {
  const unitId = plan.operation?.operation.deploymentUnitId;
  const query = useQuery({
    ...outcomesOfUnitQuery(unitId ?? "", status.environment),
    enabled: unitId !== undefined,
  });
  const outcome = query.data?.data.find(
    ({ planId, taskId }) => planId === plan.planId && taskId === failed.id,
  );
  return outcome === undefined ? null : <OutcomeActions outcome={outcome} />;
};
