/** A descriptor as far as the page reads it. Pure. */
import { fromYaml } from "../../../parts/code/yaml.ts";

export interface DescriptorComponent {
  id: string;
  name: string;
  kind: string;
}

export interface Descriptor extends Record<string, unknown> {
  id: string;
  name?: string;
  version?: string;
}

export type ParsedDescriptor = { descriptor: Descriptor } | { problem: string };

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** JSON or YAML. What is wrong with the text is said at once; what is wrong with its content the server says. */
export function parseDescriptor(text: string): ParsedDescriptor {
  const isJson = /^\s*[{[]/.test(text);
  let value: unknown;
  try {
    value = isJson ? JSON.parse(text) : fromYaml(text);
  } catch (error) {
    const [reason = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
    return { problem: `This is not ${isJson ? "JSON" : "YAML"}: ${reason}.` };
  }
  if (!isRecord(value)) return { problem: "A descriptor is an object." };
  // The body of a start has the descriptor in it, and people copy that as well.
  const inner = isRecord(value["descriptor"]) ? value["descriptor"] : value;
  const { id } = inner;
  return typeof id === "string" && id !== ""
    ? { descriptor: { ...inner, id } }
    : { problem: "A descriptor has an id." };
}

export function componentsOf(descriptor: Descriptor): DescriptorComponent[] {
  const components: unknown = descriptor["components"];
  if (!Array.isArray(components)) return [];
  return components
    .filter(isRecord)
    .flatMap(({ id, name, kind }) =>
      typeof id === "string"
        ? [{ id, name: typeof name === "string" ? name : id, kind: typeof kind === "string" ? kind : "" }]
        : [],
    );
}

const first = ["id", "name", "fullyQualifiedName", "kind", "version", "environment", "domain", "description"];

/** As text in which equal content stands in equal order, so that a comparison shows what differs. */
export const printed = (value: unknown): string => JSON.stringify(ordered(value), null, 2);

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (!isRecord(value)) return value;
  const rank = (key: string): number => (first.includes(key) ? first.indexOf(key) : first.length);
  const keys = Object.keys(value).toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  return Object.fromEntries(keys.map((key) => [key, ordered(value[key])]));
}
