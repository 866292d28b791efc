/**
 * Pure: the request id of a remote hook, the last segment of the URL that the third party answers to. It is a
 * capability: whoever has it may answer. Its first part is 256 random bits. With a secret, a second part
 * signs the first, so that the id can be recreated for a repeated call although nothing stored allows anyone
 * to answer.
 */
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { HookSettings } from "../../platform/config/schema/schema-hooks.ts";
import { createMask, type Mask } from "../../platform/lib/secrets/mask.ts";
import { secretsIn } from "../../platform/outbound/sent-secrets.ts";

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

export const respondToUrlOf = (baseUrl: string, requestId: string): string =>
  `${baseUrl}/api/builder/hooks/${requestId}`;

/** Shorter values of headers are words like any other. */
const shortestSecret = 8;

/**
 * Masks, in the answers of a third party, what the call to it contained: the address to answer to with its request id, and the
 * values of the configured headers, all of which are treated as secrets. Requesters can read those answers, and whoever knows
 * the request id can answer the hook.
 */
export function maskOfCall(
  requestId: string,
  { baseUrl, settings }: { baseUrl: string; settings: Pick<HookSettings, "url" | "headers"> | undefined },
): Mask {
  const { url = "", headers = {} } = settings ?? {};
  const values = Object.values(headers).filter(({ length }) => length >= shortestSecret);
  const halves = requestId.slice(prefix.length).split(".");
  return createMask([
    respondToUrlOf(baseUrl, requestId),
    requestId,
    ...halves,
    ...values,
    ...secretsIn({ url, headers }),
  ]);
}
