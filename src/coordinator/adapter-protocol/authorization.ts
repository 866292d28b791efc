const lifetimeS = 600;
/** A token is replaced this long before it expires, so that a slow call never arrives with a dead one. */
const renewBeforeS = 120;

export interface Authorization {
  /** The value of the header; the token inside is made anew now and then. */
  header(): string | Promise<string>;
  /** What must not appear in anything that is shown: the secret and the token of the moment. */
  secrets(): readonly string[];
}

/** Bearer tokens for adapters: HS256 with the shared secret, kept until shortly before they expire. */
export function createAuthorization(secret: string, now: () => Date): Authorization {
  const key = new TextEncoder().encode(secret);
  let token = "";
  let renewAtS = 0;
  let pending: Promise<string> | null = null;

  const renew = async (issuedAtS: number): Promise<string> => {
    // Many set-ups have no secret; they start without it.
    const { SignJWT } = await import("jose");
    token = await new SignJWT({})
      .setProtectedHeader({ alg: "HS256", typ: "JWT" })
      .setSubject("plinth-coordinator")
      .setIssuedAt(issuedAtS)
      .setExpirationTime(issuedAtS + lifetimeS)
      .sign(key);
    renewAtS = issuedAtS + lifetimeS - renewBeforeS;
    return `Bearer ${token}`;
  };

  const header = () => {
    const nowS = Math.floor(now().getTime() / 1_000);
    // Also when the clock was set back: a token from the future may be refused.
    if (token !== "" && nowS < renewAtS && nowS >= renewAtS - lifetimeS) return `Bearer ${token}`;
    pending ??= renew(nowS).finally(() => (pending = null));
    return pending;
  };

  return { header, secrets: () => (token === "" ? [secret] : [secret, token]) };
}
