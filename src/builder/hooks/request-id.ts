/**
 * Pure: the request id of a remote hook, with which the address ends that the third party answers to. It is a capability:
 * whoever holds it may answer. Its first part is 256 bits by chance; with a secret a second part signs that one, so that
 * it can be made again for a repeated call although nothing that is stored lets anybody answer.
 */
import { createHash, createHmac, timingSafeEqual } from "node:crypto";

/** Logs know such texts by it and leave them out. */
const prefix = "cap_";

const form = /^cap_([A-Za-z0-9_-]{43})(?:\.[A-Za-z0-9_-]{43})?$/;

export interface Signing {
  hookId: string;
  secret: string | undefined;
}

export const requestIdOf = (seed: string, { hookId, secret }: Signing): string =>
  secret === undefined ? prefix + seed : `${prefix}${seed}.${signatureOf(seed, { hookId, secret })}`;

/** What is stored of it; null for a text that no request id of ours can be. */
export const hashOfRequestId = (requestId: string): string | null =>
  form.test(requestId) ? createHash("sha256").update(requestId).digest("base64url") : null;

/** Whether its second part is that of the secret for this hook. Takes as long whatever it is. */
export function isSigned(requestId: string, { hookId, secret }: Signing): boolean {
  const seed = form.exec(requestId)?.[1];
  if (seed === undefined || secret === undefined) return false;
  const expected = Buffer.from(requestIdOf(seed, { hookId, secret }));
  const given = Buffer.from(requestId);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

const signatureOf = (seed: string, { hookId, secret = "" }: Signing): string =>
  createHmac("sha256", secret).update(`plinth hook ${hookId} ${seed}`).digest("base64url");
