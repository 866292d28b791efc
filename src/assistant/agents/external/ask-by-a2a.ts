/** Asks agents by A2A over JSON-RPC, in versions 1.0 and 0.3. */
import { addressBelow, pathEndsWith } from "./agent-address.ts";
import { askJson, type Asking, type Driver } from "./driver.ts";

interface Card {
  url?: string;
  protocolVersion?: string;
  /** Of 0.3: what `url` speaks; JSON-RPC when it is left out. */
  preferredTransport?: string | null;
  additionalInterfaces?: { url: string; transport: string }[] | null;
  supportedInterfaces?: { url: string; protocolBinding: string; protocolVersion: string; tenant?: string }[];
}

const cardPath = "/.well-known/agent-card.json";

/**
 * Possible addresses of the card: well-known ones, or the endpoint itself when it names a file. The query may hold a key
 * for the endpoint, so it is not sent to the root of the host.
 */
const cardUrls = (endpoint: string): string[] =>
  pathEndsWith(endpoint, ".json")
    ? [endpoint]
    : [addressBelow(endpoint, cardPath), new URL(cardPath, endpoint).href];

/** The card of an agent, or null where there is none. */
export async function readCard({ agent, ask }: Pick<Asking, "agent" | "ask">): Promise<Card | null> {
  for (const url of new Set(cardUrls(agent.endpoint))) {
    const { status, text } = await ask({ method: "GET", url });
    if (status !== 200) continue;
    try {
      const card: unknown = JSON.parse(text);
      if (typeof card === "object" && card !== null && ("url" in card || "supportedInterfaces" in card))
        return card as Card;
    } catch {
      // Not JSON, so no card.
    }
  }
  return null;
}

export const askByA2a: Driver = async (asking) => {
  const card = await readCard(asking);
  if (card === null) throw new Error("The agent has no agent card.");
  return askByCard(asking, card);
};

export async function askByCard(asking: Asking, card: Card): Promise<string> {
  const present = card.supportedInterfaces?.find(
    ({ protocolBinding, protocolVersion }) =>
      protocolBinding === "JSONRPC" && protocolVersion.startsWith("1."),
  );
  if (present !== undefined) return talk(asking, { dialect: dialects.present, ...present });
  const url = olderUrl(card);
  if (url === undefined) throw new Error("The card of the agent names no address that speaks JSON-RPC.");
  return talk(asking, { dialect: dialects.older, url });
}

function olderUrl({ supportedInterfaces, url, preferredTransport, additionalInterfaces }: Card) {
  const older = supportedInterfaces?.find(({ protocolBinding }) => protocolBinding === "JSONRPC");
  if (older !== undefined) return older.url;
  if ((preferredTransport ?? "JSONRPC") === "JSONRPC") return url;
  return additionalInterfaces?.find(({ transport }) => transport === "JSONRPC")?.url;
}

interface Dialect {
  send: string;
  get: string;
  headers: Record<string, string>;
  message: (text: string, id: string) => object;
  /** The message or task in a result. */
  unwrap: (result: any) => { message?: any; task?: any };
}

const dialects: Record<"present" | "older", Dialect> = {
  present: {
    send: "SendMessage",
    get: "GetTask",
    headers: { "a2a-version": "1.0" },
    message: (text, messageId) => ({ messageId, role: "ROLE_USER", parts: [{ text }] }),
    unwrap: (result) => (result?.status === undefined ? (result ?? {}) : { task: result }),
  },
  older: {
    send: "message/send",
    get: "tasks/get",
    headers: {},
    message: (text, messageId) => ({
      kind: "message",
      messageId,
      role: "user",
      parts: [{ kind: "text", text }],
    }),
    unwrap: (result) => (result?.kind === "message" ? { message: result } : { task: result }),
  },
};

const pollMs = 1_000;

async function talk(
  asking: Asking,
  { dialect, url, tenant }: { dialect: Dialect; url: string; tenant?: string },
): Promise<string> {
  const { ask, agent, message, newId, pause } = asking;
  const call = async (method: string, params: object): Promise<any> => {
    const body = {
      jsonrpc: "2.0",
      id: newId(),
      method,
      params: { ...(tenant ? { tenant } : {}), ...params },
    };
    const target = new URL(url, agent.endpoint).href;
    const { result, error } = await askJson(ask, {
      method: "POST",
      url: target,
      headers: dialect.headers,
      body,
    });
    if (error !== undefined && error !== null)
      throw new Error(`The agent refused: ${String(error.message).slice(0, 500)}`);
    return result;
  };
  let found = dialect.unwrap(await call(dialect.send, { message: dialect.message(message, newId()) }));
  for (;;) {
    if (found.message !== undefined) return textOf(found.message.parts);
    const { id, status } = found.task ?? {};
    const state = String(status?.state).toLowerCase().replace("task_state_", "").replaceAll("_", "-");
    if (state === "completed" || state === "input-required")
      return answerOf(found.task, state === "input-required");
    if (state !== "submitted" && state !== "working")
      throw new Error(`The agent's task is ${state}. ${textOf(status?.message?.parts)}`);
    await pause(pollMs);
    found = { task: await call(dialect.get, { id }) };
  }
}

/** What a task has made; with its question when it asks. Some agents answer in the status or the history alone. */
function answerOf({ status, artifacts, history }: any, asks: boolean): string {
  const made = textOf(listOf(artifacts).flatMap(({ parts }) => listOf(parts)));
  const said = textOf(status.message?.parts);
  const latest = listOf(history).findLast(({ role }) => role === "agent" || role === "ROLE_AGENT");
  const shown = asks ? [made, said].filter((text) => text !== "").join("\n") : made || said;
  return shown || textOf(latest?.parts);
}

const listOf = (value: unknown): any[] => (Array.isArray(value) ? value : []);

const textOf = (parts: unknown): string =>
  listOf(parts)
    .map((part) => part.text ?? (part.data === undefined ? "" : JSON.stringify(part.data)))
    .filter((text: unknown) => typeof text === "string" && text !== "")
    .join("\n");
