/** Where clients can't register at the provider, this server stands between them and it, with a client id of the settings. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../../support/http-peer.ts";
import { signIn } from "../../support/identity-provider/browser.ts";
import { startIdentityProvider, type IdentityProvider } from "../../support/identity-provider/server.ts";
import { startWholeServer, type WholeServer } from "../../support/server.ts";
import { generations } from "./clients.ts";
import { desktopClient, redirectUri } from "./desktop-client.ts";

const clientId = "plinth-desktop";
const inspector = "https://inspector.example";
const listed = "https://claude.example/api/callback";

let provider: IdentityProvider;
let server: WholeServer;
let resource: string;

beforeAll(async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  resource = `${url}/mcp`;
  provider = await startIdentityProvider({
    registration: false,
    client: { id: clientId, redirectUri: `${url}/mcp/oauth/callback` },
  });
  server = await startWholeServer({
    workers: "off",
    configure(config) {
      config.server.port = port;
      config.assistant.ownMcpServer.browserOrigins = [inspector];
      config.auth.providers = {
        ...config.auth.providers,
        oidc: {
          default: {
            issuer: provider.issuer,
            audience: resource,
            rolesClaim: "roles",
            defaultRoles: [],
            signIn: {
              scopes: ["openid", "platform"],
              clientId,
              redirectUris: [listed],
              sendResource: true,
              parameters: { login_hint: "someone" },
            },
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

const get = (path: string): Promise<Response> => fetch(`${server.url}${path}`, { redirect: "manual" });

describe("the metadata", () => {
  it("names this server, which answers in place of the provider", async () => {
    const answer = await get("/.well-known/oauth-protected-resource/mcp");
    expect(await answer.json()).toMatchObject({ resource, authorization_servers: [server.url] });
  });

  it.each(["oauth-authorization-server", "openid-configuration"])("has the addresses at %s", async (name) => {
    const answer = await get(`/.well-known/${name}`);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({
      issuer: server.url,
      authorization_endpoint: `${server.url}/mcp/oauth/authorize`,
      token_endpoint: `${server.url}/mcp/oauth/token`,
      registration_endpoint: `${server.url}/mcp/oauth/register`,
      response_types_supported: ["code"],
      code_challenge_methods_supported: ["S256"],
      token_endpoint_auth_methods_supported: ["none"],
      authorization_response_iss_parameter_supported: true,
    });
  });
});

describe.each(generations)("a desktop client of the %s generation", (generation) => {
  it("is registered, signs in, calls a tool, and renews its token", async () => {
    const client = desktopClient(generation, { clientName: "Desktop" });
    const authorize = await client.begin(resource);
    expect(authorize.href).toMatch(`${server.url}/mcp/oauth/authorize?`);
    expect(client.clientId()).toBe(clientId);
    const back = await signIn(authorize, { as: "ada", until: redirectUri });
    expect(Object.fromEntries(back.searchParams)).toEqual({
      code: expect.any(String),
      state: "of-the-client",
      iss: server.url,
    });
    await client.finish(back.searchParams);
    const first = client.tokens();
    const connected = await client.connect(resource);
    expect((await connected.call("search_templates")).isError).toBe(false);
    await connected.close();
    client.replaceAccessToken(await provider.sign({ aud: resource, expiresIn: -60 }));
    const again = await client.connect(resource);
    expect((await again.call("search_templates")).isError).toBe(false);
    await again.close();
    expect(client.redirects()).toBe(1);
    expect(client.tokens().access_token).not.toBe(first.access_token);
  });
});

const register = async (body: unknown): Promise<{ status: number; body: any }> => {
  const answer = await fetch(`${server.url}/mcp/oauth/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: await answer.json() };
};

describe("a registration", () => {
  it("keeps the addresses that are allowed", async () => {
    const uris = ["https://evil.example/callback", "http://127.0.0.1/", listed];
    expect(await register({ redirect_uris: uris, client_name: "Editor" })).toEqual({
      status: 201,
      body: {
        client_id: clientId,
        client_name: "Editor",
        redirect_uris: ["http://127.0.0.1/", listed],
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
        token_endpoint_auth_method: "none",
        scope: "openid platform",
      },
    });
  });

  it.each([
    [{ redirect_uris: ["https://evil.example/callback"] }],
    [{ redirect_uris: "http://127.0.0.1/" }],
    [{ redirect_uris: [7, null, {}] }],
    [{}],
  ])("is refused without one: %j", async (body) => {
    const refused = await register(body);
    expect([refused.status, refused.body.error]).toEqual([400, "invalid_redirect_uri"]);
  });
});

const challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

const authorizePath = (changes: Record<string, string | undefined> = {}): string => {
  const wanted = {
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectUri,
    code_challenge: challenge,
    code_challenge_method: "S256",
    state: "s",
    ...changes,
  };
  const given = Object.entries(wanted).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return `/mcp/oauth/authorize?${new URLSearchParams(given).toString()}`;
};

describe("the begin of a sign-in", () => {
  it("sends the person to the provider with what it needs and no more", async () => {
    const answer = await get(authorizePath({ nonce: "x", prompt: "none" }));
    expect(answer.status).toBe(302);
    const led = new URL(answer.headers.get("location")!);
    expect(led.origin).toBe(provider.issuer);
    expect(Object.fromEntries(led.searchParams)).toEqual({
      login_hint: "someone",
      response_type: "code",
      client_id: clientId,
      redirect_uri: `${server.url}/mcp/oauth/callback`,
      scope: "openid platform",
      state: expect.any(String),
      code_challenge: challenge,
      code_challenge_method: "S256",
      resource,
    });
  });

  it.each([
    ["an unknown client", { client_id: "other" }, "client_id"],
    ["no client", { client_id: undefined }, "client_id"],
    ["an address elsewhere", { redirect_uri: "https://evil.example/" }, "redirect_uri"],
    [
      "an address like that of this machine",
      { redirect_uri: "http://127.0.0.1.evil.example/" },
      "redirect_uri",
    ],
    ["no address", { redirect_uri: undefined }, "redirect_uri"],
  ])("is refused and sends nobody anywhere: %s", async (_what, changes, part) => {
    const answer = await get(authorizePath(changes));
    expect([answer.status, answer.headers.get("location")]).toEqual([422, null]);
    expect(await answer.text()).toContain(part);
  });

  it.each([
    ["no code", { response_type: "token" }, "unsupported_response_type"],
    ["no challenge", { code_challenge: undefined }, "invalid_request"],
    ["a plain challenge", { code_challenge_method: "plain" }, "invalid_request"],
    ["no method", { code_challenge_method: undefined }, "invalid_request"],
    ["another resource", { resource: "https://other.example/mcp" }, "invalid_target"],
  ])("is answered to the client with an error: %s", async (_what, changes, error) => {
    const answer = await get(authorizePath(changes));
    const led = new URL(answer.headers.get("location")!);
    expect(led.href).toMatch(redirectUri);
    expect(Object.fromEntries(led.searchParams)).toMatchObject({ error, state: "s", iss: server.url });
    expect(led.searchParams.has("code")).toBe(false);
  });
});

describe("the end of a sign-in", () => {
  const stateOf = async (): Promise<string> => {
    const answer = await get(authorizePath());
    return new URL(answer.headers.get("location")!).searchParams.get("state")!;
  };
  const callback = (parameters: Record<string, string>): Promise<Response> =>
    get(`/mcp/oauth/callback?${new URLSearchParams(parameters).toString()}`);

  it("tells the client that the person refused", async () => {
    const state = await stateOf();
    const answer = await callback({
      state,
      error: "access_denied",
      error_description: "No.",
      iss: provider.issuer,
    });
    const led = new URL(answer.headers.get("location")!);
    expect(led.href).toMatch(redirectUri);
    expect(Object.fromEntries(led.searchParams)).toEqual({
      error: "access_denied",
      error_description: "No.",
      state: "s",
      iss: server.url,
    });
  });

  it.each([
    ["a state from elsewhere", async () => ({ state: "AAAA", code: "c" })],
    ["no state", async () => ({ code: "c" })],
    ["a changed state", async () => ({ state: `${(await stateOf()).slice(0, -8)}AAAAAAAA`, code: "c" })],
    ["another provider", async () => ({ state: await stateOf(), code: "c", iss: "https://other.example" })],
  ])("is refused with %s", async (_what, parameters) => {
    const answer = await callback(await parameters());
    expect([answer.status, answer.headers.get("location")]).toEqual([422, null]);
  });
});

const token = async (form: Record<string, string>, headers = {}): Promise<{ status: number; body: any }> => {
  const body = new URLSearchParams(form);
  const answer = await fetch(`${server.url}/mcp/oauth/token`, { method: "POST", body, headers });
  return { status: answer.status, body: await answer.json() };
};

describe("a token", () => {
  const refresh = { grant_type: "refresh_token", client_id: clientId, refresh_token: "unknown" };
  const code = { grant_type: "authorization_code", client_id: clientId, code: "unknown", code_verifier: "v" };
  it.each([
    ["an unknown client", { ...refresh, client_id: "other" }, "invalid_client"],
    ["no verifier", { ...code, code_verifier: "" }, "invalid_request"],
    ["no code", { ...code, code: "" }, "invalid_request"],
    ["another resource", { ...code, resource: "https://other.example" }, "invalid_target"],
    ["an address elsewhere", { ...code, redirect_uri: "https://evil.example" }, "invalid_grant"],
    ["another grant", { ...code, grant_type: "client_credentials" }, "unsupported_grant_type"],
    ["a password", { ...code, grant_type: "password", username: "ada" }, "unsupported_grant_type"],
    ["a code that the provider does not know", code, "invalid_grant"],
    ["a refresh token that the provider does not know", refresh, "invalid_grant"],
  ])("is refused in the form of OAuth: %s", async (_what, form, error) => {
    const refused = await token(form);
    expect([refused.status, refused.body.error]).toEqual([400, error]);
    expect(refused.body.error_description).toEqual(expect.any(String));
  });

  it.each([
    ["JSON", "application/json", JSON.stringify(refresh), 400],
    ["a form that is too long", "application/x-www-form-urlencoded", `code=${"x".repeat(40_000)}`, 413],
  ])("is asked for by a form: not %s", async (_what, type, body, status) => {
    const answer = await fetch(`${server.url}/mcp/oauth/token`, {
      method: "POST",
      headers: { "content-type": type },
      body,
    });
    expect(answer.status).toBe(status);
    await answer.body?.cancel();
  });
});

describe("pages in browsers", () => {
  const ask = (path: string, origin: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${server.url}${path}`, { ...init, headers: { ...(init.headers as object), origin } });
  const places = [
    "/mcp",
    "/.well-known/oauth-protected-resource/mcp",
    "/mcp/oauth/register",
    "/mcp/oauth/token",
  ];

  it.each(places)("may call %s from an origin of the settings", async (path) => {
    const allowed = await ask(path, inspector, {
      method: "OPTIONS",
      headers: {
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization,content-type,mcp-protocol-version,x-odd",
      },
    });
    expect(allowed.status).toBe(204);
    expect(Object.fromEntries(allowed.headers)).toMatchObject({
      "access-control-allow-origin": inspector,
      "access-control-allow-methods": "GET, POST, OPTIONS",
      "access-control-allow-headers": "authorization, content-type, mcp-protocol-version",
      vary: "origin",
    });
    const other = await ask(path, "https://evil.example", { method: "OPTIONS" });
    expect(other.headers.get("access-control-allow-origin")).toBeNull();
  });

  it("read refusals too, with where to sign in", async () => {
    const refused = await ask("/mcp", inspector, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
    });
    expect(refused.status).toBe(401);
    expect(refused.headers.get("access-control-allow-origin")).toBe(inspector);
    expect(refused.headers.get("access-control-expose-headers")).toContain("www-authenticate");
    const stream = await ask("/mcp", inspector);
    expect([stream.status, stream.headers.get("allow")]).toEqual([405, "POST"]);
    expect(stream.headers.get("access-control-allow-origin")).toBe(inspector);
  });

  it.each(["/api/assistant/v2/agents", "/mcpx"])("may not read %s", async (path) => {
    const answer = await ask(path, inspector);
    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
  });

  it("of other origins read nothing", async () => {
    const answer = await ask("/.well-known/oauth-protected-resource/mcp", "https://evil.example");
    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
  });
});

describe("without the provider", () => {
  it("a client is told so, and nothing hangs", async () => {
    const absent = await startWholeServer({
      workers: "off",
      configure(config) {
        config.auth.providers = {
          oidc: {
            default: {
              issuer: "http://127.0.0.1:9",
              audience: "plinth",
              rolesClaim: "roles",
              defaultRoles: [],
              signIn: { scopes: [], clientId, redirectUris: [], sendResource: false },
            },
          },
        };
      },
    });
    const answer = await fetch(`${absent.url}/.well-known/oauth-authorization-server`);
    expect([answer.status, await answer.json()]).toEqual([
      503,
      { code: "ASSISTANT_SIGN_IN_UNAVAILABLE", detail: expect.stringContaining("can't be used now") },
    ]);
    // Browsers of any origin are refused where the settings name none.
    const preflight = await fetch(`${absent.url}/mcp`, { method: "OPTIONS", headers: { origin: inspector } });
    expect(preflight.headers.get("access-control-allow-origin")).toBeNull();
    await absent.close();
  });
});
