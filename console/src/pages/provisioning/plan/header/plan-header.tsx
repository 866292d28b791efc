import { Group, Stack, Text } from "@mantine/core";
import type { CoordinatorComponents } from "plinth-client";
import type { ReactNode } from "react";
import { LiveBadge } from "../../../../parts/states/connection.tsx";
import { PageHeader } from "../../../../parts/page/page-header.tsx";
import { PageLink } from "../../../../parts/page/page-link.tsx";
import { IdText } from "../../../../parts/values/id-text.tsx";
import { StatusBadge } from "../../../../parts/values/status.tsx";
import { wordsOf } from "../../../../parts/values/text.ts";
import { Duration, TimeAgo } from "../../../../parts/values/times.tsx";
import { personOf, unitNameOf } from "../../names.ts";
import { PlanActions } from "../ending/plan-actions.tsx";
import { useNode, type LivePlan } from "../use-plan.ts";
import classes from "./plan-header.module.css";
import { PlanWaiting } from "./plan-waiting.tsx";

type PlanStatus = CoordinatorComponents["schemas"]["ExecutionPlanStatus"];

export interface PlanHeaderProps {
  plan: LivePlan;
  status: PlanStatus;
}

/** What it is, how far it is, who asked for it, and why it waits. */
export const PlanHeader = ({ plan, status }: PlanHeaderProps): ReactNode => {
  const { operation } = plan;
  const root = useNode(plan.store, plan.planId) ?? null;
  const word = root?.status ?? status.dag.status;
  const title =
    operation === null || operation === undefined
      ? status.dag.displayName
      : `${wordsOf(operation.operation.provisioningAction)} ${unitNameOf(operation.operation.deploymentUnitId)}`;
  return (
    <Stack gap="xs">
      <PageHeader
        title={title}
        description={
          <Group gap="xs">
            <StatusBadge status={word} />
            {!plan.isEnded && <LiveBadge state={plan.live} />}
            <Asked plan={plan} status={status} />
          </Group>
        }
        actions={<PlanActions plan={plan} environment={status.environment} />}
      />
      <PlanWaiting plan={plan} status={status} />
    </Stack>
  );
};

const Asked = ({ plan, status }: PlanHeaderProps): ReactNode => {
  const { operation, planId, timing } = plan;
  const root = useNode(plan.store, planId);
  const stoppedAt = root?.stoppedAt ?? null;
  const createdAt = operation?.operation.startTime ?? timing?.createdAt ?? null;
  return (
    <span className={classes["facts"]}>
      {operation && (
        <span>
          <PageLink
            underline="always"
            to="/units/$unitId"
            params={{ unitId: operation.operation.deploymentUnitId }}
            search={{ env: status.environment }}
          >
            {unitNameOf(operation.operation.deploymentUnitId)}
          </PageLink>{" "}
          {operation.operation.descriptorVersion}
        </span>
      )}
      <span>{status.environment}</span>
      <span>asked for by {personOf(status.originatorUri)}</span>
      {createdAt !== null && (
        <span>
          <TimeAgo at={createdAt} />, {stoppedAt === null ? "for" : "took"}{" "}
          <Duration from={createdAt} to={stoppedAt === null ? null : new Date(stoppedAt).toISOString()} />
        </span>
      )}
      {status.originPlan !== undefined && (
        <span>
          resumes{" "}
          <PageLink underline="always" to="/plans/$planId" params={{ planId: status.originPlan }}>
            plan {status.originPlan.slice(0, 8)}
          </PageLink>
        </span>
      )}
      <Text span size="xs" c="dimmed">
        <IdText id={planId} length={14} />
      </Text>
    </span>
  );
};
