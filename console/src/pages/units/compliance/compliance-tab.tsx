import { Alert, Group, List, Paper, Stack, Text, Title } from "@mantine/core";
import { queryOptions, useQuery } from "@tanstack/react-query";
import type { GovernanceComponents } from "plinth-client";
import type { ReactNode } from "react";
import { api } from "../../../api/client.ts";
import { call } from "../../../api/error.ts";
import { keys } from "../../../api/keys.ts";
import { Icon } from "../../../parts/page/icon.tsx";
import { PageLink } from "../../../parts/page/page-link.tsx";
import { EmptyView, Loaded } from "../../../parts/states/views.tsx";
import { StatusBadge } from "../../../parts/values/status.tsx";
import { TimeAgo } from "../../../parts/values/times.tsx";
import { shortId } from "../names.ts";
import type { Unit } from "../unit/queries.ts";
import { useHere } from "../unit/use-unit.ts";
import { ComplianceHistory, countsText } from "./history.tsx";

type Compliance = GovernanceComponents["schemas"]["Compliance"];
type Result = Compliance["policies"][number];

const complianceQuery = (id: string, environment: string) =>
  queryOptions({
    queryKey: [...keys.results, "compliance", id, environment],
    enabled: environment !== "",
    queryFn: ({ signal }) =>
      call(
        api.governance.GET("/v1/computational-governance/units/{id}/compliance", {
          params: { path: { id }, query: { environment } },
          signal,
        }),
      ),
  });

export const ComplianceTab = ({ unit }: { unit: Unit }): ReactNode => {
  const { environment, here } = useHere(unit);
  return here?.known === true ? (
    <ComplianceIn unitId={unit.deploymentUnitId} environment={environment} />
  ) : (
    <EmptyView title={`It was never started in ${environment}`} icon="shield" />
  );
};

const ComplianceIn = ({ unitId, environment }: { unitId: string; environment: string }): ReactNode => (
  <Loaded query={useQuery(complianceQuery(unitId, environment))} what="read the results of policies">
    {(compliance) =>
      compliance.summary.evaluatedAt === null ? (
        <EmptyView title={`No policy was evaluated for it in ${environment}`} icon="shield">
          Policies are evaluated when a plan begins, by schedule, and when somebody asks for it.
        </EmptyView>
      ) : (
        <Results compliance={compliance} />
      )
    }
  </Loaded>
);

const Results = ({ compliance }: { compliance: Compliance }): ReactNode => {
  const { summary, policies, history, environment } = compliance;
  const open = policies.filter(({ outcome }) => outcome !== "ok");
  const kept = policies.filter(({ outcome }) => outcome === "ok");
  return (
    <Stack gap="lg">
      <Group gap="sm">
        <StatusBadge status={summary.isCompliant ? "COMPLIANT" : "NOT_COMPLIANT"} />
        <Text size="sm" c="dimmed">
          in {environment}, evaluated <TimeAgo at={summary.evaluatedAt} />: {countsText(summary)}
        </Text>
      </Group>
      {open.length > 0 && (
        <section>
          <Title order={2} mb="xs">
            To mend
          </Title>
          <Stack gap="xs">
            {open.map((result) => (
              <OpenResult key={keyOf(result)} result={result} />
            ))}
          </Stack>
        </section>
      )}
      <Kept results={kept} />
      <ComplianceHistory history={history} />
    </Stack>
  );
};

const keyOf = ({ governanceEntityId, governanceEntityVersion, resource }: Result): string =>
  `${governanceEntityId} ${governanceEntityVersion} ${resource.id}`;

const PolicyLink = ({ result }: { result: Result }): ReactNode => (
  <PageLink to="/policies/$policyId" params={{ policyId: result.governanceEntityId }} fw={550}>
    {result.governanceEntityName}
  </PageLink>
);

const OpenResult = ({ result }: { result: Result }): ReactNode => {
  const { outcome, resource, advice, exceptionId, blocking } = result;
  return (
    <Paper p="sm">
      <Group gap="xs">
        <StatusBadge status={outcome} />
        <PolicyLink result={result} />
        <Text size="sm" c="dimmed" title={resource.id} span>
          {resource.displayName}
        </Text>
        {blocking && (
          <Text size="xs" c="bad" span>
            keeps it from being deployed
          </Text>
        )}
        {exceptionId !== undefined && (
          <Text size="xs" c="dimmed" span>
            excused by an exception
          </Text>
        )}
      </Group>
      {result.result.errors.length > 0 && (
        <List size="sm" mt={4} spacing={2}>
          {result.result.errors.map(({ path, message }) => (
            <List.Item key={`${path} ${message}`}>
              {path !== undefined && path !== "" && <code>{path}</code>} {message}
            </List.Item>
          ))}
        </List>
      )}
      {advice !== undefined && (
        <Alert color="accent" mt="xs" py={6} icon={<Icon name="right" />} title="Advice">
          {advice}
        </Alert>
      )}
    </Paper>
  );
};

/** By policy: the components that keep it need no row each. */
const Kept = ({ results }: { results: readonly Result[] }): ReactNode => {
  const byPolicy = Map.groupBy(results, ({ governanceEntityId }) => governanceEntityId);
  if (byPolicy.size === 0) return null;
  return (
    <section>
      <Title order={2} mb="xs">
        Kept
      </Title>
      <List size="sm" spacing={4} listStyleType="none">
        {[...byPolicy.values()].map((list) => (
          <List.Item key={list[0]?.governanceEntityId}>
            <PolicyLink result={list[0] as Result} />{" "}
            <Text span size="sm" c="dimmed">
              by {list.map(({ resource }) => resource.displayName || shortId(resource.id)).join(", ")}
            </Text>
          </List.Item>
        ))}
      </List>
    </section>
  );
};
