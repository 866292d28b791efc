import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import type { NavigationEntry } from "../../app/navigation.ts";
import { rootRoute } from "../../app/root-route.ts";
import { oneOf, optional, textOf } from "../../parts/page/search.ts";
import { auditAreas, deliveryStatuses, noticeStatuses, tokenStatuses } from "./words.ts";

type Raw = Record<string, unknown>;

export const operationsRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/doctor",
    validateSearch: (search: Raw) =>
      optional({
        tab: oneOf(search, "tab", ["retention"]),
        counted: oneOf(search, "counted", ["yes"]),
      }),
    component: lazyRouteComponent(() => import("./doctor/doctor-page.tsx"), "DoctorPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/audit",
    validateSearch: (search: Raw) =>
      optional({
        tab: oneOf(search, "tab", ["chains"]),
        actor: textOf(search, "actor"),
        action: textOf(search, "action"),
        resource: textOf(search, "resource"),
        area: oneOf(search, "area", auditAreas),
        request: textOf(search, "request"),
        from: textOf(search, "from"),
        to: textOf(search, "to"),
        row: textOf(search, "row"),
      }),
    component: lazyRouteComponent(() => import("./audit/audit-page.tsx"), "AuditPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/notices",
    validateSearch: (search: Raw) =>
      optional({
        channel: textOf(search, "channel"),
        status: oneOf(search, "status", noticeStatuses),
        notice: textOf(search, "notice"),
      }),
    component: lazyRouteComponent(() => import("./notices/notices-page.tsx"), "NoticesPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/webhooks",
    validateSearch: (search: Raw) =>
      optional({
        webhook: textOf(search, "webhook"),
        status: oneOf(search, "status", deliveryStatuses),
      }),
    component: lazyRouteComponent(() => import("./webhooks/webhooks-page.tsx"), "WebhooksPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/schedules",
    validateSearch: (search: Raw) =>
      optional({
        tab: oneOf(search, "tab", ["drift"]),
        from: textOf(search, "from"),
        edit: textOf(search, "edit"),
      }),
    component: lazyRouteComponent(() => import("./schedules/schedules-page.tsx"), "SchedulesPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/tokens",
    validateSearch: (search: Raw) =>
      optional({
        tab: oneOf(search, "tab", ["all", "services"]),
        owner: textOf(search, "owner"),
        status: oneOf(search, "status", tokenStatuses),
      }),
    component: lazyRouteComponent(() => import("./tokens/tokens-page.tsx"), "TokensPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/settings",
    component: lazyRouteComponent(() => import("./settings/settings-page.tsx"), "SettingsPage"),
  }),
] as const;

export const operationsNavigation: readonly NavigationEntry[] = [
  {
    to: "/doctor",
    label: "Health",
    icon: "pulse",
    section: "Operations",
    order: 10,
    words: "doctor checks diagnosis retention",
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
    words: "access sessions service accounts",
  },
  {
    to: "/settings",
    label: "My settings",
    icon: "settings",
    section: "Operations",
    order: 90,
    words: "notices preferences theme times sign out",
  },
];
