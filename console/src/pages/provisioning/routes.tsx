import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import type { NavigationEntry } from "../../app/navigation.ts";
import { rootRoute } from "../../app/root-route.ts";
import { oneOf, optional, textOf } from "../../parts/page/search.ts";
import { operationGroups } from "./operations/groups.ts";
import { preloadPlan } from "./plan/preload.ts";
import { graphStages, logLevels, planTabs, taskFilters } from "./plan/tabs.ts";
import { previewViews, sources } from "./provision/words.ts";

type Search = Record<string, unknown>;

/** `false` is left out, as it is what a page does without. */
const flagOf = (search: Search, key: string): true | undefined =>
  search[key] === true || search[key] === "true" ? true : undefined;

export const provisioningRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/operations",
    validateSearch: (search: Search) =>
      optional({
        show: oneOf(search, "show", operationGroups),
        unit: textOf(search, "unit"),
        everywhere: flagOf(search, "everywhere"),
      }),
    component: lazyRouteComponent(() => import("./operations/operations-page.tsx"), "OperationsPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/plans/$planId",
    validateSearch: (search: Search) =>
      optional({
        tab: oneOf(
          search,
          "tab",
          planTabs.map(({ value }) => value),
        ),
        show: oneOf(search, "show", taskFilters),
        q: textOf(search, "q"),
        critical: flagOf(search, "critical"),
        task: textOf(search, "task"),
        level: oneOf(search, "level", logLevels),
        stage: oneOf(search, "stage", graphStages),
      }),
    loader: ({ params }) => preloadPlan(params.planId),
    component: lazyRouteComponent(() => import("./plan/plan-page.tsx"), "PlanPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/provision",
    validateSearch: (search: Search) =>
      optional({
        from: oneOf(search, "from", sources),
        system: textOf(search, "system"),
        unit: textOf(search, "unit"),
        without: textOf(search, "without"),
        removeData: flagOf(search, "removeData"),
        onlyChanged: flagOf(search, "onlyChanged"),
        view: oneOf(search, "view", previewViews),
      }),
    component: lazyRouteComponent(() => import("./provision/provision-page.tsx"), "ProvisionPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/unknown-outcomes",
    validateSearch: (search: Search) =>
      optional({ unit: textOf(search, "unit"), settled: flagOf(search, "settled") }),
    component: lazyRouteComponent(
      () => import("./outcomes/unknown-outcomes-page.tsx"),
      "UnknownOutcomesPage",
    ),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/adapters",
    validateSearch: (search: Search) => optional({ q: textOf(search, "q") }),
    component: lazyRouteComponent(() => import("./adapters/adapters-page.tsx"), "AdaptersPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/adapters/$adapterId",
    component: lazyRouteComponent(() => import("./adapters/adapter-page.tsx"), "AdapterPage"),
  }),
] as const;

export const provisioningNavigation: readonly NavigationEntry[] = [
  {
    to: "/operations",
    label: "Plans and operations",
    icon: "plan",
    section: "Products",
    order: 20,
    words: "runs history deployments",
  },
  {
    to: "/provision",
    label: "Provision",
    icon: "units",
    section: "Products",
    order: 15,
    words: "deploy preview start",
  },
  {
    to: "/unknown-outcomes",
    label: "Unknown outcomes",
    icon: "unknown",
    section: "Operations",
    order: 20,
    words: "ledger settle",
  },
  {
    to: "/adapters",
    label: "Adapters",
    icon: "adapter",
    section: "Operations",
    order: 30,
    words: "tech adapters deployments",
  },
];
