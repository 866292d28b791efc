/** The short-lived JWTs that stand for a stored token, or for a session. */
import { createHash } from "node:crypto";
import { decodeJwt, decodeProtectedHeader, SignJWT } from "jose";
import { roles as knownRoles } from "../../config/schema/schema-auth.ts";
import type { Role } from "../../lib/actor.ts";
import { verifyJwt } from "../jwt.ts";

const issuer = "urn:plinth:access-tokens";
const algorithm = "HS256";

export interface SignedToken {
  /** The stored token that it stands for, which has to be good as well. */
  tokenId: string;
  owner: string;
  /** What it was made with: the stored token may get more. Null where a program of before has made it, which did not say. */
  roles: readonly Role[] | null;
  scopes: readonly string[];
  expiresAtMs: number;
}

/** Which of the keys of an installation it was signed with. */
const nameOf = (key: Uint8Array): string => createHash("sha256").update(key).digest("base64url").slice(0, 16);

export async function signToken(key: Uint8Array, token: SignedToken, now: Date): Promise<string> {
  return new SignJWT({ tid: token.tokenId, roles: token.roles, scope: token.scopes.join(" ") })
    .setProtectedHeader({ alg: algorithm, typ: "JWT", kid: nameOf(key) })
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
  { keys, now }: { keys: readonly Uint8Array[]; now: () => Date },
): Promise<SignedToken> {
  const { kid } = decodeProtectedHeader(token);
  const { subject, claims, expiresAtMs } = await verifyJwt(token, {
    key: keys.find((key) => nameOf(key) === kid) ?? keys[0]!,
    algorithms: [algorithm],
    issuer,
    now,
  });
  const { tid, roles, scope } = claims;
  return {
    tokenId: typeof tid === "string" ? tid : "",
    owner: subject,
    roles: Array.isArray(roles) ? knownRoles.filter((role) => roles.includes(role)) : null,
    scopes: typeof scope === "string" ? scope.split(" ").filter((one) => one !== "") : [],
    expiresAtMs,
  };
}
