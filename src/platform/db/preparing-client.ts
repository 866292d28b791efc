/**
 * A connection that prepares the statements that come often: the server then parses each of them once for every
 * connection, which is most of what a small statement costs it.
 */
import { LimitedClient, type LimitedConfig } from "./limited-client.ts";

/** A text is prepared from this use on, so that rare ones cost a connection no memory. */
const oftenFrom = 20;
/** Most texts that are kept; lists of parameters of different lengths make many. */
const mostTexts = 500;

const uses = new Map<string, { count: number; name: string }>();

/** The name under which the text is prepared, or undefined while it is rare. The same in every connection. */
function preparedName(text: string): string | undefined {
  const known = uses.get(text);
  if (known === undefined) {
    if (uses.size < mostTexts) uses.set(text, { count: 1, name: `often_${uses.size}` });
    return undefined;
  }
  known.count++;
  return known.count >= oftenFrom ? known.name : undefined;
}

type Query = (...args: unknown[]) => unknown;

/** For `pg.Pool`; the driver's own class calls its `query` in three forms, of which one has a bare text. */
export class PreparingClient extends LimitedClient {
  constructor(config?: LimitedConfig) {
    super(config);
    const query = this.query.bind(this) as Query;
    const preparing: Query = (text, values, ...rest) => {
      const name = typeof text === "string" && Array.isArray(values) ? preparedName(text) : undefined;
      return name === undefined ? query(text, values, ...rest) : query({ name, text, values }, ...rest);
    };
    this.query = preparing as typeof this.query;
  }
}
