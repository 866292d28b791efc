/** The tools that agents may call: those of the platform itself and those of the configured MCP servers. */
import type { AssistantMeans } from "./assistant/context.ts";
import { createMcpPool } from "./assistant/mcp-clients/pool.ts";
import { createPlatformTools } from "./assistant/platform-tools/toolbox.ts";
import { assistantSettings } from "./assistant/settings.ts";
import type { Closer, Means } from "./compose.ts";
import type { BuilderParts } from "./compose-builder.ts";
import { createInsideDoor } from "./compose-inside.ts";

type ToolParts = Pick<AssistantMeans, "tools" | "serverHealth" | "platformTools">;

export async function createTools(
  means: Means & { builder: BuilderParts },
  closers: Closer[],
): Promise<ToolParts> {
  const { config, database, outbound, log } = means;
  const inside = createInsideDoor(means);
  closers.push(inside.close);
  const platformTools = createPlatformTools(inside.call);
  const pool = await createMcpPool({
    servers: config.assistant.mcpServers,
    database,
    outbound,
    log,
    platformTools,
    now: () => new Date(),
    issuer: assistantSettings(config).baseUrl,
  });
  closers.push(() => pool.close());
  return { tools: pool, serverHealth: () => pool.health(), platformTools };
}
