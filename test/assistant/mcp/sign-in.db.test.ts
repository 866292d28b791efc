/** Clients of the MCP server sign in by themselves, with the SDK's own OAuth client and a real identity provider. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../../support/http-peer.ts";
import { startIdentityProvider, type IdentityProvider } from "../../support/identity-provider/server.ts";
import { signIn } from "../../support/identity-provider/browser.ts";
import { startWholeServer, tokenOf, type WholeServer } from "../../support/server.ts";
import { generations, type Generation } from "./clients.ts";
import { desktopClient, redirectUri } from "./desktop-client.ts";

let provider: IdentityProvider;
let server: WholeServer;
let resource: string;

beforeAll(async () => {
  provider = await startIdentityProvider({ registration: true, tokenSeconds: 600 });
  const port = await freePort();
  resource = `http://127.0.0.1:${port}/mcp`;
  server = await startWholeServer({
    workers: "off",
    configure(config) {
      config.server.port = port;
      config.auth.providers = {
        ...config.auth.providers,
        oidc: {
          default: {
            issuer: provider.issuer,
            audience: "plinth",
            otherAudiences: [resource],
            rolesClaim: "roles",
            defaultRoles: [],
            signIn: { scopes: ["openid", "platform"], redirectUris: [], sendResource: true },
          },
        },
      };
    },
  });
});
afterAll(async () => {
  await server.close();
  await provider.close();
});

const call = (authorization?: string): Promise<Response> =>
  fetch(resource, {
    method: "POST",
    headers: { "content-type": "application/json", ...(authorization !== undefined && { authorization }) },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
  });

describe("what a client is told before it can sign in", () => {
  it("is where the metadata is, and which scopes are wanted", async () => {
    const refused = await call();
    expect(refused.status).toBe(401);
    expect(refused.headers.get("www-authenticate")).toBe(
      `Bearer realm="plinth", resource_metadata="${server.url}/.well-known/oauth-protected-resource/mcp", ` +
        'scope="openid platform"',
    );
  });

  it.each(["/mcp", ""])("is the metadata of RFC 9728, at its path %s", async (path) => {
    const answer = await fetch(`${server.url}/.well-known/oauth-protected-resource${path}`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toContain("application/json");
    expect(await answer.json()).toEqual({
      resource,
      resource_name: "Plinth",
      authorization_servers: [provider.issuer],
      scopes_supported: ["openid", "platform"],
      bearer_methods_supported: ["header"],
    });
  });

  it("is nothing of the kind elsewhere: other interfaces keep their challenge", async () => {
    const refused = await fetch(`${server.url}/api/assistant/v2/agents`);
    expect(refused.headers.get("www-authenticate")).toBe('Bearer realm="plinth"');
  });
});

describe("a token", () => {
  it.each([
    ["good", {}, 200, null],
    ["expired", { expiresIn: -60 }, 401, "The token has expired."],
    [
      "for another server",
      { aud: "https://other.example/mcp" },
      401,
      "The token is meant for another audience.",
    ],
    ["without an audience", { aud: undefined }, 401, "The token lacks the claim aud."],
    [
      "of another issuer",
      { iss: "https://other.example" },
      401,
      "The token comes from an issuer that is not accepted.",
    ],
  ])("that is %s", async (_what, claims, status, message) => {
    const token = await provider.sign({ aud: resource, roles: ["viewer"], ...claims });
    const answer = await call(`Bearer ${token}`);
    expect(answer.status).toBe(status);
    if (message === null) return;
    expect(answer.headers.get("www-authenticate")).toBe(
      `Bearer realm="plinth", error="invalid_token", error_description="${message}", ` +
        `resource_metadata="${server.url}/.well-known/oauth-protected-resource/mcp", scope="openid platform"`,
    );
  });

  it("without a role that may connect is refused with 403 and a challenge that says so", async () => {
    const token = await provider.sign({ aud: resource, roles: [] });
    const answer = await call(`Bearer ${token}`);
    expect(answer.status).toBe(403);
    expect(answer.headers.get("www-authenticate")).toMatch(
      /^Bearer realm="plinth", error="insufficient_scope", error_description="useMcpServer needs .*", resource_metadata=".*", scope="openid platform"$/,
    );
  });

  it("of the settings still serves clients that are given one", async () => {
    expect((await call(`Bearer ${tokenOf("viewer")}`)).status).toBe(200);
  });
});

describe.each(generations)(
  "a desktop client of the %s generation that registers itself",
  (generation: Generation) => {
    it("signs in, calls a tool, and renews its token", async () => {
      const client = desktopClient(generation, { clientName: "Desktop" });
      const authorize = await client.begin(resource);
      expect(authorize.origin).toBe(provider.issuer);
      expect(Object.fromEntries(authorize.searchParams)).toMatchObject({
        resource,
        code_challenge_method: "S256",
        response_type: "code",
        redirect_uri: redirectUri,
      });
      const back = await signIn(authorize, { as: "ada", until: redirectUri });
      await client.finish(back.searchParams);
      const first = client.tokens();
      expect(first.refresh_token).toEqual(expect.any(String));
      const connected = await client.connect(resource);
      expect((await connected.tools()).map(({ name }) => name)).toContain("search_templates");
      expect((await connected.call("search_templates")).isError).toBe(false);
      await connected.close();
      // With a token that is over it asks for another by itself, and the person does nothing.
      client.replaceAccessToken(await provider.sign({ aud: resource, expiresIn: -60 }));
      const again = await client.connect(resource);
      expect((await again.call("search_templates")).isError).toBe(false);
      await again.close();
      expect(client.redirects()).toBe(1);
      expect(client.tokens().access_token).not.toBe(first.access_token);
    });
  },
);
