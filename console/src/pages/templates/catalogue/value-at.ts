/** Pure: the value at a path such as `spec.mesh.tags[0]`, or undefined. */
export const valueAt = (root: unknown, path: string): unknown => {
  let part = root;
  for (const key of path.split(/[.[\]]+/).filter((each) => each !== ""))
    part =
      typeof part === "object" && part !== null && Object.hasOwn(part, key)
        ? Reflect.get(part, key)
        : undefined;
  return part;
};
