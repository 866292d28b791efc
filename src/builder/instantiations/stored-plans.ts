/** Which plans of templates this installation's database is known to hold, so that most starts need not store theirs. */
export interface StoredPlans {
  has(hash: string, nowMs: number): boolean;
  add(hash: string, nowMs: number): void;
}

/** After an hour a start says again that it needs its plan: those that nobody needs for a day are deleted. */
const storedForMs = 60 * 60_000;
const mostPlans = 1_000;

/** For one database. */
export function createStoredPlans(): StoredPlans {
  const storedAt = new Map<string, number>();
  return {
    has: (hash, nowMs) => nowMs - (storedAt.get(hash) ?? 0) < storedForMs,
    add(hash, nowMs) {
      if (storedAt.size >= mostPlans) storedAt.clear();
      storedAt.set(hash, nowMs);
    },
  };
}
