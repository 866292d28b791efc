/** Which addresses of an answer may be followed: of this server, and http(s) of others, whose host is shown. */

export type Address =
  | { kind: "inside"; href: string; isPage: boolean }
  | { kind: "outside"; href: string; host: string };

/** null: it is shown as text. `base` is where the console is served, such as `https://plinth.example.com/`. */
export const addressOf = (href: string, base: string): Address | null => {
  // Relative ones would depend on the page; those of the server begin with a slash.
  if (!/^(?:https?:\/\/|\/)/i.test(href)) return null;
  let url: URL;
  try {
    url = new URL(href, base);
  } catch {
    return null;
  }
  if ((url.protocol !== "http:" && url.protocol !== "https:") || url.username !== "" || url.password !== "")
    return null;
  if (url.origin !== new URL(base).origin) return { kind: "outside", href: url.href, host: url.host };
  const path = url.pathname + url.search + url.hash;
  return {
    kind: "inside",
    href: path,
    isPage: !/^\/(?:api|v1|v2|graphql|docs|mcp)(?:\/|$)/.test(url.pathname),
  };
};
