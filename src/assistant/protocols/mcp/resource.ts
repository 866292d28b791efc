/** What a client has to know before it can sign in at `/mcp`: RFC 9728. */
import type { AssistantSettings } from "../../settings.ts";

/** The path of the platform's own MCP server. */
export const mcpBase = "/mcp";

/** Its metadata is found below this path, with the path of what it is about behind it. */
export const resourceMetadataBase = "/.well-known/oauth-protected-resource";

type Known = Pick<AssistantSettings, "baseUrl" | "providers">;

/** The name of the MCP server for identity providers: its address. */
export const resourceOf = ({ baseUrl }: Pick<Known, "baseUrl">): string => `${baseUrl}${mcpBase}`;

export interface ResourceMetadata {
  resource: string;
  resource_name: string;
  authorization_servers: string[];
  scopes_supported: string[];
  bearer_methods_supported: string[];
}

/** Null where nobody can sign in: there are fixed tokens only. */
export function resourceMetadata(known: Known): ResourceMetadata | null {
  if (known.providers.length === 0) return null;
  return {
    resource: resourceOf(known),
    resource_name: "Plinth",
    // A provider that clients can't register at is reached through this server.
    authorization_servers: known.providers.map(({ issuer, signIn }) =>
      signIn.clientId === undefined ? issuer : known.baseUrl,
    ),
    scopes_supported: scopesOf(known),
    bearer_methods_supported: ["header"],
  };
}

/** What a refusal adds to its challenge, so that clients find where to sign in, and for what. */
export function challengeParameters(known: Known): Record<string, string> {
  if (known.providers.length === 0) return {};
  const scope = scopesOf(known).join(" ");
  return {
    resource_metadata: `${known.baseUrl}${resourceMetadataBase}${mcpBase}`,
    ...(scope === "" ? {} : { scope }),
  };
}

const scopesOf = ({ providers }: Known): string[] => [
  ...new Set(providers.flatMap(({ signIn }) => signIn.scopes)),
];
