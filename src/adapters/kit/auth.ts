/** Who may call the adapter: the holder of the shared secret, as it is or as the key of an HS256 token. */
import { createHash, timingSafeEqual } from "node:crypto";

import { jwtVerify } from "jose";

const clockToleranceSeconds = 30;

/** Compares digests, so that neither the length nor the first differing byte shows in the time taken. */
function sameSecret(left: string, right: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(left), digest(right));
}

/** The secrets that callers may have: the present one, and while they go from one to the next that of before. */
export type SharedSecrets = string | readonly string[] | undefined;

/** As a list; an empty text is no secret. */
export const secretsOf = (given: SharedSecrets): string[] =>
  (typeof given === "string" ? [given] : [...(given ?? [])]).filter((secret) => secret !== "");

/** @returns whether the `authorization` header carries one of the secrets itself or a valid token signed with it. */
export async function isAuthorised(
  authorization: string | undefined,
  secrets: readonly string[],
): Promise<boolean> {
  const bearer = /^Bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
  if (bearer === undefined) return false;
  for (const secret of secrets) if (await opens(bearer, secret)) return true;
  return false;
}

async function opens(bearer: string, secret: string): Promise<boolean> {
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
