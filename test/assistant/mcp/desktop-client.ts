/** A program on somebody's machine that signs in with the OAuth client of the MCP SDK. */
import {
  Client,
  StreamableHTTPClientTransport,
  type OAuthClientProvider,
  type OAuthTokens,
} from "@modelcontextprotocol/client";
import { Client as OlderClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OlderTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { shaped, type Generation, type McpClient } from "./clients.ts";

/** Nobody listens there: the test reads the address that the browser is led to. */
export const redirectUri = "http://127.0.0.1:33418/callback";

export interface DesktopClient {
  /** Tries to connect without a token; resolves to the page that the person is shown. */
  begin(url: string): Promise<URL>;
  /** Takes what the page was left with. */
  finish(params: URLSearchParams): Promise<void>;
  connect(url: string): Promise<McpClient>;
  tokens(): OAuthTokens;
  replaceAccessToken(token: string): void;
  clientId(): string | undefined;
  /** How often the person was sent to a page. */
  redirects(): number;
}

interface Stored {
  client?: any;
  tokens?: any;
  verifier?: string;
  discovery?: any;
  pages: URL[];
}

export function desktopClient(
  generation: Generation,
  { clientName, redirect = redirectUri }: { clientName: string; redirect?: string },
): DesktopClient {
  const stored: Stored = { pages: [] };
  const authProvider = storeOf(stored, { clientName, redirect });
  const open = (url: string) =>
    generation === "present"
      ? new StreamableHTTPClientTransport(new URL(url), { authProvider })
      : new OlderTransport(new URL(url), { authProvider });
  const connectBy = async (transport: ReturnType<typeof open>): Promise<McpClient> => {
    const info = { name: clientName, version: "1" };
    if (transport instanceof OlderTransport) {
      const client = new OlderClient(info);
      await client.connect(transport);
      return shaped(client as never, transport.protocolVersion);
    }
    const client = new Client(info, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
    await client.connect(transport);
    return shaped(client, client.getNegotiatedProtocolVersion());
  };
  let waiting: ReturnType<typeof open> | undefined;
  return {
    async begin(url) {
      waiting = open(url);
      const said = await connectBy(waiting).then(
        () => "connected",
        (error: Error) => `${error.name}: ${error.message}`,
      );
      const page = stored.pages.at(-1);
      if (page === undefined) throw new Error(`The client did not ask to sign in: ${said}`);
      return page;
    },
    async finish(params) {
      if (waiting instanceof OlderTransport) await waiting.finishAuth(params.get("code") ?? "");
      // The present generation checks who answered, too.
      else await waiting?.finishAuth(params);
    },
    connect: (url) => connectBy(open(url)),
    tokens: () => stored.tokens,
    replaceAccessToken: (token) => {
      stored.tokens = { ...stored.tokens, access_token: token };
    },
    clientId: () => stored.client?.client_id,
    redirects: () => stored.pages.length,
  };
}

const storeOf = (
  stored: Stored,
  { clientName, redirect }: { clientName: string; redirect: string },
): OAuthClientProvider => ({
  redirectUrl: redirect,
  clientMetadata: {
    client_name: clientName,
    redirect_uris: [redirect],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  },
  state: () => "of-the-client",
  clientInformation: () => stored.client,
  saveClientInformation: (saved) => void (stored.client = saved),
  tokens: () => stored.tokens,
  saveTokens: (saved) => void (stored.tokens = saved),
  redirectToAuthorization: (page) => void stored.pages.push(page),
  saveCodeVerifier: (saved) => void (stored.verifier = saved),
  codeVerifier: () => stored.verifier ?? "",
  saveDiscoveryState: (saved) => void (stored.discovery = saved),
  discoveryState: () => stored.discovery,
});
