/** A single file over HTTP, and the files that it refers to beside and below it. */
import type { Outbound } from "../../../platform/outbound/outbound.ts";
import { OutboundError, publicMessage } from "../../../platform/outbound/outbound-error.ts";
import { unreadable, type LocationSource } from "./source.ts";
import { locationRef } from "./target.ts";

export interface UrlSourceOptions {
  outbound: Outbound;
  timeoutMs: number;
  signal: AbortSignal;
}

/** The folder of the URL is the root; a query string applies to the target alone. */
export function openUrlSource(url: URL, options: UrlSourceOptions): LocationSource {
  const cut = url.pathname.lastIndexOf("/") + 1;
  const folder = url.origin + url.pathname.slice(0, cut);
  const entry = decode(url.pathname.slice(cut));
  const addressOf = (path: string): string =>
    path === entry ? url.href : folder + path.split("/").map(encodeURIComponent).join("/");
  return {
    version: null,
    entry,
    isDirectory: async () => false,
    read: (path, maxBytes) =>
      fetchFile(addressOf(path), path === entry ? "/target" : path, { ...options, maxBytes }),
    list: async () => [entry],
    refOf: (path) => locationRef({ type: "url", target: addressOf(path) }),
    close: async () => {},
  };
}

async function fetchFile(
  url: string,
  where: string,
  { outbound, timeoutMs, signal, maxBytes }: UrlSourceOptions & { maxBytes: number },
): Promise<Buffer | null> {
  try {
    const request = { method: "GET", url, timeoutMs, signal, maxResponseBytes: maxBytes } as const;
    const { status, body } = await outbound.request(request);
    if (status === 200) return body;
    if (status === 404 || status === 410) return null;
    throw unreadable(where, `The address answers ${status}.`);
  } catch (error) {
    if (error instanceof OutboundError) throw unreadable(where, publicMessage(error));
    throw error;
  }
}

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
