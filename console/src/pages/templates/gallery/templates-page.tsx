import { Text } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type ReactNode } from "react";
import { entitiesOf, referenceOf, titleOf, type Entity } from "../../../api/entity.ts";
import { ButtonLink, PageLink } from "../../../parts/page/page-link.tsx";
import { PageHeader } from "../../../parts/page/page-header.tsx";
import { EmptyView, Loaded } from "../../../parts/states/views.tsx";
import { useNextPage } from "../../../parts/tables/next-page.ts";
import { VirtualTable, type Column } from "../../../parts/tables/virtual-table.tsx";
import { textOr, textsOf } from "../form/json.ts";
import { EntityFilters, isFiltered } from "../catalogue/entity-filters.tsx";
import { EntityName } from "../catalogue/entity-name.tsx";
import { entitiesQuery, facetsQuery } from "../queries.ts";

const route = getRouteApi("/templates");
const facets = ["type", "owner", "tag"] as const;

export const TemplatesPage = (): ReactNode => {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const filter = { ...search, kind: "template" };
  const query = useInfiniteQuery(entitiesQuery(filter));
  const counted = useQuery(facetsQuery(facets, filter));
  const nextPage = useNextPage(query);
  return (
    <>
      <PageHeader
        title="Templates"
        description="Products and components are made from them."
        actions={<ButtonLink to="/instantiations">Template runs</ButtonLink>}
      />
      <EntityFilters
        label="Search templates"
        names={facets}
        filter={search}
        facets={counted.data ?? {}}
        onChange={(next) =>
          void navigate({ search: (previous) => ({ ...previous, ...next }), replace: "q" in next })
        }
      />
      <Loaded query={query} what="read the catalogue">
        {({ pages }) => {
          const templates = pages.flatMap(({ items }) => entitiesOf(items));
          if (templates.length > 0)
            return (
              <VirtualTable
                label="Templates"
                columns={columns}
                rows={templates}
                rowKey={referenceOf}
                next={nextPage}
                total={pages[0]?.totalItems ?? templates.length}
              />
            );
          return isFiltered(search) ? (
            <EmptyView title="No template fits" icon="search">
              Look for less.
            </EmptyView>
          ) : (
            <EmptyView
              title="The catalogue has no templates"
              icon="template"
              action={<ButtonLink to="/catalogue">Catalogue</ButtonLink>}
            >
              They come from the locations that are registered.
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
    header: "Template",
    width: "minmax(0, 1.7fr)",
    cell: (row) => (
      <>
        <PageLink to="/templates/$templateRef" params={{ templateRef: referenceOf(row) }} fw={550}>
          {titleOf(row)}
        </PageLink>
        <EntityName entity={row} />
      </>
    ),
  },
  {
    key: "description",
    header: "Makes",
    width: "minmax(0, 3fr)",
    wrap: true,
    cell: ({ metadata }) => textOr(metadata.description, "–"),
  },
  { key: "type", header: "Type", width: "minmax(0, 0.8fr)", cell: ({ spec }) => textOr(spec?.["type"], "–") },
  {
    key: "owner",
    header: "Owner",
    width: "minmax(0, 1.2fr)",
    cell: ({ spec }) => textOr(spec?.["owner"], "–"),
  },
  {
    key: "tags",
    header: "Tags",
    width: "minmax(0, 1fr)",
    cell: ({ metadata }) => (
      <Text span size="xs" c="dimmed">
        {textsOf(metadata.tags).join(", ") || "–"}
      </Text>
    ),
  },
];
