/** Pure. Explains to a user whose credentials were refused which token was sent, and what is visibly wrong with it. */
import { isRecord } from "../../platform/lib/is-record.ts";

export interface SentToken {
  token?: string | undefined;
  /** Where the token comes from: an option, a variable, a context. */
  tokenFrom?: string | undefined;
  /** Whether `plinth login` has stored it. */
  isSignIn?: boolean | undefined;
}

const ways = "--token, PLINTH_TOKEN, `plinth login` or `plinth context set <name> --token-stdin`";

/** Sentences for a call that was answered with 401; the token itself is never shown. */
export function explainCredentials({ token, tokenFrom, isSignIn }: SentToken, now: Date): string[] {
  if (token === undefined) return [`No token was sent. Give one with ${ways}.`];
  const times = timesOf(token);
  const seconds = now.getTime() / 1_000;
  const lines = [`The token of ${tokenFrom ?? "this command"} was sent.`];
  if (isSignIn) lines.push("Sign in again with `plinth login`.");
  else if (times.expires !== undefined && times.expires <= seconds) {
    lines.push(`It expired at ${timeOf(times.expires)}: get a new one where you sign in.`);
  } else if (times.begins !== undefined && times.begins > seconds) {
    lines.push(`It is valid only from ${timeOf(times.begins)}; is the clock of this machine right?`);
  } else lines.push(`If it is not for this server, give another one with ${ways}.`);
  return lines;
}

const timeOf = (seconds: number): string => new Date(seconds * 1_000).toISOString();

/** Reads `exp` and `nbf` of a JSON Web Token without verifying it: they are only shown to the user who sent it. */
function timesOf(token: string): { expires?: number; begins?: number } {
  const [, payload, ...rest] = token.split(".");
  if (payload === undefined || rest.length !== 1) return {};
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, "base64url").toString("utf8"));
    if (!isRecord(claims)) return {};
    const { exp, nbf } = claims;
    return { ...(isTime(exp) ? { expires: exp } : {}), ...(isTime(nbf) ? { begins: nbf } : {}) };
  } catch {
    return {};
  }
}

/** Seconds that a Date can hold. */
const isTime = (value: unknown): value is number =>
  typeof value === "number" && Math.abs(value) < 8_640_000_000_000;
