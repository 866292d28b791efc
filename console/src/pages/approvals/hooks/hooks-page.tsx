import { Group, Select } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type ReactNode } from "react";
import { PageHeader } from "../../../parts/page/page-header.tsx";
import { PageLink } from "../../../parts/page/page-link.tsx";
import { EmptyView, Loaded } from "../../../parts/states/views.tsx";
import { useNextPage } from "../../../parts/tables/next-page.ts";
import { VirtualTable, type Column } from "../../../parts/tables/virtual-table.tsx";
import { StatusBadge } from "../../../parts/values/status.tsx";
import { TimeAgo, TimeLeft } from "../../../parts/values/times.tsx";
import { Person } from "../parts/people.tsx";
import { statusWords, titleOfHook } from "./hook-words.ts";
import { hooksQuery, hookStatuses, type Hook } from "./queries.ts";

const route = getRouteApi("/hooks");

export const HooksPage = (): ReactNode => {
  const { status } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useInfiniteQuery(hooksQuery(status));
  const next = useNextPage(query);
  return (
    <>
      <PageHeader
        title="Approvals"
        description="Decisions about deployments and access: yours, and those that you asked for."
      />
      <Group gap="xs" mb="sm" role="search">
        <Select
          aria-label="Status"
          placeholder="Any status"
          clearable
          data={hookStatuses.map((value) => ({ value, label: statusWords[value] }))}
          value={status ?? null}
          onChange={(value) =>
            void navigate({ search: (previous) => ({ ...previous, status: value ?? undefined }) })
          }
          w="13rem"
        />
      </Group>
      <Loaded query={query} what="list the approvals">
        {({ pages }) => {
          const hooks = pages.flatMap(({ data }) => data);
          if (hooks.length > 0)
            return (
              <VirtualTable
                label="Approvals"
                columns={columns}
                rows={hooks}
                rowKey={({ hookId }) => hookId}
                next={next}
              />
            );
          return status === undefined ? (
            <EmptyView title="No decision was asked for" icon="check" />
          ) : (
            <EmptyView title={`None is ${statusWords[status].toLowerCase()}`} icon="search" />
          );
        }}
      </Loaded>
    </>
  );
};

const columns: readonly Column<Hook>[] = [
  {
    key: "what",
    header: "Decision",
    width: "minmax(0, 2fr)",
    cell: (hook) => (
      <PageLink to="/hooks/$hookId" params={{ hookId: hook.hookId }} fw={550}>
        {titleOfHook(hook)}
      </PageLink>
    ),
  },
  {
    key: "status",
    header: "Status",
    width: "7.5rem",
    cell: ({ status }) => (
      <StatusBadge status={status === "OK" ? "APPROVED" : status}>{statusWords[status]}</StatusBadge>
    ),
  },
  {
    key: "requester",
    header: "Asked by",
    width: "minmax(0, 1fr)",
    cell: ({ requester }) => <Person of={requester} />,
  },
  {
    key: "decided",
    header: "Decided by",
    width: "minmax(0, 1fr)",
    cell: ({ endedBy }) => (endedBy === null ? "–" : <Person of={endedBy} />),
  },
  { key: "asked", header: "Asked", width: "6rem", cell: ({ creationAt }) => <TimeAgo at={creationAt} /> },
  {
    key: "until",
    header: "Until",
    width: "7.5rem",
    cell: ({ status, expiresAt }) => (status === "pending" ? <TimeLeft until={expiresAt} /> : "–"),
  },
];
