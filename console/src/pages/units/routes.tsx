import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import type { NavigationEntry } from "../../app/navigation.ts";
import { rootRoute } from "../../app/root-route.ts";
import { oneOf, optional, someOf, textOf } from "../../parts/page/search.ts";
import { componentViews, unitTabs } from "./unit/tabs.ts";
import { unitStatuses } from "./statuses.ts";

type Search = Record<string, unknown>;

/** Several names that no list is known of here. */
const textsOf = (search: Search, key: string): string[] | undefined => {
  const value = search[key];
  const texts = (Array.isArray(value) ? value : [value]).filter((each) => typeof each === "string");
  return texts.length === 0 ? undefined : texts;
};

const undefinedIfEmpty = <T,>(list: T[]): T[] | undefined => (list.length === 0 ? undefined : list);

export const unitsRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/units",
    validateSearch: (search: Search) =>
      optional({
        q: textOf(search, "q"),
        status: undefinedIfEmpty(someOf(search, "status", unitStatuses)),
        in: textsOf(search, "in"),
        owner: textOf(search, "owner"),
        domain: textOf(search, "domain"),
        kind: textOf(search, "kind"),
      }),
    component: lazyRouteComponent(() => import("./list/units-page.tsx"), "UnitsPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/units/$unitId",
    validateSearch: (search: Search) =>
      optional({
        tab: oneOf(search, "tab", unitTabs),
        view: oneOf(search, "view", componentViews),
        component: textOf(search, "component"),
        /** What two sides of a comparison are: `env:<name>` or `plan:<token>`. */
        left: textOf(search, "left"),
        right: textOf(search, "right"),
        check: textOf(search, "check"),
        ask: textOf(search, "ask"),
        rollback: textOf(search, "rollback"),
      }),
    component: lazyRouteComponent(() => import("./unit/unit-page.tsx"), "UnitPage"),
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
