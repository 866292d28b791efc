/** Queries that clients send by their hash, kept by a process. One that does not know a hash is told the query again. */
import { createHash } from "node:crypto";
import { dataLayerFailure } from "../errors.ts";

export interface PersistedQuery {
  version: number;
  sha256Hash: string;
}

export interface PersistedQueries {
  /** The text to execute. Throws where the hash is unknown and no text came with it, or where the two disagree. */
  resolve(query: string | undefined, persisted: PersistedQuery | undefined): string | undefined;
  /** Keeps a text that was found to be valid and within the limits. */
  keep(query: string, persisted: PersistedQuery | undefined): void;
}

/** Characters of all that is kept. */
const maxLength = 10_000_000;

export function createPersistedQueries(max: number, isOn: boolean): PersistedQueries {
  const texts = new Map<string, string>();
  let length = 0;
  const forget = (hash: string): void => {
    length -= texts.get(hash)?.length ?? 0;
    texts.delete(hash);
  };
  return {
    resolve(query, persisted) {
      if (persisted === undefined) return query;
      if (!isOn) throw dataLayerFailure("GRAPHQL_PERSISTED_OFF", { message: "Persisted queries are off." });
      if (persisted.version !== 1)
        throw dataLayerFailure("GRAPHQL_PERSISTED_HASH", {
          message: "Persisted queries have the version 1.",
        });
      const { sha256Hash } = persisted;
      if (query !== undefined && query !== "") {
        if (createHash("sha256").update(query).digest("hex") === sha256Hash) return query;
        throw dataLayerFailure("GRAPHQL_PERSISTED_HASH", {
          message: "sha256Hash is not the hash of the query.",
        });
      }
      const known = texts.get(sha256Hash);
      // Clients know this text and send the query when they read it.
      if (known === undefined)
        throw dataLayerFailure("PERSISTED_QUERY_NOT_FOUND", { message: "PersistedQueryNotFound" });
      texts.delete(sha256Hash);
      texts.set(sha256Hash, known);
      return known;
    },
    keep(query, persisted) {
      if (persisted === undefined || !isOn) return;
      forget(persisted.sha256Hash);
      texts.set(persisted.sha256Hash, query);
      length += query.length;
      for (const oldest of texts.keys()) {
        if (texts.size <= max && length <= maxLength) break;
        forget(oldest);
      }
    },
  };
}
