/** Bearer tokens of calls: HS256 with a shared secret, cached until shortly before they expire. */

const lifetimeS = 600;
/** A token is replaced this long before it expires, so that a slow call never arrives with a dead one. */
const renewBeforeS = 120;

export interface Authorization {
  /** The value of the header; its token is renewed before it expires. */
  header(): string | Promise<string>;
  /** Values that must not appear in logs or answers: the secret and the current token. */
  secrets(): readonly string[];
}

export function createAuthorization(secret: string, now: () => Date): Authorization {
  const key = new TextEncoder().encode(secret);
  let token = "";
  let renewAtS = 0;
  let pending: Promise<string> | null = null;

  const renew = async (issuedAtS: number): Promise<string> => {
    // Loaded on demand: without a secret the process starts without this library.
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

/** The secrets of the configuration as they are now: the one that calls are signed with, then those of before. */
export type ReadSecrets = () => readonly (string | undefined)[];

/** One authorization for each secret that there is now; those of secrets that have gone are dropped. */
export function createAuthorizations(read: ReadSecrets, now: () => Date): () => readonly Authorization[] {
  let known = new Map<string, Authorization>();
  return () => {
    const wanted = new Map<string, Authorization>();
    for (const secret of read())
      if (secret) wanted.set(secret, known.get(secret) ?? createAuthorization(secret, now));
    known = wanted;
    return [...wanted.values()];
  };
}
