/** Callers on connections that they keep: one request after another until the server wants no more. */
import { Agent, request, type IncomingMessage } from "node:http";

export interface Connections {
  /** Requests that were answered, by name and status. */
  answers: Record<string, number>;
  /** What a request may not meet: a torn answer, or a status that nobody announced. */
  violations: string[];
  /** Units whose start was answered 202, with their tokens. */
  started: Map<string, string>;
  /** Units whose start got no answer: the connection was closed on it. */
  refused: string[];
  /** Resolves when every connection has been closed by the server. */
  closed: Promise<void>;
}

export interface CallerRequest {
  name: string;
  method: string;
  path: string;
  body?: object;
  expected: number;
  /** The unit that a start is for. */
  unitId?: string;
}

/** Keeps `count` connections busy; `errand` says what each sends next. */
export function keepConnections(
  base: string,
  count: number,
  callerRequest: () => CallerRequest,
): Connections {
  const found: Connections = {
    answers: {},
    violations: [],
    started: new Map(),
    refused: [],
    closed: Promise.resolve(),
  };
  const run = async (): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let open = true; open;) open = await send(base, agent, callerRequest(), found);
    agent.destroy();
  };
  found.closed = Promise.all(Array.from({ length: count }, run)).then(() => undefined);
  return found;
}

/** False when the connection is no more. */
async function send(
  base: string,
  agent: Agent,
  callerRequest: CallerRequest,
  found: Connections,
): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const outgoing = request(
    base + callerRequest.path,
    {
      method: callerRequest.method,
      agent,
      timeout: 20_000,
      headers: callerRequest.body ? { "content-type": "application/json" } : {},
    },
    (answer) => resolve(take(callerRequest, answer, found)),
  );
  outgoing.on("timeout", () => outgoing.destroy(new Error("no answer within 20 s")));
  outgoing.on("error", ({ message }: NodeJS.ErrnoException) => {
    const isClosed = /ECONNRESET|ECONNREFUSED|EPIPE|socket hang up/.test(message);
    if (!isClosed) found.violations.push(`${callerRequest.name}: ${message}`);
    else if (callerRequest.unitId !== undefined) found.refused.push(callerRequest.unitId);
    resolve(false);
  });
  outgoing.end(callerRequest.body && JSON.stringify(callerRequest.body));
  return promise;
}

async function take(
  callerRequest: CallerRequest,
  answer: IncomingMessage,
  found: Connections,
): Promise<boolean> {
  const { name, expected, unitId } = callerRequest;
  const status = answer.statusCode ?? 0;
  const key = `${name} ${status}`;
  found.answers[key] = (found.answers[key] ?? 0) + 1;
  let text = "";
  try {
    for await (const chunk of answer) text += String(chunk);
  } catch (error) {
    found.violations.push(`${name}: its answer ${status} was torn: ${(error as Error).message}`);
    return false;
  }
  if (status === expected) {
    if (unitId !== undefined) found.started.set(unitId, JSON.parse(text) as string);
  } else if (status !== 503 || answer.headers["retry-after"] === undefined) {
    found.violations.push(`${name} was answered ${status}: ${text.slice(0, 300)}`);
  }
  return answer.headers.connection !== "close";
}
