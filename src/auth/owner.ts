/** The caller as the owner of tokens: what vouches for its roles when they are used. */
import type { RequestHeaders } from "../platform/auth/guest.ts";
import { presentedTimes } from "../platform/auth/presented.ts";
import type { KnownOwner, OwnerSource } from "../platform/auth/tokens/token.ts";
import type { Actor } from "../platform/lib/actor.ts";
import type { AuthContext } from "./context.ts";
import { authFailureOf } from "./errors.ts";

/** Refuses a JWT that does not say when it was issued: it could give back the roles that a later one has taken away. */
export function ownerOf(ctx: AuthContext, headers: RequestHeaders): KnownOwner {
  const { actor } = ctx;
  const { issuedAtMs, expiresAtMs } = presentedTimes(headers);
  const isJwt = expiresAtMs !== null;
  if (isJwt && issuedAtMs === null)
    throw authFailureOf("AUTH_ISSUED_AT_MISSING", {
      message: "The JWT of this request does not say when it was issued (iat), so no token is made with it.",
    });
  const nowMs = ctx.now().getTime();
  return {
    ref: actor.ref,
    source: sourceOf(ctx, actor, isJwt),
    provider: actor.provider,
    roles: [...actor.roles],
    domains: actor.domains === undefined ? null : [...actor.domains],
    // A sign-in that is older than another one says nothing new.
    knownAt: new Date(Math.min(issuedAtMs ?? nowMs, nowMs)),
  };
}

function sourceOf({ auth }: AuthContext, { provider, ref }: Actor, isJwt: boolean): OwnerSource {
  if (provider === "guest") return "guest";
  return !isJwt && auth.tokens.providers.fixed(ref) !== undefined ? "settings" : "signed";
}
