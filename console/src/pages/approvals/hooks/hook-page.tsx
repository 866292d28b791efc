import { Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { PageHeader } from "../../../parts/page/page-header.tsx";
import { PageLink } from "../../../parts/page/page-link.tsx";
import { Loaded } from "../../../parts/states/views.tsx";
import { IdText } from "../../../parts/values/id-text.tsx";
import { StatusBadge } from "../../../parts/values/status.tsx";
import { TimeAgo } from "../../../parts/values/times.tsx";
import { AccessFacts } from "../access/access-facts.tsx";
import { Facts } from "../parts/facts.tsx";
import { Person } from "../parts/people.tsx";
import { Section } from "../parts/section.tsx";
import { DeploymentSections } from "./deployment-sections.tsx";
import { HookDecision } from "./hook-decision.tsx";
import { statusWords, titleOfHook } from "./hook-words.ts";
import { hookQuery, type Hook } from "./queries.ts";

const route = getRouteApi("/hooks/$hookId");

export const HookPage = (): ReactNode => {
  const { hookId } = route.useParams();
  const query = useQuery(hookQuery(hookId));
  const { data: hook } = query;
  return (
    <>
      <PageHeader
        title={hook === undefined ? "Approval" : titleOfHook(hook)}
        description={hook && <HeaderLine hook={hook} />}
      />
      <Loaded
        query={query}
        what="read this approval"
        who="the requester, those who may decide, and operators"
      >
        {(loaded) => (
          <>
            <HookDecision key={loaded.hookId} hook={loaded} />
            <HookSubject hook={loaded} />
          </>
        )}
      </Loaded>
    </>
  );
};

const HeaderLine = ({ hook }: { hook: Hook }): ReactNode => (
  <Group gap="xs">
    <StatusBadge status={hook.status === "OK" ? "APPROVED" : hook.status}>
      {statusWords[hook.status]}
    </StatusBadge>
    <span>
      {hook.hookName}, asked by <Person of={hook.requester} /> <TimeAgo at={hook.creationAt} />
    </span>
  </Group>
);

const HookSubject = ({ hook }: { hook: Hook }): ReactNode => {
  const { deploymentUnitId, environment, accessRequestId, planId } = hook.about;
  return (
    <>
      <Section title="What is asked for">
        <Facts
          items={{
            Unit:
              deploymentUnitId === null ? undefined : (
                <PageLink to="/units/$unitId" params={{ unitId: deploymentUnitId }}>
                  {deploymentUnitId}
                </PageLink>
              ),
            Environment: environment,
            Plan:
              planId === null ? undefined : (
                <PageLink to="/plans/$planId" params={{ planId }}>
                  {planId.slice(0, 8)}
                </PageLink>
              ),
            Request:
              accessRequestId === null ? undefined : (
                <PageLink to="/access/$requestId" params={{ requestId: accessRequestId }}>
                  {accessRequestId.slice(0, 8)}
                </PageLink>
              ),
            "Asked because of the rule": hook.deployment?.rule,
            Preview:
              hook.deployment === undefined || hook.deployment.planHash === "" ? undefined : (
                <IdText id={hook.deployment.planHash} length={16} />
              ),
            "Third party": hook.kind === "remote" ? (hook.lastError ?? hook.waiting) : undefined,
          }}
        />
      </Section>
      {accessRequestId !== null && <AccessFacts requestId={accessRequestId} />}
      {hook.deployment !== undefined && (
        <DeploymentSections deployment={hook.deployment} isPending={hook.status === "pending"} />
      )}
    </>
  );
};
