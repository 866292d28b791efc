const limitMs = 60_000;

export async function until<T>(ask: () => Promise<T>, fits: (answer: T) => boolean): Promise<T> {
  const end = Date.now() + limitMs;
  for (;;) {
    const answer = await ask();
    if (fits(answer)) return answer;
    if (Date.now() > end) throw new Error(`It stays ${JSON.stringify(answer)}`);
    await new Promise((next) => setTimeout(next, 50));
  }
}
