import { queryOptions } from "@tanstack/react-query";
import type { CoordinatorComponents } from "plinth-client";
import { api } from "../../api/client.ts";
import { call } from "../../api/error.ts";
import type { IconName } from "../../parts/page/icon.tsx";

export type SearchGroup = CoordinatorComponents["schemas"]["SearchGroup"];
export type SearchItem = SearchGroup["items"][number];

/** Those that have a page. */
const kinds = ["UNIT", "PLAN", "ADAPTER", "ENTITY", "TEMPLATE", "POLICY"] as const;

type Kind = (typeof kinds)[number];

export const kindWords: Record<Kind, { name: string; icon: IconName }> = {
  UNIT: { name: "Units", icon: "units" },
  PLAN: { name: "Plans", icon: "plan" },
  ADAPTER: { name: "Adapters", icon: "adapter" },
  ENTITY: { name: "Catalogue", icon: "book" },
  TEMPLATE: { name: "Templates", icon: "template" },
  POLICY: { name: "Policies", icon: "shield" },
};

export const isShown = (kind: string): kind is Kind => kinds.some((each) => each === kind);

/** In units, plans, adapters, the catalogue, templates and policies, as far as the caller may read them. */
export const searchQuery = (text: string) =>
  queryOptions({
    queryKey: ["coordinator", "search", text],
    enabled: text !== "",
    queryFn: ({ signal }) =>
      call(
        api.coordinator.GET("/api/coordinator/v1/search", {
          params: { query: { q: text, kind: [...kinds], limit: 6 } },
          signal,
        }),
      ),
  });

/** The page of what was found, in the environment that it was found in. */
export const addressOf = ({ link, environment }: SearchItem, kind: Kind): string | null => {
  const { unitId, planId, adapterId, entityRef, policyId } = link;
  const to = (path: string, id: string): string => `${path}/${encodeURIComponent(id)}`;
  if (unitId !== undefined)
    return to("/units", unitId) + (environment === null ? "" : `?env=${encodeURIComponent(environment)}`);
  if (planId !== undefined) return to("/plans", planId);
  if (adapterId !== undefined) return to("/adapters", adapterId);
  if (policyId !== undefined) return to("/policies", policyId);
  if (entityRef !== undefined) return to(kind === "TEMPLATE" ? "/templates" : "/catalogue", entityRef);
  return null;
};
