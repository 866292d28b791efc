/** The caller as the owner of tokens: what vouches for its roles when they are used. */
import type { RequestHeaders } from "../platform/auth/guest.ts";
import { presentedTimes } from "../platform/auth/presented.ts";
import type { KnownOwner, OwnerSource } from "../platform/auth/tokens/token.ts";
import type { Actor } from "../platform/lib/actor.ts";
import type { AuthContext } from "./context.ts";

export function ownerOf(ctx: AuthContext, headers: RequestHeaders): KnownOwner {
  const { actor } = ctx;
  const { issuedAtMs, expiresAtMs } = presentedTimes(headers);
  const isJwt = expiresAtMs !== null;
  const nowMs = ctx.now().getTime();
  return {
    ref: actor.ref,
    source: sourceOf(ctx, actor, isJwt),
    provider: actor.provider,
    roles: [...actor.roles],
    domains: actor.domains === undefined ? null : [...actor.domains],
    // A sign-in that is older than another one says nothing new.
    knownAt: new Date(isJwt ? Math.min(issuedAtMs ?? nowMs, nowMs) : nowMs),
  };
}

function sourceOf({ auth }: AuthContext, { provider, ref }: Actor, isJwt: boolean): OwnerSource {
  if (provider === "guest") return "guest";
  return !isJwt && auth.tokens.providers.fixed(ref) !== undefined ? "settings" : "signed";
}
