/**
 * What runs read of agents, skills and models, kept in this process until any of them changes. Each question costs at most a
 * look at the number of their last change, and those who ask at the same time share that look: so nobody is given what was
 * changed, anywhere, before they asked.
 */
export interface CachedRecords {
  /** What `load` gives for `key`; nothing that is missing is kept. */
  read<T>(key: string, load: () => Promise<T>): Promise<T>;
}

/** So that nobody fills the memory. */
const mostKeys = 1_000;

export function cacheRecords(readVersion: () => Promise<number>): CachedRecords {
  let kept = { version: Number.NaN, values: new Map<string, Promise<unknown>>() };
  let underWay: Promise<unknown> = Promise.resolve();
  let next: Promise<number> | null = null;

  /** A look that is under way may have come before a change that the caller knows of; the next one serves all who ask until it begins. */
  const look = (): Promise<number> => {
    next ??= underWay.then(begin, begin);
    return next;
  };
  const begin = (): Promise<number> => {
    next = null;
    const version = readVersion();
    underWay = version;
    return version;
  };

  return {
    async read<T>(key: string, load: () => Promise<T>): Promise<T> {
      const version = await look();
      if (kept.version !== version) kept = { version, values: new Map() };
      const { values } = kept;
      const known = values.get(key) as Promise<T> | undefined;
      if (known !== undefined) return known;
      if (values.size >= mostKeys) values.clear();
      const loading = load();
      values.set(key, loading);
      const forget = (): boolean => values.delete(key);
      loading.then((value) => value === null && forget(), forget);
      return loading;
    },
  };
}
