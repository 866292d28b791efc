/** Agents that run elsewhere, as tools of a server named `agents`. */
import { setTimeout as pause } from "node:timers/promises";
import type { Database } from "../../../platform/db/database.ts";
import { newId } from "../../../platform/lib/ids.ts";
import type { Logger } from "../../../platform/lib/logger.ts";
import type { RequestContext } from "../../../platform/lib/request-context.ts";
import type { SecretBox } from "../../../platform/lib/secrets/secret-box.ts";
import { OutboundError, publicMessage } from "../../../platform/outbound/outbound-error.ts";
import type { Outbound } from "../../../platform/outbound/outbound.ts";
import { createSentSecrets } from "../../../platform/outbound/sent-secrets.ts";
import type { McpToolRef } from "../../record-schema.ts";
import type { ToolDefinition, ToolSource } from "../../tools/tool-source.ts";
import { askByA2a, askByCard, readCard } from "./ask-by-a2a.ts";
import type { Ask, Driver } from "./driver.ts";
import { askByAgUi, askByChat, askPlainly } from "./ask-by-others.ts";
import type { TokenSigner } from "./run-token.ts";
import { openAgent, type OpenedAgent } from "./sealed-agent.ts";
import { readExternalAgent, type ExternalAgentRow } from "./store.ts";

export const agentServer = "agents";

interface AgentToolOptions {
  database: Database;
  outbound: Outbound;
  /** For addresses in agent cards that are not at the agent's own origin. */
  cardOutbound: Outbound;
  log: Logger;
  /** Opens the sealed addresses and payloads of agents. */
  secrets: Pick<SecretBox, "open">;
  /** Signs the tokens that tell agents who the user is. */
  signer: TokenSigner;
  /** Active agents. */
  readActive: () => Promise<ExternalAgentRow[]>;
}

const longestAnswerBytes = 1_000_000;
const exchangeMs = 60_000;

export function createAgentTools(options: AgentToolOptions): ToolSource {
  const { database, outbound, cardOutbound, log, secrets, signer, readActive } = options;
  return {
    list: async () => (await readActive()).map(definitionOf),
    async call(ctx, { name, arguments: given }, { signal, timeoutMs }) {
      const { message } = given;
      const found = await findAgent(database, name);
      if (found === null) return { text: `There is no agent ${name} that may be asked.`, isError: true };
      if (typeof message !== "string" || message === "")
        return { text: "The message is missing.", isError: true };
      const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
      try {
        const agent = openAgent(secrets, found);
        const ask = asker(ctx, { agent, outbound, cardOutbound, signer, signal: limit });
        const wait = (ms: number): Promise<void> => pause(ms, undefined, { signal: limit });
        const text = await driverOf(agent)({ agent, message, ask, newId, pause: wait });
        return { text: text === "" ? "(The agent said nothing.)" : text, isError: false };
      } catch (error) {
        signal.throwIfAborted();
        const reason = (error as Error).message;
        log.warn({ agent: found.name, reason, requestId: ctx.requestId }, "an agent could not be asked");
        return { text: `${found.name} could not be asked: ${reason}`, isError: true };
      }
    },
  };
}

/** Active agents as tools, which the orchestrator gets besides its own. */
export const agentTools = (active: readonly ExternalAgentRow[]): McpToolRef[] =>
  active.map((agent) => ({ server: agentServer, name: toolNameOf(agent) }));

const idLength = 36;

/** Names of agents are not unique; their ids are. */
const toolNameOf = ({ name, id }: ExternalAgentRow): string =>
  `${name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, 24)}_${id}`;

async function findAgent(database: Database, name: string): Promise<ExternalAgentRow | null> {
  const id = name.slice(-idLength);
  if (!/^[0-9a-f-]{36}$/.test(id)) return null;
  const agent = await readExternalAgent(database.db, id);
  return agent?.active === true ? agent : null;
}

const definitionOf = (agent: ExternalAgentRow): ToolDefinition => ({
  server: agentServer,
  name: toolNameOf(agent),
  description: `Asks the agent ${agent.name}, which runs elsewhere. It knows nothing of this conversation. ${agent.description}`,
  inputSchema: {
    type: "object",
    properties: {
      message: { type: "string", description: "The whole task, with all that is needed for it." },
    },
    required: ["message"],
    additionalProperties: false,
  },
  // The platform does not know what an external agent changes; whoever registers it says whether the user is asked.
  destructive: agent.payload["destructive"] === true,
});

const drivers: Record<string, Driver> = {
  a2a: askByA2a,
  agui: askByAgUi,
  openai: askByChat,
  http: askPlainly,
};

/** Without a protocol in the payload: A2A when the agent has a card, else plain HTTP. */
const driverOf = ({ payload }: OpenedAgent): Driver => {
  const { protocol } = payload;
  return (typeof protocol === "string" ? drivers[protocol] : undefined) ?? probing;
};

const probing: Driver = async (asking) => {
  const card = await readCard(asking);
  return card === null ? askPlainly(asking) : askByCard(asking, card);
};

interface Asked {
  agent: OpenedAgent;
  outbound: Outbound;
  cardOutbound: Outbound;
  signer: TokenSigner;
  signal: AbortSignal;
}

/**
 * The token is sent only to the origin that an operator registered. An agent card may name an address of another origin; calls
 * to it carry no token and have an outbound policy of their own.
 */
function asker(ctx: RequestContext, { agent, outbound, cardOutbound, signer, signal }: Asked): Ask {
  const home = new URL(agent.endpoint).origin;
  // Some agents repeat what they were called with.
  const sent = createSentSecrets([...new URL(agent.endpoint).searchParams].flat());
  return async ({ method, url, headers = {}, body }) => {
    const isHome = new URL(url).origin === home;
    const token = agent.needAuthentication && isHome ? await signer.sign(ctx.actor, home) : null;
    const allHeaders = {
      accept: "application/json",
      traceparent: ctx.traceparent,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    };
    sent.note({ url, headers: allHeaders, body });
    try {
      const answer = await (isHome ? outbound : cardOutbound).request({
        method,
        url,
        timeoutMs: exchangeMs,
        maxResponseBytes: longestAnswerBytes,
        signal,
        headers: allHeaders,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: answer.status, text: sent.mask().text(answer.body.toString("utf8")) };
    } catch (error) {
      // A card that can't be fetched is none; the message of the outbound client says why.
      if (error instanceof OutboundError && method === "GET" && error.reason !== "aborted")
        return { status: 0, text: error.message };
      if (error instanceof OutboundError && !isHome) throw new Error(publicMessage(error), { cause: error });
      throw error;
    }
  };
}
