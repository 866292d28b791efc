import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type ReactNode } from "react";
import { entitiesOf, referenceOf, titleOf, type Entity } from "../../../api/entity.ts";
import { PageHeader } from "../../../parts/page/page-header.tsx";
import { PageLink } from "../../../parts/page/page-link.tsx";
import { EmptyView, Loaded } from "../../../parts/states/views.tsx";
import { useNextPage } from "../../../parts/tables/next-page.ts";
import { VirtualTable, type Column } from "../../../parts/tables/virtual-table.tsx";
import { textOr } from "../form/json.ts";
import { entitiesQuery, facetsQuery } from "../queries.ts";
import { EntityName } from "./entity-name.tsx";
import { EntityFilters, isFiltered } from "./entity-filters.tsx";

const route = getRouteApi("/catalogue");
const facets = ["kind", "type", "owner", "tag"] as const;

export const CataloguePage = (): ReactNode => {
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  const query = useInfiniteQuery(entitiesQuery(filter));
  const counted = useQuery(facetsQuery(facets, filter));
  const nextPage = useNextPage(query);
  return (
    <>
      <PageHeader
        title="Catalogue"
        description={
          query.data === undefined
            ? "Everything that the platform knows."
            : `${query.data.pages[0]?.totalItems ?? 0} entities`
        }
      />
      <EntityFilters
        label="Search the catalogue"
        names={facets}
        filter={filter}
        facets={counted.data ?? {}}
        onChange={(next) =>
          void navigate({ search: (previous) => ({ ...previous, ...next }), replace: "q" in next })
        }
      />
      <Loaded query={query} what="read the catalogue">
        {({ pages }) => {
          const entities = pages.flatMap(({ items }) => entitiesOf(items));
          if (entities.length > 0)
            return (
              <VirtualTable
                label="Entities"
                columns={columns}
                rows={entities}
                rowKey={referenceOf}
                next={nextPage}
                total={pages[0]?.totalItems ?? entities.length}
              />
            );
          return isFiltered(filter) ? (
            <EmptyView title="No entity fits" icon="search">
              Look for less.
            </EmptyView>
          ) : (
            <EmptyView title="The catalogue is empty" icon="book">
              Entities come from the locations that are registered, and from templates.
            </EmptyView>
          );
        }}
      </Loaded>
    </>
  );
};

const columns: readonly Column<Entity>[] = [
  {
    key: "title",
    header: "Entity",
    width: "minmax(0, 2.2fr)",
    cell: (row) => (
      <>
        <PageLink to="/catalogue/$entityRef" params={{ entityRef: referenceOf(row) }} fw={550}>
          {titleOf(row)}
        </PageLink>
        <EntityName entity={row} />
      </>
    ),
  },
  { key: "kind", header: "Kind", width: "minmax(0, 0.8fr)", cell: ({ kind }) => kind },
  { key: "type", header: "Type", width: "minmax(0, 0.8fr)", cell: ({ spec }) => textOr(spec?.["type"], "–") },
  {
    key: "owner",
    header: "Owner",
    width: "minmax(0, 1.2fr)",
    cell: ({ spec }) => textOr(spec?.["owner"], "–"),
  },
  {
    key: "description",
    header: "Description",
    width: "minmax(0, 2.2fr)",
    cell: ({ metadata }) => textOr(metadata.description, "–"),
  },
];
