/** Pure: a descriptor without what building and deploying have added to it. */
const added = new Set(["info", "deployInfo", "buildInfo"]);

type DescriptorMap = Record<string, unknown>;

/** Leaves out the added keys of the unit, its components and their subcomponents, and nothing of the users' own content. */
export function bareDescriptor(descriptor: DescriptorMap): DescriptorMap {
  return Object.fromEntries(
    Object.entries(descriptor)
      .filter(([key]) => !added.has(key))
      .map(([key, value]) => [
        key,
        key === "components" && Array.isArray(value) ? value.map(bareItem) : value,
      ]),
  );
}

const bareItem = (item: unknown): unknown =>
  typeof item === "object" && item !== null && !Array.isArray(item) ? bareDescriptor({ ...item }) : item;
