/** Rows of external agents as they travel. Pure. */
import type { ExternalAgent } from "./schema.ts";
import type { OpenedAgent } from "./sealed-agent.ts";

export const externalAgentView = (row: OpenedAgent): ExternalAgent => ({
  id: row.id,
  name: row.name,
  title: titleOf(row.name),
  description: row.description,
  endpoint: row.endpoint,
  payload: row.payload,
  need_authentication: row.needAuthentication,
  active: row.active,
});

/** `sales-forecast_agent` reads as `Sales forecast agent`. */
export function titleOf(name: string): string {
  const words = name.replaceAll(/[-_\s]+/g, " ").trim();
  const [first = "", ...rest] = words;
  return words === "" ? name : first.toUpperCase() + rest.join("");
}
