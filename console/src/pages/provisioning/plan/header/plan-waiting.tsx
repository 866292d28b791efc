import { Text } from "@mantine/core";
import { queryOptions, useQuery } from "@tanstack/react-query";
import type { CoordinatorComponents } from "plinth-client";
import type { ReactNode } from "react";
import { api } from "../../../../api/client.ts";
import { call } from "../../../../api/error.ts";
import { keys } from "../../../../api/keys.ts";
import { ButtonLink, PageLink } from "../../../../parts/page/page-link.tsx";
import { WaitingReason } from "../../../../parts/states/waiting-reason.tsx";
import { TimeAgo } from "../../../../parts/values/times.tsx";
import { unitNameOf } from "../../names.ts";
import type { PlanNode } from "../model/plan-nodes.ts";
import { useNode, useNodes, type LivePlan } from "../use-plan.ts";

type PlanStatus = CoordinatorComponents["schemas"]["ExecutionPlanStatus"];

/** Why the plan as a whole does not go on, who can act and until when; otherwise what it does now. */
export const PlanWaiting = ({ plan, status }: { plan: LivePlan; status: PlanStatus }): ReactNode => {
  const root = useNode(plan.store, plan.planId);
  if (plan.isEnded) return null;
  const waitsFor = plan.operation?.waitsFor ?? null;
  if (waitsFor !== null) {
    const { kind, reason, since, who, until, next } = waitsFor;
    const behind = root?.waiting?.waitsForPlan;
    return (
      <WaitingReason reason={reason} since={since} who={whoOf(kind, who)} until={until} next={next}>
        {kind === "APPROVAL" && <ApprovalLink actionId={actionOf(status)} />}
        {kind === "ADAPTER" && <ButtonLink to="/adapters">Show the adapters</ButtonLink>}
        {behind !== undefined && (
          <ButtonLink to="/plans/$planId" params={{ planId: behind }}>
            Show the plan before it
          </ButtonLink>
        )}
      </WaitingReason>
    );
  }
  if (root?.status === "WAITING" && root.waiting !== null) {
    const { reason, since, next } = root.waiting;
    return <WaitingReason reason={reason} since={since} next={next ?? null} />;
  }
  return <AtWork plan={plan} />;
};

const whoOf = (kind: string, who: readonly string[]): readonly string[] => {
  if (kind === "APPROVAL") return [...who, "operators"];
  return kind === "WINDOW" || kind === "ADAPTER" ? ["operators"] : [];
};

/** The approval is the first node of such a plan; its details name the action that a hook asks people about. */
const actionOf = ({ dag }: PlanStatus): string | undefined => {
  const stack = [dag];
  for (let node = stack.pop(); node; node = stack.pop()) {
    const info = node.result["info"] as { actionId?: unknown } | undefined;
    if (node.id.endsWith(":approval") && typeof info?.actionId === "string") return info.actionId;
    stack.push(...node.dependsOnTasks);
  }
  return undefined;
};

const pendingHooksQuery = queryOptions({
  queryKey: [...keys.hooks, "pending"],
  queryFn: ({ signal }) =>
    call(
      api.builder.GET("/api/builder/hooks", { params: { query: { status: "pending", limit: 100 } }, signal }),
    ),
});

const ApprovalLink = ({ actionId }: { actionId: string | undefined }): ReactNode => {
  const { data } = useQuery({ ...pendingHooksQuery, enabled: actionId !== undefined });
  const hook = data?.data.find((each) => each.actionId === actionId);
  return hook === undefined ? (
    <ButtonLink to="/waiting">Show what waits</ButtonLink>
  ) : (
    <ButtonLink to="/hooks/$hookId" params={{ hookId: hook.hookId }}>
      Show the request
    </ButtonLink>
  );
};

const mostShown = 3;

const AtWork = ({ plan }: { plan: LivePlan }): ReactNode => {
  const nodes = useNodes(plan.store);
  const running = nodes
    .filter(({ kind, status }) => kind === "task" && (status === "RUNNING" || status === "TERMINATING"))
    .toSorted((a, b) => (a.startedAt ?? 0) - (b.startedAt ?? 0));
  if (running.length === 0) return null;
  return (
    <div role="group" aria-label="At work now">
      {running.slice(0, mostShown).map((node) => (
        <RunningTask key={node.id} node={node} />
      ))}
      {running.length > mostShown && (
        <Text size="xs" c="dimmed">
          and {running.length - mostShown} more at work
        </Text>
      )}
    </div>
  );
};

const RunningTask = ({ node }: { node: PlanNode }): ReactNode => (
  <Text size="sm" component="div">
    <PageLink
      underline="always"
      to="."
      search={(previous: object) => ({ ...previous, task: node.id })}
      fw={550}
    >
      {unitNameOf(node.name)}
    </PageLink>{" "}
    {node.waiting?.reason ?? "Is at work."}{" "}
    <Text span size="xs" c="dimmed">
      {node.startedAt !== null && (
        <>
          since <TimeAgo at={new Date(node.startedAt).toISOString()} />
        </>
      )}
      {node.waiting?.nextAttemptAt !== undefined && (
        <>
          , next <TimeAgo at={node.waiting.nextAttemptAt} />
        </>
      )}
    </Text>
  </Text>
);
