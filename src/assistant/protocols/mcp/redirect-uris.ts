/** Where the answer to a sign-in may be sent: programs on the user's own machine, and addresses that an operator has named. */

const loopbackHosts = new Set(["127.0.0.1", "[::1]", "localhost"]);

/**
 * Any port and path of this machine will do, since programs listen where they can (RFC 8252, 7.3). A name that only begins
 * like a loopback address, a user name, a fragment or another spelling of the host is refused.
 */
export function mayRedirectTo(uri: string, listed: readonly string[]): boolean {
  if (listed.includes(uri)) return true;
  const [, authority] = /^http:\/\/([a-z0-9.:[\]]+)(?:[/?][!-"$-;=?-[\]-~]*)?$/.exec(uri) ?? [];
  if (authority === undefined || !URL.canParse(uri)) return false;
  const { host, hostname, username, hash } = new URL(uri);
  const isAsWritten = authority === host || authority === `${host}:80`;
  return isAsWritten && loopbackHosts.has(hostname) && username === "" && hash === "";
}
