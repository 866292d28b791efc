/** Outside MCP clients of each generation of the protocol. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OlderClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OlderTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { tokenOf, type TestRole } from "../../support/server.ts";

export interface ToolAnswer {
  text: string;
  isError: boolean;
  /** The text as JSON, when it is that. */
  value: any;
}

export interface McpClient {
  protocol: string;
  instructions: string | undefined;
  tools(): Promise<{ name: string; inputSchema: any; annotations?: any }[]>;
  call(name: string, args?: Record<string, unknown>): Promise<ToolAnswer>;
  prompts(): Promise<
    { name: string; description?: string; arguments?: { name: string; required?: boolean }[] }[]
  >;
  /** The text of its message. */
  prompt(name: string, args?: Record<string, string>): Promise<string>;
  resources(): Promise<{ uri: string; name: string }[]>;
  readResource(uri: string): Promise<string>;
  close(): Promise<void>;
}

export const generations = ["present", "older"] as const;
export type Generation = (typeof generations)[number];

export async function connectMcp(
  url: string,
  generation: Generation,
  as: TestRole = "admin",
  token = tokenOf(as),
): Promise<McpClient> {
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  const info = { name: "test", version: "1" };
  if (generation === "present") {
    const client = new Client(info, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
    return shaped(client, client.getNegotiatedProtocolVersion());
  }
  const client = new OlderClient(info);
  const transport = new OlderTransport(new URL(url), { requestInit });
  await client.connect(transport);
  return shaped(client as never, transport.protocolVersion);
}

export const shaped = (client: Client, protocol = "?"): McpClient => ({
  protocol,
  instructions: client.getInstructions(),
  tools: async () => (await client.listTools()).tools,
  async call(name, args = {}) {
    const { content, isError } = await client.callTool({ name, arguments: args });
    const [first] = content;
    const text = first?.type === "text" ? first.text : "";
    return { text, isError: isError === true, value: parsed(text) };
  },
  prompts: async () => (await client.listPrompts()).prompts,
  async prompt(name, args = {}) {
    const [message] = (await client.getPrompt({ name, arguments: args })).messages;
    return message?.content.type === "text" ? message.content.text : "";
  },
  resources: async () => (await client.listResources()).resources,
  async readResource(uri) {
    const [content] = (await client.readResource({ uri })).contents;
    return content !== undefined && "text" in content ? content.text : "";
  },
  close: () => client.close(),
});

function parsed(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
