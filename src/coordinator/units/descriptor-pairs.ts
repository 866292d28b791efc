/** Pure. The components of two descriptors of one unit, side by side. */
import { isRecord } from "../../platform/lib/is-record.ts";
import { idKey } from "../ids.ts";

export interface Side {
  /** Null for a side that is a stored descriptor. */
  status: "DEPLOYED" | "CORRUPT" | null;
  descriptorVersion: string | null;
  /** Null where both sides have the same. */
  descriptor: Record<string, unknown> | null;
}

export interface ComponentPair {
  id: string;
  isRoot: boolean;
  environment: Side | null;
  otherEnvironment: Side | null;
}

type Descriptor = Record<string, unknown>;

/** The unit's own fields first, as a pair of their own; then the components in the order of the first side. */
export function pairsOfDescriptors(one: Descriptor | null, other: Descriptor | null): ComponentPair[] {
  if (one === null && other === null) return [];
  const root: ComponentPair = {
    id: textOf((one ?? other)?.["id"]),
    isRoot: true,
    environment: one && rootSide(one),
    otherEnvironment: other && rootSide(other),
  };
  const [left, right] = [componentsOf(one), componentsOf(other)];
  const pairs = [...new Set([...left.keys(), ...right.keys()])].map((key) => {
    const sides = [left.get(key), right.get(key)];
    const id = textOf((sides[0] ?? sides[1])?.["id"]);
    return {
      id,
      isRoot: false,
      environment: sides[0] ? sideOf(sides[0]) : null,
      otherEnvironment: sides[1] ? sideOf(sides[1]) : null,
    };
  });
  return [root, ...pairs];
}

function rootSide({ components: _components, ...own }: Descriptor): Side {
  return sideOf(own);
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

const sideOf = (descriptor: Descriptor): Side => ({
  status: null,
  descriptorVersion: typeof descriptor["version"] === "string" ? descriptor["version"] : null,
  descriptor,
});

function componentsOf(descriptor: Descriptor | null): Map<string, Descriptor> {
  const list: unknown = descriptor?.["components"];
  return new Map(
    (Array.isArray(list) ? list : [])
      .filter(isRecord)
      .filter(({ id }) => typeof id === "string")
      .map((component) => [idKey(textOf(component["id"])), component]),
  );
}
