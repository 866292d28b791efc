/** Opens something at its first use, once for all; what has failed is tried again at the next use. */
export function openOnce<Deps, Opened>(
  open: (deps: Deps) => Promise<Opened>,
): (deps: Deps) => Promise<Opened> {
  let opened: Promise<Opened> | undefined;
  return (deps) =>
    (opened ??= open(deps).catch((error: unknown) => {
      opened = undefined;
      throw error;
    }));
}
