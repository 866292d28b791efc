import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import type { NavigationEntry } from "../../app/navigation.ts";
import { rootRoute } from "../../app/root-route.ts";

export const templatesRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/templates",
    component: lazyRouteComponent(() => import("./templates-page.tsx"), "TemplatesPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/templates/$templateRef",
    component: lazyRouteComponent(() => import("./template-page.tsx"), "TemplatePage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/instantiations",
    component: lazyRouteComponent(() => import("./instantiations-page.tsx"), "InstantiationsPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/instantiations/$taskId",
    component: lazyRouteComponent(() => import("./instantiation-page.tsx"), "InstantiationPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/catalogue",
    component: lazyRouteComponent(() => import("./catalogue-page.tsx"), "CataloguePage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/catalogue/$entityRef",
    component: lazyRouteComponent(() => import("./entity-page.tsx"), "EntityPage"),
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
