/**
 * Sign-ins that have begun and not ended. They are in a cookie of the browser that began them, encrypted, so that nothing is stored for
 * whoever begins one, and no other browser can end it. A browser has few at once, for several tabs.
 */
import type { SecretBox } from "../../platform/lib/secrets/secret-box.ts";
import { isRecord } from "../../platform/lib/is-record.ts";

export interface PendingSignIn {
  provider: string;
  state: string;
  nonce: string;
  verifier: string;
  returnTo: string;
  redirectUri: string;
  untilMs: number;
}

/** How long a person may take. */
export const signInMs = 10 * 60_000;
/** What fits into a cookie of 4,096 bytes. */
const maxPending = 2;
const maxCookie = 4_000;
const about = "sign-ins of a browser";

type Secrets = Pick<SecretBox, "seal" | "open">;

/** Those of the cookie that are not too old; none where it is not ours. */
export function readPending(cookie: string | undefined, secrets: Secrets, nowMs: number): PendingSignIn[] {
  if (cookie === undefined || cookie.length > maxCookie) return [];
  const opened = secrets.open(Buffer.from(cookie, "base64url"), about);
  if (opened === null) return [];
  const list: unknown = JSON.parse(opened.toString("utf8"));
  return Array.isArray(list) ? list.filter(isPending).filter(({ untilMs }) => untilMs > nowMs) : [];
}

/** The value of the cookie: the newest ones. */
export const sealPending = (pending: readonly PendingSignIn[], secrets: Secrets): string =>
  secrets.seal(Buffer.from(JSON.stringify(pending.slice(-maxPending))), about).toString("base64url");

/** What was sealed here has this form; a program of another release may have sealed another. */
const isPending = (value: unknown): value is PendingSignIn =>
  isRecord(value) &&
  ["provider", "state", "nonce", "verifier", "returnTo", "redirectUri"].every(
    (name) => typeof value[name] === "string",
  ) &&
  typeof value["untilMs"] === "number";
