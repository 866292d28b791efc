/**
 * Pure: the request id of a remote hook, the last segment of the URL that the third party answers to. It is a
 * capability: whoever has it may answer. Its first part is 256 random bits. With a secret, a second part
 * signs the first, so that the id can be recreated for a repeated call although nothing stored allows anyone
 * to answer.
 */
import { createHash, createHmac, timingSafeEqual } from "node:crypto";

/** The log redacts texts with this prefix. */
const prefix = "cap_";

const form = /^cap_([A-Za-z0-9_-]{43})(?:\.[A-Za-z0-9_-]{43})?$/;

export interface Signing {
  hookId: string;
  secret: string | undefined;
}

export const requestIdOf = (seed: string, { hookId, secret }: Signing): string =>
  secret === undefined ? prefix + seed : `${prefix}${seed}.${signatureOf(seed, { hookId, secret })}`;

/** The stored hash; null for a text that cannot be one of our request ids. */
export const hashOfRequestId = (requestId: string): string | null =>
  form.test(requestId) ? createHash("sha256").update(requestId).digest("base64url") : null;

/** Whether its second part is the signature with the secret of this hook. Takes constant time. */
export function isSigned(requestId: string, { hookId, secret }: Signing): boolean {
  const seed = form.exec(requestId)?.[1];
  if (seed === undefined || secret === undefined) return false;
  const expected = Buffer.from(requestIdOf(seed, { hookId, secret }));
  const given = Buffer.from(requestId);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

const signatureOf = (seed: string, { hookId, secret = "" }: Signing): string =>
  createHmac("sha256", secret).update(`plinth hook ${hookId} ${seed}`).digest("base64url");
