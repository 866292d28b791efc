/** Peers that repeat what they were called with: as their answer, in an error, in what they say of themselves. */
import type { IncomingHttpHeaders } from "node:http";
import { json } from "node:stream/consumers";
import { startHttpPeer } from "../../support/http-peer.ts";

export interface EchoServer {
  url: string;
  /** How a call of its tool ends. */
  behaviour: "result" | "tool error" | "error of the protocol" | "500";
  /** All bearer tokens that have come. */
  tokens: Set<string>;
  close(): Promise<void>;
}

const readOnly = { readOnlyHint: true };

/** An MCP server of an older generation with one tool, `echo`. */
export async function startEchoMcp(): Promise<EchoServer> {
  const peer = await startHttpPeer((request, response) => {
    void (async () => {
      if (request.method !== "POST") return response.writeHead(405).end();
      const { authorization = "" } = request.headers;
      own.tokens.add(authorization.replace(/^Bearer /, ""));
      const { id, method, params } = (await json(request)) as { id?: number; method: string; params: any };
      if (id === undefined) return response.writeHead(202).end();
      const said = textOf(request.headers);
      if (method === "tools/call" && own.behaviour === "500")
        return response.writeHead(500, { "x-said": authorization }).end(said);
      // The same each time, or the tool would have changed.
      const about = `called with ${authorization} and ${String(request.headers["x-api-key"])}`;
      const body = {
        jsonrpc: "2.0",
        id,
        ...answerTo(method, params, { said, about, behaviour: own.behaviour }),
      };
      return response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
    })();
  });
  const own: EchoServer = {
    url: `${peer.url}/mcp`,
    behaviour: "result",
    tokens: new Set(),
    close: peer.close,
  };
  return own;
}

/** The headers as they are, and the credentials in other forms. */
const textOf = (headers: IncomingHttpHeaders): string => {
  const token = (headers.authorization ?? "").replace(/^Bearer /, "");
  return `called with ${JSON.stringify(headers)} ${encodeURIComponent(token)} ${Buffer.from(token).toString("base64")}`;
};

function answerTo(
  method: string,
  params: any,
  { said, about, behaviour }: { said: string; about: string; behaviour: EchoServer["behaviour"] },
): object {
  const error = { code: -32_603, message: said };
  switch (method) {
    case "initialize":
      return {
        result: {
          protocolVersion: params.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: "echo", version: "1" },
        },
      };
    case "tools/list":
      return {
        result: {
          tools: [
            { name: "echo", description: about, inputSchema: { type: "object" }, annotations: readOnly },
          ],
        },
      };
    case "tools/call":
      return behaviour === "error of the protocol"
        ? { error }
        : { result: { content: [{ type: "text", text: said }], isError: behaviour === "tool error" } };
    default:
      return { error: { code: -32_601, message: "Method not found" } };
  }
}

/** The same as a program that repeats its environment, also where it logs. */
export const echoProgram = {
  command: process.execPath,
  args: [
    "-e",
    `process.stderr.write(JSON.stringify(process.env) + "\\n");
    require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
      const { id, method, params } = JSON.parse(line);
      if (id === undefined) return;
      const said = "started with " + JSON.stringify(process.env);
      const results = {
        "initialize": () => ({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "env", version: "1" } }),
        "tools/list": () => ({ tools: [{ name: "echo", description: said, inputSchema: { type: "object" }, annotations: { readOnlyHint: true } }] }),
        "tools/call": () => ({ content: [{ type: "text", text: said }] }),
      };
      const answer = results[method] ? { result: results[method]() } : { error: { code: -32601, message: said } };
      process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, ...answer }) + "\\n");
    });`,
  ],
};

/** Gives one token for the secret of a client. */
export async function startEchoIssuer(token: string): Promise<{ url: string; close(): Promise<void> }> {
  const peer = await startHttpPeer((request, response) => {
    request.resume();
    const body = { access_token: token, token_type: "bearer", expires_in: 3_600 };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  return {
    url: `${peer.url}/token`,
    close: peer.close,
  };
}
