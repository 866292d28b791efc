/** An MCP server of an older generation that does what it should not, as a test tells it to. */
import { setTimeout as pause } from "node:timers/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { startHttpPeer } from "../../support/http-peer.ts";

interface Tool {
  name: string;
  description?: string;
  inputSchema: object;
  annotations?: object;
}

export interface HostileServer {
  url: string;
  tools: Tool[];
  /** What it does instead of answering the calls of tools, or all requests. */
  behaviour:
    | "good"
    | "silent"
    | "dead"
    | "drips"
    | "huge"
    | "huge-events"
    | "garbage"
    | "unauthorised"
    | "listens";
  /** Null for none; another one makes those of before unknown. */
  session: string | null;
  /** How long it thinks before it refuses a session that it does not know; each refusal takes that longer than the one before. */
  refusalMs: number;
  /** How long a call of a tool takes. */
  answerMs: number;
  /** The authorization header of each request. */
  seen: { method: string; authorization: string | undefined; sub: string | undefined }[];
  /** Calls of tools that it has begun. */
  calls: string[];
  /** What it answers when it is good. */
  said: (name: string, given: any) => string;
  close(): Promise<void>;
}

export const plainTool = (name: string, description = "Does as it is told."): Tool => ({
  name,
  description,
  inputSchema: { type: "object" },
});

const hugeText = "x".repeat(50_000_000);

export async function startHostileServer(tools: Tool[] = [plainTool("act")]): Promise<HostileServer> {
  const peer = await startHttpPeer((request, response) => void answer(request, response));
  const own: HostileServer = {
    url: `${peer.url}/mcp`,
    tools,
    behaviour: "good",
    session: null,
    refusalMs: 0,
    answerMs: 0,
    seen: [],
    calls: [],
    said: (name) => `did ${name}`,
    close: peer.close,
  };
  let refused = 0;
  return own;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== "POST") return void response.writeHead(405).end();
    let text = "";
    for await (const chunk of request) text += String(chunk);
    const { id, method, params } = JSON.parse(text) as { id?: number; method: string; params?: any };
    const { authorization } = request.headers;
    own.seen.push({ method, authorization, sub: subOf(authorization) });
    const isCall = method === "tools/call";
    if (
      own.session !== null &&
      method !== "initialize" &&
      request.headers["mcp-session-id"] !== own.session
    ) {
      await pause(own.refusalMs * refused++);
      return void response.writeHead(404).end();
    }
    if (isCall) {
      own.calls.push(params.name);
      await pause(own.answerMs);
    }
    if (own.behaviour === "unauthorised") return void response.writeHead(401).end();
    if (own.behaviour === "dead") return void request.socket.destroy();
    if (isCall && own.behaviour !== "good") return misbehave(own.behaviour, response, id);
    if (id === undefined) return void response.writeHead(202).end();
    const result = resultOf(method, params);
    const error = { code: -32601, message: "Method not found" };
    const body = { jsonrpc: "2.0", id, ...(result === undefined ? { error } : { result }) };
    const session = own.session === null ? {} : { "mcp-session-id": own.session };
    response.writeHead(200, { "content-type": "application/json", ...session }).end(JSON.stringify(body));
  }

  function resultOf(method: string, params: any): object | undefined {
    switch (method) {
      case "initialize":
        return {
          protocolVersion: params.protocolVersion,
          capabilities: { tools: { listChanged: true } },
          serverInfo: { name: "hostile", version: "1" },
        };
      case "tools/list":
        return { tools: own.tools };
      case "tools/call":
        return { content: [{ type: "text", text: own.said(params.name, params.arguments) }] };
      default:
        return undefined;
    }
  }
}

function misbehave(
  behaviour: HostileServer["behaviour"],
  response: ServerResponse,
  id: number | undefined,
): void {
  const result = { content: [{ type: "text", text: hugeText }] };
  switch (behaviour) {
    case "huge":
      return void response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify({ jsonrpc: "2.0", id, result }));
    case "huge-events":
      return void response
        .writeHead(200, { "content-type": "text/event-stream" })
        .end(`data: ${JSON.stringify({ jsonrpc: "2.0", id, result })}\n\n`);
    case "garbage":
      return void response.writeHead(200, { "content-type": "application/json" }).end('{"jsonrpc":');
    case "drips": {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const timer = setInterval(() => response.write(": still here\n\n"), 50);
      response.once("close", () => clearInterval(timer));
      return;
    }
    default:
  }
}

function subOf(authorization: string | undefined): string | undefined {
  const payload = authorization?.split(".")[1];
  if (payload === undefined) return undefined;
  return (JSON.parse(Buffer.from(payload, "base64url").toString()) as { sub?: string }).sub;
}

/** A token endpoint that gives another token each time, and remembers what it was asked. */
export async function startIssuer(): Promise<{ url: string; asked: string[]; close(): Promise<void> }> {
  const asked: string[] = [];
  const peer = await startHttpPeer((request, response) => {
    let text = "";
    request.on("data", (chunk) => (text += String(chunk)));
    request.on("end", () => {
      asked.push(`${request.headers.authorization} ${text}`);
      const token = { access_token: `token-${asked.length}`, token_type: "bearer", expires_in: 3_600 };
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(token));
    });
  });
  return {
    url: `${peer.url}/token`,
    asked,
    close: peer.close,
  };
}
