/** Pure: paths of this server when a proxy serves it under a path prefix. */

/** The path without the proxy's prefix `base`, as the proxy passes it on. The router and the sign-in add the prefix again. */
export const ownPath = (path: string, base: string): string => {
  if (base === "" || !path.startsWith(base)) return path;
  const rest = path.slice(base.length);
  if (rest.startsWith("/")) return rest;
  return rest === "" || /^[?#]/.test(rest) ? `/${rest}` : path;
};

export const isBelow = (path: string, base: string): boolean => base === "" || ownPath(path, base) !== path;
