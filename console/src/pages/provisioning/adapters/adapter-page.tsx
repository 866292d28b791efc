import { Badge, Group, Stack, Text, Title } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type ReactNode } from "react";
import { useEnvironment } from "../../../api/environments.ts";
import { PageHeader } from "../../../parts/page/page-header.tsx";
import { PageLink } from "../../../parts/page/page-link.tsx";
import { EmptyView, Loaded } from "../../../parts/states/views.tsx";
import { useNextPage } from "../../../parts/tables/next-page.ts";
import { VirtualTable, type Column } from "../../../parts/tables/virtual-table.tsx";
import { IdText } from "../../../parts/values/id-text.tsx";
import { StatusBadge } from "../../../parts/values/status.tsx";
import { durationText, wordsOf } from "../../../parts/values/text.ts";
import { TimeAgo } from "../../../parts/values/times.tsx";
import { componentNameOf } from "../names.ts";
import { DeploymentView } from "./deployment-view.tsx";
import { adapterQuery, callsQuery, type Adapter, type AdapterCall, type Health } from "./queries.ts";

const route = getRouteApi("/adapters/$adapterId");

/** One adapter: where it is deployed, whether it answers, and what became of its last calls. */
export const AdapterPage = (): ReactNode => {
  const { adapterId } = route.useParams();
  const query = useQuery(adapterQuery(adapterId));
  return (
    <>
      {query.data === undefined && <PageHeader title={adapterId} />}
      <Loaded query={query} what="read this adapter">
        {(adapter) => <Adapter adapter={adapter} />}
      </Loaded>
    </>
  );
};

const Adapter = ({ adapter }: { adapter: Adapter }): ReactNode => {
  const { environment, choose } = useEnvironment();
  const { environments } = adapter.deployments;
  const isHere = environments.some((each) => each.environment === environment);
  return (
    <Stack gap="lg">
      <PageHeader
        title={adapter.name}
        description={
          <Group gap="xs">
            <IdText id={adapter.id} length={60} />
            <span>version {adapter.version}</span>
            {adapter.labels.map((label) => (
              <Badge key={label} color="gray">
                {label}
              </Badge>
            ))}
            {adapter.description !== undefined && <span>{adapter.description}</span>}
          </Group>
        }
      />
      <DeploymentView adapter={adapter} environment={environment} choose={choose} />
      {isHere && <Calls key={environment} adapterId={adapter.id} environment={environment} />}
    </Stack>
  );
};

const Calls = ({ adapterId, environment }: { adapterId: string; environment: string }): ReactNode => {
  const query = useInfiniteQuery(callsQuery(adapterId, environment));
  const next = useNextPage(query);
  return (
    <Loaded query={query} what="list the calls of this adapter">
      {({ pages }) => {
        const health = pages[0]?.health;
        const calls = pages.flatMap(({ data }) => data);
        return (
          <>
            {health !== undefined && <HealthView health={health} />}
            <section aria-label="Calls">
              <Title order={2} mb="xs">
                Calls in {environment}
              </Title>
              {calls.length === 0 ? (
                <EmptyView title={`No call was made in ${environment} yet`} icon="adapter" />
              ) : (
                <VirtualTable label="Calls" columns={columns} rows={calls} rowKey={keyOf} next={next} />
              )}
            </section>
          </>
        );
      }}
    </Loaded>
  );
};

const keyOf = ({ executionPlanId, taskId }: AdapterCall): string => `${executionPlanId} ${taskId}`;

const HealthView = ({ health }: { health: Health }): ReactNode => {
  const { calls, medianMs, p90Ms, atWork, lastError, reason, since } = health;
  const facts = [
    `${calls.completed} completed`,
    `${calls.failed} failed`,
    `${calls.unanswered} without an answer`,
    `${atWork} at work`,
    medianMs === null ? "" : `median ${durationText(medianMs)}`,
    p90Ms === null ? "" : `nine of ten within ${durationText(p90Ms)}`,
  ].filter((each) => each !== "");
  return (
    <section aria-label="Health">
      <Group gap="xs">
        <StatusBadge status={health.health} />
        <Text size="sm" fw={550}>
          {reason}
        </Text>
        {since !== null && (
          <Text size="xs" c="dimmed" component="span">
            since <TimeAgo at={since} />
          </Text>
        )}
      </Group>
      <Text size="sm" c="dimmed" mt={4} className="tabular">
        Of its last calls: {facts.join(" · ")}
      </Text>
      {lastError !== null && (
        <Text size="sm" mt={4} component="div">
          Last error, <TimeAgo at={lastError.at} />:{" "}
          <PageLink
            underline="always"
            to="/plans/$planId"
            params={{ planId: lastError.executionPlanId }}
            search={{ task: lastError.taskId }}
          >
            {lastError.message}
          </PageLink>
        </Text>
      )}
    </section>
  );
};

const columns: readonly Column<AdapterCall>[] = [
  {
    key: "what",
    header: "Call",
    width: "minmax(0, 1.6fr)",
    cell: ({ executionPlanId, taskId, action, componentId }) => (
      <PageLink
        to="/plans/$planId"
        params={{ planId: executionPlanId }}
        search={{ task: taskId }}
        title={componentId ?? taskId}
      >
        {wordsOf(action)} {componentNameOf(componentId ?? taskId)}
      </PageLink>
    ),
  },
  {
    key: "outcome",
    header: "Outcome",
    width: "8rem",
    cell: ({ outcome }) => (
      <StatusBadge status={outcome} {...(outcome === "UNANSWERED" && { tone: "bad" as const })} />
    ),
  },
  {
    key: "message",
    header: "Answer",
    width: "minmax(0, 2fr)",
    cell: ({ message, attempts, wasPolled }) => (
      <Text span size="sm" title={message ?? ""}>
        {message ?? (wasPolled ? "polled until it was done" : "at once")}
        {attempts > 1 && `, ${attempts} attempts`}
      </Text>
    ),
  },
  {
    key: "took",
    header: "Took",
    width: "5.5rem",
    align: "end",
    cell: ({ durationMs }) => durationText(durationMs),
  },
  { key: "at", header: "When", width: "6.5rem", cell: ({ stoppedAt }) => <TimeAgo at={stoppedAt} /> },
];
