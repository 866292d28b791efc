/** Pure: what external agents are told may hold secrets; an export has a mask in their place. */

export const mask = "********";

const secretName = /key|secret|token|password|passwd|authori[sz]ation|credential|header|cookie|signature/i;

/** The same with a mask for each text that is, or lies below, a property with the name of a secret. */
export function masked(value: unknown, isSecret = false): unknown {
  if (typeof value === "string") return isSecret && value !== "" ? mask : value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => masked(item, isSecret));
  const entries = Object.entries(value);
  return Object.fromEntries(
    entries.map(([name, item]) => [name, masked(item, isSecret || secretName.test(name))]),
  );
}

/** A mask in the query of an address stands for the value of a parameter. */
export function maskedAddress(text: string): string {
  if (!URL.canParse(text)) return text;
  const url = new URL(text);
  const secret = [...url.searchParams.keys()].filter((name) => secretName.test(name));
  if (secret.length === 0) return text;
  for (const name of secret) url.searchParams.set(name, mask);
  return url.href;
}

export interface Unmasked {
  value: unknown;
  /** Places whose secrets are not known here; they are left out. */
  unknown: string[];
}

/** What is stored at the same place comes in for each mask. */
export function unmasked(given: unknown, stored: unknown): Unmasked {
  const unknown: string[] = [];
  const value = restored(given, stored, { path: [], unknown });
  return { value, unknown };
}

interface Place {
  path: string[];
  unknown: string[];
}

function restored(given: unknown, stored: unknown, { path, unknown }: Place): unknown {
  if (given === mask) {
    if (typeof stored === "string") return stored;
    unknown.push(path.join("."));
    return undefined;
  }
  if (typeof given !== "object" || given === null) return given;
  const at = (name: string): unknown =>
    typeof stored === "object" && stored !== null && Object.hasOwn(stored, name)
      ? Reflect.get(stored, name)
      : undefined;
  const inside = (item: unknown, name: string): unknown =>
    restored(item, at(name), { path: [...path, name], unknown });
  if (Array.isArray(given))
    return given.map((item, n) => inside(item, String(n))).filter((item) => item !== undefined);
  const entries = Object.entries(given).map(([name, item]) => [name, inside(item, name)] as const);
  return Object.fromEntries(entries.filter(([, item]) => item !== undefined));
}
