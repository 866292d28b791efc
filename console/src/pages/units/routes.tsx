import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import type { NavigationEntry } from "../../app/navigation.ts";
import { rootRoute } from "../../app/root-route.ts";
import { oneOf, optional, textOf } from "../../parts/page/search.ts";
import { unitStatuses } from "./statuses.ts";

export const unitsRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/units",
    validateSearch: (search: Record<string, unknown>) =>
      optional({
        q: textOf(search, "q"),
        status: oneOf(search, "status", unitStatuses),
      }),
    component: lazyRouteComponent(() => import("./units-page.tsx"), "UnitsPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/units/$unitId",
    component: lazyRouteComponent(() => import("./unit-page.tsx"), "UnitPage"),
  }),
] as const;

export const unitsNavigation: readonly NavigationEntry[] = [
  {
    to: "/units",
    label: "Units",
    icon: "units",
    section: "Products",
    order: 10,
    words: "data products deployment",
  },
];
