/** The rows of the platform's own tools, which skills and agents refer to as to those of any server. */
import type { McpServerSettings } from "../../platform/config/schema-mcp.ts";
import type { AssistantDeps } from "../context.ts";
import { platformServer } from "../platform-tools/toolbox.ts";
import { forgetServers, recordListing } from "./tool-store.ts";

/** Our own are as trusted as the rest of the program. Tools of servers that are not configured any more are gone. */
export async function recordPlatformTools(
  { database, platformTools }: Pick<AssistantDeps, "database" | "platformTools">,
  { servers, at }: { servers: readonly McpServerSettings[]; at: Date },
): Promise<void> {
  const tools = platformTools.list().map(({ name, description, inputSchema, destructive }) => ({
    name,
    description,
    inputSchema,
    annotations: { readOnlyHint: !destructive, destructiveHint: destructive },
  }));
  await recordListing(database, { server: platformServer, tools, at, approve: "all" });
  await forgetServers(database.kysely, [platformServer, ...servers.map(({ name }) => name)]);
}
