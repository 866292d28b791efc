/**
 * A connection that prepares frequent statements: the server then parses each of them once per connection. It serves the goal of 200 starts
 * per second (bench/starts.ts). Together with fewer statements it halved the CPU of a start, from 17 to 8.5 ms, of which PostgreSQL
 * had 8.9 and has 3.9: docs/decisions/2026-11-21-prepared-statements.md.
 */
import { LimitedClient, type LimitedConfig } from "./limited-client.ts";

/** A text is prepared from this use on, so that rare ones cost a connection no memory. */
const oftenFrom = 20;
/** Maximum number of texts that are prepared: each takes memory in every connection. */
const maxPrepared = 500;
/** Maximum number of rare texts that are counted; the least recently used one is dropped. */
const maxCounted = 1_000;

type Query = (...args: unknown[]) => unknown;

/** The client of one `pg.Pool`: all its connections give a text the same name. */
export function preparingClient(): typeof LimitedClient {
  const nameOf = nameStatements();
  // The driver's own class calls its `query` in three forms, of which one has a bare text.
  return class extends LimitedClient {
    constructor(config?: LimitedConfig) {
      super(config);
      const query = this.query.bind(this) as Query;
      const preparing: Query = (text, values, ...rest) => {
        const name = typeof text === "string" && Array.isArray(values) ? nameOf(text) : undefined;
        return name === undefined ? query(text, values, ...rest) : query({ name, text, values }, ...rest);
      };
      this.query = preparing as typeof this.query;
    }
  };
}

/** The name under which a text is prepared, or undefined while it is rare. */
function nameStatements(): (text: string) => string | undefined {
  /** Uses of the texts that are rare so far, the last used at the end. */
  const rareUses = new Map<string, number>();
  const names = new Map<string, string>();
  return (text) => {
    const known = names.get(text);
    if (known !== undefined || names.size >= maxPrepared) return known;
    const count = (rareUses.get(text) ?? 0) + 1;
    rareUses.delete(text);
    if (count >= oftenFrom) {
      const name = `often_${names.size}`;
      names.set(text, name);
      return name;
    }
    rareUses.set(text, count);
    if (rareUses.size > maxCounted) rareUses.delete(rareUses.keys().next().value!);
    return undefined;
  };
}
