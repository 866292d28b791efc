/** The short-lived JWTs that stand for a stored token, or for a session. */
import { decodeJwt, SignJWT } from "jose";
import { verifyJwt } from "../jwt.ts";

const issuer = "urn:plinth:access-tokens";
const algorithm = "HS256";

export interface SignedToken {
  /** The stored token that it stands for, which has to be good as well. */
  tokenId: string;
  owner: string;
  scopes: readonly string[];
  expiresAtMs: number;
}

export async function signToken(key: Uint8Array, token: SignedToken, now: Date): Promise<string> {
  return new SignJWT({ tid: token.tokenId, scope: token.scopes.join(" ") })
    .setProtectedHeader({ alg: algorithm, typ: "JWT" })
    .setIssuer(issuer)
    .setSubject(token.owner)
    .setIssuedAt(Math.floor(now.getTime() / 1_000))
    .setExpirationTime(Math.floor(token.expiresAtMs / 1_000))
    .sign(key);
}

/** Whether it claims to be one of ours; nothing is checked. */
export function looksSigned(token: string): boolean {
  if (token.split(".").length !== 3) return false;
  try {
    return decodeJwt(token).iss === issuer;
  } catch {
    return false;
  }
}

/** Throws a Failure `unauthenticated` that says what is wrong with it. */
export async function verifySigned(
  token: string,
  { key, now }: { key: Uint8Array; now: () => Date },
): Promise<SignedToken> {
  const { subject, claims, expiresAtMs } = await verifyJwt(token, {
    key,
    algorithms: [algorithm],
    issuer,
    now,
  });
  const { tid, scope } = claims;
  return {
    tokenId: typeof tid === "string" ? tid : "",
    owner: subject,
    scopes: typeof scope === "string" ? scope.split(" ").filter((one) => one !== "") : [],
    expiresAtMs,
  };
}
