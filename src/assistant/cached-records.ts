/**
 * Agents, skills and models that runs read, cached in this process until any of them changes. Each read costs at most one
 * query for the number of the last change, which concurrent reads share; so a read sees every
 * change, by any process, that was committed before it. It serves the same goal as the write schedule of runs
 * (runs/log/write-schedule.ts): docs/decisions/2026-11-21-cost-of-a-token.md has the figures.
 */
import { sharedRead } from "../platform/db/shared-read.ts";

export interface CachedRecords {
  /** The result of `load` for `key`; null is not cached. */
  read<T>(key: string, load: () => Promise<T>): Promise<T>;
}

const maxKeys = 1_000;

export function cacheRecords(readVersion: () => Promise<number>): CachedRecords {
  let cache = { version: Number.NaN, values: new Map<string, Promise<unknown>>() };
  // Runs wait for it as long as for any other statement.
  const currentVersion = sharedRead(readVersion, Infinity);
  return {
    async read<T>(key: string, load: () => Promise<T>): Promise<T> {
      const version = await currentVersion();
      if (cache.version !== version) cache = { version, values: new Map() };
      const { values } = cache;
      const known = values.get(key) as Promise<T> | undefined;
      if (known !== undefined) return known;
      if (values.size >= maxKeys) values.clear();
      const loading = load();
      values.set(key, loading);
      const forget = (): boolean => values.delete(key);
      loading.then((value) => value === null && forget(), forget);
      return loading;
    },
  };
}
