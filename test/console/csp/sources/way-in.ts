/** The ways by which payloads come in: each is a field of a real operation, with how many it has taken and how many it has refused. */
import type { ShownRoute } from "../../support/routes.ts";
import type { ConsoleServer } from "../../support/server.ts";

export type Stage = Pick<ConsoleServer, "guest" | "ada" | "mock" | "url">;

export interface WaysIn {
  taken: Map<string, number>;
  refused: Map<string, number>;
  /** The first answer with 4xx, by its fields. */
  refusals: Map<string, string>;
  /** Where what has come in is shown. */
  routes: ShownRoute[];
  /** Answers that are a defect whatever comes in. */
  findings: string[];
}

export const noWays = (): WaysIn => ({
  taken: new Map(),
  refused: new Map(),
  refusals: new Map(),
  routes: [],
  findings: [],
});

/** Sends what has `count` payloads in those fields. A refusal with 4xx is an answer too: a field may have a form. */
export async function send<T = any>(
  ways: WaysIn,
  { fields, count }: { fields: readonly string[]; count: number },
  call: () => Promise<T>,
): Promise<T | undefined> {
  const add = (map: Map<string, number>): void =>
    fields.forEach((field) => void map.set(field, (map.get(field) ?? 0) + count));
  try {
    const answer = await call();
    add(ways.taken);
    return answer;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (!/ answered 4\d\d: /.test(message)) {
      ways.findings.push(`${fields.join(", ")}: ${message.slice(0, 400)}`);
      return undefined;
    }
    if (!ways.refusals.has(fields.join(", "))) ways.refusals.set(fields.join(", "), message.slice(0, 300));
    add(ways.refused);
    return undefined;
  }
}

/** A few at a time, as the machine may be small. */
export async function forEach<T>(
  items: readonly T[],
  act: (item: T, index: number) => Promise<unknown>,
): Promise<void> {
  const left = [...items.entries()];
  const work = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) await act(next[1], next[0]);
  };
  await Promise.all(Array.from({ length: 4 }, work));
}

/** Lists of `size` that follow one another. */
export const chunks = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
