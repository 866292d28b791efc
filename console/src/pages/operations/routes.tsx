import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import type { NavigationEntry } from "../../app/navigation.ts";
import { rootRoute } from "../../app/root-route.ts";

export const operationsRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/doctor",
    component: lazyRouteComponent(() => import("./doctor-page.tsx"), "DoctorPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/audit",
    component: lazyRouteComponent(() => import("./audit-page.tsx"), "AuditPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/notices",
    component: lazyRouteComponent(() => import("./notices-page.tsx"), "NoticesPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/webhooks",
    component: lazyRouteComponent(() => import("./webhooks-page.tsx"), "WebhooksPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/schedules",
    component: lazyRouteComponent(() => import("./schedules-page.tsx"), "SchedulesPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/tokens",
    component: lazyRouteComponent(() => import("./tokens-page.tsx"), "TokensPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/settings",
    component: lazyRouteComponent(() => import("./settings-page.tsx"), "SettingsPage"),
  }),
] as const;

export const operationsNavigation: readonly NavigationEntry[] = [
  {
    to: "/doctor",
    label: "Health",
    icon: "pulse",
    section: "Operations",
    order: 10,
    words: "doctor checks diagnosis",
  },
  { to: "/audit", label: "Audit", icon: "log", section: "Operations", order: 40, words: "who did what" },
  {
    to: "/notices",
    label: "Notices",
    icon: "bell",
    section: "Operations",
    order: 50,
    words: "mail chat messages",
  },
  {
    to: "/webhooks",
    label: "Webhooks",
    icon: "webhook",
    section: "Operations",
    order: 60,
    words: "deliveries events",
  },
  {
    to: "/schedules",
    label: "Schedules",
    icon: "clock",
    section: "Operations",
    order: 70,
    words: "maintenance windows freeze drift",
  },
  {
    to: "/tokens",
    label: "Tokens",
    icon: "key",
    section: "Operations",
    order: 80,
    words: "access service accounts",
  },
  {
    to: "/settings",
    label: "My settings",
    icon: "settings",
    section: "Operations",
    order: 90,
    words: "notices preferences",
  },
];
