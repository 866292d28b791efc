import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import type { NavigationEntry } from "../../app/navigation.ts";
import { rootRoute } from "../../app/root-route.ts";
import { oneOf, optional, someOf, textOf } from "../../parts/page/search.ts";

type Raw = Record<string, unknown>;

const numberOf = (search: Raw, key: string): number | undefined => {
  const value = Number(search[key]);
  return Number.isInteger(value) && value > 0 ? value : undefined;
};

const flagOf = (search: Raw, key: string): true | undefined =>
  search[key] === true || search[key] === "true" ? true : undefined;

const waitingKinds = [
  "HOOK",
  "APPROVAL",
  "EXCEPTION",
  "FAILED_OPERATION",
  "HELD_PLAN",
  "RECONCILE",
  "UNKNOWN_OUTCOME",
] as const;
const requestStatuses = [
  "PENDING",
  "APPROVED",
  "APPLYING",
  "GRANTED",
  "REVOKED",
  "REJECTED",
  "EXPIRED",
  "WITHDRAWN",
  "FAILED",
] as const;

export const approvalsRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/waiting",
    validateSearch: (search: Raw) => {
      const kind = someOf(search, "kind", waitingKinds);
      return optional({ kind: kind.length === 0 ? undefined : kind });
    },
    component: lazyRouteComponent(() => import("./waiting/waiting-page.tsx"), "WaitingPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/hooks",
    validateSearch: (search: Raw) => optional({ status: oneOf(search, "status", ["pending", "OK", "KO"]) }),
    component: lazyRouteComponent(() => import("./hooks/hooks-page.tsx"), "HooksPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/hooks/$hookId",
    component: lazyRouteComponent(() => import("./hooks/hook-page.tsx"), "HookPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/access",
    validateSearch: (search: Raw) =>
      optional({
        tab: oneOf(search, "tab", ["grants"]),
        status: oneOf(search, "status", requestStatuses),
        /** Opens the form of a new request. */
        ask: oneOf(search, "ask", ["GRANT", "REVOKE"]),
        unit: textOf(search, "unit"),
        port: textOf(search, "port"),
        identity: textOf(search, "identity"),
      }),
    component: lazyRouteComponent(() => import("./access/access-page.tsx"), "AccessPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/access/$requestId",
    component: lazyRouteComponent(() => import("./access/access-request-page.tsx"), "AccessRequestPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/policies",
    validateSearch: (search: Raw) =>
      optional({
        tab: oneOf(search, "tab", ["evaluate"]),
        q: textOf(search, "q"),
        status: oneOf(search, "status", ["draft", "grace", "enabled", "disabled"]),
        kind: oneOf(search, "kind", ["policy", "metric"]),
        engine: oneOf(search, "engine", ["cel", "json-schema", "remote", "cue", "model"]),
        report: textOf(search, "report"),
        create: flagOf(search, "create"),
      }),
    component: lazyRouteComponent(() => import("./policies/policies-page.tsx"), "PoliciesPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/policies/$policyId",
    validateSearch: (search: Raw) =>
      optional({
        tab: oneOf(search, "tab", ["results", "try", "versions"]),
        outcome: oneOf(search, "outcome", ["error", "failed", "warning", "ok"]),
        on: oneOf(search, "on", ["descriptor"]),
        report: textOf(search, "report"),
        from: numberOf(search, "from"),
        to: numberOf(search, "to"),
      }),
    component: lazyRouteComponent(() => import("./policies/policy-page.tsx"), "PolicyPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/exceptions",
    validateSearch: (search: Raw) =>
      optional({
        status: oneOf(search, "status", ["pending", "approved", "rejected", "revoked", "expired"]),
        policy: textOf(search, "policy"),
        resource: textOf(search, "resource"),
        ask: flagOf(search, "ask"),
      }),
    component: lazyRouteComponent(() => import("./exceptions/exceptions-page.tsx"), "ExceptionsPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/ownership",
    validateSearch: (search: Raw) =>
      optional({
        unit: textOf(search, "unit"),
        operation: oneOf(search, "operation", ["start", "undeploy", "removeData", "rollBack", "resume"]),
        edit: oneOf(search, "edit", ["form", "yaml"]),
      }),
    component: lazyRouteComponent(() => import("./ownership/ownership-page.tsx"), "OwnershipPage"),
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
