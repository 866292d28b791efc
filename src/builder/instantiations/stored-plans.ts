/** Caches which template plans the database contains, so that most starts need not store theirs. */
export interface StoredPlans {
  has(hash: string, nowMs: number): boolean;
  add(hash: string, nowMs: number): void;
}

/**
 * After an hour a start confirms again that it needs its plan: plans that are not needed for a day are
 * deleted.
 */
const storedForMs = 60 * 60_000;
const maxPlans = 1_000;

/** One cache for each database. */
export function createStoredPlans(): StoredPlans {
  const storedAt = new Map<string, number>();
  return {
    has: (hash, nowMs) => nowMs - (storedAt.get(hash) ?? 0) < storedForMs,
    add(hash, nowMs) {
      if (storedAt.size >= maxPlans) storedAt.clear();
      storedAt.set(hash, nowMs);
    },
  };
}
