/** Pure: paths of this server where a proxy serves it below a path of its own. */

/** What the proxy passes on: without `base`, the path that it takes away. Pages and the sign-in add it again. */
export const ownPath = (path: string, base: string): string => {
  if (base === "" || !path.startsWith(base)) return path;
  const rest = path.slice(base.length);
  if (rest.startsWith("/")) return rest;
  return rest === "" || /^[?#]/.test(rest) ? `/${rest}` : path;
};

export const isBelow = (path: string, base: string): boolean => base === "" || ownPath(path, base) !== path;
