/** A caller of two instances that behaves as the interface asks: another try after Retry-After, under the same key. */
import type { Random } from "../../crash/random.ts";
import type { Instance } from "./instance.ts";

export interface Observed {
  /** How often each answer was had: "start 202", "status 503 PLATFORM_DATABASE_UNAVAILABLE", "status reset". */
  answers: Map<string, number>;
  /** The longest that a caller waited for an answer, by the name of the request, in ms. */
  slowestMs: Map<string, number>;
  /** Each with the number of times. */
  violations: Map<string, number>;
}

export interface Ask {
  name: string;
  /** The whole path, with that of the area: /api/coordinator/v1/… */
  path: string;
  method?: string;
  body?: object;
  headers?: Record<string, string>;
  /** The status that is wanted; the request is sent again until it comes or the caller has to give up. */
  wanted: number;
  signal: AbortSignal;
}

export interface Client {
  /** The text of the wanted answer; null when the signal was given first, or when the answer was another one. */
  ask(request: Ask): Promise<string | null>;
  /** One of the instances that are up. */
  pick(): Instance | null;
}

/** What a caller waits for one answer, whatever has befallen the database. */
const waitLimitMs = 20_000;
const longestRestMs = 5_000;

export const newObserved = (): Observed => ({
  answers: new Map(),
  slowestMs: new Map(),
  violations: new Map(),
});

export function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

export function createClient(instances: readonly Instance[], observed: Observed, random: Random): Client {
  const pick = (): Instance | null => {
    const up = instances.filter((instance) => instance.url() !== null);
    return up[Math.floor(random() * up.length)] ?? null;
  };
  return {
    pick,
    async ask(request) {
      while (!request.signal.aborted) {
        const instance = pick();
        const answer = instance && (await send(instance, request, observed));
        if (answer?.status === request.wanted) return answer.text;
        // What is wrong with the request stays wrong; anything else may pass.
        if (answer && answer.status < 500) return null;
        await rest(answer?.restMs ?? 200, request.signal);
      }
      return null;
    },
  };
}

interface Answer {
  status: number;
  text: string;
  restMs: number;
}

/** Null when there was no answer. */
async function send(instance: Instance, request: Ask, observed: Observed): Promise<Answer | null> {
  const { name, path, method = "GET", body, headers, wanted } = request;
  const from = Date.now();
  const violate = (what: string): void =>
    count(observed.violations, `${method} ${name} at ${instance.name} ${what}`);
  try {
    const answer = await fetch(`${instance.url()}${path}`, {
      method,
      signal: AbortSignal.timeout(waitLimitMs),
      headers: { ...(body && { "content-type": "application/json" }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    const tookMs = Date.now() - from;
    if (!instance.wasAway(from, Date.now()))
      observed.slowestMs.set(name, Math.max(observed.slowestMs.get(name) ?? 0, tookMs));
    const { status } = answer;
    count(observed.answers, `${name} ${status}${status >= 500 ? ` ${codeOf(text)}` : ""}`);
    const retryAfter = answer.headers.get("retry-after");
    if (status === 503 && !(Number(retryAfter) > 0)) violate("was answered 503 without Retry-After");
    if (status !== wanted && status !== 503) violate(`was answered ${status}: ${shorten(text)}`);
    return { status, text, restMs: Number(retryAfter ?? 0.2) * 1_000 };
  } catch (error) {
    const why = reasonOf(error);
    count(observed.answers, `${name} ${why}`);
    // Whoever kills a process, or has it stand still, takes its callers' answers away.
    if (!instance.wasAway(from, Date.now())) violate(`had no answer: ${why}`);
    return null;
  }
}

const codeOf = (text: string): string => /[A-Z]+(?:_[A-Z]+){1,}/.exec(text)?.[0] ?? "without a code";

/** Without what differs from one answer to the next. */
const shorten = (text: string): string => text.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "<id>").slice(0, 240);

const reasonOf = (error: unknown): string => {
  const { name, cause } = error as Error & { cause?: { code?: string } };
  if (name === "TimeoutError") return `none within ${waitLimitMs} ms`;
  return cause?.code ?? name;
};

export async function rest(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((next) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      next();
    };
    const timer = setTimeout(done, Math.min(ms, longestRestMs));
    signal.addEventListener("abort", done);
  });
}
