/** All pages: each group has its routes and its navigation in its own folder. */
import { approvalsNavigation, approvalsRoutes } from "../pages/approvals/routes.tsx";
import { assistantNavigation, assistantRoutes } from "../pages/assistant/routes.tsx";
import { homeNavigation, homeRoutes } from "../pages/home/routes.tsx";
import { operationsNavigation, operationsRoutes } from "../pages/operations/routes.tsx";
import { provisioningNavigation, provisioningRoutes } from "../pages/provisioning/routes.tsx";
import { templatesNavigation, templatesRoutes } from "../pages/templates/routes.tsx";
import { unitsNavigation, unitsRoutes } from "../pages/units/routes.tsx";
import { sections, type NavigationEntry } from "./navigation.ts";

export const pageRoutes = [
  ...homeRoutes,
  ...unitsRoutes,
  ...provisioningRoutes,
  ...templatesRoutes,
  ...approvalsRoutes,
  ...assistantRoutes,
  ...operationsRoutes,
] as const;

const entries: readonly NavigationEntry[] = [
  ...homeNavigation,
  ...unitsNavigation,
  ...provisioningNavigation,
  ...templatesNavigation,
  ...approvalsNavigation,
  ...assistantNavigation,
  ...operationsNavigation,
];

/** In the order in which they are shown. */
export const navigation = entries.toSorted(
  (a, b) => sections.indexOf(a.section) - sections.indexOf(b.section) || a.order - b.order,
);
