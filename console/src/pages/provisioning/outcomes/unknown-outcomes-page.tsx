import { Checkbox, Group, Stack, Text } from "@mantine/core";
import { infiniteQueryOptions, useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type ReactNode } from "react";
import { api } from "../../../api/client.ts";
import { useEnvironment } from "../../../api/environments.ts";
import { call } from "../../../api/error.ts";
import { keys } from "../../../api/keys.ts";
import { useHasRole } from "../../../api/session.ts";
import { PageHeader } from "../../../parts/page/page-header.tsx";
import { PageLink } from "../../../parts/page/page-link.tsx";
import { EmptyView, Loaded } from "../../../parts/states/views.tsx";
import { useNextPage } from "../../../parts/tables/next-page.ts";
import { VirtualTable, type Column } from "../../../parts/tables/virtual-table.tsx";
import { StatusBadge } from "../../../parts/values/status.tsx";
import { wordsOf } from "../../../parts/values/text.ts";
import { TimeAgo } from "../../../parts/values/times.tsx";
import { componentNameOf, personOf, unitNameOf } from "../names.ts";
import { OutcomeEvidence, PollButton, SettleButton, type Outcome } from "./outcome-actions.tsx";

const route = getRouteApi("/unknown-outcomes");

const outcomesQuery = (environment: string, unit: string | undefined, settled: boolean) =>
  infiniteQueryOptions({
    queryKey: [...keys.unknownOutcomes, { environment, unit, settled }],
    enabled: environment !== "",
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      call(
        api.coordinator.GET("/api/coordinator/v1/unknown-outcomes", {
          params: {
            query: {
              environment,
              settled,
              limit: 50,
              ...(unit !== undefined && { "deployment-unit-id": unit }),
              ...(pageParam !== undefined && { after: pageParam }),
            },
          },
          signal,
        }),
      ),
    getNextPageParam: ({ meta }) => meta.pagination.next ?? undefined,
  });

/** Calls of which it is not known whether they changed something; settled here. */
export const UnknownOutcomesPage = (): ReactNode => {
  const { environment } = useEnvironment();
  const { unit, settled = false } = route.useSearch();
  const navigate = route.useNavigate();
  const maySettle = useHasRole("operator", "admin");
  const query = useInfiniteQuery(outcomesQuery(environment, unit, settled));
  const next = useNextPage(query);
  return (
    <>
      <PageHeader
        title="Unknown outcomes"
        description={`Calls of adapters in ${environment} of which it is not known whether they changed something.`}
      />
      <Group gap="sm" mb="sm">
        <Checkbox
          size="xs"
          label="Settled ones as well"
          checked={settled}
          onChange={({ currentTarget: { checked } }) =>
            void navigate({ search: (old) => ({ ...old, settled: checked ? true : undefined }) })
          }
        />
        {!maySettle && (
          <Text size="xs" c="dimmed">
            Operators settle them.
          </Text>
        )}
      </Group>
      <Loaded query={query} what="list the unknown outcomes">
        {({ pages }) => {
          const rows = pages.flatMap(({ data }) => data);
          return rows.length === 0 ? (
            <EmptyView title="Every outcome is known" icon="check">
              When an adapter does not answer, or a worker ends amid a call, what is not known stands here.
            </EmptyView>
          ) : (
            <VirtualTable
              label="Unknown outcomes"
              columns={maySettle ? [...columns, actions] : columns}
              rows={rows}
              rowKey={({ planId, taskId }) => `${planId} ${taskId}`}
              next={next}
            />
          );
        }}
      </Loaded>
    </>
  );
};

const columns: readonly Column<Outcome>[] = [
  {
    key: "what",
    header: "Call",
    width: "minmax(0, 1.5fr)",
    cell: ({ action, componentId, planId, taskId, deploymentUnitId, environment }) => (
      <Stack gap={0}>
        <PageLink
          to="/plans/$planId"
          params={{ planId }}
          search={{ env: environment, task: taskId }}
          fw={550}
        >
          {wordsOf(action)} {componentNameOf(componentId ?? taskId)}
        </PageLink>
        {deploymentUnitId !== null && (
          <Text size="xs" c="dimmed" title={deploymentUnitId}>
            {unitNameOf(deploymentUnitId)}
          </Text>
        )}
      </Stack>
    ),
  },
  {
    key: "state",
    header: "State",
    width: "7.5rem",
    cell: ({ state }) => <StatusBadge status={state} {...(state === "OPEN" && { tone: "warn" as const })} />,
  },
  {
    key: "known",
    header: "What is known",
    width: "minmax(0, 2fr)",
    cell: (outcome) => (
      <Stack gap={0} style={{ whiteSpace: "normal" }}>
        <OutcomeEvidence outcome={outcome} />
        <Text size="xs">{settledText(outcome) ?? outcome.next}</Text>
      </Stack>
    ),
  },
  { key: "since", header: "Since", width: "6.5rem", cell: ({ since }) => <TimeAgo at={since} /> },
];

const settledText = ({ settlement }: Outcome): string | null =>
  settlement === null
    ? null
    : `${wordsOf(settlement.outcome)}, by ${personOf(settlement.by)}: ${settlement.reason}`;

const actions: Column<Outcome> = {
  key: "actions",
  header: "Settle",
  width: "15.5rem",
  cell: (outcome) =>
    outcome.state === "OPEN" ? (
      <Group gap={4} wrap="nowrap">
        <PollButton outcome={outcome} />
        <SettleButton outcome={outcome} />
      </Group>
    ) : null,
};
