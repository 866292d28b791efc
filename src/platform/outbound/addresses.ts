import { BlockList, isIP } from "node:net";

/** How an address stands towards the policy: never reachable, in a private network, or public. */
export type AddressClass = "forbidden" | "private" | "public";

/**
 * Addresses no adapter, agent or model can rightly have: link-local (cloud metadata lives there), the other
 * metadata services, the unspecified address (a second name of loopback), multicast and reserved space.
 */
const forbiddenV4 = [
  "0.0.0.0/8",
  "169.254.0.0/16",
  "100.100.100.200/32",
  "168.63.129.16/32",
  "192.0.0.192/32",
  "224.0.0.0/4",
  "240.0.0.0/4",
];
/** `::/96` less loopback and `::ffff:0:0/96` carry an IPv4 address in disguise: they are refused as a form. */
const forbiddenV6 = [
  "::/128",
  "::ffff:0:0/96",
  "::ffff:0:0:0/96",
  "fe80::/10",
  "ff00::/8",
  "fd00:ec2::254/128",
  "fd20:ce::254/128",
];
const privateV4 = [
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
];
const privateV6 = ["::1/128", "fc00::/7", "fec0::/10"];

/** Kept apart by family: a list that holds the mapped form matches every IPv4 address. */
const lists = {
  4: { forbidden: networkList(forbiddenV4), privateNetworks: networkList(privateV4) },
  6: {
    forbidden: networkList([...forbiddenV6, ...forbiddenV4.flatMap(embeddings)]),
    privateNetworks: networkList([...privateV6, ...privateV4.flatMap(embeddings)]),
  },
};
const compatible = networkList(["::/96"]);

/** Classifies a textual IP address, as the resolver or a parsed URL gives it (no brackets). */
export function classifyAddress(address: string): AddressClass {
  const family = isIP(address);
  // A zone (`fe80::1%eth0`) only ever belongs to a link-local address.
  if (family === 0 || address.includes("%")) return "forbidden";
  const type = family === 4 ? "ipv4" : "ipv6";
  const { forbidden, privateNetworks } = lists[family === 4 ? 4 : 6];
  if (forbidden.check(address, type)) return "forbidden";
  if (privateNetworks.check(address, type)) return "private";
  return family === 6 && compatible.check(address, type) ? "forbidden" : "public";
}

/** A set of networks in CIDR notation that addresses of either family can be looked up in. */
export function networkList(networks: string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [base = "", bits = ""] = network.split("/");
    list.addSubnet(base, Number(bits), isIP(base) === 4 ? "ipv4" : "ipv6");
  }
  return list;
}

/** True for a CIDR network such as `10.2.0.0/16` or `fd00::/8`. */
export function isNetwork(text: string): boolean {
  const match = /^([0-9a-fA-F.:]+)\/(\d{1,3})$/.exec(text);
  if (match === null) return false;
  const family = isIP(match[1] ?? "");
  return family !== 0 && Number(match[2]) <= (family === 4 ? 32 : 128);
}

/** The same IPv4 network as it appears behind NAT64 (64:ff9b::/96) and 6to4 (2002::/16). */
function embeddings(network: string): string[] {
  const [base = "", bits = "0"] = network.split("/");
  const bytes = base.split(".").map(Number);
  const pair = (at: number) => (((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)).toString(16);
  return [
    `64:ff9b::${pair(0)}:${pair(2)}/${96 + Number(bits)}`,
    `2002:${pair(0)}:${pair(2)}::/${16 + Number(bits)}`,
  ];
}
