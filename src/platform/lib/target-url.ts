/**
 * Reads the text of a URL into the one form that is checked and used. Programs disagree about unusual texts: for one
 * `http://a\@b/` names the host a, for another the host b. So whatever two of them could read differently is refused,
 * and those who connect get the URL that is returned here, never the text.
 */

export type TargetUrl = { url: URL; message: null } | { url: null; message: string };

const defaultSchemes: readonly string[] = ["http", "https"];
const maxChars = 8_192;
/** Control, format and other invisible characters, and every kind of space. */
const unseen = /[\p{C}\p{Z}]/u;
/** As a name, an IPv4 or an IPv6 address can be written; what of it is not canonical is found by comparing. */
const authorityForm = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(?:0|[1-9]\d{0,4}))?$/i;

/** The URL, or why the text is refused. The message never repeats the text, which may hold a password. */
export function readTargetUrl(text: string, schemes: readonly string[] = defaultSchemes): TargetUrl {
  if (text.length > maxChars) return refuse(`The URL is longer than ${maxChars} characters.`);
  if (unseen.test(text)) return refuse("The URL must not hold white space or control characters.");
  if (text.includes("\\")) return refuse("The URL must not hold a backslash.");
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1]?.toLowerCase();
  if (scheme === undefined) return refuse("The URL is not an absolute URL.");
  if (!schemes.includes(scheme)) return refuse(`The URL scheme must be one of: ${schemes.join(", ")}.`);
  const authority = /^:\/\/([^/?#]*)/.exec(text.slice(scheme.length))?.[1];
  if (authority === undefined || authority === "")
    return refuse("The URL must have the form scheme://host/path.");
  if (authority.includes("@")) return refuse("The URL must not carry a user name or password.");
  const host = authorityForm.exec(authority)?.[1]?.toLowerCase();
  if (host === undefined) {
    return refuse(
      "The host of the URL must be a name of ASCII letters, digits, dots, hyphens and underscores or an IP address, with a port from 0 to 65535 at most.",
    );
  }
  if (host.endsWith(".")) return refuse("The host of the URL must not end with a dot.");
  const url = URL.parse(text);
  if (url === null) return refuse("The URL is not an absolute URL.");
  if (url.hostname !== host)
    return refuse(`The host of the URL is another spelling of ${url.hostname}; write it like that.`);
  return { url, message: null };
}

/** As git accepts it: without query and fragment. */
export function readGitUrl(text: string, schemes?: readonly string[]): TargetUrl {
  const read = readTargetUrl(text, schemes);
  if (read.url === null) return read;
  if (/[?#]/.test(text)) return refuse("The URL of a repository must have neither a query nor a fragment.");
  return read;
}

const refuse = (message: string): TargetUrl => ({ url: null, message });
