import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { BuilderComponents } from "plinth-client";
import { api } from "../../api/client.ts";
import { entitiesOf, entityPath } from "../../api/entity.ts";
import { call } from "../../api/error.ts";
import { keys } from "../../api/keys.ts";

export type Instantiation = BuilderComponents["schemas"]["Instantiation"];
export type InstantiationSummary = BuilderComponents["schemas"]["InstantiationSummary"];
export type InstantiationStatus = BuilderComponents["schemas"]["InstantiationStatusWord"];

const pageSize = 100;

export interface EntityFilter {
  kind?: string | undefined;
  type?: string | undefined;
  owner?: string | undefined;
  tag?: string | undefined;
  q?: string | undefined;
}

/** Fields that are counted, by the parameter that filters by them. */
export const facetFields = {
  kind: "kind",
  type: "spec.type",
  owner: "spec.owner",
  tag: "metadata.tags",
} as const;

export type FacetName = keyof typeof facetFields;
const facetNames = Object.keys(facetFields) as FacetName[];

const conditionOf = (filter: EntityFilter, left?: FacetName): string[] => {
  const terms = facetNames.flatMap((name) =>
    name === left || filter[name] === undefined ? [] : `${facetFields[name]}=${filter[name]}`,
  );
  return terms.length === 0 ? [] : [terms.join(",")];
};

const searched = ["metadata.name", "metadata.title", "metadata.description"];
const listed = ["kind", "metadata", "spec.type", "spec.owner", "spec.domain"];

export const entitiesQuery = (filter: EntityFilter) =>
  infiniteQueryOptions({
    queryKey: [...keys.entities, "list", filter],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor, signal }) =>
      call(
        api.builder.GET("/api/catalog/entities/by-query", {
          params: {
            query: {
              limit: pageSize,
              fields: listed,
              ...(cursor === undefined
                ? {
                    filter: conditionOf(filter),
                    orderField: ["metadata.name,asc"],
                    ...(filter.q !== undefined && {
                      fullTextFilterTerm: filter.q,
                      fullTextFilterFields: searched,
                    }),
                  }
                : { cursor }),
            },
          },
          signal,
        }),
      ),
    getNextPageParam: ({ pageInfo }) => pageInfo.nextCursor,
  });

export interface FacetValue {
  value: string;
  count: number;
}

export type Facets = Partial<Record<FacetName, FacetValue[]>>;

/** Each facet is counted with all filters but its own, so that one can change one's mind. */
export const facetsQuery = (names: readonly FacetName[], filter: EntityFilter) =>
  queryOptions({
    queryKey: [...keys.entities, "facets", names, { ...filter, q: undefined }],
    staleTime: 30_000,
    queryFn: async ({ signal }): Promise<Facets> => {
      const counted = await Promise.all(
        names.map(async (name) => {
          const field = facetFields[name];
          const { facets } = await call(
            api.builder.GET("/api/catalog/entity-facets", {
              params: { query: { facet: [field], filter: conditionOf(filter, name) } },
              signal,
            }),
          );
          return [name, (facets as Record<string, FacetValue[]>)[field] ?? []] as const;
        }),
      );
      return Object.fromEntries(counted);
    },
  });

export const tagsQuery = queryOptions({
  queryKey: [...keys.entities, "tags"],
  staleTime: 60_000,
  queryFn: async ({ signal }) => {
    const { facets } = await call(
      api.builder.GET("/api/catalog/entity-facets", {
        params: { query: { facet: ["metadata.tags"] } },
        signal,
      }),
    );
    return ((facets as Record<string, FacetValue[]>)["metadata.tags"] ?? []).map(({ value }) => value);
  },
});

export const entityQuery = (reference: string) =>
  queryOptions({
    queryKey: [...keys.entities, reference],
    queryFn: async ({ signal }) => {
      const entity = await call(
        api.builder.GET("/api/catalog/entities/by-name/{kind}/{namespace}/{name}", {
          params: { path: entityPath(reference) },
          signal,
        }),
      );
      return entitiesOf([entity])[0] ?? null;
    },
  });

/** As many as a picker shows at once; the others are found by typing. */
export const pickable = 30;

export const pickableQuery = (filters: readonly string[], term: string) =>
  queryOptions({
    queryKey: [...keys.entities, "pick", filters, term],
    staleTime: 30_000,
    queryFn: async ({ signal }) => {
      const { items } = await call(
        api.builder.GET("/api/catalog/entities/by-query", {
          params: {
            query: {
              filter: [...filters],
              limit: pickable,
              fields: ["kind", "metadata"],
              orderField: ["metadata.name,asc"],
              totalItems: "exclude",
              ...(term !== "" && {
                fullTextFilterTerm: term,
                fullTextFilterFields: ["metadata.name", "metadata.title"],
              }),
            },
          },
          signal,
        }),
      );
      return entitiesOf(items);
    },
  });

const maxGroups = 1000;

/** The entities of the caller's groups that one of the filters fits. */
export const ownGroupsQuery = (groups: readonly string[], filters: readonly string[]) =>
  queryOptions({
    queryKey: [...keys.entities, "own groups", groups, filters],
    staleTime: 30_000,
    queryFn: async ({ signal }) => {
      const { items } = await call(
        api.builder.POST("/api/catalog/entities/by-refs", {
          params: { query: { filter: [...filters] } },
          body: { entityRefs: groups.slice(0, maxGroups), fields: ["kind", "metadata"] },
          signal,
        }),
      );
      return entitiesOf(items.filter((item) => item !== null));
    },
  });

export const creationFormQuery = (templateRef: string) =>
  queryOptions({
    queryKey: [...keys.templates, templateRef, "form"],
    staleTime: 60_000,
    queryFn: ({ signal }) =>
      call(
        api.builder.GET("/api/scaffolder/v2/templates/{namespace}/{kind}/{name}/parameter-schema", {
          params: { path: entityPath(templateRef) },
          signal,
        }),
      ),
  });

export const editFormQuery = (templateRef: string, entityRef: string) =>
  queryOptions({
    queryKey: [...keys.templates, templateRef, "form", entityRef],
    staleTime: Infinity,
    queryFn: ({ signal }) =>
      call(
        api.builder.GET("/api/builder/templates/form", {
          params: { query: { templateRef, entityRef } },
          signal,
        }),
      ),
  });

export const entityFormsQuery = (entityRef: string) =>
  queryOptions({
    queryKey: [...keys.templates, "of", entityRef],
    queryFn: ({ signal }) =>
      call(api.builder.GET("/api/builder/templates/forms", { params: { query: { entityRef } }, signal })),
  });

export const instantiationQuery = (taskId: string) =>
  queryOptions({
    queryKey: [...keys.instantiations, taskId],
    queryFn: ({ signal }) =>
      call(
        api.builder.GET("/api/builder/templates/tasks/{taskId}", { params: { path: { taskId } }, signal }),
      ),
  });

export interface RunFilter {
  owner?: "all" | undefined;
  status?: InstantiationStatus | undefined;
}

export const instantiationsQuery = ({ owner, status }: RunFilter) =>
  infiniteQueryOptions({
    queryKey: [...keys.instantiations, "list", { owner, status }],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: after, signal }) =>
      call(
        api.builder.GET("/api/builder/templates/tasks", {
          params: {
            query: {
              owner: owner ?? "me",
              limit: pageSize,
              ...(status !== undefined && { status: [status] }),
              ...(after !== undefined && { after }),
            },
          },
          signal,
        }),
      ),
    getNextPageParam: ({ meta }) => meta.pagination.next ?? undefined,
  });
