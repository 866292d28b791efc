import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import type { NavigationEntry } from "../../app/navigation.ts";
import { rootRoute } from "../../app/root-route.ts";

export const assistantRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/assistant",
    component: lazyRouteComponent(() => import("./assistant-page.tsx"), "AssistantPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/assistant/$sessionId",
    component: lazyRouteComponent(() => import("./session-page.tsx"), "SessionPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/assistant/approvals",
    component: lazyRouteComponent(() => import("./assistant-approvals-page.tsx"), "AssistantApprovalsPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/assistant/usage",
    component: lazyRouteComponent(() => import("./usage-page.tsx"), "UsagePage"),
  }),
] as const;

export const assistantNavigation: readonly NavigationEntry[] = [
  {
    to: "/assistant",
    label: "Assistant",
    icon: "chat",
    section: "Assistant",
    order: 10,
    words: "chat ask agent",
  },
  {
    to: "/assistant/approvals",
    label: "Tool approvals",
    icon: "check",
    section: "Assistant",
    order: 20,
    words: "tool calls",
  },
  {
    to: "/assistant/usage",
    label: "Usage",
    icon: "pulse",
    section: "Assistant",
    order: 30,
    words: "tokens cost models",
  },
];
