import { Button, Code, Group, Text } from "@mantine/core";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { CoordinatorComponents } from "plinth-client";
import type { ReactNode } from "react";
import { api } from "../../../api/client.ts";
import { call } from "../../../api/error.ts";
import { keys } from "../../../api/keys.ts";
import { EmptyView, Loaded } from "../../../parts/states/views.tsx";
import { VirtualTable, type Column } from "../../../parts/tables/virtual-table.tsx";
import { wordsOf } from "../../../parts/values/text.ts";
import { TimeAgo } from "../../../parts/values/times.tsx";
import { operatorsWho } from "../words.ts";

type Rule = CoordinatorComponents["schemas"]["RetentionRule"];

const route = getRouteApi("/doctor");

const retentionQuery = (counted: boolean) =>
  queryOptions({
    queryKey: [...keys.doctor, "retention", counted],
    queryFn: ({ signal }) =>
      call(api.coordinator.GET("/api/coordinator/v1/retention", { params: { query: { counted } }, signal })),
  });

export const Retention = (): ReactNode => {
  const isCounted = route.useSearch().counted === "yes";
  const navigate = route.useNavigate();
  const query = useQuery(retentionQuery(isCounted));
  const count = (): void => {
    if (isCounted) void query.refetch();
    else void navigate({ search: (previous) => ({ ...previous, counted: "yes" as const }) });
  };
  return (
    <Loaded query={query} what="read what is deleted when" who={operatorsWho}>
      {({ data }) =>
        data.length === 0 ? (
          <EmptyView title="Nothing is ever deleted" />
        ) : (
          <>
            <Group gap="sm" mb="sm">
              <Text size="sm" c="dimmed">
                Old rows are deleted by these rules; each one&apos;s setting says for how long they are kept.
              </Text>
              <Button onClick={count} loading={query.isFetching && isCounted}>
                Count what would go now
              </Button>
            </Group>
            <VirtualTable
              label="Rules of retention"
              columns={isCounted ? [...columns.slice(0, 3), wouldGo, ...columns.slice(3)] : columns}
              rows={data}
              rowKey={({ rule }) => rule}
            />
          </>
        )
      }
    </Loaded>
  );
};

const numbers = new Intl.NumberFormat();

const wouldGo: Column<Rule> = {
  key: "would",
  header: "Would go now",
  width: "minmax(0, 0.8fr)",
  align: "end",
  cell: ({ wouldDelete, isMore }) =>
    wouldDelete === null ? "–" : `${isMore ? "more than " : ""}${numbers.format(wouldDelete)}`,
};

const columns: readonly Column<Rule>[] = [
  { key: "rule", header: "Rows", width: "minmax(0, 1.3fr)", cell: ({ rule }) => wordsOf(rule) },
  {
    key: "setting",
    header: "Setting",
    width: "minmax(0, 2fr)",
    wrap: true,
    cell: ({ setting }) => <Code fz="xs">{setting}</Code>,
  },
  {
    key: "keep",
    header: "Kept",
    width: "minmax(0, 0.7fr)",
    cell: ({ keepDays }) => (keepDays === 0 ? "for ever" : keepDays === 1 ? "1 day" : `${keepDays} days`),
  },
  {
    key: "deleted",
    header: "Deleted so far",
    width: "minmax(0, 0.8fr)",
    align: "end",
    cell: ({ deleted }) => numbers.format(deleted),
  },
  {
    key: "pass",
    header: "Last pass",
    width: "6.5rem",
    cell: ({ lastPassAt }) => <TimeAgo at={lastPassAt} />,
  },
  {
    key: "failure",
    header: "Last failure",
    width: "minmax(0, 1.3fr)",
    wrap: true,
    cell: ({ failure }) =>
      failure === null ? (
        "–"
      ) : (
        <Text size="sm" c="bad" span>
          {failure}
        </Text>
      ),
  },
];
