import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import type { NavigationEntry } from "../../app/navigation.ts";
import { rootRoute } from "../../app/root-route.ts";

export const approvalsRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/waiting",
    component: lazyRouteComponent(() => import("./waiting-page.tsx"), "WaitingPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/hooks",
    component: lazyRouteComponent(() => import("./hooks-page.tsx"), "HooksPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/hooks/$hookId",
    component: lazyRouteComponent(() => import("./hook-page.tsx"), "HookPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/access",
    component: lazyRouteComponent(() => import("./access-page.tsx"), "AccessPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/access/$requestId",
    component: lazyRouteComponent(() => import("./access-request-page.tsx"), "AccessRequestPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/policies",
    component: lazyRouteComponent(() => import("./policies-page.tsx"), "PoliciesPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/policies/$policyId",
    component: lazyRouteComponent(() => import("./policy-page.tsx"), "PolicyPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/exceptions",
    component: lazyRouteComponent(() => import("./exceptions-page.tsx"), "ExceptionsPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/ownership",
    component: lazyRouteComponent(() => import("./ownership-page.tsx"), "OwnershipPage"),
  }),
] as const;

export const approvalsNavigation: readonly NavigationEntry[] = [
  {
    to: "/waiting",
    label: "Waits for me",
    icon: "inbox",
    section: "Overview",
    order: 20,
    words: "approvals requests inbox",
  },
  {
    to: "/hooks",
    label: "Approvals",
    icon: "check",
    section: "Governance",
    order: 10,
    words: "hooks decisions deployment approval",
  },
  { to: "/access", label: "Access requests", icon: "key", section: "Governance", order: 20, words: "grants" },
  {
    to: "/policies",
    label: "Policies",
    icon: "shield",
    section: "Governance",
    order: 30,
    words: "compliance metrics",
  },
  {
    to: "/exceptions",
    label: "Exceptions",
    icon: "warning",
    section: "Governance",
    order: 40,
    words: "policy waivers",
  },
  {
    to: "/ownership",
    label: "Ownership rules",
    icon: "user",
    section: "Governance",
    order: 50,
    words: "who may rights",
  },
];
