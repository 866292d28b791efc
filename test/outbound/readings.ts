/** For one text after another: which host and port the policy, our client and libcurl take it to name. */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { silentLogger } from "../../src/platform/lib/logger.ts";
import { readTargetUrl } from "../../src/platform/lib/target-url.ts";
import { createOutbound, type Outbound, type ResolveAll } from "../../src/platform/outbound/outbound.ts";
import { OutboundError } from "../../src/platform/outbound/outbound-error.ts";
import { seenByCurl, type Seen } from "./curl-eyes.ts";

export interface Readings {
  texts: number;
  accepted: number;
  /** Texts in which libcurl reads another host than the URL parser of the policy. */
  disagreements: number;
  violations: string[];
}

/** Names lead to this machine and nowhere else. */
export const localNames =
  (allowed: ReadonlySet<string>): ResolveAll =>
  (name, _options, callback) =>
    callback(null, [{ address: allowed.has(name) ? "127.0.0.1" : "127.0.0.2", family: 4 }]);

export const outboundTo = (hosts: readonly string[], resolve: ResolveAll): Outbound =>
  createOutbound(
    {
      allowedSchemes: ["http", "https"],
      allowedHosts: [...hosts],
      blockedHosts: [],
      allowPrivateNetworks: true,
      maxResponseBytes: 100_000,
      timeoutMs: 5_000,
    },
    silentLogger,
    { resolve },
  );

const authorityOf = ({ hostname, port, protocol }: URL): string =>
  `${hostname}:${port === "" ? (protocol === "https:" ? 443 : 80) : port}`;

export async function compareReadings(texts: readonly string[], client: Outbound): Promise<Readings> {
  const violations: string[] = [];
  const read = texts.map((text) => readTargetUrl(text).url);
  const raw = await seenByCurl(texts);
  const given = await seenByCurl(read.map((url) => url?.href ?? "http://refused.invalid/"));
  const watch = watchConnections();
  let accepted = 0;
  let disagreements = 0;
  for (const [index, text] of texts.entries()) {
    const url = read[index] ?? null;
    const usual = URL.parse(text);
    const seen: Seen = raw[index] ?? null;
    const isHttp = usual !== null && /^https?:$/.test(usual.protocol);
    if (isHttp && seen !== null && seen !== authorityOf(usual)) disagreements += 1;
    const connected = await connectionOf(client, text, watch.seen);
    const shown = JSON.stringify(text);
    if (url === null) {
      if (connected !== null) violations.push(`${shown} is refused, and was connected to ${connected}`);
      continue;
    }
    accepted += 1;
    const policy = authorityOf(url);
    // A host that the policy does not allow is not connected to.
    if (connected !== null && connected !== policy)
      violations.push(`${shown}: the policy saw ${policy}, the client ${connected}`);
    if (given[index] !== policy)
      violations.push(`${shown}: the policy saw ${policy}, git is given what it reads as ${given[index]}`);
    if (seen !== null && seen !== policy)
      violations.push(`${shown} is not refused: the policy saw ${policy}, libcurl reads ${seen}`);
  }
  watch.stop();
  return { texts: texts.length, accepted, disagreements, violations };
}

async function connectionOf(client: Outbound, url: string, seen: string[]): Promise<string | null> {
  seen.length = 0;
  // Without it one connection would serve several texts, and nothing could be seen of the later ones.
  const headers = { connection: "close" };
  await client.request({ method: "GET", url, headers }).catch((error: unknown) => {
    if (!(error instanceof OutboundError)) throw error;
  });
  return seen[0] ?? null;
}

function watchConnections(): { seen: string[]; stop: () => void } {
  const seen: string[] = [];
  const onConnect = (message: unknown): void => {
    const { connectParams } = message as {
      connectParams: { hostname: string; port: string; protocol: string };
    };
    const { hostname, port, protocol } = connectParams;
    seen.push(`${hostname}:${port === "" ? (protocol === "https:" ? 443 : 80) : port}`);
  };
  subscribe("undici:client:beforeConnect", onConnect);
  return { seen, stop: () => void unsubscribe("undici:client:beforeConnect", onConnect) };
}
