import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import type { NavigationEntry } from "../../app/navigation.ts";
import { rootRoute } from "../../app/root-route.ts";

export const homeRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/",
    component: lazyRouteComponent(() => import("./home-page.tsx"), "HomePage"),
  }),
] as const;

export const homeNavigation: readonly NavigationEntry[] = [
  { to: "/", label: "Overview", icon: "home", section: "Overview", order: 10, words: "home start" },
];
