/** Takes a client's request for a token to the provider, and the provider's answer back; neither is stored. */
import type { AssistantContext } from "../../context.ts";
import { callbackOf, isOwnResource, type OauthError } from "./authorization.ts";
import { objectIn, readProvider, unusable, type KnownProvider, type ProviderCache } from "./provider.ts";
import { mayRedirectTo } from "./redirect-uris.ts";
import { resourceOf } from "./resource.ts";

/** Longest form that is read. */
export const maxFormBytes = 32_768;
const timeoutMs = 15_000;
const maxAnswerBytes = 65_536;

/** What clients are given of the provider's answer. */
const passedOn = ["access_token", "token_type", "expires_in", "refresh_token", "scope"] as const;

export interface TokenAnswer {
  status: 200 | 400;
  body: object;
}

export async function exchangeToken(
  ctx: AssistantContext,
  cache: ProviderCache,
  /** As it was sent; anything else than bytes is no form. */
  body: unknown,
): Promise<TokenAnswer> {
  const provider = await readProvider(ctx, cache);
  if (!Buffer.isBuffer(body))
    return refuse("invalid_request", "Send a form (application/x-www-form-urlencoded).");
  const form = new URLSearchParams(body.toString("utf8"));
  const wanted = askFor(ctx, provider, form);
  return "error" in wanted ? { status: 400, body: wanted } : askProvider(ctx, provider, wanted.form);
}

type Wanted = { form: URLSearchParams } | OauthError;

/** The provider's own form of what the client wants. Only what is known here goes along. */
function askFor(ctx: AssistantContext, provider: KnownProvider, given: URLSearchParams): Wanted {
  const say = (error: string, description: string): OauthError => ({ error, error_description: description });
  if (given.get("client_id") !== provider.clientId)
    return say("invalid_client", "The client_id is not the one that is registered here.");
  if (!isOwnResource(ctx, given.get("resource") ?? undefined))
    return say("invalid_target", "The resource is not the MCP server of this platform.");
  const kind = given.get("grant_type");
  const form = new URLSearchParams({ client_id: provider.clientId });
  const copy = (...names: string[]): string | undefined => {
    for (const name of names) {
      const value = given.get(name);
      if (value === null || value === "") return name;
      form.set(name, value);
    }
    return undefined;
  };
  if (kind !== "authorization_code" && kind !== "refresh_token")
    return say("unsupported_grant_type", "Only authorization_code and refresh_token are supported.");
  form.set("grant_type", kind);
  const missing = kind === "refresh_token" ? copy("refresh_token") : copy("code", "code_verifier");
  if (missing !== undefined) return say("invalid_request", `${missing} is missing.`);
  if (kind === "authorization_code") {
    const redirectUri = given.get("redirect_uri");
    if (redirectUri !== null && !mayRedirectTo(redirectUri, provider.signIn.redirectUris))
      return say("invalid_grant", "The redirect_uri is not the one that the code was sent to.");
    form.set("redirect_uri", callbackOf(ctx));
  } else copy("scope");
  if (provider.signIn.sendResource) form.set("resource", resourceOf(ctx.assistant.settings));
  return { form };
}

async function askProvider(
  ctx: AssistantContext,
  { tokenEndpoint }: KnownProvider,
  form: URLSearchParams,
): Promise<TokenAnswer> {
  const answer = await ctx.assistant.issuerOutbound
    .request({
      method: "POST",
      url: tokenEndpoint,
      headers: { accept: "application/json", "content-type": "application/x-www-form-urlencoded" },
      body: form.toString(),
      timeoutMs,
      maxResponseBytes: maxAnswerBytes,
    })
    .catch((error: unknown) => {
      throw unusable("it does not answer", error);
    });
  const body = objectIn(answer.body);
  if (body === null || answer.status >= 500) throw unusable(`it answered ${answer.status} without a token`);
  if (answer.status === 200 && typeof body["access_token"] === "string") {
    const known = passedOn.filter((name) => body[name] !== undefined).map((name) => [name, body[name]]);
    return { status: 200, body: Object.fromEntries(known) as object };
  }
  const { error, error_description: description } = body;
  return refuse(
    typeof error === "string" ? error : "invalid_grant",
    typeof description === "string" ? description : "The provider refused this.",
  );
}

const refuse = (error: string, description: string): TokenAnswer => ({
  status: 400,
  body: { error, error_description: description },
});
