/** Pure. The cookies of browsers that people sign in with: their names, how they are read and how they are set. */

export interface CookieNames {
  /** Its value is the session. */
  session: string;
  /** What a sign-in that has begun needs at its end. */
  signIn: string;
  isSecure: boolean;
}

/**
 * By the address of the server. With the prefix `__Host-` a browser takes the cookie only over https, from this very host and for all of
 * its paths; so no page of a neighbouring name can set it. Over plain http, which is for this machine alone, browsers refuse the prefix.
 */
export const cookieNames = (baseUrl: string | undefined): CookieNames =>
  baseUrl?.startsWith("https:") === true
    ? { session: "__Host-plinth", signIn: "__Host-plinth-sign-in", isSecure: true }
    : { session: "plinth", signIn: "plinth-sign-in", isSecure: false };

/** The values of all cookies of that name, of which a browser sends two where another path or domain has set one as well. */
export function cookieValues(header: string | undefined, name: string): string[] {
  if (header === undefined || !header.includes(`${name}=`)) return [];
  return header.split(";").flatMap((part) => {
    const at = part.indexOf("=");
    return at !== -1 && part.slice(0, at).trim() === name ? [part.slice(at + 1).trim()] : [];
  });
}

/** The value of the cookie of that name; undefined where there is none, or where two differ and nobody can say which is right. */
export function onlyCookie(header: string | undefined, name: string): string | undefined {
  const [value, ...others] = cookieValues(header, name);
  return others.some((other) => other !== value) ? undefined : value;
}

/** The value of the header `Set-Cookie`. `Lax` lets the cookie come along when the identity provider leads the person back. */
export const setCookie = (
  { name, value, maxAgeSeconds }: { name: string; value: string; maxAgeSeconds: number },
  { isSecure }: Pick<CookieNames, "isSecure">,
): string =>
  `${name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;

export const clearCookie = (name: string, secure: Pick<CookieNames, "isSecure">): string =>
  setCookie({ name, value: "", maxAgeSeconds: 0 }, secure);
