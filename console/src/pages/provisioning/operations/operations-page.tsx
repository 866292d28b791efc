import { Checkbox, Group, SegmentedControl, Text } from "@mantine/core";
import { infiniteQueryOptions, useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { CoordinatorComponents } from "plinth-client";
import { type ReactNode } from "react";
import { api } from "../../../api/client.ts";
import { useEnvironment } from "../../../api/environments.ts";
import { call } from "../../../api/error.ts";
import { keys } from "../../../api/keys.ts";
import { whileShort } from "../../../api/long-lists.ts";
import { Icon } from "../../../parts/page/icon.tsx";
import { PageHeader } from "../../../parts/page/page-header.tsx";
import { ButtonLink, PageLink } from "../../../parts/page/page-link.tsx";
import { SearchField } from "../../../parts/page/search-field.tsx";
import { EmptyView, Loaded } from "../../../parts/states/views.tsx";
import { useNextPage } from "../../../parts/tables/next-page.ts";
import { VirtualTable, type Column } from "../../../parts/tables/virtual-table.tsx";
import { StatusBadge } from "../../../parts/values/status.tsx";
import { wordsOf } from "../../../parts/values/text.ts";
import { Duration, TimeAgo } from "../../../parts/values/times.tsx";
import { personOf, unitNameOf } from "../names.ts";
import { groupStatuses, groupWords, operationGroups, type OperationGroup } from "./groups.ts";
import { OperationState } from "./operation-state.tsx";

export type OperationRow = CoordinatorComponents["schemas"]["OperationList"]["data"][number];

const route = getRouteApi("/operations");
const pageSize = 50;
const readAgainMs = 5000;

interface Filter {
  environment: string | undefined;
  show: OperationGroup | undefined;
  unit: string | undefined;
}

/** Older pages begin where the last one ended in time. */
const operationsQuery = ({ environment, show, unit }: Filter) =>
  infiniteQueryOptions({
    queryKey: [...keys.operations, "list", { environment, show, unit }],
    enabled: environment !== "",
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      call(
        api.coordinator.GET("/api/coordinator/v2/provisioning-operations", {
          params: {
            query: {
              limit: pageSize,
              "include-progress": true,
              ...(environment !== undefined && { environment: [environment] }),
              ...(show !== undefined && { status: groupStatuses[show] }),
              ...(unit !== undefined && { "deployment-unit-id": unit }),
              ...(pageParam !== undefined && { "start-time-before": pageParam }),
            },
          },
          signal,
        }),
      ),
    getNextPageParam: ({ data, meta }) =>
      data.length < pageSize ? undefined : (meta.pagination.minStartTime ?? undefined),
    // Only what is at work changes by itself.
    refetchInterval: whileShort((pages) =>
      pages.some(({ data }) => data.some(({ operation }) => operation.stopTime === null))
        ? readAgainMs
        : false,
    ),
  });

export const OperationsPage = (): ReactNode => {
  const { environment } = useEnvironment();
  const { show, unit, everywhere = false } = route.useSearch();
  const query = useInfiniteQuery(
    operationsQuery({ environment: everywhere ? undefined : environment, show, unit }),
  );
  const next = useNextPage(query);
  return (
    <>
      <PageHeader
        title="Plans and operations"
        description={`What was started in ${everywhere ? "all environments" : environment}, the newest first.`}
        actions={
          <ButtonLink to="/provision" variant="filled">
            Provision
          </ButtonLink>
        }
      />
      <Filters />
      <Loaded query={query} what="list the operations">
        {({ pages }) => {
          const rows = pages.flatMap(({ data }) => data);
          return rows.length === 0 ? (
            <Nothing />
          ) : (
            <VirtualTable
              label="Operations"
              columns={everywhere ? columnsEverywhere : columns}
              rows={rows}
              rowKey={({ operation }) => operation.operationId}
              next={next}
            />
          );
        }}
      </Loaded>
    </>
  );
};

const Nothing = (): ReactNode => {
  const { show, unit } = route.useSearch();
  return unit === undefined && show === undefined ? (
    <EmptyView
      title="Nothing was started yet"
      icon="plan"
      action={<ButtonLink to="/provision">Provision something</ButtonLink>}
    />
  ) : (
    <EmptyView title={show === "work" ? "Nothing is at work" : "No operation fits"} icon="search">
      Show others, or look in another environment.
    </EmptyView>
  );
};

const Filters = (): ReactNode => {
  const { show, unit, everywhere = false } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Group gap="sm" mb="sm" role="search" aria-label="Operations">
      <SegmentedControl
        size="xs"
        aria-label="Which operations"
        value={show ?? "all"}
        data={[
          { value: "all", label: "All" },
          ...operationGroups.map((value) => ({ value, label: groupWords[value] })),
        ]}
        onChange={(value) =>
          void navigate({
            search: (old) => ({ ...old, show: operationGroups.find((each) => each === value) }),
          })
        }
      />
      <SearchField
        aria-label="Id of a unit"
        placeholder="Id of a unit"
        leftSection={<Icon name="search" size={14} />}
        value={unit}
        onSearch={(text) => void navigate({ search: (old) => ({ ...old, unit: text }), replace: true })}
        w="18rem"
      />
      <Checkbox
        size="xs"
        label="All environments"
        checked={everywhere}
        onChange={({ currentTarget: { checked } }) =>
          void navigate({ search: (old) => ({ ...old, everywhere: checked ? true : undefined }) })
        }
      />
    </Group>
  );
};

const columns: readonly Column<OperationRow>[] = [
  {
    key: "what",
    header: "Operation",
    width: "minmax(0, 2fr)",
    cell: ({ operation }) => (
      <PageLink
        to="/plans/$planId"
        params={{ planId: operation.executionPlanId }}
        search={{ env: operation.environment }}
        fw={550}
        title={operation.deploymentUnitId}
      >
        {wordsOf(operation.provisioningAction)} {unitNameOf(operation.deploymentUnitId)}
      </PageLink>
    ),
  },
  {
    key: "status",
    header: "Status",
    width: "8rem",
    cell: ({ operation }) => <StatusBadge status={operation.status} />,
  },
  {
    key: "state",
    header: "Progress",
    width: "minmax(0, 2.2fr)",
    cell: (row) => <OperationState row={row} />,
  },
  {
    key: "version",
    header: "Version",
    width: "minmax(0, 0.6fr)",
    cell: ({ operation }) => operation.descriptorVersion,
  },
  {
    key: "by",
    header: "By",
    width: "minmax(0, 0.9fr)",
    cell: ({ operation }) => (
      <Text span size="sm" title={operation.originatorUri}>
        {personOf(operation.originatorUri)}
      </Text>
    ),
  },
  {
    key: "at",
    header: "Started",
    width: "6.5rem",
    cell: ({ operation }) => <TimeAgo at={operation.startTime} />,
  },
  {
    key: "took",
    header: "Took",
    width: "5.5rem",
    align: "end",
    cell: ({ operation }) => <Duration from={operation.startTime} to={operation.stopTime} />,
  },
];

const columnsEverywhere: readonly Column<OperationRow>[] = columns.toSpliced(1, 0, {
  key: "environment",
  header: "Environment",
  width: "minmax(0, 0.8fr)",
  cell: ({ operation }) => operation.environment,
});
