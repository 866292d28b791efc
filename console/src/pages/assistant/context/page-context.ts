/**
 * Pure: what the user looks at, from the address of a page, since every state of a page is in it. It goes to the assistant as data.
 */
import type { AssistantComponents } from "plinth-client";

export type PageContext = Exclude<
  NonNullable<AssistantComponents["schemas"]["TaskRequest"]["page_context"]>,
  string
>;

const names: Record<string, { list: string; one?: string }> = {
  "": { list: "Overview" },
  waiting: { list: "What waits" },
  units: { list: "Units", one: "Unit" },
  provision: { list: "Provision" },
  operations: { list: "Operations" },
  plans: { list: "Plans", one: "Plan" },
  "unknown-outcomes": { list: "Unknown outcomes" },
  adapters: { list: "Adapters", one: "Adapter" },
  templates: { list: "Templates", one: "Template" },
  instantiations: { list: "Instantiations", one: "Instantiation" },
  catalogue: { list: "Catalogue", one: "Catalogue entity" },
  hooks: { list: "Approvals", one: "Approval" },
  access: { list: "Access requests", one: "Access request" },
  policies: { list: "Policies", one: "Policy" },
  exceptions: { list: "Exceptions" },
  ownership: { list: "Rules of ownership" },
  doctor: { list: "Doctor" },
  audit: { list: "Audit" },
  notices: { list: "Notices" },
  webhooks: { list: "Webhooks" },
  schedules: { list: "Schedules" },
  tokens: { list: "Tokens" },
  settings: { list: "Settings" },
};

/** Search parameters in which pages keep what is chosen on them. */
const chosen = ["selected", "selection", "task", "component", "unit", "id"];

/** null for pages that say nothing, such as those of the assistant itself. `path` is below the console's base path. */
export const contextOf = (path: string, environment: string): PageContext | null => {
  const url = new URL(path, "http://console");
  const [first = "", second] = url.pathname.split("/").slice(1).map(decoded);
  const name = names[first];
  if (name === undefined) return null;
  const one = second === undefined || second === "" ? null : second.slice(0, 512);
  const selection = [
    ...(one !== null && first !== "units" && first !== "plans" ? [one] : []),
    ...chosen.flatMap((key) => url.searchParams.getAll(key)),
  ]
    .map((id) => id.slice(0, 512))
    .filter((id) => id !== "")
    .slice(0, 100);
  const shown = url.searchParams.get("env") ?? environment;
  return {
    page: one === null ? name.list : (name.one ?? name.list),
    path: path.slice(0, 2048),
    ...(shown !== "" && { environment: shown.slice(0, 128) }),
    ...(one !== null && first === "units" && { unit: one }),
    ...(one !== null && first === "plans" && { plan: one.slice(0, 256) }),
    ...(selection.length > 0 && { selection }),
  };
};

/** The search part of an address as it is without the assistant beside the page. */
export const withoutPanel = (searchStr: string): string => {
  const search = new URLSearchParams(searchStr);
  search.delete("assistant");
  return search.size === 0 ? "" : `?${search.toString()}`;
};

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};

/** What a chip says: `Unit fleet-positions`, `Plan 7c9e6679`, `Units`. */
export const contextText = ({ page, unit, plan, selection }: PageContext): string => {
  if (unit !== undefined) return `${page} ${unit.split(":").at(-2) ?? unit}`;
  if (plan !== undefined) return `${page} ${plan.slice(0, 8)}`;
  const [only] = selection ?? [];
  return only === undefined ? page : `${page} ${only.length > 40 ? `${only.slice(0, 39)}…` : only}`;
};
