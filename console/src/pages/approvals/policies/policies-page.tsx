import { Group, Select, Tabs } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type ReactNode } from "react";
import { useHasRole } from "../../../api/session.ts";
import { Icon } from "../../../parts/page/icon.tsx";
import { PageHeader } from "../../../parts/page/page-header.tsx";
import { ButtonLink, PageLink } from "../../../parts/page/page-link.tsx";
import { SearchField } from "../../../parts/page/search-field.tsx";
import { EmptyView, Loaded } from "../../../parts/states/views.tsx";
import { useNextPage } from "../../../parts/tables/next-page.ts";
import { VirtualTable, type Column } from "../../../parts/tables/virtual-table.tsx";
import { StatusBadge } from "../../../parts/values/status.tsx";
import { wordsOf } from "../../../parts/values/text.ts";
import { TimeAgo, TimeLeft } from "../../../parts/values/times.tsx";
import { EvaluatePanel } from "./evaluation/evaluate-panel.tsx";
import { NewPolicyPage } from "./policy-editor.tsx";
import { engines, kinds, policiesQuery, policyStatuses, type Policy } from "./queries.ts";

const route = getRouteApi("/policies");

export const PoliciesPage = (): ReactNode => {
  const { tab, create } = route.useSearch();
  const navigate = route.useNavigate();
  const isOperator = useHasRole("operator", "admin");
  if (create === true) return <NewPolicyPage />;
  return (
    <>
      <PageHeader
        title="Policies"
        description="Rules that products have to keep, and metrics that are measured of them."
        actions={
          isOperator && (
            <ButtonLink to="/policies" search={{ create: true }} variant="filled">
              New policy
            </ButtonLink>
          )
        }
      />
      <Tabs
        keepMounted={false}
        value={tab ?? "list"}
        onChange={(value) =>
          void navigate({
            search: (previous) => ({ ...previous, tab: value === "evaluate" ? "evaluate" : undefined }),
          })
        }
      >
        <Tabs.List mb="sm">
          <Tabs.Tab value="list">Policies and metrics</Tabs.Tab>
          <Tabs.Tab value="evaluate">Evaluate a descriptor</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="list">
          <PolicyTable />
        </Tabs.Panel>
        <Tabs.Panel value="evaluate">
          <EvaluatePanel />
        </Tabs.Panel>
      </Tabs>
    </>
  );
};

const PolicyTable = (): ReactNode => {
  const { q, status, kind, engine } = route.useSearch();
  const query = useInfiniteQuery(policiesQuery({ q, status, kind, engine }));
  const next = useNextPage(query);
  const isFiltered = [q, status, kind, engine].some((each) => each !== undefined);
  return (
    <>
      <Filters />
      <Loaded query={query} what="list the policies">
        {({ pages }) => {
          const policies = pages.flatMap(({ data }) => data);
          if (policies.length === 0)
            return isFiltered ? (
              <EmptyView title="No policy fits" icon="search" />
            ) : (
              <EmptyView title="There are no policies" icon="shield" />
            );
          return (
            <VirtualTable
              label="Policies"
              columns={columns}
              rows={policies}
              rowKey={({ id }) => id}
              total={pages[0]?.meta.pagination.total ?? policies.length}
              next={next}
            />
          );
        }}
      </Loaded>
    </>
  );
};

const Filters = (): ReactNode => {
  const { q, status, kind, engine } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Group gap="xs" mb="sm" role="search">
      <SearchField
        aria-label="Search policies"
        placeholder="Name, description or tag"
        leftSection={<Icon name="search" size={14} />}
        value={q}
        onSearch={(text) =>
          void navigate({ search: (previous) => ({ ...previous, q: text }), replace: true })
        }
        w="16rem"
      />
      <Select
        aria-label="Status"
        placeholder="Any status"
        clearable
        data={policyStatuses.map((value) => ({ value, label: wordsOf(value) }))}
        value={status ?? null}
        onChange={(value) =>
          void navigate({ search: (previous) => ({ ...previous, status: value ?? undefined }) })
        }
        w="9rem"
      />
      <Select
        aria-label="Kind"
        placeholder="Any kind"
        clearable
        data={kinds.map((value) => ({ value, label: wordsOf(value) }))}
        value={kind ?? null}
        onChange={(value) =>
          void navigate({ search: (previous) => ({ ...previous, kind: value ?? undefined }) })
        }
        w="8rem"
      />
      <Select
        aria-label="Engine"
        placeholder="Any engine"
        clearable
        data={[...engines]}
        value={engine ?? null}
        onChange={(value) =>
          void navigate({ search: (previous) => ({ ...previous, engine: value ?? undefined }) })
        }
        w="9rem"
      />
    </Group>
  );
};

const columns: readonly Column<Policy>[] = [
  {
    key: "name",
    header: "Policy",
    width: "minmax(0, 2.2fr)",
    cell: ({ id, name }) => (
      <PageLink to="/policies/$policyId" params={{ policyId: id }} fw={550} title={id}>
        {name}
      </PageLink>
    ),
  },
  {
    key: "status",
    header: "Status",
    width: "minmax(0, 1.2fr)",
    cell: ({ status, graceUntil }) => (
      <>
        <StatusBadge status={status} />{" "}
        {status === "grace" && graceUntil !== undefined && <TimeLeft until={graceUntil} />}
      </>
    ),
  },
  { key: "kind", header: "Kind", width: "5rem", cell: ({ kind }) => wordsOf(kind) },
  { key: "severity", header: "Severity", width: "5.5rem", cell: ({ severity }) => wordsOf(severity) },
  {
    key: "about",
    header: "About",
    width: "minmax(0, 1fr)",
    cell: ({ resourceType }) => resourceType ?? "everything",
  },
  {
    key: "in",
    header: "Environments",
    width: "minmax(0, 1fr)",
    cell: ({ environments }) => (environments.length === 0 ? "all" : environments.join(", ")),
  },
  { key: "engine", header: "Engine", width: "6rem", cell: ({ engine }) => engine },
  { key: "changed", header: "Changed", width: "6rem", cell: ({ updatedAt }) => <TimeAgo at={updatedAt} /> },
];
