import { decodeJwt } from "jose";
import { isAuthorised } from "../kit/auth.ts";

const rememberedTokens = 1_000;

/**
 * Whether a call may come in: it carries the shared secret, raw or as the key of a signed token. Tokens that
 * were good are remembered until they expire, because checking a signature costs more than the whole answer.
 */
export function createAuthentication(secret: string, nowMs: () => number) {
  const goodUntilMs = new Map<string, number>();
  return (header: string | undefined): boolean | Promise<boolean> => {
    if (header === undefined) return false;
    const until = goodUntilMs.get(header);
    if (until !== undefined && nowMs() < until) return true;
    return isAuthorised(header, secret).then((good) => {
      if (good && goodUntilMs.size >= rememberedTokens) goodUntilMs.clear();
      if (good) goodUntilMs.set(header, expiryMs(header));
      return good;
    });
  };
}

/** Of the token in the header; never, for the raw secret. */
function expiryMs(header: string): number {
  try {
    const { exp } = decodeJwt(header.replace(/^Bearer +/i, ""));
    return exp === undefined ? Number.MAX_SAFE_INTEGER : exp * 1_000;
  } catch {
    return Number.MAX_SAFE_INTEGER;
  }
}
