/** Who may call the adapter: the holder of the shared secret, as it is or as the key of an HS256 token. */
import { createHash, timingSafeEqual } from "node:crypto";

import { jwtVerify } from "jose";

const clockToleranceSeconds = 30;

/** Compares digests, so that neither the length nor the first differing byte shows in the time taken. */
function sameSecret(left: string, right: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(left), digest(right));
}

/** @returns whether the `authorization` header carries the secret itself or a valid token signed with it. */
export async function isAuthorised(authorization: string | undefined, secret: string): Promise<boolean> {
  const bearer = /^Bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
  if (bearer === undefined) return false;
  if (sameSecret(bearer, secret)) return true;
  try {
    await jwtVerify(bearer, new TextEncoder().encode(secret), {
      algorithms: ["HS256"],
      clockTolerance: clockToleranceSeconds,
    });
    return true;
  } catch {
    return false;
  }
}
