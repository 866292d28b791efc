import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import type { NavigationEntry } from "../../app/navigation.ts";
import { rootRoute } from "../../app/root-route.ts";
import { oneOf, optional, textOf } from "../../parts/page/search.ts";

/** What is searched for, the agent that is asked, and the address of the page that the question is about. */
const chatSearch = (search: Record<string, unknown>) =>
  optional({ q: textOf(search, "q"), agent: textOf(search, "agent"), about: textOf(search, "about") });

export const assistantRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/assistant",
    validateSearch: chatSearch,
    component: lazyRouteComponent(() => import("./assistant-page.tsx"), "AssistantPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/assistant/$sessionId",
    validateSearch: chatSearch,
    component: lazyRouteComponent(() => import("./session-page.tsx"), "SessionPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/assistant/approvals",
    component: lazyRouteComponent(
      () => import("./approvals/assistant-approvals-page.tsx"),
      "AssistantApprovalsPage",
    ),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/assistant/usage",
    validateSearch: (search: Record<string, unknown>) =>
      optional({
        by: oneOf(search, "by", ["agent", "model", "session", "run", "user"]),
        owner: oneOf(search, "owner", ["me", "all"]),
        period: oneOf(search, "period", ["day", "week", "month", "all"]),
      }),
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
