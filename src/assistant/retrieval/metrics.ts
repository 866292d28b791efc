/** Metrics of the index. They are read from the database on request, so every process returns the same. */
import { Gauge, type Registry } from "prom-client";
import type { Database } from "../../platform/db/database.ts";
import { readIndexState, type IndexState } from "./store.ts";

export function registerIndexMetrics(registry: Registry, { kysely }: Database): void {
  const gauge = (name: string, help: string, valueOf: (state: IndexState) => number): void => {
    const made: Gauge = new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        // Without the database only these metrics are missing.
        const state = await readIndexState(kysely).catch(() => null);
        made.reset();
        if (state !== null) made.set(valueOf(state));
      },
    });
  };
  gauge(
    "plinth_assistant_index_documents",
    "Passages that the assistant searches.",
    ({ documents }) => documents,
  );
  gauge(
    "plinth_assistant_index_waiting",
    "Passages that wait for a vector of the present embedder.",
    ({ waiting }) => waiting,
  );
}
