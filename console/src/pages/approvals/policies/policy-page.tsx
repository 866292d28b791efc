import { Group, Tabs } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { lazy, Suspense, type ReactNode } from "react";
import { useHasRole } from "../../../api/session.ts";
import { PageHeader } from "../../../parts/page/page-header.tsx";
import { Loaded, LoadingView } from "../../../parts/states/views.tsx";
import { StatusBadge } from "../../../parts/values/status.tsx";
import { wordsOf } from "../../../parts/values/text.ts";
import { TimeLeft } from "../../../parts/values/times.tsx";
import { WhoElseMay } from "../parts/people.tsx";
import { PolicyOverview } from "./policy-overview.tsx";
import { PolicyResults } from "./evaluation/policy-results.tsx";
import { PolicyStatusButtons } from "./policy-status.tsx";
import { policyQuery, type Policy } from "./queries.ts";

const route = getRouteApi("/policies/$policyId");

const PolicyVersions = lazy(async () => ({
  default: (await import("./policy-versions.tsx")).PolicyVersions,
}));
const PolicyTrial = lazy(async () => ({
  default: (await import("./evaluation/policy-trial.tsx")).PolicyTrial,
}));

export const policyTabs = ["overview", "results", "try", "versions"] as const;
export type PolicyTab = (typeof policyTabs)[number];

const tabTitles: Record<PolicyTab, string> = {
  overview: "Overview",
  results: "Results",
  try: "Try it",
  versions: "Versions",
};

export const PolicyPage = (): ReactNode => {
  const { policyId } = route.useParams();
  const query = useQuery(policyQuery(policyId));
  const { data: policy } = query;
  const isOperator = useHasRole("operator", "admin");
  return (
    <>
      <PageHeader
        title={policy?.name ?? policyId}
        description={policy && <HeaderLine policy={policy} />}
        actions={
          policy &&
          (isOperator ? (
            <PolicyStatusButtons policy={policy} />
          ) : (
            <WhoElseMay>Operators change policies.</WhoElseMay>
          ))
        }
      />
      <Loaded query={query} what="read this policy">
        {(loaded) => <PolicyTabs policy={loaded} />}
      </Loaded>
    </>
  );
};

const HeaderLine = ({ policy }: { policy: Policy }): ReactNode => (
  <Group gap="xs">
    <StatusBadge status={policy.status} />
    {policy.status === "grace" && policy.graceUntil !== undefined && (
      <span>
        grace: <TimeLeft until={policy.graceUntil} />
      </span>
    )}
    <span>
      {wordsOf(policy.kind)}, version {policy.version}
    </span>
  </Group>
);

const PolicyTabs = ({ policy }: { policy: Policy }): ReactNode => {
  const { tab = "overview" } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Tabs
      keepMounted={false}
      value={tab}
      onChange={(value) => {
        const next = policyTabs.find((each) => each === value);
        void navigate({
          search: (previous) => ({ ...previous, tab: next === "overview" ? undefined : next }),
        });
      }}
    >
      <Tabs.List mb="sm">
        {policyTabs.map((each) => (
          <Tabs.Tab key={each} value={each}>
            {tabTitles[each]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value="overview">
        <PolicyOverview policy={policy} />
      </Tabs.Panel>
      <Tabs.Panel value="results">
        <PolicyResults policy={policy} />
      </Tabs.Panel>
      <Tabs.Panel value="try">
        <Suspense fallback={<LoadingView />}>
          <PolicyTrial policy={policy} />
        </Suspense>
      </Tabs.Panel>
      <Tabs.Panel value="versions">
        <Suspense fallback={<LoadingView />}>
          <PolicyVersions policy={policy} />
        </Suspense>
      </Tabs.Panel>
    </Tabs>
  );
};
