import type { BlockList } from "node:net";
import { isIP } from "node:net";
import type { Problem } from "../errors/failure.ts";
import { classifyAddress, isNetwork, networkList } from "./addresses.ts";
import { readTargetUrl } from "../lib/target-url.ts";

/**
 * What may be called from here. Hosts are globs (`*` stands for any run of characters, dots included, and `?`
 * for one) or networks in CIDR notation; a host named in `blockedHosts` is refused even when it is allowed too.
 * Without `allowedHosts` every host is allowed. Link-local and metadata addresses are refused whatever it says.
 */
export interface OutboundPolicy {
  allowedSchemes: string[];
  allowedHosts?: string[] | undefined;
  blockedHosts: string[];
  allowPrivateNetworks: boolean;
  /** The setting that decides it, named in the reason of a refusal. */
  privateNetworksSetting?: string;
  maxResponseBytes: number;
  timeoutMs: number;
}

export type UrlVerdict =
  | { url: URL; problem: null }
  /** `isMalformed`: the text is refused whatever the policy says. */
  | { url: null; problem: Problem; isMalformed: boolean };

export interface CompiledPolicy {
  /** The verdict on a URL before any name is resolved; the URL to call when there is nothing against it. */
  checkUrl(text: string): UrlVerdict;
  /** The same for a host that is called by another protocol than HTTP, whatever schemes are allowed. */
  checkHost(host: string, port: number): UrlVerdict;
  /** Why this address of this host may not be connected to, or null. */
  refusalOfAddress(address: string, host: string): string | null;
}

/** Host names are at most this long in DNS; longer ones are refused before they meet a glob. */
const maxHostChars = 253;

const metadataNames = new Set(["metadata.google.internal", "metadata.goog", "instance-data.ec2.internal"]);

export function compilePolicy(policy: OutboundPolicy): CompiledPolicy {
  const schemes = policy.allowedSchemes.map((scheme) => scheme.toLowerCase().replace(/:$/, ""));
  const allowed = policy.allowedHosts === undefined ? null : hostSet(policy.allowedHosts);
  const blocked = hostSet(policy.blockedHosts);

  const refusalOfAddress = (address: string, host: string): string | null => {
    const kind = classifyAddress(address);
    if (kind === "forbidden") return "it is a link-local, metadata or otherwise reserved address";
    if (kind === "private" && !policy.allowPrivateNetworks) {
      const setting = policy.privateNetworksSetting;
      return `it is in a private network${setting === undefined ? "" : `, and ${setting} is not set`}`;
    }
    if (inNetworks(blocked, address)) return "its network is blocked by the configuration";
    if (allowed !== null && !matchesName(allowed, host) && !inNetworks(allowed, address)) {
      return "neither its name nor its network is allowed by the configuration";
    }
    return null;
  };

  const refusalOfHost = (host: string): string | null => {
    if (host.length > maxHostChars) return `its host is longer than ${maxHostChars} characters`;
    if (matchesName(blocked, host)) return "its host is blocked by the configuration";
    const address = addressOf(host);
    if (address !== null) return refusalOfAddress(address, host);
    if (metadataNames.has(host)) return "it is a cloud metadata service";
    // With networks on the list, a name that matches no glob may still resolve into one of them.
    if (allowed !== null && allowed.networks === null && !matchesName(allowed, host)) {
      return "its host is not among the hosts allowed by the configuration";
    }
    return null;
  };

  const checkAs = (text: string, allowedSchemes: readonly string[]): UrlVerdict => {
    const { url, message } = readTargetUrl(text, allowedSchemes);
    if (url === null) return { url: null, problem: refusal(message), isMalformed: true };
    const why = refusalOfHost(url.hostname);
    if (why === null) return { url, problem: null };
    return { url: null, problem: refusal(`The URL may not be called: ${why}.`), isMalformed: false };
  };

  return {
    checkUrl: (text) => checkAs(text, schemes),
    // Its host is read and checked as that of a URL is.
    checkHost: (host, port) =>
      /[/?#]/.test(host)
        ? { url: null, problem: refusal("The host has a path."), isMalformed: true }
        : checkAs(`https://${host}:${port}/`, ["https"]),
    refusalOfAddress,
  };
}

function refusal(message: string): Problem {
  const solution = "Use an address that the outbound settings allow, or have an operator change them.";
  return { where: "url", message, solution };
}

/** Lower case, without the dot that ends a fully qualified name; so `Host.` and `host` are one. */
function normalHost(host: string): string {
  const lower = host.toLowerCase();
  return lower.endsWith(".") ? lower.slice(0, -1) : lower;
}

/** The address when the host is a literal one. */
function addressOf(host: string): string | null {
  const bare = host.startsWith("[") ? host.slice(1, -1) : host;
  return isIP(bare) === 0 ? null : bare;
}

interface HostSet {
  globs: string[];
  networks: BlockList | null;
}

function hostSet(patterns: string[]): HostSet {
  const networks = patterns.filter(isNetwork);
  const globs = patterns.filter((pattern) => !isNetwork(pattern)).map(normalHost);
  return { globs, networks: networks.length === 0 ? null : networkList(networks) };
}

function matchesName(set: HostSet, host: string): boolean {
  const name = normalHost(host);
  const bare = addressOf(name);
  return set.globs.some((glob) => matchesGlob(glob, name) || (bare !== null && matchesGlob(glob, bare)));
}

function inNetworks(set: HostSet, address: string): boolean {
  return set.networks !== null && set.networks.check(address, isIP(address) === 4 ? "ipv4" : "ipv6");
}

/** Glob match with one point of return, so that no pattern takes more than pattern times text steps. */
export function matchesGlob(glob: string, text: string): boolean {
  let g = 0;
  let t = 0;
  let star = -1;
  let resume = 0;
  while (t < text.length) {
    if (g < glob.length && glob[g] === "*") {
      star = g++;
      resume = t;
    } else if (g < glob.length && (glob[g] === "?" || glob[g] === text[t])) {
      g++;
      t++;
    } else if (star >= 0) {
      g = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  while (glob[g] === "*") g++;
  return g === glob.length;
}
