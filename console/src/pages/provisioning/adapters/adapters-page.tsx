import { Group, Text } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type ReactNode } from "react";
import { useEnvironment } from "../../../api/environments.ts";
import { Icon } from "../../../parts/page/icon.tsx";
import { PageHeader } from "../../../parts/page/page-header.tsx";
import { PageLink } from "../../../parts/page/page-link.tsx";
import { SearchField } from "../../../parts/page/search-field.tsx";
import { EmptyView, Loaded } from "../../../parts/states/views.tsx";
import { useNextPage } from "../../../parts/tables/next-page.ts";
import { VirtualTable, type Column } from "../../../parts/tables/virtual-table.tsx";
import { StatusBadge } from "../../../parts/values/status.tsx";
import { durationText } from "../../../parts/values/text.ts";
import { TimeAgo } from "../../../parts/values/times.tsx";
import { adaptersQuery, healthQuery, type Adapter, type Health } from "./queries.ts";

const route = getRouteApi("/adapters");

interface Row {
  adapter: Adapter;
  health: Health | undefined;
  environment: string;
}

/** What deploys components, and how it answers in the chosen environment. */
export const AdaptersPage = (): ReactNode => {
  const { environment } = useEnvironment();
  const { q } = route.useSearch();
  const query = useInfiniteQuery(adaptersQuery(q));
  const health = useQuery(healthQuery(environment));
  const next = useNextPage(query);
  return (
    <>
      <PageHeader
        title="Adapters"
        description={`What deploys components, and how it answers in ${environment}.`}
      />
      <Search />
      <Loaded query={query} what="list the adapters">
        {({ pages }) => {
          const rows = pages
            .flatMap(({ data }) => data)
            .map((adapter): Row => ({ adapter, health: health.data?.get(adapter.id), environment }));
          return rows.length === 0 ? (
            <EmptyView
              title={q === undefined ? "No adapter is registered" : "No adapter fits"}
              icon="adapter"
            />
          ) : (
            <VirtualTable
              label="Adapters"
              columns={columns}
              rows={rows}
              rowKey={({ adapter }) => adapter.id}
              next={next}
            />
          );
        }}
      </Loaded>
    </>
  );
};

const Search = (): ReactNode => {
  const { q } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Group mb="sm" role="search">
      <SearchField
        aria-label="Search adapters"
        placeholder="Name or id"
        leftSection={<Icon name="search" size={14} />}
        value={q}
        onSearch={(text) => void navigate({ search: (old) => ({ ...old, q: text }), replace: true })}
        w="16rem"
      />
    </Group>
  );
};

const columns: readonly Column<Row>[] = [
  {
    key: "name",
    header: "Adapter",
    width: "minmax(0, 1.4fr)",
    cell: ({ adapter }) => (
      <PageLink to="/adapters/$adapterId" params={{ adapterId: adapter.id }} fw={550} title={adapter.id}>
        {adapter.name}
      </PageLink>
    ),
  },
  {
    key: "health",
    header: "Health",
    width: "8rem",
    cell: ({ adapter, health, environment }) => {
      const here = adapter.deployments.environments.find((each) => each.environment === environment);
      if (here === undefined) return <StatusBadge status="Not here" tone="gray" />;
      if (!here.enabled) return <StatusBadge status="Disabled" tone="warn" />;
      return health === undefined ? "–" : <StatusBadge status={health.health} />;
    },
  },
  {
    key: "reason",
    header: "Why",
    width: "minmax(0, 2fr)",
    cell: ({ health }) => (
      <Text span size="sm" title={health?.reason}>
        {health?.reason ?? "–"}
      </Text>
    ),
  },
  {
    key: "work",
    header: "At work",
    width: "5rem",
    align: "end",
    cell: ({ health }) => health?.atWork ?? "–",
  },
  {
    key: "median",
    header: "Median",
    width: "5.5rem",
    align: "end",
    cell: ({ health }) => (health?.medianMs == null ? "–" : durationText(health.medianMs)),
  },
  {
    key: "last",
    header: "Last call",
    width: "6.5rem",
    cell: ({ health }) => <TimeAgo at={health?.lastCallAt ?? null} />,
  },
  {
    key: "environments",
    header: "Deployed in",
    width: "minmax(0, 1.2fr)",
    cell: ({ adapter }) =>
      adapter.deployments.environments.map(({ environment }) => environment).join(", ") || "–",
  },
];
