import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import type { NavigationEntry } from "../../app/navigation.ts";
import { rootRoute } from "../../app/root-route.ts";
import { oneOf, optional, textOf } from "../../parts/page/search.ts";
import { runStatuses } from "./runs/statuses.ts";

const filterOf = (search: Record<string, unknown>) => ({
  q: textOf(search, "q"),
  type: textOf(search, "type"),
  owner: textOf(search, "owner"),
  tag: textOf(search, "tag"),
});

const stepOf = (search: Record<string, unknown>): number | "review" | undefined => {
  const step = search["step"];
  return typeof step === "number" && step >= 1 ? Math.floor(step) : oneOf(search, "step", ["review"]);
};

export const templatesRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/templates",
    validateSearch: (search: Record<string, unknown>) => optional(filterOf(search)),
    component: lazyRouteComponent(() => import("./gallery/templates-page.tsx"), "TemplatesPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/templates/$templateRef",
    validateSearch: (search: Record<string, unknown>) =>
      optional({
        step: stepOf(search),
        /** The entity that an edit changes. */
        entity: textOf(search, "entity"),
        /** The run whose values it begins with. */
        from: textOf(search, "from"),
        view: oneOf(search, "view", ["try"]),
        file: textOf(search, "file"),
      }),
    component: lazyRouteComponent(() => import("./wizard/template-page.tsx"), "TemplatePage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/instantiations",
    validateSearch: (search: Record<string, unknown>) =>
      optional({
        owner: oneOf(search, "owner", ["all"]),
        status: oneOf(search, "status", runStatuses),
      }),
    component: lazyRouteComponent(() => import("./runs/instantiations-page.tsx"), "InstantiationsPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/instantiations/$taskId",
    validateSearch: (search: Record<string, unknown>) =>
      optional({
        /** The step whose log is open; `none` closes the failed one too. */
        step: textOf(search, "step"),
      }),
    component: lazyRouteComponent(() => import("./runs/instantiation-page.tsx"), "InstantiationPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/catalogue",
    validateSearch: (search: Record<string, unknown>) =>
      optional({ ...filterOf(search), kind: textOf(search, "kind") }),
    component: lazyRouteComponent(() => import("./catalogue/catalogue-page.tsx"), "CataloguePage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/catalogue/$entityRef",
    validateSearch: (search: Record<string, unknown>) =>
      optional({ tab: oneOf(search, "tab", ["relations", "yaml"]) }),
    component: lazyRouteComponent(() => import("./catalogue/entity-page.tsx"), "EntityPage"),
  }),
] as const;

export const templatesNavigation: readonly NavigationEntry[] = [
  {
    to: "/templates",
    label: "Templates",
    icon: "template",
    section: "Products",
    order: 30,
    words: "gallery new create wizard",
  },
  {
    to: "/instantiations",
    label: "Template runs",
    icon: "log",
    section: "Products",
    order: 40,
    words: "instantiations tasks scaffolder",
  },
  {
    to: "/catalogue",
    label: "Catalogue",
    icon: "book",
    section: "Products",
    order: 50,
    words: "entities systems components",
  },
];
