/**
 * Stands between clients and a provider that they can't register at: registers them under the client id of the settings,
 * sends people to the provider, and what it answers back to the client. Nothing is stored: what a sign-in needs later is
 * sealed into the `state` that the provider returns.
 */
import { inputProblem } from "../../../platform/http/input/problems.ts";
import type { AssistantContext } from "../../context.ts";
import { assistantFailure } from "../../error-codes.ts";
import { readProvider, standInFor, type ProviderCache } from "./provider.ts";
import { mayRedirectTo } from "./redirect-uris.ts";
import { mcpBase, resourceOf } from "./resource.ts";

/** The operations of a sign-in are below this path. */
const oauthBase = `${mcpBase}/oauth`;

/** How long a person may take. */
const signInMs = 15 * 60_000;
const sealedAbout = "sign-in of an MCP client";

/** RFC 8414, with what OpenID Connect asks for besides, since clients look in either place. */
export async function serverMetadata(ctx: AssistantContext, cache: ProviderCache) {
  const { baseUrl } = ctx.assistant.settings;
  const { signIn } = await readProvider(ctx, cache);
  const at = (name: string): string => `${baseUrl}${oauthBase}/${name}`;
  return {
    issuer: baseUrl,
    authorization_endpoint: at("authorize"),
    token_endpoint: at("token"),
    registration_endpoint: at("register"),
    jwks_uri: `${baseUrl}/api/assistant/v2/keys`,
    scopes_supported: [...new Set([...signIn.scopes, "offline_access"])],
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: ["none"],
    authorization_response_iss_parameter_supported: true,
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256"],
  };
}

export interface ClientToRegister {
  redirect_uris?: unknown;
  client_name?: unknown;
  scope?: unknown;
}

/** An error of OAuth, which clients read instead of the area's own form. */
export interface OauthError {
  error: string;
  error_description: string;
}

/** The one client that there is, with those of the wanted addresses that are allowed. */
export function register(ctx: AssistantContext, wanted: ClientToRegister): object | OauthError {
  const { clientId, signIn } = standInFor(ctx);
  const { redirect_uris: given, client_name: name } = wanted;
  const uris: unknown[] = Array.isArray(given) ? given : [];
  const allowed = uris.filter(
    (uri): uri is string => typeof uri === "string" && mayRedirectTo(uri, signIn.redirectUris),
  );
  if (allowed.length === 0) {
    return {
      error: "invalid_redirect_uri",
      error_description:
        "None of the redirect_uris is at http://127.0.0.1, http://[::1] or http://localhost, or named in signIn.redirectUris.",
    };
  }
  return {
    client_id: clientId,
    ...(typeof name === "string" ? { client_name: name.slice(0, 200) } : {}),
    redirect_uris: allowed,
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
    scope: signIn.scopes.join(" "),
  };
}

export interface SignInRequest {
  client_id?: string;
  redirect_uri?: string;
  response_type?: string;
  code_challenge?: string;
  code_challenge_method?: string;
  state?: string;
  scope?: string;
  resource?: string;
}

/** Where the person is sent. A client or address that is not known is refused here, and never sent anything. */
export async function beginSignIn(
  ctx: AssistantContext,
  cache: ProviderCache,
  given: SignInRequest,
): Promise<string> {
  const provider = await readProvider(ctx, cache);
  const { settings, secrets } = ctx.assistant;
  const { redirect_uri: redirectUri = "", state } = given;
  if (given.client_id !== provider.clientId)
    throw refused("client_id", "is not the one that is registered here");
  if (!mayRedirectTo(redirectUri, provider.signIn.redirectUris))
    throw refused("redirect_uri", "is neither on the user's own machine nor named in signIn.redirectUris");
  const wrong = problemOf(ctx, given);
  if (wrong !== null) return back(ctx, { redirectUri, state }, { ...wrong });
  const sealed = { redirectUri, state, untilMs: ctx.now().getTime() + signInMs };
  const parameters: Record<string, string> = {
    ...provider.signIn.parameters,
    response_type: "code",
    client_id: provider.clientId,
    redirect_uri: callbackOf(ctx),
    scope: given.scope ?? provider.signIn.scopes.join(" "),
    state: secrets.seal(Buffer.from(JSON.stringify(sealed)), sealedAbout).toString("base64url"),
    code_challenge: given.code_challenge ?? "",
    code_challenge_method: "S256",
    ...(provider.signIn.sendResource ? { resource: resourceOf(settings) } : {}),
  };
  return withQuery(provider.authorizationEndpoint, parameters);
}

function problemOf(ctx: AssistantContext, given: SignInRequest): OauthError | null {
  const say = (error: string, description: string) => ({ error, error_description: description });
  if (given.response_type !== "code") return say("unsupported_response_type", "Only code is supported.");
  if (given.code_challenge_method !== "S256" || !/^[\w-]{43}$/.test(given.code_challenge ?? ""))
    return say("invalid_request", "A code_challenge of the method S256 is needed (PKCE).");
  return isOwnResource(ctx, given.resource)
    ? null
    : say("invalid_target", "The resource is not the MCP server of this platform.");
}

/** Older clients name none; some name the origin. */
export const isOwnResource = ({ assistant: { settings } }: AssistantContext, given?: string): boolean =>
  given === undefined || [resourceOf(settings), settings.baseUrl].includes(given.replace(/\/$/, ""));

export interface SignInAnswer {
  state?: string;
  code?: string;
  iss?: string;
  error?: string;
  error_description?: string;
}

/** Where the person is sent after the provider has answered: to the client that they came from. */
export async function endSignIn(
  ctx: AssistantContext,
  cache: ProviderCache,
  answer: SignInAnswer,
): Promise<string> {
  const provider = await readProvider(ctx, cache);
  const begun = openState(ctx, answer.state ?? "");
  if (begun === null) throw refused("state", "is not of a sign-in that began here less than 15 minutes ago");
  if (answer.iss !== undefined && answer.iss !== provider.issuer)
    throw refused("iss", "is not the provider that the person was sent to");
  const { code, error, error_description: description } = answer;
  if (code !== undefined && error === undefined) return back(ctx, begun, { code });
  return back(ctx, begun, {
    error: error ?? "server_error",
    ...(description === undefined ? {} : { error_description: description }),
  });
}

interface Begun {
  redirectUri: string;
  state?: string | undefined;
}

function openState({ assistant, now }: AssistantContext, text: string): Begun | null {
  const opened = assistant.secrets.open(Buffer.from(text, "base64url"), sealedAbout);
  if (opened === null) return null;
  const begun = JSON.parse(opened.toString("utf8")) as Begun & { untilMs: number };
  return begun.untilMs > now().getTime() ? begun : null;
}

/** The client's own address, with the answer and who gave it. */
const back = (
  { assistant }: AssistantContext,
  { redirectUri, state }: Begun,
  answer: Record<string, string>,
): string =>
  withQuery(redirectUri, {
    ...answer,
    ...(state === undefined ? {} : { state }),
    iss: assistant.settings.baseUrl,
  });

export const callbackOf = ({ assistant }: AssistantContext): string =>
  `${assistant.settings.baseUrl}${oauthBase}/callback`;

function withQuery(address: string, parameters: Record<string, string>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

const refused = (name: string, message: string) =>
  assistantFailure("ASSISTANT_SIGN_IN_REFUSED", {
    message: `The sign-in is refused: ${name} ${message}.`,
    problems: [inputProblem("query", [name], { keyword: "value", message })],
  });
