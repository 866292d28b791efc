import { Group, SegmentedControl, Select } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type ReactNode } from "react";
import { useHasRole } from "../../../api/session.ts";
import { whileShort } from "../../../api/long-lists.ts";
import { ButtonLink, PageLink } from "../../../parts/page/page-link.tsx";
import { PageHeader } from "../../../parts/page/page-header.tsx";
import { EmptyView, Loaded } from "../../../parts/states/views.tsx";
import { useNextPage } from "../../../parts/tables/next-page.ts";
import { VirtualTable, type Column } from "../../../parts/tables/virtual-table.tsx";
import { StatusBadge } from "../../../parts/values/status.tsx";
import { wordsOf } from "../../../parts/values/text.ts";
import { Duration, TimeAgo } from "../../../parts/values/times.tsx";
import { instantiationsQuery, type InstantiationSummary } from "../queries.ts";
import { runStatuses } from "./statuses.ts";

const route = getRouteApi("/instantiations");
const refreshMs = 5000;

export const InstantiationsPage = (): ReactNode => {
  const { status, owner } = route.useSearch();
  const navigate = route.useNavigate();
  const seesAll = useHasRole("operator", "admin", "service");
  const query = useInfiniteQuery({
    ...instantiationsQuery({ status, owner: seesAll ? owner : undefined }),
    // What is at work changes by itself.
    refetchInterval: whileShort((pages) =>
      pages.some(({ data }) => data.some(isAtWork)) ? refreshMs : false,
    ),
  });
  const next = useNextPage(query);
  return (
    <>
      <PageHeader
        title="Template runs"
        description="What was made and changed with templates, the newest first."
      />
      <Group gap="xs" mb="sm">
        {seesAll && (
          <SegmentedControl
            aria-label="Whose runs"
            size="xs"
            data={[
              { value: "me", label: "Mine" },
              { value: "all", label: "All" },
            ]}
            value={owner ?? "me"}
            onChange={(value) =>
              void navigate({
                search: (previous) => ({
                  ...previous,
                  owner: value === "all" ? ("all" as const) : undefined,
                }),
              })
            }
          />
        )}
        <Select
          aria-label="Status"
          placeholder="Any status"
          clearable
          data={runStatuses.map((value) => ({ value, label: wordsOf(value) }))}
          value={status ?? null}
          onChange={(value) =>
            void navigate({ search: (previous) => ({ ...previous, status: value ?? undefined }) })
          }
          w="11rem"
        />
      </Group>
      <Loaded query={query} what="list the runs">
        {({ pages }) => {
          const runs = pages.flatMap(({ data }) => data);
          if (runs.length > 0)
            return (
              <VirtualTable
                label="Template runs"
                columns={columns}
                rows={runs}
                rowKey={({ id }) => id}
                next={next}
              />
            );
          return status === undefined ? (
            <EmptyView
              title={owner === "all" ? "No template was run yet" : "You have run no template yet"}
              icon="template"
              action={<ButtonLink to="/templates">Templates</ButtonLink>}
            />
          ) : (
            <EmptyView title="No run has this status" icon="search" />
          );
        }}
      </Loaded>
    </>
  );
};

const isAtWork = ({ status }: InstantiationSummary): boolean => status === "open" || status === "processing";

const columns: readonly Column<InstantiationSummary>[] = [
  {
    key: "title",
    header: "Template",
    width: "minmax(0, 1.6fr)",
    cell: ({ id, title }) => (
      <PageLink to="/instantiations/$taskId" params={{ taskId: id }} fw={550}>
        {title}
      </PageLink>
    ),
  },
  {
    key: "status",
    header: "Status",
    width: "minmax(0, 0.9fr)",
    cell: ({ status }) => <StatusBadge status={status} />,
  },
  {
    key: "error",
    header: "What failed",
    width: "minmax(0, 2.2fr)",
    cell: ({ error }) => (error === null ? "–" : <span title={error}>{error}</span>),
  },
  { key: "by", header: "Started by", width: "minmax(0, 1.2fr)", cell: ({ createdBy }) => createdBy },
  {
    key: "took",
    header: "Took",
    width: "5.5rem",
    cell: ({ startedAt, endedAt, status }) => (
      <Duration from={startedAt} to={endedAt ?? (status === "processing" ? null : startedAt)} />
    ),
  },
  { key: "at", header: "Started", width: "6.5rem", cell: ({ createdAt }) => <TimeAgo at={createdAt} /> },
];
