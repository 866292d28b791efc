/** Under which name requests of an address are counted. */

export type CallerNetwork = (address: string) => string;

const maxRemembered = 10_000;

/** The same as `networkOf`. Remembers addresses: most requests come from few, and to read one takes a microsecond or more. */
export const createCallerNetworks = (): CallerNetwork => {
  const networks = new Map<string, string>();
  return (address) => {
    if (!address.includes(":")) return address;
    const known = networks.get(address);
    if (known !== undefined) return known;
    if (networks.size >= maxRemembered) networks.clear();
    const network = networkOf(address);
    networks.set(address, network);
    return network;
  };
};

/**
 * An IPv4 address itself, and of an IPv6 address its first 64 bits: a subscriber gets at least that network, and with it as many addresses as
 * anybody wants.
 * @param address as the socket or a proxy writes it.
 */
const networkOf = (address: string): string => {
  const [front = "", back] = address.split("::", 2);
  const groups = front === "" ? [] : front.split(":");
  // What follows the zeros of `::` is further back, except where there are only a few.
  if (back !== undefined && groups.length < networkGroups) groups.push(...behindZeros(groups.length, back));
  const network = groups
    .slice(0, networkGroups)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":");
  return holdsIpv4.has(network) ? address : network;
};

const networkGroups = 4;
const allGroups = 8;

/** Where the rest of the address is that of an IPv4 caller: itself or an IPv4-mapped one, and NAT64 (RFC 6052). */
const holdsIpv4: ReadonlySet<string> = new Set(["0:0:0:0", "64:ff9b:0:0"]);

/** The zeros that `::` stands for, and what is behind them. */
const behindZeros = (before: number, back: string): string[] => {
  const groups = back === "" ? [] : back.split(":");
  const count = groups.length + (back.includes(".") ? 1 : 0);
  return [...Array.from({ length: Math.max(0, allGroups - before - count) }, () => "0"), ...groups];
};

/** The wider network that one is in: the first 16 bits of an IPv4 address, of others the first 32, which is what a provider has. */
export const widerNetwork = (network: string): string => {
  const separator = network.includes(":") ? ":" : ".";
  return network.split(separator, 2).join(separator);
};
