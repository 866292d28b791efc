import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import type { NavigationEntry } from "../../app/navigation.ts";
import { rootRoute } from "../../app/root-route.ts";

export const provisioningRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/operations",
    component: lazyRouteComponent(() => import("./operations-page.tsx"), "OperationsPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/plans/$planId",
    component: lazyRouteComponent(() => import("./plan-page.tsx"), "PlanPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/provision",
    component: lazyRouteComponent(() => import("./provision-page.tsx"), "ProvisionPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/unknown-outcomes",
    component: lazyRouteComponent(() => import("./unknown-outcomes-page.tsx"), "UnknownOutcomesPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/adapters",
    component: lazyRouteComponent(() => import("./adapters-page.tsx"), "AdaptersPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/adapters/$adapterId",
    component: lazyRouteComponent(() => import("./adapter-page.tsx"), "AdapterPage"),
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
