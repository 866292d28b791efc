import { Select, Tabs } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type ReactNode } from "react";
import { PageHeader } from "../../../parts/page/page-header.tsx";
import { ButtonLink, PageLink } from "../../../parts/page/page-link.tsx";
import { EmptyView, Loaded } from "../../../parts/states/views.tsx";
import { useNextPage } from "../../../parts/tables/next-page.ts";
import { VirtualTable, type Column } from "../../../parts/tables/virtual-table.tsx";
import { StatusBadge } from "../../../parts/values/status.tsx";
import { wordsOf } from "../../../parts/values/text.ts";
import { TimeAgo } from "../../../parts/values/times.tsx";
import { shortName } from "../parts/names.ts";
import { People, Person } from "../parts/people.tsx";
import { Grants } from "./grants.tsx";
import { requestsQuery, requestStatuses, type AccessRequestSummary } from "./queries.ts";
import { RequestForm } from "./request-form.tsx";

const route = getRouteApi("/access");

export const AccessPage = (): ReactNode => {
  const { ask, tab } = route.useSearch();
  const navigate = route.useNavigate();
  if (ask !== undefined) return <RequestForm key={ask} operation={ask} />;
  return (
    <>
      <PageHeader
        title="Access requests"
        description="Who asked to use which output ports, and who has access."
        actions={
          <ButtonLink to="/access" search={{ ask: "GRANT" }} variant="filled">
            Request access
          </ButtonLink>
        }
      />
      <Tabs
        value={tab ?? "requests"}
        onChange={(value) =>
          void navigate({
            search: (previous) => ({ ...previous, tab: value === "grants" ? "grants" : undefined }),
          })
        }
        keepMounted={false}
      >
        <Tabs.List mb="sm">
          <Tabs.Tab value="requests">Requests</Tabs.Tab>
          <Tabs.Tab value="grants">Who has access</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="requests">
          <Requests />
        </Tabs.Panel>
        <Tabs.Panel value="grants">
          <Grants />
        </Tabs.Panel>
      </Tabs>
    </>
  );
};

const Requests = (): ReactNode => {
  const { status } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useInfiniteQuery(requestsQuery(status));
  const next = useNextPage(query);
  return (
    <>
      <Select
        aria-label="Status"
        placeholder="Any status"
        clearable
        data={requestStatuses.map((value) => ({ value, label: wordsOf(value) }))}
        value={status ?? null}
        onChange={(value) =>
          void navigate({ search: (previous) => ({ ...previous, status: value ?? undefined }) })
        }
        w="13rem"
        mb="sm"
      />
      <Loaded query={query} what="list the access requests">
        {({ pages }) => {
          const requests = pages.flatMap(({ data }) => data);
          if (requests.length > 0)
            return (
              <VirtualTable
                label="Access requests"
                columns={columns}
                rows={requests}
                rowKey={({ id }) => id}
                next={next}
              />
            );
          return status === undefined ? (
            <EmptyView title="Nobody asked for access yet" icon="key">
              You see your requests and those about what you own.
            </EmptyView>
          ) : (
            <EmptyView title={`None is ${wordsOf(status).toLowerCase()}`} icon="search" />
          );
        }}
      </Loaded>
    </>
  );
};

const columns: readonly Column<AccessRequestSummary>[] = [
  {
    key: "ports",
    header: "Output ports",
    width: "minmax(0, 2fr)",
    cell: (row) => (
      <PageLink to="/access/$requestId" params={{ requestId: row.id }} fw={550}>
        {shortName(row.deploymentUnitId)}: {row.outputPorts.map(({ name, urn }) => name ?? urn).join(", ")}
      </PageLink>
    ),
  },
  {
    key: "status",
    header: "Status",
    width: "7.5rem",
    cell: (row) => <StatusBadge status={row.status} />,
  },
  {
    key: "for",
    header: "For",
    width: "minmax(0, 1.3fr)",
    cell: (row) => (
      <span>
        {row.operation === "REVOKE" && "taken from "}
        <People refs={row.identities} />
      </span>
    ),
  },
  { key: "in", header: "Environment", width: "7.5rem", cell: (row) => row.environment },
  {
    key: "by",
    header: "Asked by",
    width: "minmax(0, 1fr)",
    cell: (row) => <Person of={row.requester} />,
  },
  { key: "at", header: "Asked", width: "6rem", cell: (row) => <TimeAgo at={row.createdAt} /> },
];
