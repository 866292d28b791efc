/**
 * A URL as it may stand in a log line or message: without user name and password, without fragment, and with
 * the values of its query hidden, because that is where keys and signatures travel.
 */
export function redactUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null) return "<not a URL>";
  const names = [...new Set(url.searchParams.keys())];
  const query =
    names.length === 0 ? "" : `?${names.map((name) => `${encodeURIComponent(name)}=***`).join("&")}`;
  return `${url.protocol}//${url.host}${url.pathname}${query}`;
}

/** Only scheme, host and port. */
export function originOf(text: string): string {
  const url = URL.parse(text);
  return url === null ? "<not a URL>" : `${url.protocol}//${url.host}`;
}
