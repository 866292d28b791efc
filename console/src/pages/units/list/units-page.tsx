import { Button, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useMemo, type ReactNode } from "react";
import { useEnvironment } from "../../../api/environments.ts";
import { useHasRole } from "../../../api/session.ts";
import { Icon } from "../../../parts/page/icon.tsx";
import { PageHeader } from "../../../parts/page/page-header.tsx";
import { ButtonLink, PageLink } from "../../../parts/page/page-link.tsx";
import { SearchField } from "../../../parts/page/search-field.tsx";
import { StatusBadge } from "../../../parts/values/status.tsx";
import { TimeAgo } from "../../../parts/values/times.tsx";
import { EmptyView, Loaded } from "../../../parts/states/views.tsx";
import { useNextPage } from "../../../parts/tables/next-page.ts";
import { VirtualTable, type Column } from "../../../parts/tables/virtual-table.tsx";
import { kindText, shortReference, unitNameOf } from "../names.ts";
import { Facets } from "./facets.tsx";
import { rowsOf, type UnitRow } from "./group.ts";
import classes from "./list.module.css";
import { unitsQuery, type UnitFilter } from "./queries.ts";

const route = getRouteApi("/units");

export const UnitsPage = (): ReactNode => (
  <>
    <PageHeader title="Units" actions={<ProvisionLink />} />
    <div className={classes["page"]}>
      <Facets />
      <div>
        <Search />
        <Units />
      </div>
    </div>
  </>
);

const ProvisionLink = (): ReactNode =>
  useHasRole("developer", "operator", "admin") && (
    <ButtonLink to="/provision" variant="filled">
      Provision
    </ButtonLink>
  );

const isFiltered = ({ q, status, in: environments, owner, domain, kind }: UnitFilter): boolean =>
  [q, status, environments, owner, domain, kind].some((each) => each !== undefined);

const Units = (): ReactNode => {
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  const query = useInfiniteQuery(unitsQuery(filter));
  const columns = useColumns(filter);
  const next = useNextPage(query);
  return (
    <Loaded query={query} what="list the units">
      {({ pages }) => {
        const rows = rowsOf(pages.flatMap(({ data }) => data));
        if (rows.length > 0)
          return (
            <VirtualTable label="Units" columns={columns} rows={rows} rowKey={({ id }) => id} next={next} />
          );
        return isFiltered(filter) ? (
          <EmptyView
            title="No unit fits"
            icon="search"
            action={
              <Button
                mt="xs"
                onClick={() => void navigate({ search: ({ env }) => (env === undefined ? {} : { env }) })}
              >
                Show all units
              </Button>
            }
          />
        ) : (
          <EmptyView title="Nothing was deployed yet" icon="units" action={<ProvisionLink />}>
            A unit is here from its first deployment on.
          </EmptyView>
        );
      }}
    </Loaded>
  );
};

const Search = (): ReactNode => {
  const { q } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <div role="search">
      <SearchField
        aria-label="Search units"
        placeholder="Name or id"
        leftSection={<Icon name="search" size={14} />}
        value={q}
        onSearch={(text) =>
          void navigate({ search: (previous) => ({ ...previous, q: text }), replace: true })
        }
        mb="sm"
        maw="24rem"
      />
    </div>
  );
};

/** A column for each environment, so that they are seen side by side; those that are filtered away have none. */
const useColumns = ({ in: chosen, status }: UnitFilter): Column<UnitRow>[] => {
  const { environments, environment: current } = useEnvironment();
  return useMemo(() => {
    const shown = environments.filter((name) => chosen === undefined || chosen.includes(name));
    return [
      nameColumn,
      ...shown.map((environment) => environmentColumn(environment, status !== undefined, current)),
      ...(shown.length > 3 ? [] : [ownerColumn]),
      changedColumn,
    ];
  }, [environments, chosen, status, current]);
};

const nameColumn: Column<UnitRow> = {
  key: "name",
  header: "Unit",
  width: "minmax(0, 2fr)",
  cell: ({ id, name, domain, kind }) => (
    <div className={classes["name"]}>
      <PageLink to="/units/$unitId" params={{ unitId: id }} fw={550} title={id} truncate>
        {name ?? unitNameOf(id)}
      </PageLink>
      <span className={classes["small"]}>
        {[kind !== null && kindText(kind), domain].filter(Boolean).join(" · ") || id}
      </span>
    </div>
  ),
};

const environmentColumn = (name: string, hasStatus: boolean, current: string): Column<UnitRow> => ({
  key: `in ${name}`,
  header: name,
  width: "minmax(0, 1.5fr)",
  cell: ({ environments, id }) => {
    const found = environments.get(name);
    if (found === undefined)
      return (
        <Text size="sm" c="dimmed" span>
          {hasStatus ? "other status" : "not started"}
        </Text>
      );
    return (
      <div className={classes["name"]}>
        <PageLink to="/units/$unitId" params={{ unitId: id }} search={{ env: name }} underline="never">
          <StatusBadge status={found.status} />
        </PageLink>
        {found.descriptorVersion !== "" && (
          <span className={classes["small"]} data-current={name === current || undefined}>
            {found.descriptorVersion}
          </span>
        )}
      </div>
    );
  },
});

const ownerColumn: Column<UnitRow> = {
  key: "owner",
  header: "Owner",
  width: "minmax(0, 1fr)",
  cell: ({ owner }) => (owner === null ? "–" : <span title={owner}>{shortReference(owner)}</span>),
};

const changedColumn: Column<UnitRow> = {
  key: "updated",
  header: "Changed",
  width: "6.5rem",
  cell: ({ updatedAt }) => <TimeAgo at={updatedAt} />,
};
