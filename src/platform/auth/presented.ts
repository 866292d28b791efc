/** What a request's own bearer token says of its times; only for tokens that have been checked already. */
import { decodeJwt } from "jose";
import type { RequestHeaders } from "./guest.ts";

export interface PresentedTimes {
  /** Null where the token says nothing, as all do that are no JWTs. */
  issuedAtMs: number | null;
  expiresAtMs: number | null;
}

export function presentedTimes({ authorization }: RequestHeaders): PresentedTimes {
  const token = typeof authorization === "string" ? authorization.replace(/^Bearer +/i, "").trim() : "";
  try {
    const { iat, exp } = decodeJwt(token);
    return { issuedAtMs: asMs(iat), expiresAtMs: asMs(exp) };
  } catch {
    return { issuedAtMs: null, expiresAtMs: null };
  }
}

const asMs = (seconds: number | undefined): number | null => (seconds === undefined ? null : seconds * 1_000);
