/** The schemas of the arguments that a user may edit before allowing a call. */
import type { AssistantContext } from "../context.ts";

type Called = { server: string; tool: string };

/** A longer schema is not shown: a form of it would help nobody. */
const maxBytes = 64 * 1024;

/** By the call; null where the tool is not offered at the moment, or its schema is too long. */
export async function argumentSchemas(
  { assistant, log }: AssistantContext,
  wanted: readonly Called[],
): Promise<(called: Called) => object | null> {
  if (wanted.length === 0) return () => null;
  const tools = await assistant.tools.list().catch((error: unknown) => {
    log.warn({ reason: (error as Error).message }, "the tools could not be listed");
    return [];
  });
  const found = new Map(tools.map(({ server, name, inputSchema }) => [`${server}:${name}`, inputSchema]));
  return ({ server, tool }) => {
    const schema = found.get(`${server}:${tool}`) ?? null;
    return schema !== null && Buffer.byteLength(JSON.stringify(schema)) <= maxBytes ? schema : null;
  };
}
