/** Every page of the console by an address that has something to show on the server of the stories. */
import { ferries, ferriesView } from "./seed-templates.ts";
import { mockAdapterId, unitOf } from "./units.ts";
import type { ConsoleServer } from "./server.ts";

export interface ShownRoute {
  /** Of its screenshots. */
  name: string;
  path: string;
}

const lists = [
  "waiting",
  "units",
  "provision",
  "operations",
  "unknown-outcomes",
  "adapters",
  "templates",
  "instantiations",
  "catalogue",
  "hooks",
  "access",
  "policies",
  "exceptions",
  "ownership",
  "assistant",
  "assistant/approvals",
  "assistant/usage",
  "doctor",
  "audit",
  "notices",
  "webhooks",
  "schedules",
  "tokens",
  "settings",
];

export async function shownRoutes({ guest }: ConsoleServer): Promise<ShownRoute[]> {
  const operations = "/api/coordinator/v2/provisioning-operations";
  const runs = "/api/builder/templates/tasks";
  const [failed, running, hooks, requests, failedRuns, doneRuns, sessions] = await Promise.all([
    guest.call("GET", `${operations}?status=FAILED&limit=1`),
    guest.call("GET", `${operations}?status=RUNNING&limit=1`),
    guest.call("GET", "/api/builder/hooks?limit=20"),
    guest.call("GET", "/api/builder/access-requests?limit=1"),
    guest.call("GET", `${runs}?status=failed&limit=1`),
    guest.call("GET", `${runs}?status=completed&limit=1`),
    guest.call("GET", "/api/assistant/v2/sessions?limit=2"),
  ]);
  const plan = ({ data: [first] }: any): string => `/plans/${first.operation.executionPlanId}`;
  const hook = hooks.data.find(({ actionName }: any) => actionName === "deployment");
  const one = (path: string, id: string): string => `${path}/${encodeURIComponent(id)}`;
  return [
    { name: "home", path: "/" },
    ...lists.map((name) => ({ name: name.replace("/", "-"), path: `/${name}` })),
    { name: "unit", path: one("/units", unitOf("fleet-positions").id) },
    { name: "plan-failed", path: plan(failed) },
    { name: "plan-running", path: plan(running) },
    { name: "adapter", path: one("/adapters", mockAdapterId) },
    { name: "template", path: one("/templates", "template:default/output-port") },
    { name: "template-columns", path: `${one("/templates", "template:default/storage")}?step=2` },
    { name: "template-review", path: `${one("/templates", "template:default/data-product")}?step=review` },
    {
      name: "template-edit",
      path: `${one("/templates", "edittemplate:default/edit-view")}?step=2&entity=${encodeURIComponent(ferriesView)}`,
    },
    { name: "instantiation", path: one("/instantiations", doneRuns.data[0].id) },
    { name: "instantiation-failed", path: one("/instantiations", failedRuns.data[0].id) },
    { name: "entity", path: one("/catalogue", ferriesView) },
    { name: "entity-system", path: one("/catalogue", "system:default/mobility.fleet-positions.0") },
    { name: "entity-relations", path: `${one("/catalogue", ferries)}?tab=relations` },
    { name: "entity-yaml", path: `${one("/catalogue", ferriesView)}?tab=yaml` },
    { name: "hook", path: one("/hooks", hook.hookId) },
    { name: "access-request", path: one("/access", requests.data[0].id) },
    { name: "policy", path: one("/policies", "output-ports-are-described") },
    { name: "retention", path: "/doctor?tab=retention&counted=yes" },
    { name: "audit-chains", path: "/audit?tab=chains" },
    { name: "webhooks-dead", path: "/webhooks?webhook=ledger&status=DEAD" },
    { name: "windows-edited", path: "/schedules?edit=production" },
    { name: "drift-schedules", path: "/schedules?tab=drift" },
    { name: "service-accounts", path: "/tokens?tab=services" },
    ...sessions.data.map(({ id }: any, index: number) => ({
      name: `assistant-session-${index}`,
      path: one("/assistant", id),
    })),
    { name: "sign-in", path: "/sign-in?error=denied" },
    { name: "not-found", path: "/nothing-is-here" },
  ];
}

/** Those that an argument begins, such as `/plans`; all without arguments. */
export const chosenRoutes = (routes: readonly ShownRoute[], chosen: readonly string[]): ShownRoute[] =>
  routes.filter(
    ({ path, name }) =>
      chosen.length === 0 ||
      chosen.some((each) => name === each || (each !== "/" && path.startsWith(each)) || path === each),
  );
