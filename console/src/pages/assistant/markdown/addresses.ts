/** Which addresses of an answer may be followed: of this server, and http(s) of others, whose host is shown. */
import { isBelow, ownPath } from "../../../api/own-path.ts";

export type Address =
  /** `href` is a path below the one where the console is served. */
  { kind: "inside"; href: string; isPage: boolean } | { kind: "outside"; href: string; host: string };

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
  const home = new URL(base);
  const below = home.pathname.replace(/\/+$/, "");
  // A path without a host is always one of this server, with or without the proxy's prefix.
  const isOurs = url.origin === home.origin && (href.startsWith("/") || isBelow(url.pathname, below));
  if (!isOurs) return { kind: "outside", href: url.href, host: url.host };
  const own = ownPath(url.pathname + url.search + url.hash, below);
  return { kind: "inside", href: own, isPage: !/^\/(?:api|v1|v2|graphql|docs|mcp)(?:[/?#]|$)/.test(own) };
};
