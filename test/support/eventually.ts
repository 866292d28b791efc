/** How long a test waits for a state: long enough for a machine that does twenty other things. */
export const waitLimitMs = 120_000;

/** Asks until the answer is something, and returns it; throws with what it waited for when it does not come. */
export async function eventually<T>(
  what: string | (() => string),
  ask: () => T | Promise<T>,
): Promise<NonNullable<T>> {
  const giveUpAt = performance.now() + waitLimitMs;
  for (;;) {
    const found = await ask();
    if (found) return found;
    if (performance.now() > giveUpAt) {
      const name = typeof what === "string" ? what : what();
      throw new Error(`${name} did not come about within ${waitLimitMs} ms.`);
    }
    await new Promise((next) => setTimeout(next, 10));
  }
}
