import { Button, Tabs } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { CoordinatorComponents } from "plinth-client";
import type { ReactNode } from "react";
import { useHasRole } from "../../../api/session.ts";
import { PageHeader } from "../../../parts/page/page-header.tsx";
import { PageLink } from "../../../parts/page/page-link.tsx";
import { EmptyView } from "../../../parts/states/views.tsx";
import type { Column } from "../../../parts/tables/virtual-table.tsx";
import { wordsOf } from "../../../parts/values/text.ts";
import { TimeAgo } from "../../../parts/values/times.tsx";
import { EndlessList } from "../parts/endless-list.tsx";
import { operatorsWho } from "../words.ts";
import { AuditFilters } from "./audit-filters.tsx";
import { AuditRow, keyOfRow } from "./audit-row.tsx";
import { Chains } from "./chains.tsx";
import { auditQuery, exportAddress, isAnyFilter } from "./queries.ts";

type Row = CoordinatorComponents["schemas"]["AuditRecord"];

const route = getRouteApi("/audit");

export const AuditPage = (): ReactNode => {
  const { tab = "records", ...search } = route.useSearch();
  const navigate = route.useNavigate();
  const mayRead = useHasRole("operator", "admin");
  return (
    <>
      <PageHeader
        title="Audit"
        description="Who did what, the newest first, and whether anything of it was changed afterwards."
        actions={
          mayRead && tab === "records" ? (
            <Button component="a" href={exportAddress(search)} download="audit.jsonl">
              Export these
            </Button>
          ) : undefined
        }
      />
      <Tabs
        value={tab}
        keepMounted={false}
        onChange={(value) =>
          void navigate({
            search: (previous) => ({ ...previous, tab: value === "chains" ? value : undefined }),
          })
        }
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="records">Records</Tabs.Tab>
          <Tabs.Tab value="chains">Verification</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="records">
          <Records />
        </Tabs.Panel>
        <Tabs.Panel value="chains">
          <Chains />
        </Tabs.Panel>
      </Tabs>
    </>
  );
};

const Records = (): ReactNode => {
  const search = route.useSearch();
  const query = useInfiniteQuery(auditQuery(search));
  const isFiltered = isAnyFilter(search);
  const rows = query.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <>
      <AuditFilters />
      <EndlessList
        label="Records of the audit"
        query={query}
        what="read the audit"
        who={operatorsWho}
        columns={columns}
        rowKey={keyOfRow}
        empty={
          <EmptyView
            title={isFiltered ? "No record fits" : "Nothing was recorded yet"}
            icon={isFiltered ? "search" : "log"}
          />
        }
      />
      <AuditRow row={rows.find((each) => keyOfRow(each) === search.row)} />
    </>
  );
};

const columns: readonly Column<Row>[] = [
  {
    key: "action",
    header: "Did",
    width: "minmax(0, 1.2fr)",
    cell: (row) => (
      <PageLink
        from="/audit"
        to="/audit"
        search={(previous) => ({ ...previous, row: keyOfRow(row) })}
        fw={550}
      >
        {wordsOf(row.action.replaceAll(/(?<=[a-z])(?=[A-Z])/g, " "))}
      </PageLink>
    ),
  },
  {
    key: "resource",
    header: "To",
    width: "minmax(0, 2.4fr)",
    wrap: true,
    cell: ({ resource }) => <span title={resource}>{resource}</span>,
  },
  {
    key: "actor",
    header: "Who",
    width: "minmax(0, 1.2fr)",
    cell: ({ actor }) => (
      <PageLink
        from="/audit"
        to="/audit"
        search={(previous) => ({ ...previous, actor, row: undefined })}
        title={`Only what ${actor} did`}
      >
        {actor}
      </PageLink>
    ),
  },
  {
    key: "area",
    header: "Area",
    width: "minmax(0, 0.7fr)",
    cell: ({ area }) => (area === null ? "–" : wordsOf(area)),
  },
  { key: "at", header: "When", width: "6.5rem", cell: ({ at }) => <TimeAgo at={at} /> },
];
