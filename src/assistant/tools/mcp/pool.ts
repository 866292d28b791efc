/** All tools that agents may call: the platform's own and those of the configured servers. */
import { isDeepStrictEqual } from "node:util";
import type { McpServerSettings } from "../../../platform/config/schema/schema-mcp.ts";
import type { Database } from "../../../platform/db/database.ts";
import { OutboundError } from "../../../platform/outbound/outbound-error.ts";
import { platformServer, type PlatformTools } from "../toolbox.ts";
import { toolId } from "../../record-schema.ts";
import type { ServerHealth, ToolDefinition, ToolResult, ToolSource } from "../tool-source.ts";
import type { Connection, ConnectionDeps } from "./connection.ts";
import { isDestructive, isReadOnly } from "./fingerprint.ts";
import type { createLink as CreateLinkFunction, Link } from "./link.ts";
import { readApproved, recordListing } from "./tool-store.ts";
import type { CallToolResult } from "@modelcontextprotocol/client";

export interface McpPool extends ToolSource {
  health(): ServerHealth[];
  /** Reconnects to each server whose settings differ from the present ones, as after a reload of its secrets. */
  renew(servers: readonly McpServerSettings[]): void;
  close(): Promise<void>;
}

interface PoolOptions extends ConnectionDeps {
  servers: readonly McpServerSettings[];
  database: Database;
  platformTools: PlatformTools;
}

/** How long the first listing waits for servers that have not been tried yet. */
const firstWaitMs = 3_000;
/** How long approvals are cached for listings; a call reads them again. */
const approvalsMs = 1_000;

type CreateLink = typeof CreateLinkFunction;

/** Starts connecting to the servers. */
export function createMcpPool(options: PoolOptions): McpPool {
  const { servers, database, platformTools, log, now } = options;
  const links = new Map<string, Link>();
  /** New links before their first attempt to connect has ended, and old links that were replaced. Closed with the pool. */
  const others = new Set<Link>();
  const approvals = cachedApprovals(database);
  let closed = false;
  /** The SDK is loaded only when servers are configured. */
  const open = async (): Promise<void> => {
    if (servers.length === 0) return;
    const { createLink } = await import("./link.ts");
    for (const server of servers) if (!closed) links.set(server.name, linkTo(createLink, server));
  };
  const opened = open();
  let renewal = opened;
  let isTried = false;
  const tried = opened
    .then(() => Promise.all([...links.values()].map((link) => link.tried)))
    .then(() => {
      isTried = true;
    });

  return {
    async list() {
      if (!isTried) await Promise.race([tried, pause(firstWaitMs)]);
      const forms = await approvals.read();
      const theirs = [...links.values()].flatMap((link) => offeredBy(link, forms));
      return [...platformTools.list(), ...theirs];
    },
    async call(ctx, call, { signal, timeoutMs }) {
      const { server, name, arguments: given } = call;
      const unknown = { text: `There is no tool ${toolId(call)}.`, isError: true };
      if (server === platformServer)
        return (await platformTools.call({ ctx, name, arguments: given, signal })) ?? unknown;
      await opened;
      const link = links.get(server);
      if (link === undefined) return unknown;
      const tool = link.tools().find((each) => each.name === name);
      if (tool === undefined) return notThere(link, toolId(call));
      if ((await readApproved(database.db)).get(toolId(call)) !== tool.fingerprint)
        return { text: `${toolId(call)} has changed and waits for an approval.`, isError: true };
      const limits = { signal, timeoutMs: Math.min(timeoutMs, link.server.callTimeoutMs) };
      try {
        return await callOnce(link, { actor: ctx.actor, name, given, limits });
      } catch (error) {
        signal.throwIfAborted();
        link.relist();
        const reason = (error as Error).message;
        log.warn({ server, tool: name, reason, requestId: ctx.requestId }, "a call of an MCP server failed");
        return { text: `${toolId(call)} could not be called: ${reason}`, isError: true };
      }
    },
    refusal: async (ctx, { server, name }) =>
      server === platformServer ? platformTools.refusal(ctx.actor, name) : null,
    health: () => [...links.values()].map((link) => link.health()),
    renew(next) {
      renewal = renewal
        .then(() => renewChanged({ links, others, next, linkTo, isClosed: () => closed }))
        .catch((error: Error) => {
          log.error({ reason: error.message }, "MCP servers could not be connected to anew");
        });
    },
    async close() {
      closed = true;
      await opened;
      await Promise.all([...links.values(), ...others].map((link) => link.close()));
      await renewal;
    },
  };

  function linkTo(createLink: CreateLink, server: McpServerSettings): Link {
    return createLink({
      ...options,
      server,
      async onListed(tools) {
        const approve = server.approveFirst ? "first" : "none";
        const changed = await recordListing(database, { server: server.name, tools, at: now(), approve });
        approvals.forget();
        if (changed.length > 0)
          log.warn({ server: server.name, tools: changed.slice(0, 20) }, "tools wait for an approval");
      },
    });
  }
}

