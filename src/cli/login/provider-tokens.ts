/** The tokens of an identity provider: renewed, revoked, and those of which the server can check who they are for. */
import { providerAway, signInFailure } from "./failures.ts";
import type { Endpoints } from "./metadata.ts";
import { plainText } from "./plain-text.ts";
import { callProvider } from "./provider-call.ts";

export interface ProviderTokens {
  /** JWTs that may be good for the server, the likelier one first. */
  candidates: string[];
  refreshToken: string | undefined;
}

export function readTokens(issuer: string, body: Record<string, unknown>): ProviderTokens {
  const { access_token: access, id_token: id, refresh_token: refresh } = body;
  const candidates = [access, id].filter((token) => isJwt(token));
  if (candidates.length === 0)
    throw signInFailure(`The identity provider ${issuer} issues no token that the server could check.`, [
      "Ask an operator to set commandLine.parameters (resource or audience) or commandLine.scopes (openid) of the provider, so that " +
        "its tokens are JWTs for the server.",
    ]);
  return { candidates, refreshToken: typeof refresh === "string" && refresh !== "" ? refresh : undefined };
}

const isJwt = (token: unknown): token is string =>
  typeof token === "string" && /^[\w-]+\.[\w-]+\.[\w-]+$/.test(token);

export interface Renewable {
  issuer: string;
  clientId: string;
  refreshToken: string;
  resource?: string | undefined;
}

/** The refresh token may be good once only: whoever calls this is alone in doing so, and stores the answer. */
export async function refreshTokens(
  { issuer, clientId, refreshToken, resource }: Renewable,
  { token: url }: Endpoints,
  signal: AbortSignal,
): Promise<ProviderTokens> {
  const { status, body } = await callProvider({
    issuer,
    url,
    form: {
      ...(resource !== undefined && { resource }),
      grant_type: "refresh_token",
      refresh_token: refreshToken,
      client_id: clientId,
    },
    signal,
  });
  if (status === 200) {
    const tokens = readTokens(issuer, body);
    return { ...tokens, refreshToken: tokens.refreshToken ?? refreshToken };
  }
  if (status >= 500 || status === 429) throw providerAway(issuer, `it answered ${status}`);
  const why = plainText(body["error_description"]) || plainText(body["error"]) || `it answered ${status}`;
  throw signInFailure(`The sign-in has ended: the identity provider ${issuer} does not renew it (${why}).`);
}

/** RFC 7009. False where the provider has no such endpoint, or does not accept it. */
export async function revokeRefreshToken(
  { issuer, clientId, refreshToken }: Renewable,
  { revocation }: Endpoints,
  signal: AbortSignal,
): Promise<boolean> {
  if (revocation === null) return false;
  const form = { token: refreshToken, token_type_hint: "refresh_token", client_id: clientId };
  const { status } = await callProvider({ issuer, url: revocation, form, signal });
  return status === 200;
}
