/** What a page gets from event streams, as it comes over its connections. */
import type { Page } from "playwright-core";

export interface PageEvents {
  /** In the order of their arrival, those that came twice twice. */
  ids: string[];
  /** How many were opened with an answer 200. */
  connections: number;
}

/** Watches the streams whose address has that part, from now on and until the page is loaded anew. */
export async function watchEvents(page: Page, part: string): Promise<() => Promise<PageEvents>> {
  await page.evaluate(watch, part);
  return () => page.evaluate(() => (globalThis as any).seenEvents());
}

/** Runs in the page, whose names this program has no types for. */
function watch(part: string): void {
  const { window, TextDecoder, fetch } = globalThis as any;
  const seen = { ids: [] as string[], connections: 0 };
  window.seenEvents = () => seen;
  const read = async (body: any): Promise<void> => {
    let rest = "";
    const decoder = new TextDecoder();
    for (const reader = body.getReader(); ;) {
      const { done, value } = await reader.read();
      if (done) return;
      const records = (rest + decoder.decode(value, { stream: true })).split("\n\n");
      rest = records.pop() ?? "";
      for (const record of records) {
        const id = /^id: ?(.+)$/m.exec(record)?.[1];
        if (id !== undefined) seen.ids.push(id);
      }
    }
  };
  window.fetch = async (request: any, options: any) => {
    const answer = await fetch(request, options);
    const url = typeof request === "string" ? request : request.url;
    if (!url.includes(part) || !url.includes("/events") || answer.status !== 200) return answer;
    seen.connections += 1;
    const [mine, theirs] = answer.body.tee();
    // A broken connection ends both; the page opens the next one.
    read(mine).catch(() => undefined);
    return new (globalThis as any).Response(theirs, answer);
  };
}