/** The fingerprints of approved tools, for listings. */
function cachedApprovals({ db }: Database) {
  let latest = { at: Number.NEGATIVE_INFINITY, approved: Promise.resolve(new Map<string, string>()) };
  const forget = (read: { at: number }): void => void (read.at = Number.NEGATIVE_INFINITY);
  return {
    read(): Promise<Map<string, string>> {
      if (performance.now() - latest.at > approvalsMs) {
        const read = { at: performance.now(), approved: readApproved(db) };
        // The next listing reads again.
        read.approved.catch(() => forget(read));
        latest = read;
      }
      return latest.approved;
    },
    forget: () => forget(latest),
  };
}

interface Renewal {
  links: Map<string, Link>;
  others: Set<Link>;
  next: readonly McpServerSettings[];
  linkTo: (createLink: CreateLink, server: McpServerSettings) => Link;
  isClosed: () => boolean;
}

/** The old link of a server answers calls until the first attempt to connect the new one has ended. It is closed when its last call can have ended. */
async function renewChanged({ links, others, next, linkTo, isClosed }: Renewal): Promise<void> {
  const changed = next.filter((server) => {
    const present = links.get(server.name)?.server;
    return present !== undefined && !isDeepStrictEqual(server, present);
  });
  if (changed.length === 0) return;
  const { createLink } = await import("./link.ts");
  const replace = async (server: McpServerSettings): Promise<void> => {
    if (isClosed()) return;
    const link = linkTo(createLink, server);
    others.add(link);
    await link.tried;
    others.delete(link);
    const former = links.get(server.name);
    links.set(server.name, link);
    if (former === undefined || isClosed()) return;
    others.add(former);
    const end = (): void => void former.close().finally(() => others.delete(former));
    setTimeout(end, former.server.callTimeoutMs).unref();
  };
  await Promise.all(changed.map(replace));
}

const offeredBy = (link: Link, approved: ReadonlyMap<string, string>): ToolDefinition[] =>
  link.tools().flatMap(({ name, description, inputSchema, annotations, fingerprint }) => {
    const tool = { server: link.server.name, name };
    if (approved.get(toolId(tool)) !== fingerprint) return [];
    return [
      {
        ...tool,
        description,
        inputSchema,
        destructive: isDestructive(annotations),
        readOnly: isReadOnly(annotations),
      },
    ];
  });

function notThere(link: Link, id: string): ToolResult {
  const { status, message } = link.health();
  const why =
    status === "connected"
      ? "its server does not offer it any more"
      : `its server is not connected (${message ?? "it is being tried"})`;
  return { text: `${id} can't be called: ${why}.`, isError: true };
}

interface Call {
  actor: Parameters<Link["connectionFor"]>[0];
  name: string;
  given: Record<string, unknown>;
  limits: { signal: AbortSignal; timeoutMs: number };
}

/** Repeats a call only when the first attempt can't have reached the tool. */
async function callOnce(link: Link, { actor, name, given, limits }: Call): Promise<ToolResult> {
  const connection = await link.connectionFor(actor);
  const attempt = async (by: Connection): Promise<ToolResult> => {
    try {
      return resultText(await by.callTool(name, given, limits));
    } catch (error) {
      // What the user's next call would get again.
      if (statusOf(error) !== null || error instanceof OutboundError) link.forget(by);
      throw error;
    }
  };
  try {
    return await attempt(connection);
  } catch (error) {
    if (isSessionGone(error)) await link.renew(connection);
    else if (!(error instanceof OutboundError) || error.requestSent) throw error;
    return attempt(await link.connectionFor(actor));
  }
}

/** A restarted server answers requests of earlier sessions with 404; many published ones with 400 and a text that names the session. */
const isSessionGone = (error: unknown): boolean =>
  statusOf(error) === 404 || (statusOf(error) === 400 && /session/i.test((error as Error).message));

/** The status with which the server has refused a request; null for another failure. */
const statusOf = (error: unknown): number | null =>
  error instanceof Error && "status" in error && typeof error.status === "number" ? error.status : null;

const pause = (ms: number): Promise<void> =>
  new Promise((done) => {
    setTimeout(done, ms).unref();
  });

const longestText = 200_000;

/** The result of a tool as the text that a model gets. */
export function resultText({ content, structuredContent, isError }: CallToolResult): ToolResult {
  const parts = content.map(partText).filter((text) => text !== "");
  if (parts.length === 0 && structuredContent !== undefined) parts.push(JSON.stringify(structuredContent));
  const text = parts.join("\n\n");
  const shown =
    text.length <= longestText ? text : `${text.slice(0, longestText)}… (cut: ${text.length} characters)`;
  return { text: shown, isError: isError === true };
}

function partText(part: CallToolResult["content"][number]): string {
  switch (part.type) {
    case "text":
      return part.text;
    case "resource":
      return "text" in part.resource ? part.resource.text : `(a file: ${part.resource.uri})`;
    case "resource_link":
      return `(a link: ${part.name} ${part.uri})`;
    case "image":
    case "audio":
      return `(${part.type}, ${part.mimeType}, which can't be shown)`;
    default:
      return "(something that can't be shown)";
  }
}
