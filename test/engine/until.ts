/** Waits for a state by asking for it often; throws with what it waited for when it does not come. */
export async function until(
  what: string,
  isSo: () => boolean | Promise<boolean>,
  timeoutMs = 10_000,
): Promise<void> {
  const giveUpAt = performance.now() + timeoutMs;
  while (!(await isSo())) {
    if (performance.now() > giveUpAt) throw new Error(`${what} did not come about within ${timeoutMs} ms.`);
    await new Promise((next) => setTimeout(next, 3));
  }
}
