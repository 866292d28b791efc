/** Pure. What an identity provider sends, before it is shown or used: it is other people's text. */
import { isLoopbackHost } from "../../platform/config/rules/loopback.ts";

const invisible = /[\p{C}\p{Zl}\p{Zp}]+/gu;
const maxShown = 300;

/** One line of visible characters; nothing in it moves a cursor or turns the direction of the text. */
export function plainText(text: unknown): string {
  if (typeof text !== "string") return "";
  const plain = text
    .slice(0, 10 * maxShown)
    .replace(invisible, " ")
    .trim();
  return plain.length > maxShown ? `${plain.slice(0, maxShown)}…` : plain;
}

/** A code that a person types; null for what nobody could. */
export const userCodeOf = (value: unknown): string | null =>
  typeof value === "string" && /^[\u0021-\u007E](?:[\u0020-\u007E]{0,62}[\u0021-\u007E])?$/.test(value)
    ? value
    : null;

export interface Reach {
  /** Whether addresses of this machine without TLS are allowed. */
  loopback: boolean;
}

/** An address of https, or where that is allowed one of this machine; null for any other. */
export function safeAddress(value: unknown, { loopback }: Reach): URL | null {
  if (
    typeof value !== "string" ||
    value.length > 2_048 ||
    /[\p{C}\p{Z}]/u.test(value) ||
    !URL.canParse(value)
  )
    return null;
  const url = new URL(value);
  if (url.username !== "" || url.password !== "") return null;
  if (url.protocol === "https:") return url;
  return loopback && url.protocol === "http:" && isLoopbackHost(url.hostname) ? url : null;
}
