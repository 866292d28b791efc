/** A reader of a plan's events who comes back, to whichever instance, with the last id that was seen. */
import { readEventIds } from "../event-ids.ts";
import { count, rest, type Client, type Observed } from "./client.ts";
import type { Instance } from "./instance.ts";
import type { StreamRecord } from "./records.ts";

export interface StreamDeps {
  observed: Observed;
  signal: AbortSignal;
}

/** A heartbeat comes every 15 s. */
const longestSilenceMs = 35_000;

export async function followStream(
  client: Client,
  record: StreamRecord,
  { observed, signal }: StreamDeps,
): Promise<void> {
  while (!signal.aborted && !record.isWhole) {
    const instance = client.pick();
    const restMs = instance ? await readOnce(instance, record, { observed, signal }) : 200;
    await rest(restMs, signal);
  }
}

/** Answers how long to wait before the next connection. */
async function readOnce(
  instance: Instance,
  record: StreamRecord,
  { observed, signal }: StreamDeps,
): Promise<number> {
  const from = Date.now();
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(new Error("it was silent for too long")), longestSilenceMs);
  try {
    const last = record.ids.at(-1);
    const answer = await fetch(
      `${instance.url()}/api/coordinator/v1/execution-plans/${record.planId}/events`,
      {
        headers: last === undefined ? {} : { "last-event-id": String(last) },
        signal: AbortSignal.any([signal, silence.signal]),
      },
    );
    count(observed.answers, `events ${answer.status}`);
    if (answer.status === 200 && answer.body) {
      for await (const id of readEventIds(answer.body, () => timer.refresh())) record.ids.push(id);
      return 20;
    }
    const text = await answer.text();
    record.isWhole = answer.status === 204;
    if (![204, 503].includes(answer.status))
      count(
        observed.violations,
        `a stream at ${instance.name} was answered ${answer.status}: ${text.slice(0, 200)}`,
      );
    return Number(answer.headers.get("retry-after") ?? 0.2) * 1_000;
  } catch (error) {
    if (!signal.aborted && !instance.wasAway(from, Date.now())) {
      const { message, cause } = error as Error & { cause?: { code?: string } };
      count(observed.violations, `a stream at ${instance.name} broke: ${cause?.code ?? message}`);
    }
    return 200;
  } finally {
    clearTimeout(timer);
  }
}
