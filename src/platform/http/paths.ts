/** Pure: the path templates of operations, `/v1/things/{thing-id}`, as the router's paths and as patterns. */

const placeholder = /\{([^{}/]+)\}/g;

export const placeholdersOf = (path: string): string[] =>
  [...path.matchAll(placeholder)].map((match) => match[1] ?? "");

export interface RouterPath {
  url: string;
  /** Name in the operation and name in the router, which allows word characters only. */
  names: [string, string][];
}

export const toRouterPath = (path: string): RouterPath => {
  const names = placeholdersOf(path).map((name, index): [string, string] => [
    name,
    /^\w+$/.test(name) ? name : `p${index}`,
  ]);
  const routerNames = new Map(names);
  const url = path
    .replaceAll(":", "::")
    .replaceAll(placeholder, (_, name: string) => `:${routerNames.get(name) ?? name}`);
  return { url, names };
};

/** Matches every path that the template could stand for. */
export const toPattern = (path: string): RegExp => {
  const source = path
    .split(placeholder)
    .map((part, index) =>
      index % 2 === 1 ? "[^/]+" : part.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`),
    )
    .join("");
  return new RegExp(`^${source}$`);
};

/** Outside all areas, asked every few seconds by machines. */
export const healthPaths: readonly string[] = ["/healthz", "/readyz", "/metrics"];
