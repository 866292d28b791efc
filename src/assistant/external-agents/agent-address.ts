/** Pure: addresses of external agents, whose queries may hold keys. */
import { mask } from "../masked-values.ts";

interface Parts {
  /** All before the query. */
  base: string;
  /** As written, without their separators. */
  parameters: string[];
}

/** What comes after `#` is sent nowhere and belongs to no address. */
function partsOf(text: string): Parts {
  const [address = ""] = text.split("#");
  const at = address.indexOf("?");
  if (at === -1) return { base: address, parameters: [] };
  return { base: address.slice(0, at), parameters: address.slice(at + 1).split("&") };
}

const join = ({ base, parameters }: Parts): string =>
  parameters.length === 0 ? base : `${base}?${parameters.join("&")}`;

/** A mask stands for each value of the query, and for what has no name. An address without one stays as it is. */
export function maskAddress(text: string): string {
  const { base, parameters } = partsOf(text);
  return join({ base, parameters: parameters.map(maskParameter) });
}

function maskParameter(parameter: string): string {
  const at = parameter.indexOf("=");
  if (at === -1) return parameter === "" ? "" : mask;
  return at === parameter.length - 1 ? parameter : `${parameter.slice(0, at)}=${mask}`;
}

/** The address with the stored values in the place of masks; null where there is none for one of them. */
export function unmaskAddress(given: string, stored: string): string | null {
  if (!given.includes(mask)) return given;
  const { base, parameters } = partsOf(given);
  // Parameters of one name come back in their order.
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

/** Whether both lead to the same place of the same host, whatever their queries are. */
export function isSameAddress(one: string, other: string): boolean {
  const [a, b] = [URL.parse(one), URL.parse(other)];
  return a !== null && b !== null && a.origin === b.origin && a.pathname === b.pathname;
}
