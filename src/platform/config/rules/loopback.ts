import { isIPv4, isIPv6 } from "node:net";

/** Whether a host name or address, as in a setting or a Host header without its port, is this machine only. */
export function isLoopbackHost(host: string): boolean {
  const bare = host.startsWith("[") && host.endsWith("]") ? host.slice(1, -1) : host;
  const name = bare.toLowerCase();
  if (name === "localhost" || name.endsWith(".localhost")) return true;
  if (isIPv4(name)) return name.startsWith("127.");
  if (!isIPv6(name)) return false;
  const mapped = /^(?:0{0,4}:){0,5}:?ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(name)?.[1];
  return mapped ? mapped.startsWith("127.") : /^(?:0{1,4}:){7}0{0,3}1$|^::0{0,3}1$/.test(name);
}
