import { Group, Select, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { CoordinatorComponents } from "plinth-client";
import { useCallback, type ReactNode } from "react";
import { useEnvironment } from "../../api/environments.ts";
import { Icon } from "../../parts/page/icon.tsx";
import { PageHeader } from "../../parts/page/page-header.tsx";
import { PageLink } from "../../parts/page/page-link.tsx";
import { StatusBadge } from "../../parts/values/status.tsx";
import { wordsOf } from "../../parts/values/text.ts";
import { TimeAgo } from "../../parts/values/times.tsx";
import { EmptyView, Loaded } from "../../parts/states/views.tsx";
import { VirtualTable, type Column } from "../../parts/tables/virtual-table.tsx";
import { unitsQuery } from "./queries.ts";
import { unitStatuses } from "./statuses.ts";

type Unit = CoordinatorComponents["schemas"]["Unit"];

const route = getRouteApi("/units");
const typingMs = 250;

export const UnitsPage = (): ReactNode => {
  const { environment } = useEnvironment();
  const { q, status } = route.useSearch();
  const query = useInfiniteQuery(unitsQuery({ environment, q, status }));
  const { fetchNextPage, hasNextPage, isFetching } = query;
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  }, [fetchNextPage, hasNextPage, isFetching]);
  return (
    <>
      <PageHeader title="Units" description={`What was deployed, or tried, in ${environment}.`} />
      <Filters />
      <Loaded query={query} what="list the units">
        {({ pages }) => {
          const units = pages.flatMap(({ data }) => data);
          if (units.length === 0) {
            return q === undefined && status === undefined ? (
              <EmptyView title={`Nothing was deployed in ${environment} yet`} icon="units" />
            ) : (
              <EmptyView title="No unit fits" icon="search">
                Look for less, or in another environment.
              </EmptyView>
            );
          }
          return (
            <VirtualTable label="Units" columns={columns} rows={units} rowKey={keyOf} onEnd={loadMore} />
          );
        }}
      </Loaded>
    </>
  );
};

const Filters = (): ReactNode => {
  const { q, status } = route.useSearch();
  const navigate = route.useNavigate();
  const search = useDebouncedCallback((text: string) => {
    void navigate({
      search: (previous) => ({ ...previous, q: text === "" ? undefined : text }),
      replace: true,
    });
  }, typingMs);
  return (
    <Group gap="xs" mb="sm" role="search">
      <TextInput
        aria-label="Search units"
        placeholder="Name or id"
        leftSection={<Icon name="search" size={14} />}
        defaultValue={q}
        onChange={({ currentTarget }) => search(currentTarget.value)}
        w="16rem"
      />
      <Select
        aria-label="Status"
        placeholder="Any status"
        clearable
        data={unitStatuses.map((value) => ({ value, label: wordsOf(value) }))}
        value={status ?? null}
        onChange={(value) =>
          void navigate({
            search: (previous) => ({ ...previous, status: value ?? undefined }),
          })
        }
        w="13rem"
      />
    </Group>
  );
};

const keyOf = ({ deploymentUnitId, environment }: Unit): string => `${environment} ${deploymentUnitId}`;

const columns: readonly Column<Unit>[] = [
  {
    key: "name",
    header: "Unit",
    width: "minmax(0, 2.4fr)",
    cell: ({ deploymentUnitId, name }) => (
      <PageLink to="/units/$unitId" params={{ unitId: deploymentUnitId }} fw={550} title={deploymentUnitId}>
        {name ?? deploymentUnitId}
      </PageLink>
    ),
  },
  {
    key: "status",
    header: "Status",
    width: "minmax(0, 1.3fr)",
    cell: ({ status }) => <StatusBadge status={status} />,
  },
  {
    key: "version",
    header: "Version",
    width: "minmax(0, 0.7fr)",
    cell: ({ descriptorVersion }) => descriptorVersion,
  },
  { key: "owner", header: "Owner", width: "minmax(0, 1.3fr)", cell: ({ owner }) => owner ?? "–" },
  { key: "domain", header: "Domain", width: "minmax(0, 0.9fr)", cell: ({ domain }) => domain ?? "–" },
  { key: "updated", header: "Changed", width: "6.5rem", cell: ({ updatedAt }) => <TimeAgo at={updatedAt} /> },
];
