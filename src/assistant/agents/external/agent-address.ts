/** Pure: addresses of external agents, whose queries may hold keys. */
import { mask } from "../../masked-values.ts";

interface Parts {
  /** Everything before the query. */
  base: string;
  /** Unchanged, without separators. */
  parameters: string[];
}

/** The fragment is never sent, so it is dropped. */
function partsOf(text: string): Parts {
  const [address = ""] = text.split("#");
  const at = address.indexOf("?");
  if (at === -1) return { base: address, parameters: [] };
  return { base: address.slice(0, at), parameters: address.slice(at + 1).split("&") };
}

const join = ({ base, parameters }: Parts): string =>
  parameters.length === 0 ? base : `${base}?${parameters.join("&")}`;

/** The address with a path below its own. The query stays as it is, since it may hold the agent's key. */
export function addressBelow(text: string, path: string): string {
  const { base, parameters } = partsOf(text);
  return join({ base: base.replace(/\/$/, "") + path, parameters });
}

/** Whether the path of an address ends like this; its query does not count. */
export const pathEndsWith = (text: string, end: string): boolean => partsOf(text).base.endsWith(end);

/** Masks each value of the query, and parameters without a name. */
export function maskAddress(text: string): string {
  const { base, parameters } = partsOf(text);
  return join({ base, parameters: parameters.map(maskParameter) });
}

function maskParameter(parameter: string): string {
  const at = parameter.indexOf("=");
  if (at === -1) return parameter === "" ? "" : mask;
  return at === parameter.length - 1 ? parameter : `${parameter.slice(0, at)}=${mask}`;
}

/** Replaces masks by the stored values; null when a value is missing. */
export function unmaskAddress(given: string, stored: string): string | null {
  if (!given.includes(mask)) return given;
  const { base, parameters } = partsOf(given);
  // Several parameters of one name keep their order.
  const left = partsOf(stored).parameters.map((parameter) => ({
    parameter,
    masked: maskParameter(parameter),
  }));
  const whole: string[] = [];
  for (const parameter of parameters) {
    const at = left.findIndex(({ masked }) => masked === parameter);
    const [found] = at === -1 ? [] : left.splice(at, 1);
    if (found === undefined && parameter.includes(mask)) return null;
    whole.push(found?.parameter ?? parameter);
  }
  return base.includes(mask) ? null : join({ base, parameters: whole });
}

/** Whether both have the same origin and path; queries do not count. */
export function isSameAddress(one: string, other: string): boolean {
  const [a, b] = [URL.parse(one), URL.parse(other)];
  return a !== null && b !== null && a.origin === b.origin && a.pathname === b.pathname;
}
